/** One's conversations: search, open, rename, delete. */
import { html, useEffect, useRef, useState } from "../lib.js";
import { strings } from "../strings.js";
import { shown, shorten } from "../text.js";
import { patch, path, remove } from "../api.js";
import { navigate } from "../router.js";
import { useList } from "../loading.js";
import { Icon } from "../parts/icon.js";
import { Menu } from "../parts/menu.js";
import { Problem } from "../parts/problem.js";
import { ConfirmDialog, NameDialog } from "../parts/dialog.js";

const PAUSE = 200; // milliseconds after the last key before it is searched

/** Tell the list that a conversation has begun, was renamed or got a turn. */
export const dialoguesChanged = () => dispatchEvent(new CustomEvent("seminar:dialogues"));

export function Dialogues({ route, field }) {
  const t = strings.navigation;
  const [typed, setTyped] = useState("");
  const [query, setQuery] = useState("");
  const [dialog, setDialog] = useState(null);
  useEffect(() => {
    const timer = setTimeout(() => setQuery(typed.trim()), PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  const list = useList((after) => path("dialogues", { q: query, after, limit: 50 }), [query]);
  const renew = useRef(list.renew);
  renew.current = list.renew;
  useEffect(() => {
    const changed = () => renew.current();
    addEventListener("seminar:dialogues", changed);
    return () => removeEventListener("seminar:dialogues", changed);
  }, []);
  const items = list.items ?? [];
  return html`<section class="side-list" aria-label=${t.conversations}>
    <label class="search-field">
      <${Icon} name="search" />
      <input ref=${field} type="search" value=${typed} placeholder=${t.search} aria-label=${t.search} dir="auto"
        onInput=${(event) => setTyped(event.target.value)} onKeyDown=${intoList} />
    </label>
    <${Problem} error=${list.error} retry=${list.renew} />
    ${list.items && !items.length && html`<p class="quiet side-none">${query ? t.noMatch : t.none}</p>`}
    <ul class="side-items">
      ${items.map((item) => html`<${DialogueItem} key=${item.id} item=${item} open=${route.page === "dialogues" && route.id === item.id} ask=${setDialog} />`)}
      ${list.next && html`<li><button type="button" class="button quiet small" onClick=${list.more}>${t.older}</button></li>`}
    </ul>
    ${dialog && html`<${dialog.kind} item=${dialog.item} close=${() => setDialog(null)} renew=${list.renew} route=${route} />`}
  </section>`;
}

function DialogueItem({ item, open, ask }) {
  const title = shorten(item.title, 120) || strings.navigation.untitled;
  const address = `/dialogues/${encodeURIComponent(item.id)}${item.number ? `#turn-${item.number}` : ""}`;
  return html`<li class="side-item">
    <a href=${address} aria-current=${open ? "page" : undefined} onKeyDown=${alongList}>
      <bdi class="clip">${title}</bdi>
      ${item.match && html`<bdi class="clip quiet">${shorten(item.match, 90)}</bdi>`}
    </a>
    <${Menu} label=${strings.actions(title)} items=${[
      { label: strings.rename, icon: "edit", act: () => ask({ kind: Rename, item }) },
      { label: strings.delete, icon: "trash", danger: true, act: () => ask({ kind: Delete, item }) },
    ]} />
  </li>`;
}

function Rename({ item, close, renew }) {
  const save = async (title) => {
    await patch(path("dialogues", item.id), { title });
    dispatchEvent(new CustomEvent("seminar:renamed", { detail: { id: item.id, title } }));
    renew();
  };
  return html`<${NameDialog} title=${strings.navigation.renameTitle} name=${shown(item.title)} save=${save} close=${close} />`;
}

function Delete({ item, close, renew, route }) {
  const t = strings.navigation;
  const action = async () => {
    await remove(path("dialogues", item.id));
    await renew();
    if (route.id === item.id) navigate(item.collection ? `/ask/${item.collection}` : "/");
  };
  return html`<${ConfirmDialog} title=${t.deleteTitle} text=${t.deleteText(shorten(item.title, 80))} action=${action} close=${close} />`;
}

/** From the search field the arrow goes to the first conversation. */
function intoList(event) {
  if (event.key !== "ArrowDown") return;
  event.preventDefault();
  event.target.closest(".side-list").querySelector(".side-item a")?.focus();
}

/** Arrows go along the conversations. */
function alongList(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  const links = [...event.target.closest(".side-list").querySelectorAll(".side-item a")];
  links[links.indexOf(event.target.closest("a")) + step]?.focus();
}
