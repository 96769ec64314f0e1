/** Marks words without changing the elements around them, so that a selection on them survives. */
import { useLayoutEffect } from "../../lib.js";
import { rangeOf } from "./places.js";

/** Ranges of all texts on the page, by the names that the style sheet knows. */
const shown = new Map();

/**
 * Mark words of the text in an element while it is shown.
 * @param {{current: HTMLElement | null}} element
 * @param {"chosen" | "kept" | "cited"} name @param {{start: number, end: number}[]} spans
 * @param {any[]} inputs what the element's text depends on
 */
export function useHighlights(element, name, spans, inputs) {
  useLayoutEffect(() => {
    if (!globalThis.Highlight || !element.current) return undefined;
    const ranges = spans.map((span) => rangeOf(element.current, span)).filter(Boolean);
    const highlight = shown.get(name) ?? new Highlight();
    shown.set(name, highlight);
    CSS.highlights.set(name, highlight);
    ranges.forEach((range) => highlight.add(range));
    return () => ranges.forEach((range) => highlight.delete(range));
  }, [JSON.stringify(spans), ...inputs]);
}
