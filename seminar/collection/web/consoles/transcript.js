/** The turns of a dialog as messages, and what the partner does. */
import { html, useLayoutEffect, useRef, useState } from "../../lib.js";
import { Words } from "../../parts/words.js";
import { useLive } from "../live.js";
import { strings } from "../strings.js";
import { clock, useSeconds } from "../seconds.js";

/**
 * @param {{turns: {number: number, question: string, answered: boolean}[], asker: string, answerer: string,
 *   own: string, answer: (turn: any) => any, empty: string}} properties roles, and how an answer is shown
 */
export function Transcript({ turns, asker, answerer, own, answer, empty }) {
  const list = useRef(null);
  const size = turns.length * 2 + (turns.at(-1)?.answered ? 1 : 0);
  useLayoutEffect(() => void (list.current.scrollTop = list.current.scrollHeight), [size]);
  return html`<div class="transcript" ref=${list} tabindex="0" role="log" aria-label=${strings.console.turns}>
    ${turns.length === 0 && html`<p class="quiet transcript-empty">${empty}</p>`}
    ${turns.map((turn) => html`
      <${Message} key=${`q${turn.number}`} role=${asker} own=${own} number=${turn.number}><${Words} text=${turn.question} /><//>
      ${turn.answered && html`<${Message} key=${`a${turn.number}`} role=${answerer} own=${own}>${answer(turn)}<//>`}`)}
    <${PartnerState} partner=${own === asker ? answerer : asker} />
  </div>`;
}

function Message({ role, own, number = null, children }) {
  const mine = role === own;
  return html`<article class=${mine ? "message own" : "message"}>
    <p class="message-author">${mine ? strings.you : (strings.roles[role] ?? role)}${number && html` <span class="number" aria-hidden="true">${number}</span>`}</p>
    <div class="message-text">${children}</div>
  </article>`;
}

/** What the partner does while one waits. */
function PartnerState({ partner }) {
  const { live } = useLive();
  const { frame } = live.view;
  if (frame.ended || frame.task !== "dialog") return null;
  const name = strings.roles[partner] ?? partner;
  const state = live.partner?.dialog === frame.dialog ? live.partner.state : "here";
  if (state === "away") return html`<${Away} name=${name} partner=${live.partner} />`;
  if (state === "typing") {
    return html`<p class="partner-state" role="status"><span class="typing-dots" aria-hidden="true"><i></i><i></i><i></i></span> ${strings.partner.typing(name)}</p>`;
  }
  if (frame.yours) return null;
  return html`<p class="partner-state" role="status"><span class="waiting-dot" aria-hidden="true"></span> ${strings.partner.waiting(name)} <${Clock} key=${frame.number} /></p>`;
}

function Away({ name, partner }) {
  const seconds = useSeconds(partner.from);
  return html`<p class="partner-state away" role="status">${strings.partner.away(name)}
    ${partner.grace > 0 && html` <span class="number" aria-hidden="true">${strings.partner.grace(Math.max(0, Math.ceil(partner.grace - seconds)))}</span>`}</p>`;
}

/** How long one has waited; not read out. */
function Clock() {
  const [from] = useState(Date.now());
  const seconds = useSeconds(from);
  return html`<span class="number quiet" aria-hidden="true">${seconds >= 5 ? clock(seconds) : ""}</span>`;
}

