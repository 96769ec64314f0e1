/** The live connection for components, and drafts that outlive a reload. */
import { createContext, useCallback, useContext, useState } from "../lib.js";
import { keep, kept, keptNames } from "../kept.js";

/** @type {import("../lib.js").createContext} the connection, its state, and the study's texts */
export const LiveContext = createContext(null);
export const useLive = () => useContext(LiveContext);

const DRAFT = "draft:";

/**
 * A value that is kept under a name until it is forgotten.
 * @param {string} name with the dialog first @param {any} initial
 */
export function useDraft(name, initial) {
  const key = `${DRAFT}${name}`;
  const read = () => {
    const text = kept(key);
    return text ? JSON.parse(text) : initial;
  };
  const [state, setState] = useState(() => ({ key, value: read() }));
  const current = state.key === key ? state : { key, value: read() };
  const set = useCallback(
    (next) => {
      keep(key, JSON.stringify(next));
      setState({ key, value: next });
    },
    [key],
  );
  const forget = useCallback(() => {
    keep(key, "");
    setState({ key, value: initial });
  }, [key]);
  return [current.value, set, forget];
}

/** Forget all drafts of a dialog. */
export function forgetDrafts(dialog) {
  for (const name of keptNames(`${DRAFT}${dialog}:`)) keep(name, "");
}
