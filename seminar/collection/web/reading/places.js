/** Offsets of a text ↔ places in the page: blocks have their offset in `data-start`. */
import { cut, length } from "../../text.js";

const blocksIn = (element) => [...element.querySelectorAll("[data-start]")];
const startOf = (block) => Number(block.dataset.start);

/** The characters of the text that a range of the page covers, or null. */
export function offsetsOf(element, range) {
  const blocks = blocksIn(element).filter((block) => range.intersectsNode(block));
  if (!blocks.length) return null;
  const [first, last] = [blocks[0], blocks.at(-1)];
  const start = first.contains(range.startContainer) ? before(first, range.startContainer, range.startOffset) : startOf(first);
  const end = last.contains(range.endContainer)
    ? before(last, range.endContainer, range.endOffset)
    : startOf(last) + length(last.textContent);
  return end > start ? { start, end } : null;
}

/** The offset of a place within a block. */
function before(block, node, offset) {
  const lead = document.createRange();
  lead.setStart(block, 0);
  lead.setEnd(node, offset);
  return startOf(block) + length(lead.toString());
}

/** The range of the page that shows characters of the text, or null where they are not shown. */
export function rangeOf(element, { start, end }) {
  const from = placeOf(element, start, false);
  const to = placeOf(element, end, true);
  if (!from || !to) return null;
  const range = document.createRange();
  range.setStart(from.node, from.offset);
  range.setEnd(to.node, to.offset);
  return range;
}

function placeOf(element, offset, isEnd) {
  const block = blocksIn(element).find((one) => {
    const from = startOf(one);
    const to = from + length(one.textContent);
    return isEnd ? from < offset && offset <= to : from <= offset && offset < to;
  });
  if (!block) return null;
  let left = offset - startOf(block);
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const size = length(node.data);
    if (isEnd ? left <= size : left < size) return { node, offset: cut(node.data, 0, left).length };
    left -= size;
  }
  return null;
}

/** The offset of the character under a point of the screen, or null. */
export function offsetAt(element, x, y) {
  const caret = document.caretPositionFromPoint?.(x, y);
  const older = caret ? null : document.caretRangeFromPoint?.(x, y);
  const node = caret?.offsetNode ?? older?.startContainer;
  const holder = node?.parentElement?.closest("[data-start]");
  if (!holder || !element.contains(holder)) return null;
  return before(holder, node, caret ? caret.offset : older.startOffset);
}

/** The offset of the first character that the element shows on the screen. */
export function firstShown(element) {
  const top = element.getBoundingClientRect().top;
  const block = blocksIn(element).find((one) => one.getBoundingClientRect().bottom > top + 8);
  return block ? startOf(block) : 0;
}

/** Scroll an element, and nothing else, until a range is shown in it. */
export function scrollTo(element, range) {
  const inner = range.getBoundingClientRect();
  const outer = element.getBoundingClientRect();
  if (inner.top >= outer.top + 8 && inner.bottom <= outer.bottom - 8) return;
  element.scrollTop += inner.top - outer.top - element.clientHeight / 3;
}
