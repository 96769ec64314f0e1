/** A text of the corpus: its headings, its links, its marked words, and words to select. */
import { html, useLayoutEffect, useMemo, useRef } from "../../lib.js";
import { shown } from "../../text.js";
import { blocksOf, partsOf } from "./blocks.js";
import { useHighlights } from "./highlights.js";
import { rangeOf, scrollTo } from "./places.js";
import { useSelecting } from "./selecting.js";

const NONE = [];

/**
 * @typedef {{start: number, end: number}} Span
 * @param {{label: string, text: string, sections?: any[], links?: any[], span?: Span | null,
 *   kept?: Span[], cited?: Span[], select?: ((span: Span | null) => void) | null, take?: () => void,
 *   follow?: ((target: string) => void) | null, hint?: string}} properties
 */
export function ReadingText(properties) {
  const { label, text, sections = NONE, links = NONE, span = null, kept = NONE, cited = NONE } = properties;
  const { select = null, take, follow = null, hint } = properties;
  const element = useRef(null);
  const latest = useRef(follow);
  latest.current = follow;
  const live = follow !== null;
  const blocks = useMemo(() => {
    const go = live ? (target) => latest.current(target) : null;
    return blocksOf(text, sections).map((block) => html`<${BlockText} key=${block.start} block=${block} links=${links} follow=${go} />`);
  }, [text, sections, links, live]); // a long text is not drawn again with every key elsewhere
  const selecting = useSelecting({ element, text, span, select, take });
  useHighlights(element, "cited", cited, [text]);
  useHighlights(element, "kept", kept, [text]);
  useHighlights(element, "chosen", span ? [span] : [], [text]);
  useLayoutEffect(() => {
    const first = span ?? cited[0] ?? null;
    const range = first && rangeOf(element.current, first);
    if (range) scrollTo(element.current, range);
    else element.current.scrollTop = 0;
  }, [text]);
  return html`<div class="reading-text" ref=${element} tabindex="0" role="region" aria-label=${label}
    aria-describedby=${hint} ...${selecting}>
    ${blocks}
  </div>`;
}

function BlockText({ block, links, follow }) {
  const content = partsOf(block, links).map((part) => {
    if (part.target === "") return html`<strong>${shown(part.text)}</strong>`;
    return part.target && follow ? html`<${TextLink} part=${part} follow=${follow} />` : shown(part.text);
  });
  const title = block.title && html`<h3 class="block-section"><bdi>${shown(block.title)}</bdi></h3>`;
  return html`${title}<${block.heading ? "h3" : "p"} class=${block.heading ? "block heading" : "block"} dir="auto" data-start=${block.start}>${content}<//>`;
}

function TextLink({ part, follow }) {
  const click = (event) => {
    event.preventDefault();
    follow(part.target);
  };
  return html`<a href=${`#${encodeURIComponent(part.target)}`} draggable=${false} onClick=${click}>${shown(part.text)}</a>`;
}
