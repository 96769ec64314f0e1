/** Data of the service in components: loaded once, renewed on demand, errors kept beside it. */
import { useCallback, useEffect, useRef, useState } from "./lib.js";
import { get } from "./api.js";

/**
 * The record at a URL; the last one stays while it is renewed. Nothing is loaded without a URL.
 * @param {string | null} url
 */
export function useRecord(url) {
  const [state, setState] = useState({ url: null, record: null, error: null });
  const latest = useRef(url);
  latest.current = url;
  const renew = useCallback(async () => {
    const asked = latest.current;
    if (!asked) return;
    try {
      const record = await get(asked);
      if (latest.current === asked) setState({ url: asked, record, error: null });
    } catch (error) {
      if (latest.current === asked) setState((old) => ({ ...old, url: asked, error }));
    }
  }, []);
  useEffect(() => void renew(), [url]);
  const own = state.url === url;
  return {
    record: own ? state.record : null,
    error: own ? state.error : null,
    renew,
    set: (record) => setState({ url, record, error: null }),
  };
}

/**
 * A list that is read page by page.
 * @param {(after?: string) => string} urlAfter the address of the page after a cursor
 * @param {any[]} inputs what the address depends on
 */
export function useList(urlAfter, inputs) {
  const [state, setState] = useState({ items: null, next: null, error: null });
  const turn = useRef(0);
  const load = async (after) => {
    const mine = (turn.current += 1);
    try {
      const page = await get(urlAfter(after));
      if (mine !== turn.current) return;
      setState((old) => ({
        items: after ? [...old.items, ...page.items] : page.items,
        next: page.next,
        error: null,
      }));
    } catch (error) {
      if (mine === turn.current) setState((old) => ({ ...old, error }));
    }
  };
  useEffect(() => void load(), inputs);
  return { ...state, renew: () => load(), more: () => load(state.next) };
}
