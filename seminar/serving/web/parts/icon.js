/** An icon of the sprite; it says nothing, the control around it has the name. */
import { html } from "../lib.js";

const SPRITE = new URL("../icons.svg", import.meta.url).pathname;

export function Icon({ name }) {
  return html`<svg class="icon" aria-hidden="true" focusable="false"><use href=${`${SPRITE}#${name}`} /></svg>`;
}

/** A button that shows only an icon; `label` is its name and its tooltip. */
export function IconButton({ icon, label, children, ...rest }) {
  return html`<button type="button" class="icon-button" aria-label=${label} title=${label} ...${rest}>
    <${Icon} name=${icon} />${children}
  </button>`;
}
