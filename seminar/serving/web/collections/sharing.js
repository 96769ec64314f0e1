/** Share a collection with people and groups, or with anybody by a link. */
import { html, useState } from "../lib.js";
import { strings } from "../strings.js";
import { shown, when } from "../text.js";
import { get, path, post, put, remove } from "../api.js";
import { useList } from "../loading.js";
import { CopyField } from "../parts/copy.js";
import { Dialog } from "../parts/dialog.js";
import { IconButton } from "../parts/icon.js";
import { Problem } from "../parts/problem.js";

const ROLES = ["reader", "writer", "owner"];
const DAYS = [7, 30, 365];

export function Sharing({ collection, close }) {
  return html`<${Dialog} title=${strings.sharing.title(shown(collection.name))} close=${close} wide>
    <${Grants} collection=${collection.id} />
    <${Links} collection=${collection.id} />
  <//>`;
}

function Grants({ collection }) {
  const t = strings.sharing;
  const list = useList((after) => path("collections", collection, "grants", { after }), [collection]);
  const [error, setError] = useState(null);
  const act = async (request) => {
    try {
      await request;
      setError(null);
      await list.renew();
    } catch (failure) {
      setError(failure);
    }
  };
  const change = (grant, role) =>
    act(put(path("collections", collection, "grants"), { account_id: grant.account?.id, group_id: grant.group?.id, role }));
  const add = (event) => {
    event.preventDefault();
    const form = event.target;
    const role = new FormData(form).get("role");
    act(grantTo(collection, form.elements.who.value.trim(), role).then(() => form.reset()));
  };
  return html`<section>
    <h3>${t.people}</h3>
    <ul class="rows">${(list.items ?? []).map((grant) => {
      const name = shown((grant.account ?? grant.group).name);
      return html`<li class="row" key=${grant.id}>
        <span class="row-text"><bdi>${name}</bdi>${grant.group && html` <span class="tag">${t.group}</span>`}</span>
        <select aria-label=${`${t.role}: ${name}`} value=${grant.role} disabled=${grant.id === "owner"} onChange=${(event) => change(grant, event.target.value)}>
          ${ROLES.map((role) => html`<option value=${role} selected=${role === grant.role}>${t.roles[role]}</option>`)}
        </select>
        ${grant.id === "owner"
          ? html`<span class="icon-space"></span>`
          : html`<${IconButton} icon="trash" label=${t.remove(name)} onClick=${() => act(remove(path("collections", collection, "grants", grant.id)))} />`}
      </li>`;
    })}</ul>
    <form class="inline-form" onSubmit=${add}>
      <input name="who" required aria-label=${t.who} placeholder=${t.who} autocomplete="off" dir="auto" />
      <select name="role" aria-label=${t.role}>${ROLES.map((role) => html`<option value=${role}>${t.roles[role]}</option>`)}</select>
      <button class="button">${t.add}</button>
    </form>
    <${Problem} error=${error ?? list.error} />
  </section>`;
}

/** Share with the person or the group that has exactly this name. */
async function grantTo(collection, name, role) {
  const [accounts, groups] = await Promise.all([get(path("accounts", { q: name })), get(path("groups", { limit: 200 }))]);
  const same = (one) => one.name.toLowerCase() === name.toLowerCase();
  const account = accounts.items.find(same);
  const group = groups.items.find(same);
  if (!account && !group) throw new Error(strings.sharing.nobody);
  const who = account ? { account_id: account.id } : { group_id: group.id };
  await put(path("collections", collection, "grants"), { ...who, role });
}

function Links({ collection }) {
  const t = strings.sharing;
  const list = useList((after) => path("collections", collection, "links", { after }), [collection]);
  const [made, setMade] = useState(null);
  const [error, setError] = useState(null);
  const act = (request) => request.then(() => list.renew(), setError);
  const make = (event) => {
    event.preventDefault();
    const days = Number(new FormData(event.target).get("days")) || null;
    act(post(path("collections", collection, "links"), { expires_days: days }).then(setMade));
  };
  return html`<section>
    <h3>${t.links}</h3>
    <p class="quiet">${t.linkText}</p>
    <ul class="rows">${(list.items ?? []).map((link) => html`<li class="row" key=${link.id}>
      <span class="row-text">${t.madeAt(when(link.created))} · ${t.until(link.expires ? when(link.expires) : strings.never)}</span>
      <${IconButton} icon="trash" label=${t.removeLink(when(link.created))} onClick=${() => act(remove(path("links", link.id)))} />
    </li>`)}</ul>
    ${made && html`<p>${t.newLink}</p><${CopyField} label=${t.links} text=${made.url} />`}
    <form class="inline-form" onSubmit=${make}>
      <label>${t.expires} <select name="days"><option value="">${strings.never}</option>${DAYS.map((days) => html`<option value=${days}>${t.days(days)}</option>`)}</select></label>
      <button class="button quiet">${t.makeLink}</button>
    </form>
    <${Problem} error=${error ?? list.error} />
  </section>`;
}
