/** Which characters of a block are cited, and which the reader has selected. */
import { cut, length } from "../text.js";

const SHOWN = 20000; // characters of one block that are drawn; a line may have millions

/**
 * A block in three parts around the cited words, clipped to what a page can draw.
 * @param {{text: string, start: number}} block
 * @param {{start: number, end: number}} span
 */
export function partsOf(block, span) {
  const size = length(block.text);
  const from = Math.min(Math.max(span.start - block.start, 0), size);
  const to = Math.min(Math.max(span.end - block.start, from), size);
  const first = size > SHOWN ? Math.max(0, Math.min(from, size) - SHOWN / 2) : 0;
  const last = Math.min(size, first + SHOWN);
  return {
    hiddenBefore: first,
    before: cut(block.text, first, from),
    words: cut(block.text, from, Math.min(to, last)),
    after: cut(block.text, Math.min(to, last), last),
    hiddenAfter: size - last,
  };
}

/**
 * The selected words as a span, if they lie in one block of an element.
 * @param {HTMLElement} element @param {{text: string, start: number, source: string}[]} blocks
 */
export function selectedSpan(element, blocks) {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  const holder = blockAround(range.startContainer);
  if (!holder || !element.contains(holder) || holder !== blockAround(range.endContainer)) return null;
  const block = blocks[Number(holder.dataset.block)];
  const lead = document.createRange();
  lead.setStart(holder, 0);
  lead.setEnd(range.startContainer, range.startOffset);
  const offset = Number(holder.dataset.start) + length(lead.toString());
  const picked = range.toString();
  const start = offset + length(picked) - length(picked.trimStart());
  const size = length(picked.trim());
  if (!size) return null;
  return { start, end: start + size, text: cut(block.text, start - block.start, start - block.start + size), source: block.source };
}

function blockAround(node) {
  const element = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
  return element?.closest("[data-block]") ?? null;
}
