/** What a worker is paid: every line, their sum, and the same as a file. */
import { html, useEffect, useState } from "../../lib.js";
import { shown, when } from "../../text.js";
import { Dialog } from "../../parts/dialog.js";
import { Problem, Waiting } from "../../parts/problem.js";
import { useLive } from "../live.js";
import { money } from "../money.js";
import { strings } from "../strings.js";

export function PayDialog({ close }) {
  const { requests } = useLive();
  const [state, setState] = useState({ statement: null, error: null });
  useEffect(() => {
    requests.get("pay").then(
      (statement) => setState({ statement, error: null }),
      (error) => setState({ statement: null, error }),
    );
  }, []);
  const { statement, error } = state;
  const t = strings.pay;
  return html`<${Dialog} title=${t.title} close=${close} wide>
    <${Problem} error=${error} />
    ${!statement && !error && html`<${Waiting} />`}
    ${statement && (statement.lines.length ? html`<${Statement} statement=${statement} />` : html`<p>${t.none}</p>`)}
    <div class="form-actions"><button type="button" class="button quiet" disabled=${!statement?.lines.length}
      onClick=${() => requests.download("pay.csv", "pay.csv")}>${t.file}</button></div>
  <//>`;
}

function Statement({ statement }) {
  const t = strings.pay;
  const { currency, lines, total } = statement;
  return html`<div class="table-place" tabindex="0" role="region" aria-label=${t.title}><table class="pay-table">
    <thead><tr><th scope="col">${t.time}</th><th scope="col">${t.kind}</th><th scope="col">${t.note}</th><th scope="col" class="amount">${t.amount}</th></tr></thead>
    <tbody>${lines.map((line) => html`<tr>
      <td>${when(line.time)}</td><td>${shown(line.kind)}</td><td><bdi>${shown(line.note)}</bdi></td>
      <td class="amount number">${money(line.amount, currency)}</td>
    </tr>`)}</tbody>
    <tfoot><tr><th scope="row" colspan="3">${t.total}</th><td class="amount number"><strong>${money(total, currency)}</strong></td></tr></tfoot>
  </table></div>`;
}
