/** A part of a recorded conversation to read; its words can be selected. */
import { html, useMemo } from "../../lib.js";
import { cut, length } from "../../text.js";
import { ReadingText } from "../reading/text.js";
import { strings } from "../strings.js";

/** @param {{chunk: any, span?: any, select?: ((span: any, words: string) => void) | null}} properties */
export function ChunkText({ chunk, span = null, select = null }) {
  const { text, names } = useMemo(() => transcriptOf(chunk.lines), [chunk]);
  return html`<div class="chunk">
    <p class="quiet" id="select-hint">${select ? strings.qaconv.hint : strings.qaconv.readHint}</p>
    <${ReadingText} label=${chunk.title || strings.qaconv.conversation} text=${text} links=${names} span=${span} hint="select-hint"
      select=${select && ((next) => select(next, next ? cut(text, next.start, next.end) : ""))} />
  </div>`;
}

/** The lines as one text, with the places of the speakers' names. */
function transcriptOf(lines) {
  const names = [];
  let text = "";
  for (const line of lines) {
    const start = length(text);
    if (line.speaker) names.push({ start, end: start + length(line.speaker) + 1, target: "" });
    text += `${line.speaker ? `${line.speaker}: ` : ""}${line.text}\n`;
  }
  return { text: text.trimEnd(), names };
}
