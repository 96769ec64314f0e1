/** The workers of a study, under their ids, and what the admin may do about one. */
import { html, useState } from "../../lib.js";
import { shown, when } from "../../text.js";
import { randomKey } from "../../api.js";
import { ActionDialog, ConfirmDialog } from "../../parts/dialog.js";
import { Menu } from "../../parts/menu.js";
import { Problem, Waiting } from "../../parts/problem.js";
import { decimals, money } from "../money.js";
import { strings } from "../strings.js";
import { useAdmin, usePages } from "./context.js";

export function WorkersTab() {
  const { overview } = useAdmin();
  const { items, next, error, more, load } = usePages("workers");
  const t = strings.admin;
  if (!items) return error ? html`<${Problem} error=${error} />` : html`<${Waiting} />`;
  if (!items.length) return html`<p class="quiet">${t.noWorkers}</p>`;
  const names = ["id", "platform", "step", "turns", "earned", "joined"];
  return html`<${Problem} error=${error} />
    <div class="table-place admin-workers" tabindex="0" role="region" aria-label=${t.tabs.workers}><table class="admin-table">
      <thead><tr>${names.map((name) => html`<th scope="col">${t.workerColumns[name]}</th>`)}<th scope="col"><span class="visually-hidden">${t.workerMenu("")}</span></th></tr></thead>
      <tbody>${items.map((one) => html`<tr key=${one.id}>
        <td><span class=${one.here ? "presence here" : "presence"} role="img" aria-label=${one.here ? t.here : t.away}></span> <code>${shown(one.id)}</code>
          ${one.blocked && html` <span class="tag review-rejected">${t.blocked}</span>`}${one.flags > 0 && html` <span class="tag">${t.flagCount(one.flags)}</span>`}</td>
        <td>${shown(one.platform) || "–"}</td><td>${t.steps[one.step] ?? shown(one.step)}</td>
        <td class="number">${t.turnsIn(one.turns, one.dialogs)}</td><td class="number">${money(one.earned, overview.currency)}</td><td>${when(one.joined)}</td>
        <td><${WorkerMenu} worker=${one} renew=${load} /></td>
      </tr>`)}</tbody>
    </table></div>
    ${next && html`<button type="button" class="button quiet" onClick=${more}>${t.more}</button>`}`;
}

function WorkerMenu({ worker, renew }) {
  const { requests, overview } = useAdmin();
  const [open, setOpen] = useState("");
  const [error, setError] = useState(null);
  const close = () => setOpen("");
  const t = strings.admin;
  const change = (body) => () => requests.post({ note: "", ...body }, "admin", "workers", worker.id).then(() => (setError(null), renew()), setError);
  const remove = async () => {
    await requests.remove("admin", "workers", worker.id);
    renew();
  };
  return html`<${Menu} label=${t.workerMenu(shown(worker.id))} items=${[
      { label: worker.blocked ? t.unblock : t.block, icon: "stop", act: change({ blocked: !worker.blocked }) },
      !worker.qualified && { label: t.qualify, icon: "right", act: change({ qualified: true }) },
      { label: t.bonus, icon: "plus", act: () => setOpen("bonus") },
      { label: t.statement, icon: "download", act: () => requests.download(`pay-${worker.id}.csv`, "admin", "workers", worker.id, "pay.csv").catch(setError) },
      { label: t.withdraw, icon: "trash", danger: true, act: () => setOpen("withdraw") },
    ]} />
    <${Problem} error=${error} />
    ${open === "bonus" && html`<${BonusDialog} worker=${worker} currency=${overview.currency} renew=${renew} close=${close} />`}
    ${open === "withdraw" && html`<${ConfirmDialog} title=${t.withdraw} text=${t.withdrawText} action=${remove} close=${close} />`}`;
}

function BonusDialog({ worker, currency, renew, close }) {
  const { requests } = useAdmin();
  const [key] = useState(randomKey);
  const t = strings.admin;
  const pay = async (form) => {
    await requests.post({ key, worker: worker.id, amount: Math.round(Number(form.get("amount")) * 10 ** decimals(currency)), note: String(form.get("note")) }, "admin", "bonus");
    renew();
  };
  return html`<${ActionDialog} title=${t.bonus} label=${t.pay} close=${close} action=${pay}>
    <label class="field">${t.bonusAmount(currency)}<input name="amount" type="number" min=${10 ** -decimals(currency)} step=${10 ** -decimals(currency)} required /></label>
    <label class="field">${t.note}<input name="note" maxlength="2000" dir="auto" /></label>
  <//>`;
}
