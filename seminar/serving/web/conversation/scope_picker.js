/** Choose the part that is asked: a file, a folder, a channel, a thread. */
import { html, useState } from "../lib.js";
import { strings } from "../strings.js";
import { shorten } from "../text.js";
import { path } from "../api.js";
import { useRecord } from "../loading.js";
import { Icon, IconButton } from "../parts/icon.js";
import { Dialog } from "../parts/dialog.js";
import { Problem, Waiting } from "../parts/problem.js";

export function ScopePicker({ collection, scope, choose }) {
  const t = strings.conversation;
  const [open, setOpen] = useState(false);
  const label = scope ? shorten(scope, 40) : t.scopeAll;
  return html`<button type="button" class=${scope ? "scope-button chosen" : "scope-button"} title=${t.scope} onClick=${() => setOpen(true)}>
      <${Icon} name="scope" /><span class="visually-hidden">${t.scope}: </span><bdi class="clip">${label}</bdi>
    </button>
    ${open && html`<${ScopeDialog} collection=${collection} scope=${scope} choose=${choose} close=${() => setOpen(false)} />`}`;
}

function ScopeDialog({ collection, scope, choose, close }) {
  const t = strings.conversation;
  const [at, setAt] = useState("");
  const [error, setError] = useState(null);
  const list = useRecord(path("collections", collection, "scopes", { path: at }));
  const pick = async (chosen) => {
    try {
      await choose(chosen);
      close();
    } catch (failure) {
      setError(failure);
    }
  };
  const items = list.record?.items ?? [];
  return html`<${Dialog} title=${t.scopeTitle} close=${close}>
    <${Problem} error=${error ?? list.error} retry=${list.renew} />
    <div class="scope-list">
      ${at && html`<button type="button" class="scope-item" onClick=${() => setAt(at.split("/").slice(0, -1).join("/"))}><${Icon} name="back" /><span>${t.scopeUp}: <bdi>${shorten(at, 60)}</bdi></span></button>`}
      ${!at && html`<${ScopeItem} path=${t.scopeAll} chosen=${!scope} pick=${() => pick("")} />`}
      ${!list.record && !list.error && html`<${Waiting} />`}
      ${items.map((item) => html`<${ScopeItem} key=${item.path} path=${item.path} passages=${item.passages} chosen=${item.path === scope}
        pick=${() => pick(item.path)} enter=${item.children ? () => setAt(item.path) : null} />`)}
    </div>
  <//>`;
}

function ScopeItem({ path: name, passages, chosen, pick, enter }) {
  const t = strings.conversation;
  return html`<div class="scope-row">
    <button type="button" class="scope-item" aria-pressed=${chosen} onClick=${pick}>
      <bdi class="clip">${shorten(name, 90)}</bdi>
      ${passages !== undefined && html`<span class="number quiet">${strings.collections.passages(passages)}</span>`}
    </button>
    ${enter && html`<${IconButton} icon="next" label=${t.scopeEnter(shorten(name, 60))} onClick=${enter} />`}
  </div>`;
}
