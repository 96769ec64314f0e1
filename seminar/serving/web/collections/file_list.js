/** The files of a collection; those that could not be read come first, with the reason. */
import { html, useEffect, useRef, useState } from "../lib.js";
import { strings } from "../strings.js";
import { bytes, shorten, shown } from "../text.js";
import { path, post, remove } from "../api.js";
import { useList } from "../loading.js";
import { Icon, IconButton } from "../parts/icon.js";
import { ConfirmDialog } from "../parts/dialog.js";
import { Problem, Waiting } from "../parts/problem.js";

/** The address of a file: its path has slashes, which stay. */
const fileUrl = (collection, name) =>
  `${path("collections", collection, "files")}/${name.split("/").map(encodeURIComponent).join("/")}`;

export function FileList({ collection, changes, writable, removed }) {
  const t = strings.collection;
  const list = useList((after) => path("collections", collection.id, "files", { after, limit: 200 }), [collection.id]);
  const [typed, setTyped] = useState("");
  const [removing, setRemoving] = useState(null);
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) list.renew();
    first.current = false;
  }, [changes, collection.version]);
  if (!list.items) return html`<${Problem} error=${list.error} retry=${list.renew} />${!list.error && html`<${Waiting} lines=${5} />`}`;
  const wanted = typed.trim().toLowerCase();
  const items = list.items.filter((one) => one.path.toLowerCase().includes(wanted));
  const unread = items.filter((one) => one.problem);
  const action = async () => {
    await remove(fileUrl(collection.id, removing.path));
    await post(path("collections", collection.id, "index"));
    await list.renew();
    await removed();
  };
  const row = (item) => html`<${FileItem} key=${item.path} item=${item} remove=${writable && (() => setRemoving(item))} />`;
  return html`<section class="files" aria-label=${t.filesTitle}>
    <header class="files-head">
      <h2>${t.filesTitle}</h2>
      ${list.items.length > 10 && html`<label class="search-field"><${Icon} name="search" />
        <input type="search" aria-label=${t.find} placeholder=${t.find} value=${typed} dir="auto" onInput=${(event) => setTyped(event.target.value)} /></label>`}
    </header>
    ${!list.items.length && html`<p class="quiet">${t.noFiles}</p>`}
    ${unread.length > 0 && html`<h3 class="warning-text"><${Icon} name="warning" />${t.problemsTitle}</h3><ul class="file-items">${unread.map(row)}</ul>`}
    <ul class="file-items">${items.filter((one) => !one.problem).map(row)}</ul>
    ${list.next && html`<button type="button" class="button quiet small" onClick=${list.more}>${t.moreFiles}</button>`}
    ${removing && html`<${ConfirmDialog} title=${t.removeTitle} text=${t.removeText(shorten(removing.path, 120))} label=${strings.remove} action=${action} close=${() => setRemoving(null)} />`}
  </section>`;
}

function FileItem({ item, remove: ask }) {
  const t = strings.collection;
  const said = item.passages ? strings.collections.passages(item.passages) : t.notIndexed;
  return html`<li class="file-item">
    <${Icon} name="file" />
    <span class="file-name"><bdi class="clip">${shown(item.path)}</bdi>
      ${item.problem && html`<span class="quiet file-problem"><bdi>${shown(item.problem)}</bdi></span>`}</span>
    <span class="quiet number file-facts">${item.problem ? "" : said}${item.size === null || item.size === undefined ? "" : ` · ${bytes(item.size)}`}</span>
    ${ask && html`<${IconButton} icon="trash" label=${t.removeFile(shorten(item.path, 80))} onClick=${ask} />`}
  </li>`;
}
