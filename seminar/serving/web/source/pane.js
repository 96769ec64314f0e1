/** The source beside the conversation, scrolled to the cited words; a sheet on small screens. */
import { html, useEffect, useLayoutEffect, useRef, useState } from "../lib.js";
import { strings } from "../strings.js";
import { shorten, shown } from "../text.js";
import { useKeys } from "../keyboard.js";
import { Icon, IconButton } from "../parts/icon.js";
import { Problem, Waiting } from "../parts/problem.js";
import { Words } from "../parts/words.js";
import { Blocks } from "./blocks.js";
import { selectedSpan } from "./marking.js";
import { PageImage } from "./page_image.js";
import { useSource } from "./reading.js";

/** @param {{collection: string, span: any, close: () => void, choose: ((span: any) => void) | null}} properties */
export function SourcePane({ collection, span, close, choose }) {
  const t = strings.source;
  const { source, error, load, extend } = useSource(collection, span);
  const [asText, setAsText] = useState(false);
  const element = useRef(null);
  const heading = useRef(null);
  useEffect(() => heading.current.focus({ preventScroll: true }), [span]);
  useLayoutEffect(() => showMark(element.current), [source !== null, asText, span]);
  useKeys({ Escape: (event) => !event.defaultPrevented && (event.preventDefault(), close()) });
  const pages = source?.kind === "pages";
  const image = pages && !asText && !choose;
  const title = source?.title || span.title || span.source;
  return html`<aside class="source" aria-label=${t.label}>
    <header class="source-head">
      <div class="source-title">
        <h2 ref=${heading} tabindex="-1"><${Words} text=${shorten(title, 120)} /></h2>
        <p class="quiet clip" title=${shown(span.source)}><${Words} text=${span.source} /></p>
      </div>
      ${pages && !choose && html`<button type="button" class="button quiet small" onClick=${() => setAsText(!asText)}>${asText ? t.asPages : t.asText}</button>`}
      <${IconButton} icon="close" label=${t.close} onClick=${close} />
    </header>
    ${choose && html`<${SelectionBar} element=${element} blocks=${source?.blocks ?? []} choose=${choose} />`}
    <div class="source-body" ref=${element} tabindex="0" role="region" aria-label=${shorten(title, 120)}>
      <${Problem} error=${error} title=${source ? "" : t.failed} retry=${source ? null : load} />
      ${!source && !error && html`<${Waiting} lines=${8} />`}
      ${source && image && html`<${PageImage} collection=${collection} span=${span} source=${source} />`}
      ${source && !image && html`
        ${typeof source.before === "number" && html`<button type="button" class="read-on" onClick=${() => extend(source.before)}>${t.before}</button>`}
        <${Blocks} blocks=${source.blocks} span=${span} />
        ${typeof source.after === "number" && html`<button type="button" class="read-on" onClick=${() => extend(source.after)}><${Icon} name="down" />${t.after}</button>`}`}
    </div>
  </aside>`;
}

/** What is asked of the reader while they select words, and the button that takes them. */
function SelectionBar({ element, blocks, choose }) {
  const t = strings.conversation;
  const [span, setSpan] = useState(null);
  useEffect(() => {
    const renew = () => setSpan(element.current ? selectedSpan(element.current, blocks) : null);
    document.addEventListener("selectionchange", renew);
    return () => document.removeEventListener("selectionchange", renew);
  }, [blocks]);
  return html`<div class="selection-bar" role="status">
    <p>${t.selecting}</p>
    <button type="button" class="button small" disabled=${!span} onMouseDown=${(event) => event.preventDefault()} onClick=${() => choose(span)}>${t.useWords}</button>
  </div>`;
}

/** Scroll the pane, and nothing else, to the first marked words. */
function showMark(body) {
  const mark = body.querySelector("mark");
  if (!mark) return;
  const offset = mark.getBoundingClientRect().top - body.getBoundingClientRect().top;
  body.scrollTop += offset - body.clientHeight / 3;
}
