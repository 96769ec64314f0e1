/** A source around a place, read on at both ends. */
import { useEffect, useState } from "../lib.js";
import { get, path } from "../api.js";

/** @param {string} collection @param {{source: string, start: number, end: number}} span */
export function useSource(collection, span) {
  const [state, setState] = useState({ source: null, error: null });
  const address = (start, end) => path("collections", collection, "source", { path: span.source, start, end, document: span.document });
  const load = async () => {
    setState({ source: null, error: null });
    try {
      setState({ source: await get(address(span.start, span.end)), error: null });
    } catch (error) {
      setState({ source: null, error });
    }
  };
  useEffect(() => void load(), [collection, span.source, span.start, span.end]);
  const extend = async (at) => {
    try {
      const more = await get(address(at, at));
      setState(({ source }) => ({ source: joined(source, more), error: null }));
    } catch (error) {
      setState((old) => ({ ...old, error }));
    }
  };
  return { ...state, load, extend };
}

/** Two stretches of a source as one: blocks in order, each once. */
function joined(one, other) {
  const name = (block) => `${block.key ?? ""}:${block.start}`;
  const known = new Set(one.blocks.map(name));
  const added = other.blocks.filter((block) => !known.has(name(block)));
  const ahead = added.length > 0 && added[0].start < one.blocks[0].start;
  return {
    ...one,
    blocks: ahead ? [...added, ...one.blocks] : [...one.blocks, ...added],
    before: ahead ? other.before : one.before,
    after: ahead ? one.after : other.after,
  };
}
