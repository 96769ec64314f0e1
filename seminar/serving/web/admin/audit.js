/** The audit log, newest first. */
import { html } from "../lib.js";
import { strings } from "../strings.js";
import { shorten, shown, when } from "../text.js";
import { path } from "../api.js";
import { useList } from "../loading.js";
import { Problem, Waiting } from "../parts/problem.js";

export function Audit() {
  const t = strings.admin;
  const list = useList((after) => path("audit", { after, limit: 100 }), []);
  if (!list.items) return html`<${Problem} error=${list.error} retry=${list.renew} />${!list.error && html`<${Waiting} />`}`;
  return html`<div class="table-place" tabindex="0" role="region" aria-label=${t.audit}>
      <table>
        <thead><tr><th scope="col">${t.time}</th><th scope="col">${t.who}</th><th scope="col">${t.action}</th><th scope="col">${t.target}</th></tr></thead>
        <tbody>${list.items.map((entry) => html`<tr key=${entry.id}>
          <td class="number">${when(entry.time)}</td>
          <td><bdi>${shown(entry.account?.name || entry.account?.id || "–")}</bdi></td>
          <td>${shown(entry.action)}</td>
          <td><bdi>${shorten(String(entry.details?.name ?? entry.target), 60)}</bdi></td>
        </tr>`)}</tbody>
      </table>
    </div>
    ${list.next && html`<p><button type="button" class="button quiet small" onClick=${list.more}>${t.older}</button></p>`}`;
}
