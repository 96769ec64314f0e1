/** A button that opens a list of actions; arrows go through it, Esc closes it. */
import { html, useEffect, useRef, useState } from "../lib.js";
import { Icon } from "./icon.js";

/**
 * @param {{label: string, icon?: string, text?: any, align?: string,
 *   items: ({label: string, icon?: string, act?: () => void, href?: string, download?: boolean,
 *   checked?: boolean, danger?: boolean} | false)[]}} properties
 */
export function Menu({ label, icon = "more", text = null, align = "end", items }) {
  const [open, setOpen] = useState(false);
  const place = useRef(null);
  const button = useRef(null);
  const close = (focus) => {
    setOpen(false);
    if (focus) button.current.focus();
  };
  useEffect(() => {
    if (!open) return undefined;
    place.current.querySelector("[role^=menuitem]")?.focus();
    const outside = (event) => place.current.contains(event.target) || close(false);
    addEventListener("pointerdown", outside);
    return () => removeEventListener("pointerdown", outside);
  }, [open]);
  const press = (event) => {
    if (!open) return;
    if (event.key === "Tab") close(false);
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      close(true);
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      event.stopPropagation();
      move(place.current, step);
    }
  };
  return html`<div class=${`menu ${align}`} ref=${place} onKeyDown=${press}>
    <button type="button" ref=${button} class=${text ? "menu-button" : "icon-button"} aria-label=${text ? undefined : label}
      title=${label} aria-haspopup="menu" aria-expanded=${open} onClick=${() => setOpen(!open)}>
      <${Icon} name=${icon} />${text}
    </button>
    ${open && html`<div class="menu-list" role="menu" aria-label=${label}>
      ${items.filter(Boolean).map((item) => html`<${MenuItem} item=${item} close=${close} />`)}
    </div>`}
  </div>`;
}

function MenuItem({ item, close }) {
  const role = item.checked === undefined ? "menuitem" : "menuitemradio";
  const content = html`${item.icon && html`<${Icon} name=${item.icon} />`}<bdi>${item.label}</bdi>`;
  const shared = { role, tabIndex: -1, class: item.danger ? "menu-item danger" : "menu-item", "aria-checked": item.checked };
  if (item.href) {
    return html`<a ...${shared} href=${item.href} download=${item.download} onClick=${() => close(false)}>${content}</a>`;
  }
  const act = () => (close(true), item.act());
  return html`<button type="button" ...${shared} onClick=${act}>${content}</button>`;
}

function move(place, step) {
  const items = [...place.querySelectorAll("[role^=menuitem]")];
  const index = items.indexOf(document.activeElement) + step;
  items[(index + items.length) % items.length]?.focus();
}
