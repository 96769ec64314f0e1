/** All collections; at the first start, what to do first. */
import { html, useEffect, useState } from "../lib.js";
import { strings } from "../strings.js";
import { shown } from "../text.js";
import { path, post } from "../api.js";
import { useList } from "../loading.js";
import { navigate } from "../router.js";
import { Icon } from "../parts/icon.js";
import { NameDialog } from "../parts/dialog.js";
import { Problem, Waiting } from "../parts/problem.js";
import { DropArea } from "../collections/drop_area.js";
import { handOver } from "../collections/handed.js";

export function CollectionsPage() {
  const t = strings.collections;
  const { items, next, error, more, renew } = useList((after) => path("collections", { after, limit: 100 }), []);
  const [naming, setNaming] = useState(null); // the files of the new collection, perhaps none
  useEffect(() => {
    document.title = `${t.title} – ${strings.product}`;
  }, []);
  const create = async (name) => {
    const made = await post(path("collections"), { name });
    if (naming.length) handOver(made.id, naming);
    navigate(`/collections/${made.id}`);
  };
  const empty = items && !items.length;
  return html`<div class="page">
    <header class="page-head">
      <h1>${t.title}</h1>
      ${items && !empty && html`<button type="button" class="button" onClick=${() => setNaming([])}><${Icon} name="plus" />${t.create}</button>`}
    </header>
    <${Problem} error=${error} retry=${renew} />
    ${!items && !error && html`<${Waiting} lines=${6} />`}
    ${empty && html`<${FirstMinute} take=${setNaming} create=${() => setNaming([])} />`}
    ${items && !empty && html`<ul class="cards">${items.map((item) => html`<${CollectionCard} key=${item.id} item=${item} />`)}</ul>
      ${next && html`<button type="button" class="button quiet" onClick=${more}>${t.more}</button>`}
      <${DropArea} take=${setNaming} text=${t.dropNew} />`}
    ${naming && html`<${NameDialog} title=${t.createTitle} label=${strings.create} placeholder=${t.placeholder}
      name=${proposedName(naming)} save=${create} close=${() => setNaming(null)} />`}
  </div>`;
}

function FirstMinute({ take, create }) {
  const t = strings.collections;
  return html`<section class="first-minute">
    <h2>${t.emptyTitle}</h2>
    <p class="quiet">${t.emptyText}</p>
    <ol class="steps">${t.steps.map((step) => html`<li>${step}</li>`)}</ol>
    <${DropArea} take=${take} large />
    <p><button type="button" class="button quiet" onClick=${create}>${t.create}</button></p>
  </section>`;
}

function CollectionCard({ item }) {
  const t = strings.collections;
  const name = shown(item.name);
  return html`<li class="card">
    <h2><a href=${`/collections/${item.id}`} aria-label=${t.open(name)}><bdi>${name}</bdi></a></h2>
    <p class="quiet">${t.files(item.files)} · ${t.passages(item.passages)}</p>
    ${item.problems > 0 && html`<p class="warning-text"><${Icon} name="warning" />${t.problems(item.problems)}</p>`}
    <p class="card-foot">
      <a class="button small" href=${`/ask/${item.id}`} aria-label=${t.askName(name)}>${t.ask}</a>
      ${item.role !== "owner" && html`<span class="tag">${t.roles[item.role]}</span>`}
    </p>
  </li>`;
}

/** The folder that all files come from names their collection. */
function proposedName(items) {
  if (!items.length) return "";
  const folders = new Set(items.map((item) => (item.path.includes("/") ? item.path.split("/")[0] : "")));
  const [only] = folders;
  return folders.size === 1 && only ? only : strings.collections.newName;
}
