/** A text as blocks, one a line; offsets count characters (code points), as the service does. */
import { cut, length } from "../../text.js";

/**
 * @typedef {{start: number, end: number}} Range
 * @typedef {{start: number, text: string, heading: boolean, title: string}} Block
 */

/**
 * The lines of a text that have words; the first of a section has its title, unless it is the heading.
 * @param {string} text @param {{title: string, start: number, end: number}[]} sections
 * @returns {Block[]}
 */
export function blocksOf(text, sections = []) {
  const blocks = [];
  const waiting = [...sections].sort((one, other) => one.start - other.start);
  let start = 0;
  for (const line of text.split("\n")) {
    const size = length(line);
    if (line.trim()) {
      let title = "";
      const next = waiting[0]; // it begins with its heading, or behind it
      const heading = next !== undefined && next.start <= start + size + 1 && line.trim() === lastPart(next.title);
      if (heading) waiting.shift();
      while (waiting.length && waiting[0].start < start + size) title = lastPart(waiting.shift().title);
      blocks.push({ start, text: line, heading, title });
    }
    start += size + 1;
  }
  return blocks;
}

const lastPart = (title) => title.split(" > ").at(-1).trim();

/**
 * A block in parts, so that links are elements of their own; the parts make up the whole text.
 * @param {Block} block @param {{start: number, end: number, target: string}[]} links one without
 * a target is a speaker's name
 * @returns {{text: string, target: string | null}[]}
 */
export function partsOf(block, links) {
  const end = block.start + length(block.text);
  const own = links.filter((link) => link.start >= block.start && link.end <= end && link.end > link.start);
  own.sort((one, other) => one.start - other.start);
  const parts = [];
  let at = block.start;
  const plain = (until) => until > at && parts.push({ text: cut(block.text, at - block.start, until - block.start), target: null });
  for (const link of own) {
    if (link.start < at) continue; // links do not nest
    plain(link.start);
    parts.push({ text: cut(block.text, link.start - block.start, link.end - block.start), target: link.target });
    at = link.end;
  }
  plain(end);
  return parts;
}

const WORD = /[\p{L}\p{N}\p{M}]+(?:['’.\-][\p{L}\p{N}\p{M}]+)*/gu;

/** The words of a text in their order. @returns {Range[]} */
export function wordsOf(text) {
  const words = [];
  let units = 0;
  let at = 0;
  for (const match of text.matchAll(WORD)) {
    at += length(text.slice(units, match.index));
    const size = length(match[0]);
    words.push({ start: at, end: at + size });
    units = match.index + match[0].length;
    at += size;
  }
  return words;
}

/** A range that holds whole words, without white space around them; null if it holds nothing. */
export function wholeWords(range, text, words) {
  const inner = cut(text, range.start, range.end);
  if (!inner.trim()) return null;
  let start = range.start + length(inner) - length(inner.trimStart());
  let end = range.end - (length(inner) - length(inner.trimEnd()));
  for (const word of words) {
    if (word.start < start && start < word.end) start = word.start;
    if (word.start < end && end < word.end) end = word.end;
  }
  return { start, end };
}
