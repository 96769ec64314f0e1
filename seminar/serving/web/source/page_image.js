/** A page of a PDF as it looks, the cited words marked by the service; arrows turn the pages. */
import { html, useEffect, useState } from "../lib.js";
import { strings } from "../strings.js";
import { shorten } from "../text.js";
import { path } from "../api.js";
import { Problem, Waiting } from "../parts/problem.js";

export function PageImage({ collection, span, source }) {
  const t = strings.source;
  const known = source.blocks.find((block) => block.page && block.start <= span.start && span.start < block.end);
  const cited = span.page ?? known?.page ?? 1;
  const [number, setNumber] = useState(cited);
  const [state, setState] = useState("loading");
  useEffect(() => setNumber(cited), [cited]);
  useEffect(() => setState("loading"), [number]);
  const address = path("collections", collection, "page", { path: span.source, number, start: span.start, end: span.end });
  return html`<div class="page-image">
    <nav class="page-turner" aria-label=${t.page(number)}>
      <button type="button" class="button quiet small" disabled=${number <= 1} onClick=${() => setNumber(number - 1)} aria-label=${t.page(number - 1)}>‹</button>
      <span>${t.page(number)}</span>
      <button type="button" class="button quiet small" disabled=${state === "failed"} onClick=${() => setNumber(number + 1)} aria-label=${t.page(number + 1)}>›</button>
    </nav>
    ${state === "loading" && html`<${Waiting} lines=${8} />`}
    ${state === "failed" && html`<${Problem} error=${new Error(t.failed)} />`}
    <img src=${address} alt=${t.pageImage(number, shorten(source.title, 80))} hidden=${state === "failed"}
      onLoad=${() => setState("shown")} onError=${() => setState("failed")} />
  </div>`;
}
