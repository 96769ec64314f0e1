/** Chosen words of pages, each of which can be taken out again. */
import { html } from "../../lib.js";
import { shorten } from "../../text.js";
import { IconButton } from "../../parts/icon.js";
import { Words } from "../../parts/words.js";
import { strings } from "../strings.js";

export function SpanList({ spans, drop, empty }) {
  return html`<div role="status">${spans.length
    ? html`<ul class="span-list">${spans.map((span) => html`<li key=${`${span.page}:${span.start}:${span.end}`}>
        <mark><${Words} text=${span.text} /></mark>
        <${IconButton} icon="close" label=${strings.dropSpan(shorten(span.text, 60))} onClick=${() => drop(span)} />
      </li>`)}</ul>`
    : html`<p class="quiet">${empty}</p>`}</div>`;
}
