/** The dialogs of a study: a list, and every action of one with the decision about it. */
import { html, useEffect, useState } from "../../lib.js";
import { shorten, shown, when } from "../../text.js";
import { Dialog } from "../../parts/dialog.js";
import { Problem, Waiting } from "../../parts/problem.js";
import { strings } from "../strings.js";
import { useAdmin, usePages } from "./context.js";

export function DialogsTab() {
  const [review, setReview] = useState("");
  const { items, next, error, more } = usePages("dialogs", { review });
  const t = strings.admin;
  return html`<div class="filter-bar"><label class="field">${t.review}
      <select value=${review} onChange=${(event) => setReview(event.target.value)}>
        <option value="">${t.all}</option>${["pending", "approved", "rejected"].map((name) => html`<option value=${name}>${t.reviews[name]}</option>`)}
      </select></label></div>
    <${Problem} error=${error} />
    ${items ? html`<${DialogTable} dialogs=${items} empty=${t.noDialogs} />` : html`<${Waiting} />`}
    ${next && html`<button type="button" class="button quiet" onClick=${more}>${t.more}</button>`}`;
}

export function DialogTable({ dialogs, empty }) {
  const { open } = useAdmin();
  const t = strings.admin;
  if (!dialogs.length) return html`<p class="quiet">${empty}</p>`;
  return html`<div class="table-place" tabindex="0" role="region" aria-label=${t.tabs.dialogs}><table class="admin-table">
    <thead><tr>${[t.columns.subject, t.columns.task, t.columns.who, t.columns.turns, t.columns.state, t.columns.changed].map((name) => html`<th scope="col">${name}</th>`)}<th scope="col"><span class="visually-hidden">${t.open}</span></th></tr></thead>
    <tbody>${dialogs.map((one) => html`<tr key=${one.id}>
      <td><bdi>${shorten(one.title || one.subject, 60)}</bdi>${one.practice && html` <span class="tag">${strings.console.practice}</span>`}${one.assisted && html` <span class="tag">${t.assisted}</span>`}</td>
      <td>${t.tasks[one.task] ?? shown(one.task)}</td>
      <td>${one.seats.map((seat) => html`<span class="seat"><span class=${seat.here ? "presence here" : "presence"} role="img" aria-label=${seat.here ? t.here : t.away}></span> ${strings.roles[seat.role] ?? seat.role} <code>${shown(seat.worker)}</code></span>`)}</td>
      <td class="number">${one.turns}</td>
      <td>${one.state === "live" ? t.isLive : (strings.ended.short[one.reason] ?? shown(one.reason))}${one.state !== "live" && !one.practice && html` <span class=${`tag review-${one.review}`}>${one.kept ? t.reviews[one.review] : t.discarded}</span>`}</td>
      <td>${when(one.changed)}</td>
      <td><button type="button" class="button quiet small" onClick=${() => open(one.id)}>${t.open}</button></td>
    </tr>`)}</tbody>
  </table></div>`;
}

/** All actions of a dialog, and what the admin decides about it. */
export function DialogDetails({ id, close }) {
  const { requests, load: renew } = useAdmin();
  const [state, setState] = useState({ details: null, error: null });
  const load = () => requests.get("admin", "dialogs", id).then((details) => setState({ details, error: null }), (error) => setState((old) => ({ ...old, error })));
  useEffect(() => void load(), [id]);
  const { details, error } = state;
  const t = strings.admin;
  const act = (...parts) => (body) => async () => {
    try {
      await requests.post(body, "admin", "dialogs", id, ...parts);
      await load();
      renew();
    } catch (failed) {
      setState((old) => ({ ...old, error: failed }));
    }
  };
  return html`<${Dialog} title=${details ? details.dialog.title || details.dialog.subject : t.tabs.dialogs} close=${close} wide>
    <${Problem} error=${error} />
    ${!details && !error && html`<${Waiting} />`}
    ${details && html`
      <ol class="action-list" tabindex="0" aria-label=${t.actions}>${details.actions.map((action) => html`<li key=${action.number}>
        <span class="label">${strings.roles[action.role] ?? action.role}: ${shown(action.kind)}</span> <time class="quiet" datetime=${action.time}>${when(action.time)}</time>
        <p><bdi>${summaryOf(action.fields)}</bdi></p></li>`)}</ol>
      <div class="form-actions">
        ${details.dialog.state === "live" ? html`<button type="button" class="button danger" onClick=${act("stop")({})}>${t.stop}</button>` : html`
          <span class="quiet">${t.reviews[details.dialog.review]}</span>
          <button type="button" class="button danger" disabled=${details.dialog.review === "rejected"} onClick=${act("review")({ review: "rejected", note: "" })}>${t.reject}</button>
          <button type="button" class="button" disabled=${details.dialog.review === "approved"} onClick=${act("review")({ review: "approved", note: "" })}>${t.approve}</button>`}
      </div>`}
  <//>`;
}

/** The fields of an action in one line; words of spans, not their offsets. */
function summaryOf(fields) {
  const text = (value) => {
    if (value === null || value === "") return "";
    if (Array.isArray(value)) return value.map(text).filter(Boolean).join(" | ");
    if (typeof value === "object") return value.text ?? JSON.stringify(value);
    return String(value);
  };
  const entries = Object.entries(fields ?? {}).map(([name, value]) => [name, text(value)]).filter(([, value]) => value);
  return shorten(entries.map(([name, value]) => `${name}: ${value}`).join("; "), 400);
}
