/** What all consoles look like: a bar above, what to read or do at the left, the dialog at the right. */
import { html, useEffect, useRef, useState } from "../../lib.js";
import { keep, kept } from "../../kept.js";
import { shown } from "../../text.js";
import { Menu } from "../../parts/menu.js";
import { Problem } from "../../parts/problem.js";
import { useLive } from "../live.js";
import { Markdown } from "../markdown.js";
import { money } from "../money.js";
import { clock, useSeconds } from "../seconds.js";
import { strings } from "../strings.js";
import { useActing } from "./acting.js";
import { EndedPanel } from "./ended.js";
import { EndDialog, LeaveDialog, ReportDialog } from "./leaving.js";

/**
 * @param {{view: any, title: string, progress: string, work: any, transcript?: any, form: any, asks?: boolean}} properties
 *   `asks`: one who asks has little to read, so that the conversation gets more room
 */
export function Console({ view, title, progress, work, transcript = null, form, asks = false }) {
  const { frame } = view;
  const { refused } = useActing();
  return html`<div class=${`console${transcript ? "" : " form-only"}${asks ? " asks" : ""}`}>
    <${ConsoleBar} view=${view} title=${title} progress=${progress} />
    <section class="work" aria-label=${strings.console.work}>
      <${Instructions} role=${frame.role} />
      ${work}
    </section>
    <section class="dialog-side" aria-label=${strings.console.dialog}>
      ${transcript}
      <div class="acting">
        ${frame.yours && !frame.ended && frame.deadline && html`<${Deadline} key=${frame.deadline} time=${frame.deadline} />`}
        ${refused && html`<${Problem} error=${{ message: refused.detail }} />`}
        ${frame.ended ? html`<${EndedPanel} ended=${frame.ended} frame=${frame} />` : form}
      </div>
    </section>
  </div>`;
}

function ConsoleBar({ view, title, progress }) {
  const { study } = useLive();
  const { may } = useActing();
  const [open, setOpen] = useState("");
  const close = () => setOpen("");
  const { frame } = view;
  const partner = view.turns && frame.task === "dialog" && !frame.practice;
  const t = strings.console;
  return html`<header class="console-bar">
    <span class="role-chip">${strings.roles[frame.role] ?? frame.role}</span>
    <h2 class="console-title clip"><bdi>${shown(title)}</bdi></h2>
    ${frame.practice && html`<span class="tag">${t.practice}</span>`}
    <span class="console-progress number">${progress}</span>
    ${frame.turn_pay > 0 && !frame.ended && html`<span class="tag">${t.turnPay(money(frame.turn_pay, frame.currency))}</span>`}
    ${may("end") && html`<button type="button" class="button quiet small" onClick=${() => setOpen("end")}>${t.end}</button>`}
    ${!frame.ended && !partner && may("leave") && html`<button type="button" class="menu-button" onClick=${() => setOpen("leave")}>${t.leave}</button>`}
    ${!frame.ended && partner && html`<${Menu} label=${t.menu} text=${t.menu} items=${[
      may("leave") && { label: t.leave, icon: "back", act: () => setOpen("leave") },
      may("report") && study.report_problems.length > 0 && { label: t.report, icon: "warning", act: () => setOpen("report") },
    ]} />`}
    ${open === "end" && html`<${EndDialog} close=${close} />`}
    ${open === "leave" && html`<${LeaveDialog} close=${close} />`}
    ${open === "report" && html`<${ReportDialog} close=${close} />`}
  </header>`;
}

const WARNED = 60; // seconds before an idle dialog ends

/** A warning before the dialog ends because one does nothing. */
function Deadline({ time }) {
  const [from] = useState(Date.now());
  const left = Math.ceil((new Date(time) - from) / 1000) - useSeconds(from);
  const late = left <= WARNED;
  return html`<div role="status">${late && html`<p class="notice">${strings.console.deadline} <span class="number" aria-hidden="true">${clock(Math.max(0, left))}</span></p>`}</div>`;
}

/** What the role is to do; once closed it stays so. */
function Instructions({ role }) {
  const { study } = useLive();
  const text = study.instructions[role];
  const [open] = useState(() => kept(`instructions:${role}`) !== "closed");
  if (!text) return null;
  return html`<details class="instructions" open=${open} onToggle=${(event) => keep(`instructions:${role}`, event.target.open ? "" : "closed")}>
    <summary>${strings.instructions}</summary><${Markdown} text=${text} />
  </details>`;
}

/** A field for a question or a reply: Enter sends, Shift-Enter begins a line. */
export function TextBox({ label, value, change, send, submit, disabled, busy, placeholder = "", focus = false, children }) {
  const field = useRef(null);
  const ready = !disabled && !busy;
  useEffect(() => {
    const free = document.activeElement === document.body || document.activeElement === null;
    if (ready && (focus || free) && matchMedia("(pointer: fine)").matches) field.current.focus({ preventScroll: true });
  }, [ready]);
  const go = (event) => {
    event.preventDefault();
    if (ready && value.trim()) submit();
  };
  const press = (event) => event.key === "Enter" && !event.shiftKey && !event.isComposing && go(event);
  return html`<form class="text-box" onSubmit=${go}>
    <label class="field">${label}
      <textarea ref=${field} rows="2" dir="auto" maxlength="2000" value=${value} placeholder=${placeholder} disabled=${disabled}
        onInput=${(event) => change(event.target.value)} onKeyDown=${press}></textarea>
    </label>
    ${children}
    <div class="form-actions"><button class="button" disabled=${!ready || !value.trim()}>${busy ? strings.sending : send}</button></div>
  </form>`;
}

/** Notes of the server on what is written. */
export function Notes({ notes, id, title = "" }) {
  return html`<div class="live-notes" id=${id} role="status">${notes.length > 0 && html`${title && html`<p>${title}</p>`}<ul>${notes.map((note) => html`<li>${shown(note)}</li>`)}</ul>`}</div>`;
}

/** What the assistant proposes, where a person edits its drafts. */
export function DraftBox({ draft, use }) {
  if (!draft) return null;
  const t = strings.draft;
  return html`<div class="draft-box">
    <p class="label">${t.label}</p>
    <p><bdi>${shown(draft.text) || t.none}</bdi></p>
    <button type="button" class="button quiet small" onClick=${use}>${t.use}</button>
  </div>`;
}
