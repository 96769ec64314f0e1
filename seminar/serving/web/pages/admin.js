/** Administration: accounts, groups, the audit log. */
import { html, useEffect, useState } from "../lib.js";
import { strings } from "../strings.js";
import { useSession } from "../session.js";
import { Accounts } from "../admin/accounts.js";
import { Audit } from "../admin/audit.js";
import { Groups } from "../admin/groups.js";

const TABS = { accounts: Accounts, groups: Groups, audit: Audit };

export function AdminPage() {
  const t = strings.admin;
  const { account } = useSession();
  const [tab, setTab] = useState("accounts");
  useEffect(() => {
    document.title = `${t.title} – ${strings.product}`;
  }, []);
  if (!account?.is_admin) return html`<div class="page narrow"><h1>${t.title}</h1><p>${t.notAllowed}</p></div>`;
  const names = Object.keys(TABS);
  const press = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = names[(names.indexOf(tab) + step + names.length) % names.length];
    setTab(next);
    document.getElementById(`tab-${next}`).focus();
  };
  return html`<div class="page">
    <header class="page-head"><h1>${t.title}</h1></header>
    <div class="tabs" role="tablist" aria-label=${t.title} onKeyDown=${press}>
      ${names.map((name) => html`<button type="button" role="tab" id=${`tab-${name}`} aria-selected=${tab === name} aria-controls="tab-panel"
        tabindex=${tab === name ? 0 : -1} onClick=${() => setTab(name)}>${t[name]}</button>`)}
    </div>
    <section id="tab-panel" role="tabpanel" aria-labelledby=${`tab-${tab}`}><${TABS[tab]} /></section>
  </div>`;
}
