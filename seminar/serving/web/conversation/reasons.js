/** What was searched, and why the answer was given: forms, probability, passages with scores. */
import { html } from "../lib.js";
import { strings } from "../strings.js";
import { shorten } from "../text.js";
import { Words } from "../parts/words.js";

const SHOWN = 280; // characters of a passage

export function Searched({ reply, scope }) {
  const t = strings.conversation;
  const forms = reply.representations ?? [];
  return html`<div class="reasons">
    <p class="label">${t.searchedText}</p>
    <p class="searched-text"><${Words} text=${reply.query || "–"} /></p>
    ${forms.length > 1 &&
    html`<p class="label">${t.forms}</p>
      <ol class="forms">${forms.map((form) => html`<li><span class="number">${form.weight.toFixed(2)}</span> <${Words} text=${form.text} /></li>`)}</ol>`}
    <p><span class="label">${t.where}</span> <${Words} text=${scope || t.everything} /> · ${t.seconds(reply.seconds.toFixed(2))}</p>
  </div>`;
}

export function Why({ reply, open }) {
  const t = strings.conversation;
  const sure = reply.score === null ? t.unknown : `${Math.round(reply.score * 100)} %`;
  return html`<div class="reasons">
    <p class="sure"><span class="label">${t.probability}</span>
      ${reply.score !== null && html`<meter min="0" max="1" value=${reply.score} aria-label=${t.probability}></meter>`} ${sure}</p>
    <p class="label">${reply.hits.length ? t.hits : t.noHits}</p>
    <ol class="hits">${reply.hits.map((hit) => html`<${HitItem} hit=${hit} cited=${isCited(reply, hit)} open=${open} />`)}</ol>
  </div>`;
}

function HitItem({ hit, cited, open }) {
  const t = strings.conversation;
  const title = [hit.title || hit.source, hit.section.replaceAll(" > ", " › ")].filter(Boolean).join(" › ");
  return html`<li class=${cited ? "hit cited" : "hit"}>
    <button type="button" class="citation" onClick=${(event) => open(hit, event.currentTarget)}>
      <bdi>${shorten(title, 140)}</bdi>
    </button>
    <span class="number quiet">${t.score(hit.score.toFixed(3))}</span>
    ${cited && html`<span class="tag">${t.cited}</span>`}
    ${hit.text && html`<p class="hit-text" dir="auto">${shorten(hit.text, SHOWN)}</p>`}
  </li>`;
}

/** Whether one of the answer's spans lies in a passage. */
function isCited(reply, hit) {
  return reply.literal.some(
    (span) => span.source.split("#")[0] === hit.source.split("#")[0] && span.start >= hit.start && span.end <= hit.end,
  );
}
