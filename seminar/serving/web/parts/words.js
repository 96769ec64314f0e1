/** Text of documents and people: a text node, its direction its own. */
import { html } from "../lib.js";
import { shown } from "../text.js";

export function Words({ text, class: name = "" }) {
  return html`<bdi class=${`words ${name}`}>${shown(text)}</bdi>`;
}
