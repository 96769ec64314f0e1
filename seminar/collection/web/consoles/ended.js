/** How a dialog ended, and the way on. */
import { html, useEffect, useRef } from "../../lib.js";
import { useLive } from "../live.js";
import { money } from "../money.js";
import { strings } from "../strings.js";

export function EndedPanel({ ended, frame }) {
  const { dismiss } = useLive();
  const heading = useRef(null);
  const t = strings.ended;
  const isAlone = frame.task !== "dialog" || frame.role === "writer";
  useEffect(() => heading.current.focus({ preventScroll: true }), []);
  return html`<div class="ended-panel" role="status">
    <h3 ref=${heading} tabindex="-1">${isAlone && ended.reason === "completed" ? t.handedIn : isAlone ? t.taskTitle : t.title}</h3>
    <p>${t.reasons[ended.reason] ?? ended.reason}</p>
    ${!frame.practice && html`<p>${t.pay(money(ended.pay, frame.currency))}</p>`}
    <button type="button" class="button" onClick=${dismiss}>${ended.next === "exit survey" ? t.survey : strings.goOn}</button>
  </div>`;
}
