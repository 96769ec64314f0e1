/** An answer of QuAC in the transcript: the words, yes or no, and what to do next. */
import { html } from "../../lib.js";
import { Words } from "../../parts/words.js";
import { strings } from "../strings.js";

/** @param {{turn: any, advice?: boolean}} properties `advice`: in words for the student */
export function QuacAnswer({ turn, advice = false }) {
  const t = strings.quac;
  const words = advice ? t.advice : t.continuations;
  return html`${turn.answer ? html`<${Words} class="quoted" text=${turn.answer} />` : html`<span class="verdict none">${t.noAnswer}</span>`}
    <span class="acts">
      ${turn.affirmation && turn.affirmation !== "neither" && html`<span class=${`verdict ${turn.affirmation}`}>${t.affirmations[turn.affirmation]}</span>`}
      ${turn.continuation && html`<span class=${`tag act-${turn.continuation.replace(/\W/g, "")}`}>${words[turn.continuation]}</span>`}
    </span>`;
}
