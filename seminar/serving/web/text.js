/**
 * Text of documents, shown safely: always text nodes, offsets in characters as the service counts
 * them (code points), invisible controls made visible one for one so that offsets stay true.
 */

const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
const OTHER = /[\u0080-\u009f\u200b\u2028\u2029\ufeff\ufff9-\ufffb]/g;
const SURROGATE = /[\ud800-\udfff]/;

/** Text with its control characters as visible symbols, as many as there were. */
export function shown(text) {
  return String(text ?? "")
    .replace(CONTROL, (one) => (one === "\u007f" ? "\u2421" : String.fromCharCode(0x2400 + one.charCodeAt(0))))
    .replace(BIDI, "\u2426")
    .replace(OTHER, " ");
}

/** The number of characters. */
export function length(text) {
  return SURROGATE.test(text) ? Array.from(text).length : text.length;
}

/** Characters `start` to `end` of a text. */
export function cut(text, start, end = Infinity) {
  if (!SURROGATE.test(text)) return text.slice(Math.max(0, start), Math.max(0, end));
  return Array.from(text).slice(Math.max(0, start), Math.max(0, end)).join("");
}

/** A text of at most `limit` characters, its end replaced by "…" where it is longer. */
export function shorten(text, limit) {
  const flat = shown(text).replace(/\s+/g, " ").trim();
  return length(flat) > limit ? `${cut(flat, 0, limit - 1)}…` : flat;
}

/** The end of a text of at most `limit` characters. */
export function ending(text, limit) {
  const size = length(text);
  return size > limit ? `…${cut(text, size - limit + 1)}` : text;
}

/** A date and time in the reader's language, or the text itself if it is none. */
export function when(time) {
  const date = new Date(time);
  return Number.isNaN(date.getTime())
    ? shown(time)
    : date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

const SIZES = ["B", "kB", "MB", "GB"];

/** A number of bytes for people. */
export function bytes(count) {
  let unit = 0;
  let value = count;
  while (value >= 1000 && unit < SIZES.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit && value < 10 ? value.toFixed(1) : Math.round(value)} ${SIZES[unit]}`;
}
