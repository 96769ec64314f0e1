/** The list of shortcuts. */
import { html } from "../lib.js";
import { strings } from "../strings.js";
import { Dialog } from "./dialog.js";

export function Help({ close }) {
  return html`<${Dialog} title=${strings.help.title} close=${close}>
    <dl class="keys">
      ${strings.help.keys.map(([key, text]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${text}</dd></div>`)}
    </dl>
  <//>`;
}
