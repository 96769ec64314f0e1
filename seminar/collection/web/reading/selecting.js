/** Selecting words of a text by mouse, touch and keyboard; what is selected is the caller's state. */
import { useEffect, useMemo, useRef } from "../../lib.js";
import { wholeWords, wordsOf } from "./blocks.js";
import { firstShown, offsetAt, offsetsOf, rangeOf, scrollTo } from "./places.js";

const SETTLED = 250; // milliseconds after which a selection by touch counts as made

/**
 * The properties of an element in which words of `text` are selected.
 * @param {{element: {current: HTMLElement | null}, text: string, span: {start: number, end: number} | null,
 *   select: ((span: {start: number, end: number} | null) => void) | null, take?: () => void}} properties
 */
export function useSelecting({ element, text, span, select, take }) {
  const words = useMemo(() => (select ? wordsOf(text) : []), [text, select !== null]);
  const latest = useRef(null);
  const dragged = useRef(false);
  latest.current = { words, text, span, select, take };
  useEffect(() => {
    if (!select) return undefined;
    const release = (event) => {
      if (event.pointerType === "touch" || !takeSelection(element.current, latest.current, true)) return;
      dragged.current = true;
      setTimeout(() => (dragged.current = false));
    };
    let timer = 0;
    const change = () => {
      clearTimeout(timer);
      const byTouch = matchMedia("(pointer: coarse)").matches;
      if (byTouch) timer = setTimeout(() => takeSelection(element.current, latest.current, false), SETTLED);
    };
    document.addEventListener("pointerup", release);
    document.addEventListener("selectionchange", change);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("pointerup", release);
      document.removeEventListener("selectionchange", change);
    };
  }, [select !== null]);
  if (!select) return {};
  return {
    onKeyDown: (event) => press(event, element.current, latest.current),
    onClickCapture: (event) => dragged.current && (event.preventDefault(), event.stopPropagation()),
    onClick: (event) => tap(event, element.current, latest.current),
  };
}

/** Make the browser's selection the selected words; false if there is none. */
function takeSelection(element, { words, text, select }, clear) {
  const selection = getSelection();
  if (!element || !selection.rangeCount || selection.isCollapsed || !element.contains(selection.anchorNode)) return false;
  const offsets = offsetsOf(element, selection.getRangeAt(0));
  const span = offsets && wholeWords(offsets, text, words);
  if (!span) return false;
  select(span);
  if (clear) selection.removeAllRanges();
  return true;
}

/** A tap selects a word, the next one extends to another; with a mouse, Shift extends. */
function tap(event, element, { words, span, select }) {
  const byTouch = event.pointerType === "touch" || event.pointerType === "pen";
  if (event.defaultPrevented || event.target.closest("a, button") || !(byTouch || event.shiftKey)) return;
  if (!getSelection().isCollapsed) return;
  const at = offsetAt(element, event.clientX, event.clientY);
  const word = at === null ? null : words.find((one) => one.start <= at && at <= one.end);
  if (!word) return;
  const inside = span && span.start <= word.start && word.end <= span.end;
  select(!span || inside ? word : { start: Math.min(span.start, word.start), end: Math.max(span.end, word.end) });
}

/** The arrows go from word to word, with Shift they extend; Enter takes, Esc selects nothing. */
function press(event, element, { words, text, span, select, take }) {
  if (event.ctrlKey || event.metaKey || event.altKey || !words.length) return;
  if (event.key === "Enter" && span && take && event.target === element) {
    event.preventDefault();
    take();
  } else if (event.key === "Escape" && span) {
    event.preventDefault();
    select(null);
  } else if (isStep(event)) {
    event.preventDefault();
    const next = stepped(event, element, words, text, span);
    element.dataset.side = next.side;
    select(next.span);
    const range = rangeOf(element, next.shown);
    if (range) scrollTo(element, range);
  }
}

const isStep = ({ key, shiftKey }) => key === "ArrowLeft" || key === "ArrowRight" || (shiftKey && (key === "ArrowUp" || key === "ArrowDown"));

/** The words after a key; `side` is the end of the selection that moves. */
function stepped(event, element, words, text, span) {
  if (!span) {
    const from = firstShown(element);
    const word = words.find((one) => one.start >= from) ?? words[0];
    return { span: word, shown: word, side: "end" };
  }
  const back = event.key === "ArrowLeft" || event.key === "ArrowUp";
  const first = words.findIndex((one) => one.end > span.start);
  const last = words.findLastIndex((one) => one.start < span.end);
  const side = first === last ? (back ? "start" : "end") : element.dataset.side === "start" ? "start" : "end";
  const moving = side === "start" ? first : last;
  const fixed = side === "start" ? last : first;
  const by = event.key === "ArrowUp" || event.key === "ArrowDown" ? wordsToSentenceEnd(words, text, moving, back) : 1;
  const index = Math.min(Math.max(moving + (back ? -by : by), 0), words.length - 1);
  if (!event.shiftKey) return { span: words[index], shown: words[index], side: "end" };
  const [low, high] = index < fixed ? [index, fixed] : [fixed, index];
  return {
    span: { start: words[low].start, end: words[high].end },
    shown: words[index],
    side: index < fixed ? "start" : "end",
  };
}

/** How many words there are from one to the end, or the beginning, of the sentence. */
function wordsToSentenceEnd(words, text, from, back) {
  const characters = Array.from(text);
  const step = back ? -1 : 1;
  let count = 1;
  for (let at = from + step; at > 0 && at < words.length - 1; at += step) {
    const gap = back ? characters.slice(words[at - 1].end, words[at].start) : characters.slice(words[at].end, words[at + 1].start);
    if (/[.!?\n]/.test(gap.join(""))) break;
    count += 1;
  }
  return count;
}
