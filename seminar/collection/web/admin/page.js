/** The admin's dashboard; the link that the server prints carries the token. */
import { html, useEffect, useMemo, useState } from "../../lib.js";
import { shown } from "../../text.js";
import { Problem, Waiting } from "../../parts/problem.js";
import { requestsWith } from "../requests.js";
import { strings } from "../strings.js";
import { AdminContext } from "./context.js";
import { DialogDetails, DialogsTab } from "./dialogs.js";
import { OverviewTab } from "./overview.js";
import { WorkersTab } from "./workers.js";

const TABS = { overview: OverviewTab, dialogs: DialogsTab, workers: WorkersTab };
const RENEW = 3000; // milliseconds

/** The token of the link, kept for this tab alone and taken out of the address. */
function tokenOfLink() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem("admin:token", given);
    history.replaceState(null, "", location.pathname);
  }
  return given ?? sessionStorage.getItem("admin:token") ?? "";
}

export function AdminPage() {
  const token = useMemo(tokenOfLink, []);
  const requests = useMemo(() => requestsWith(token), [token]);
  const [state, setState] = useState({ overview: null, error: null });
  const [tab, setTab] = useState("overview");
  const [dialog, open] = useState(""); // the one that is shown; it outlives the list that it was in
  const set = (overview) => setState({ overview, error: null });
  const load = () => requests.get("admin", "overview").then(set, (error) => setState((old) => ({ ...old, error })));
  useEffect(() => {
    load();
    const timer = setInterval(() => document.hidden || load(), RENEW);
    return () => clearInterval(timer);
  }, []);
  const { overview, error } = state;
  const t = strings.admin;
  useEffect(() => void (overview && (document.title = `${overview.name}: ${t.title}`)), [overview?.name]);
  if (!overview) {
    return html`<main class="outside">${error ? html`<div><${Problem} error=${error} retry=${load} />${error.status === 401 && html`<p>${t.noToken}</p>`}</div>` : html`<${Waiting} />`}</main>`;
  }
  const Tab = TABS[tab];
  return html`<${AdminContext.Provider} value=${{ requests, overview, set, load, open }}>
    <main class="page admin-page">
      <header class="page-head"><h1 class="page-title"><bdi>${shown(overview.name)}</bdi> <span class=${`tag state-${overview.state}`}>${t.states[overview.state]}</span></h1><${StateButtons} /></header>
      <${Problem} error=${error} />
      <div class="tabs" role="tablist" aria-label=${t.title}>${Object.keys(TABS).map((name) => html`<button type="button" role="tab" id=${`tab-${name}`} aria-selected=${name === tab} aria-controls="tab-panel" onClick=${() => setTab(name)}>${t.tabs[name]}</button>`)}</div>
      <div role="tabpanel" id="tab-panel" aria-labelledby=${`tab-${tab}`}><${Tab} /></div>
      ${dialog && html`<${DialogDetails} id=${dialog} close=${() => open("")} />`}
    </main>
  <//>`;
}

function StateButtons() {
  return html`<${AdminContext.Consumer}>${({ requests, overview, set }) => {
    const change = (state) => async () => set(await requests.post({ state }, "admin", "state"));
    return html`<div class="page-actions">${["open", "paused", "closed"].filter((state) => state !== overview.state).map((state) => html`<button type="button" class=${state === "closed" ? "button danger small" : "button quiet small"} onClick=${change(state)}>${strings.admin.change[state]}</button>`)}</div>`;
  }}<//>`;
}
