/** One's API tokens. */
import { html, useEffect, useState } from "../lib.js";
import { strings } from "../strings.js";
import { shown, when } from "../text.js";
import { path, post, remove } from "../api.js";
import { useList } from "../loading.js";
import { useSession } from "../session.js";
import { CopyField } from "../parts/copy.js";
import { ConfirmDialog } from "../parts/dialog.js";
import { Icon, IconButton } from "../parts/icon.js";
import { Problem, Waiting } from "../parts/problem.js";

const DAYS = [30, 90, 365];
const SCOPES = ["read", "ask", "write", "admin"];

export function TokensPage() {
  const t = strings.tokens;
  const list = useList((after) => path("tokens", { after }), []);
  const [made, setMade] = useState(null);
  const [revoking, setRevoking] = useState(null);
  useEffect(() => {
    document.title = `${t.title} – ${strings.product}`;
  }, []);
  const revoke = async () => {
    await remove(path("tokens", revoking.id));
    await list.renew();
  };
  return html`<div class="page narrow">
    <header class="page-head"><h1>${t.title}</h1></header>
    <p class="quiet">${t.text}</p>
    <${Problem} error=${list.error} retry=${list.renew} />
    ${!list.items && !list.error && html`<${Waiting} />`}
    ${list.items && !list.items.length && html`<p>${t.none}</p>`}
    <ul class="rows">${(list.items ?? []).map((token) => html`<${TokenItem} key=${token.id} token=${token} revoke=${() => setRevoking(token)} />`)}</ul>
    ${made && html`<section class="made" role="status"><p>${t.secret}</p><${CopyField} label=${t.title} text=${made.secret} /></section>`}
    <${TokenForm} made=${(token) => (setMade(token), list.renew())} />
    ${revoking && html`<${ConfirmDialog} title=${t.revokeTitle} text=${t.revokeText(shown(revoking.name))} label=${t.revoke("")} action=${revoke} close=${() => setRevoking(null)} />`}
  </div>`;
}

function TokenItem({ token, revoke }) {
  const t = strings.tokens;
  return html`<li class="row">
    <span class="row-text"><strong><bdi>${shown(token.name)}</bdi></strong>
      <span class="quiet">${token.scopes.join(", ")} · ${token.expires ? t.ends(when(token.expires)) : t.noEnd} · ${t.used(token.used ? when(token.used) : strings.never)}</span></span>
    <${IconButton} icon="trash" label=${t.revoke(shown(token.name))} onClick=${revoke} />
  </li>`;
}

function TokenForm({ made }) {
  const t = strings.tokens;
  const { account } = useSession();
  const [state, setState] = useState({ busy: false, error: null });
  const submit = async (event) => {
    event.preventDefault();
    const element = event.target;
    const form = new FormData(element);
    setState({ busy: true, error: null });
    try {
      const days = Number(form.get("days")) || null;
      made(await post(path("tokens"), { name: form.get("name"), scopes: form.getAll("scopes"), expires_days: days }));
      element.reset();
      setState({ busy: false, error: null });
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  return html`<form class="form boxed" onSubmit=${submit}>
    <h2>${t.create}</h2>
    <label class="field">${strings.name}<input name="name" required maxlength="200" placeholder=${t.placeholder} dir="auto" autocomplete="off" /></label>
    <fieldset class="field"><legend>${t.scopes}</legend>
      ${SCOPES.filter((scope) => scope !== "admin" || account?.is_admin).map((scope) => html`<label class="choice">
        <input type="checkbox" name="scopes" value=${scope} defaultChecked=${scope === "read" || scope === "ask"} />${t.scopeNames[scope]}</label>`)}
    </fieldset>
    <label class="field">${t.expires}
      <select name="days">${DAYS.map((days) => html`<option value=${days} selected=${days === 90}>${t.days(days)}</option>`)}<option value="">${t.noEnd}</option></select>
    </label>
    <${Problem} error=${state.error} />
    <div class="form-actions"><button class="button" disabled=${state.busy}><${Icon} name="plus" />${t.create}</button></div>
  </form>`;
}
