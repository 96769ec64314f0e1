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
  const sides = sidesOf(prose);
  const others = prose.segments.filter((segment) => !sides.length || !segment.side);
  const sentence = (segment) => html`<${Sentence} segment=${segment} cited=${cited} choose=${choose} chosen=${chosen} />`;
  return html`<section class="prose" aria-label=${strings.conversation.prose}>
    ${sides.length > 0 && html`<${Comparison} prose=${prose} sides=${sides} sentence=${sentence} />`}
    ${others.length > 0 && html`<p class="answer-text long" dir="auto">${others.map(sentence)}</p>`}
    ${prose.clarification && html`<p class="clarification" dir="auto">${shown(prose.clarification)}</p>`}
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

/** A sentence with its citations, and why it was added if it was not asked for. */
function Sentence({ segment, cited, choose, chosen }) {
  const t = strings.conversation;
  const borne = segment.spans.length > 0;
  return html`<span class=${borne ? "borne-out" : "not-borne-out"}>${shown(segment.text)}</span>
    ${borne ? segment.spans.map((span) => html`<${Mark} number=${numberOf(cited, span)} choose=${choose} chosen=${chosen} />`) : html`<span class="quiet">${t.notBorneOut}</span>`}
    ${segment.role ? html` <span class="role">${t.roles[segment.role] ?? ""}</span>` : ""} `;
}

/** A column for each compared thing, with the sentences that its own passages bear out. */
function Comparison({ prose, sides, sentence }) {
  const columns = sides.map((side) => prose.segments.filter((segment) => segment.side === side));
  const rows = Array.from({ length: Math.max(...columns.map((column) => column.length)) });
  return html`<div class="comparison"><table>
    <thead><tr>${sides.map((side) => html`<th scope="col" dir="auto">${shown(side)}</th>`)}</tr></thead>
    <tbody>${rows.map((_, row) => html`<tr>${columns.map((column) => html`<td dir="auto">${column[row] ? sentence(column[row]) : ""}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

/** The compared things, where two at least have sentences of their own. */
function sidesOf(prose) {
  const found = [...new Set(prose.segments.map((segment) => segment.side).filter(Boolean))];
  return found.length > 1 ? found : [];
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
