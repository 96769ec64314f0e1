/** The blocks of a source: paragraphs below their sections and pages, or messages of a thread. */
import { html } from "../lib.js";
import { strings } from "../strings.js";
import { cut, length, shown, when } from "../text.js";
import { Words } from "../parts/words.js";
import { partsOf } from "./marking.js";

export function Blocks({ blocks, span }) {
  return blocks.map((block, index) => {
    const previous = blocks[index - 1];
    const { section, page, speaker } = block;
    const name = nameOf(block);
    return html`<div class=${speaker ? "block message" : isHeading(block) ? "block heading" : "block"} key=${`${block.key ?? ""}:${block.start}`}>
      ${page && page !== previous?.page && html`<p class="page-number">${strings.source.page(page)}</p>`}
      ${section && !speaker && !isHeading(block) && section !== previous?.section && html`<h3 class="block-section"><${Words} text=${section.replaceAll(" > ", " › ")} /></h3>`}
      ${speaker && html`<p class="message-head"><strong>${overlaps(name, span) ? html`<mark><${Words} text=${speaker} /></mark>` : html`<${Words} text=${speaker} />`}</strong>
        ${block.time && html`<time class="quiet" datetime=${block.time}>${when(block.time)}</time>`}</p>`}
      <${BlockText} block=${block} name=${name} index=${index} span=${span} />
    </div>`;
  });
}

/** Whether a block is the heading of its section, which then need not be told again. */
function isHeading({ text, section }) {
  return text.length < 300 && text.trim() === section?.split(" > ").at(-1);
}

/** Where the text has the speaker's name before the words; the head of the message shows it. */
function nameOf(block) {
  const label = block.speaker && block.text.startsWith(`${block.speaker}: `) ? length(block.speaker) : 0;
  return { start: block.start, end: block.start + label };
}

const overlaps = (one, other) => one.start < other.end && other.start < one.end;

function BlockText({ block, name, index, span }) {
  const skipped = name.end > name.start ? name.end - name.start + 2 : 0; // with the colon and the space
  const words = { text: cut(block.text, skipped), start: block.start + skipped };
  const parts = partsOf(words, span);
  return html`${parts.hiddenBefore > 0 && html`<p class="quiet">${strings.truncated(parts.hiddenBefore)}</p>`}
    <p class="block-text" dir="auto" data-block=${index} data-start=${words.start + parts.hiddenBefore}>${shown(parts.before)}${parts.words && html`<mark>${shown(parts.words)}</mark>`}${shown(parts.after)}</p>
    ${parts.hiddenAfter > 0 && html`<p class="quiet">${strings.truncated(parts.hiddenAfter)}</p>`}`;
}
