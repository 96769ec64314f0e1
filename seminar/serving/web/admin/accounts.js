/** Accounts: invite, (de)activate, make administrator, reset a password, delete. */
import { html, useState } from "../lib.js";
import { strings } from "../strings.js";
import { shown } from "../text.js";
import { patch, path, post, remove } from "../api.js";
import { useList } from "../loading.js";
import { CopyField } from "../parts/copy.js";
import { ActionDialog } from "../parts/dialog.js";
import { Icon } from "../parts/icon.js";
import { Menu } from "../parts/menu.js";
import { Problem, Waiting } from "../parts/problem.js";
import { useSession } from "../session.js";

export function Accounts() {
  const t = strings.admin;
  const list = useList((after) => path("accounts", { after, limit: 200 }), []);
  const [made, setMade] = useState(null);
  const [error, setError] = useState(null);
  const [deleting, setDeleting] = useState(null);
  const act = async (request, then = list.renew) => {
    try {
      await then(await request);
      setError(null);
    } catch (failure) {
      setError(failure);
    }
  };
  const change = (account, fields) => act(patch(path("accounts", account.id), fields));
  const invite = (body, text) => act(post(path("invitations"), body), ({ url }) => setMade({ url, text }));
  const actions = (account) => [
    { label: t.reset, icon: "link", act: () => invite({ purpose: "password", account_id: account.id }, t.resetText) },
    { label: account.is_admin ? t.noAdmin : t.makeAdmin, icon: "person", act: () => change(account, { is_admin: !account.is_admin }) },
    { label: account.is_active ? t.deactivate : t.activate, icon: "stop", act: () => change(account, { is_active: !account.is_active }) },
    { label: strings.delete, icon: "trash", danger: true, act: () => setDeleting(account) },
  ];
  return html`<p><button type="button" class="button" onClick=${() => invite({ purpose: "account" }, t.inviteText)}><${Icon} name="plus" />${t.invite}</button></p>
    ${made && html`<section class="made" role="status"><p>${made.text}</p><${CopyField} label=${t.invite} text=${made.url} /></section>`}
    <${Problem} error=${error ?? list.error} />
    ${!list.items && !list.error && html`<${Waiting} />`}
    <ul class="rows">${(list.items ?? []).map((account) => html`<li class="row" key=${account.id}>
      <span class="row-text"><bdi>${shown(account.name)}</bdi>
        <span>${account.is_admin && html`<span class="tag">${t.admin}</span> `}${!account.is_active && html`<span class="tag">${t.inactive}</span>`}</span></span>
      <${Menu} label=${strings.actions(shown(account.name))} items=${actions(account)} />
    </li>`)}</ul>
    ${deleting && html`<${DeleteAccount} account=${deleting} others=${list.items} renew=${list.renew} close=${() => setDeleting(null)} />`}`;
}

/** The collections of a deleted account go to another one. */
function DeleteAccount({ account, others, renew, close }) {
  const t = strings.admin;
  const own = useSession().account.id;
  const action = async (form) => {
    await remove(path("accounts", account.id, { heir: form.get("heir") }));
    await renew();
  };
  const heirs = others.filter((one) => one.id !== account.id);
  return html`<${ActionDialog} title=${t.deleteTitle} action=${action} label=${strings.delete} close=${close} danger>
    <p><bdi>${t.deleteText(shown(account.name))}</bdi></p>
    <label class="field">${t.heir}<select name="heir">${heirs.map((one) => html`<option value=${one.id} selected=${one.id === own}>${shown(one.name)}</option>`)}</select></label>
  <//>`;
}
