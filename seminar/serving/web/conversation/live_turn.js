/** The question under way: its stages, its answer as soon as it is there, and what went wrong. */
import { html } from "../lib.js";
import { strings } from "../strings.js";
import { shorten, shown } from "../text.js";
import { Problem } from "../parts/problem.js";
import { Answer } from "./answer.js";

export function LiveTurn({ live, retry, discard, open }) {
  const ended = live.stage === "stopped" || live.stage === "failed";
  return html`<article class="turn fresh" id=${`turn-${live.number}`} tabindex="-1" aria-label=${strings.conversation.turn(live.number)}>
    <div class="question"><h2 dir="auto">${shown(live.question)}</h2></div>
    ${(live.reply ?? live.quick) && html`<${Answer} reply=${live.reply ?? live.quick} open=${open} />`}
    ${!live.reply && live.draft && html`<p class="draft" dir="auto" aria-live="off">${shown(live.draft)}</p>`}
    ${ended ? html`<${Ended} live=${live} retry=${retry} discard=${discard} />` : html`<${Stage} live=${live} />`}
  </article>`;
}

/** The stage and what is known by then; it keeps its height from stage to stage. */
function Stage({ live }) {
  const t = strings.conversation;
  return html`<div class="stage">
    <p class="stage-name"><span class="spinner" aria-hidden="true"></span>${t.stages[live.stage]}</p>
    <p class="quiet clip"><bdi>${live.query && !live.reply && !live.quick ? `${t.searchedFor(shorten(live.query, 120))} · ${t.hitsFound(live.hits.length)}` : ""}</bdi></p>
    ${!live.reply && !live.quick && live.hits.length > 0 && html`<ol class="reading-list">
      ${titlesOf(live.hits).map((title) => html`<li class="clip"><bdi>${title}</bdi></li>`)}
    </ol>`}
  </div>`;
}

function Ended({ live, retry, discard }) {
  const t = strings.conversation;
  const stopped = live.stage === "stopped";
  return html`<div class="ended">
    ${stopped ? html`<p><strong>${t.stopped}</strong> ${t.stoppedText}</p>` : html`<${Problem} error=${live.error} title=${t.failed} />`}
    <div class="form-actions start">
      <button type="button" class="button small" onClick=${retry}>${t.again}</button>
      <button type="button" class="button quiet small" onClick=${discard}>${t.discard}</button>
    </div>
  </div>`;
}

/** The titles of the first hits, each once. */
function titlesOf(hits) {
  return [...new Set(hits.map((hit) => shorten(hit.title || hit.source, 80)))].slice(0, 4);
}
