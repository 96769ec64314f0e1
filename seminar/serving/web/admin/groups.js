/** Groups of accounts, with which collections are shared. */
import { html, useState } from "../lib.js";
import { strings } from "../strings.js";
import { shown } from "../text.js";
import { patch, path, post, remove } from "../api.js";
import { useList } from "../loading.js";
import { ActionDialog, ConfirmDialog, NameDialog } from "../parts/dialog.js";
import { Icon } from "../parts/icon.js";
import { Menu } from "../parts/menu.js";
import { Problem, Waiting } from "../parts/problem.js";

export function Groups() {
  const t = strings.admin;
  const list = useList((after) => path("groups", { after, limit: 200 }), []);
  const [dialog, setDialog] = useState(null);
  const close = () => setDialog(null);
  const items = (group) => [
    { label: t.edit, icon: "person", act: () => setDialog(html`<${Members} group=${group} renew=${list.renew} close=${close} />`) },
    { label: strings.rename, icon: "edit", act: () => setDialog(naming(group)) },
    { label: strings.delete, icon: "trash", danger: true, act: () => setDialog(deleting(group)) },
  ];
  const naming = (group) => html`<${NameDialog} title=${t.groupTitle} name=${group ? group.name : ""} close=${close}
    save=${async (name) => {
      await (group ? patch(path("groups", group.id), { name }) : post(path("groups"), { name }));
      await list.renew();
    }} />`;
  const deleting = (group) => html`<${ConfirmDialog} title=${t.deleteGroupTitle} text=${t.deleteGroupText(shown(group.name))} close=${close}
    action=${async () => {
      await remove(path("groups", group.id));
      await list.renew();
    }} />`;
  return html`<p><button type="button" class="button" onClick=${() => setDialog(naming(null))}><${Icon} name="plus" />${t.newGroup}</button></p>
    <${Problem} error=${list.error} retry=${list.renew} />
    ${!list.items && !list.error && html`<${Waiting} />`}
    ${list.items && !list.items.length && html`<p class="quiet">${t.noGroups}</p>`}
    <ul class="rows">${(list.items ?? []).map((group) => html`<li class="row" key=${group.id}>
      <span class="row-text"><bdi>${shown(group.name)}</bdi> <span class="quiet">${t.members(group.members?.length ?? 0)}</span></span>
      <${Menu} label=${strings.actions(shown(group.name))} items=${items(group)} />
    </li>`)}</ul>
    ${dialog}`;
}

function Members({ group, renew, close }) {
  const t = strings.admin;
  const { items } = useList((after) => path("accounts", { after, limit: 200 }), []);
  const own = new Set((group.members ?? []).map((one) => one.id));
  const save = async (form) => {
    await patch(path("groups", group.id), { members: form.getAll("members") });
    await renew();
  };
  return html`<${ActionDialog} title=${t.membersTitle(shown(group.name))} action=${save} label=${strings.save} close=${close}>
    <fieldset class="field"><legend class="visually-hidden">${t.edit}</legend>
      ${(items ?? []).map((one) => html`<label class="choice" key=${one.id}>
        <input type="checkbox" name="members" value=${one.id} defaultChecked=${own.has(one.id)} /><bdi>${shown(one.name)}</bdi></label>`)}
    </fieldset>
  <//>`;
}
