/** An error where it happened, with the service's words and a way to try again. */
import { html } from "../lib.js";
import { shown } from "../text.js";
import { strings } from "../strings.js";
import { Icon } from "./icon.js";

export function Problem({ error, retry = null, title = "" }) {
  if (!error) return null;
  const fields = error.errors ?? [];
  return html`<div class="problem" role="alert">
    <${Icon} name="warning" />
    <div class="problem-text">
      ${title && html`<strong>${title}</strong>`}
      <p><bdi>${shown(error.message)}</bdi></p>
      ${fields.length > 0 && html`<ul>${fields.map((one) => html`<li><bdi>${shown(`${one.field}: ${one.detail}`)}</bdi></li>`)}</ul>`}
    </div>
    ${retry && html`<button type="button" class="button small" onClick=${retry}>${strings.retry}</button>`}
  </div>`;
}

/** What stands in place of data that is on its way: its size, and nothing that moves. */
export function Waiting({ lines = 3 }) {
  return html`<div class="waiting" role="status" aria-label=${strings.loading}>
    ${Array.from({ length: lines }, () => html`<span class="waiting-line"></span>`)}
  </div>`;
}
