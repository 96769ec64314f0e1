/** A place to drop files and folders on, or to choose them. */
import { html, useEffect, useRef, useState } from "../lib.js";
import { strings } from "../strings.js";
import { Icon } from "../parts/icon.js";
import { chosenFiles, droppedFiles } from "./dropped.js";

/** @param {{take: (items: import("./dropped.js").Item[]) => void, text?: string, large?: boolean}} properties */
export function DropArea({ take, text = strings.collections.drop, large = false }) {
  const t = strings.collections;
  const files = useRef(null);
  const folder = useRef(null);
  const over = useDrop(take);
  const chosen = (event) => {
    const items = chosenFiles(event.target.files);
    event.target.value = "";
    if (items.length) take(items);
  };
  return html`<div class=${`drop-area${over ? " over" : ""}${large ? " large" : ""}`}>
    <${Icon} name="upload" />
    <p>${text}</p>
    <div class="drop-buttons">
      <button type="button" class="button small" onClick=${() => files.current.click()}>${t.chooseFiles}</button>
      <button type="button" class="button quiet small" onClick=${() => folder.current.click()}>${t.chooseFolder}</button>
    </div>
    <input ref=${files} type="file" multiple hidden aria-label=${t.chooseFiles} onChange=${chosen} />
    <input ref=${folder} type="file" webkitdirectory hidden aria-label=${t.chooseFolder} onChange=${chosen} />
  </div>`;
}

/** Take files dropped anywhere on the page; whether some are being dragged over it. */
function useDrop(take) {
  const [over, setOver] = useState(false);
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const drag = (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event) => event.relatedTarget === null && setOver(false);
    const drop = async (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(false);
      const items = await droppedFiles(event.dataTransfer);
      if (items.length) latest.current(items);
    };
    const listeners = { dragenter: drag, dragover: drag, dragleave: leave, drop };
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener);
    };
  }, []);
  return over;
}
