/** Quoted words in their sentence, and the line that says where they stand. */
import { html } from "../lib.js";
import { strings } from "../strings.js";
import { ending, shorten, shown, when } from "../text.js";

const AROUND = 400; // characters of a sentence that are shown on each side of the words

/** The facts of a citation, in the order they are told. @param {import("./types.js").Span} span */
export function facts(span) {
  const t = strings.conversation;
  const heading = span.section && !span.speaker ? `${span.title} › ${span.section.replaceAll(" > ", " › ")}` : span.title;
  const said = span.speaker ? [span.speaker, span.time && when(span.time)] : [];
  const places = [span.place || (span.page && t.page(span.page)), !span.place && !span.page && span.line && t.line(span.line)];
  return [...said, heading || span.source, ...places].filter(Boolean).map((fact) => shorten(fact, 160));
}

/** The citation line: a button that opens the source. */
export function Citation({ span, open, hotkey = undefined }) {
  const told = facts(span);
  return html`<button type="button" class="citation" data-key=${hotkey} onClick=${(event) => open(span, event.currentTarget)}
    title=${shown(span.source)} aria-label=${`${strings.conversation.openSource(shorten(span.title || span.source, 80))}: ${told.join(", ")}`}>
    ${told.map((fact, index) => html`${index > 0 && html`<span class="dot" aria-hidden="true">·</span>`}<bdi>${fact}</bdi>`)}
  </button>`;
}

/** The sentence with its words marked; a click opens the source there. */
export function Quotation({ span, open }) {
  const before = shown(ending(span.before ?? "", AROUND));
  const after = shorten(span.after ?? "", AROUND);
  const gap = /^\s/.test(span.after ?? "") ? " " : "";
  const act = (event) => {
    if (String(getSelection())) return; // the words are being selected
    open(span, event.currentTarget.parentElement.querySelector(".citation"));
  };
  return html`<blockquote class="quotation" dir="auto" onClick=${act}>
    <span class="quoted">${before}<mark>${shown(span.text)}</mark>${gap}${after}</span>
  </blockquote>`;
}

/** Whether a sentence says more than the words themselves. */
export function addsToWords(span, text) {
  return Boolean((span.before ?? "").trim() || (span.after ?? "").trim()) || !text.includes(span.text);
}
