/** The live connection for components, and drafts that outlive a reload. */
import { createContext, useCallback, useContext, useEffect, useRef, useState } from "../lib.js";
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
  const value = useRef(current.value);
  value.current = current.value;
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

const TYPING = 2500; // milliseconds without a key after which one no longer writes

/** A function to call at each key; the partner sees that one writes. */
export function useTyping() {
  const { connection, live } = useLive();
  const timer = useRef(0);
  const stop = useCallback(() => {
    if (!timer.current) return;
    clearTimeout(timer.current);
    timer.current = 0;
    connection.send({ type: "typing", dialog: connection.live.view?.frame.dialog ?? "", on: false });
  }, [connection]);
  useEffect(() => stop, [connection]);
  const typed = () => {
    if (!timer.current) connection.send({ type: "typing", dialog: live.view.frame.dialog, on: true });
    clearTimeout(timer.current);
    timer.current = setTimeout(stop, TYPING);
  };
  return { typed, stop };
}
