/** What a language model wrote, sentence by sentence, each with the words that bear it out. */
import { html, useState } from "../lib.js";
import { strings } from "../strings.js";
import { shown } from "../text.js";
import { Citation, Quotation } from "./quotation.js";

/** @param {{prose: import("./types.js").Reply["prose"], open: Function}} parts */
export function ProseAnswer({ prose, open }) {
  const [chosen, choose] = useState(null);
  if (!prose?.segments.length) return null;
  const cited = citedIn(prose);
  return html`<section class="prose" aria-label=${strings.conversation.prose}>
    <p class="answer-text long" dir="auto">
      ${prose.segments.map(
        (segment) => html`<span class=${segment.spans.length ? "borne-out" : "not-borne-out"}>${shown(segment.text)}</span>
          ${segment.spans.length ? segment.spans.map((span) => html`<${Mark} number=${numberOf(cited, span)} choose=${choose} chosen=${chosen} />`) : html`<span class="quiet">${strings.conversation.notBorneOut}</span>`} `,
      )}
    </p>
    ${chosen !== null &&
    html`<div class="evidence">
      <${Quotation} span=${cited[chosen - 1]} open=${open} />
      <${Citation} span=${cited[chosen - 1]} open=${open} />
    </div>`}
    <ol class="cited">
      ${cited.map((span) => html`<li><${Citation} span=${span} open=${open} /></li>`)}
    </ol>
    <p class="quiet">${strings.conversation.wroteWith(prose.tokens, prose.left_out)}</p>
  </section>`;
}

function Mark({ number, choose, chosen }) {
  return html`<button type="button" class="mark" aria-expanded=${chosen === number} aria-label=${strings.conversation.showWords(number)}
    onClick=${() => choose(chosen === number ? null : number)}>${number}</button>`;
}

/** The cited words, each once, in their order. */
function citedIn(prose) {
  const spans = prose.segments.flatMap((segment) => segment.spans);
  return spans.filter((span, index) => spans.findIndex((other) => same(span, other)) === index);
}

function numberOf(cited, span) {
  return cited.findIndex((other) => same(span, other)) + 1;
}

function same(one, other) {
  return one.source === other.source && one.start === other.start && one.end === other.end;
}
