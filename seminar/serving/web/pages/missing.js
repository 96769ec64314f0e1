/** What is shown at an address with nothing behind it. */
import { html } from "../lib.js";
import { strings } from "../strings.js";

export function Missing() {
  return html`<div class="page narrow">
    <h1>${strings.notFound}</h1>
    <p><a class="button" href="/">${strings.home}</a></p>
  </div>`;
}
