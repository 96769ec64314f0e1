/** How the study goes: figures, funnel, live dialogs, flags, agreement, messages, exports. */
import { html, useState } from "../../lib.js";
import { shown, when } from "../../text.js";
import { Problem } from "../../parts/problem.js";
import { useSubmit } from "../forms.js";
import { money } from "../money.js";
import { strings } from "../strings.js";
import { useAdmin } from "./context.js";
import { DialogTable } from "./dialogs.js";

export function OverviewTab() {
  const { overview } = useAdmin();
  const t = strings.admin;
  const { dialogs, currency } = overview;
  const figures = [
    [t.figures.kept, dialogs.wanted ? `${dialogs.kept ?? 0} / ${dialogs.wanted}` : String(dialogs.kept ?? 0)],
    [t.figures.turns, String(overview.turns)],
    [t.figures.live, String(dialogs.live ?? 0)],
    [t.figures.waiting, String(overview.waiting)],
    [t.figures.discarded, String(dialogs.discarded ?? 0)],
    [t.figures.owed, money(overview.owed, currency)],
  ];
  return html`<dl class="figures">${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd class="number">${value}</dd></div>`)}</dl>
    <div class="admin-grid">
      <section><h2>${t.funnel}</h2><${Funnel} steps=${overview.funnel} /></section>
      <section><h2>${t.agreement}</h2><${AgreementTable} rows=${overview.agreement} /></section>
      <section class="wide"><h2>${t.live}</h2><${DialogTable} dialogs=${overview.live} empty=${t.noneLive} /></section>
      <section><h2>${t.flags}</h2><${Flags} flags=${overview.flags} /></section>
      <section><h2>${t.message}</h2><${MessageForm} /></section>
      <section class="wide"><h2>${t.exports}</h2><${Exports} names=${overview.exports} /></section>
    </div>`;
}

function Funnel({ steps }) {
  const most = Math.max(1, ...steps.map((step) => step.workers));
  return html`<ul class="funnel">${steps.map((step) => html`<li>
    <span>${strings.admin.steps[step.name] ?? shown(step.name)}</span>
    <meter min="0" max=${most} value=${step.workers} aria-label=${strings.admin.steps[step.name] ?? step.name}></meter><span class="number">${step.workers}</span>
  </li>`)}</ul>`;
}

function AgreementTable({ rows }) {
  const t = strings.admin;
  if (!rows.length) return html`<p class="quiet">${t.noAgreement}</p>`;
  return html`<table><thead><tr><th scope="col">${t.measure}</th><th scope="col">${t.value}</th><th scope="col">${t.turns}</th></tr></thead>
    <tbody>${rows.map((row) => html`<tr><th scope="row">${shown(row.name)}</th><td class="number">${row.value === null ? "–" : row.value.toFixed(Math.abs(row.value) > 1 ? 1 : 2)}</td><td class="number">${row.turns}</td></tr>`)}</tbody></table>`;
}

function Flags({ flags }) {
  const { requests, load } = useAdmin();
  const t = strings.admin;
  if (!flags.length) return html`<p class="quiet">${t.noFlags}</p>`;
  const resolve = (flag) => async () => {
    await requests.post({ note: "" }, "admin", "flags", flag.id);
    load();
  };
  return html`<ul class="rows">${flags.map((flag) => html`<li class="row" key=${flag.id}>
    <div class="row-text"><strong>${shown(flag.kind)}</strong> <code>${shown(flag.worker)}</code> <bdi>${shown(flag.text)}</bdi> <time class="quiet" datetime=${flag.time}>${when(flag.time)}</time></div>
    <button type="button" class="button quiet small" onClick=${resolve(flag)}>${t.resolve}</button>
  </li>`)}</ul>`;
}

function MessageForm() {
  const { requests } = useAdmin();
  const [text, setText] = useState("");
  const [worker, setWorker] = useState("");
  const [sent, setSent] = useState(false);
  const t = strings.admin;
  const { busy, error, submit } = useSubmit(async () => {
    await requests.post({ text: text.trim(), worker: worker.trim() }, "admin", "messages");
    setText("");
    setSent(true);
  });
  return html`<form class="form" onSubmit=${submit}>
    <label class="field">${t.messageTo}<input maxlength="200" autocomplete="off" value=${worker} placeholder=${t.everybody} onInput=${(event) => setWorker(event.target.value)} /></label>
    <label class="field">${t.messageText}<textarea rows="2" maxlength="1000" dir="auto" required value=${text} onInput=${(event) => (setText(event.target.value), setSent(false))}></textarea></label>
    <${Problem} error=${error} />
    <div class="form-actions"><span class="quiet" role="status">${sent ? t.messageSent : ""}</span><button class="button small" disabled=${busy || !text.trim()}>${t.messageSend}</button></div>
  </form>`;
}

function Exports({ names }) {
  const { requests } = useAdmin();
  const [error, setError] = useState(null);
  const save = (name) => () => requests.download(name, "admin", "exports", name).then(() => setError(null), setError);
  return html`<p class="quiet">${strings.admin.exportsText}</p><${Problem} error=${error} />
    <div class="form-actions start">${names.map((name) => html`<button type="button" class="button quiet small" onClick=${save(name)}>${shown(name)}</button>`)}</div>`;
}
