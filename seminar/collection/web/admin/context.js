/** What the tabs of the dashboard share. */
import { createContext, useContext, useEffect, useState } from "../../lib.js";

export const AdminContext = createContext(null);
export const useAdmin = () => useContext(AdminContext);

/**
 * A list that is read page by page, renewed with the overview.
 * @param {string} name "dialogs" or "workers" @param {Record<string, string>} filter
 */
export function usePages(name, filter = {}) {
  const { requests, overview } = useAdmin();
  const [state, setState] = useState({ items: null, next: "", error: null });
  const load = async (before = "") => {
    try {
      const page = await requests.get("admin", name, { ...filter, before });
      setState((old) => ({ items: before ? [...old.items, ...page[name]] : page[name], next: page.next, error: null }));
    } catch (error) {
      setState((old) => ({ ...old, error }));
    }
  };
  const isFirst = state.next === "" || !state.items || state.items.length <= 50;
  useEffect(() => void (isFirst && load()), [overview.time, JSON.stringify(filter)]);
  return { ...state, load, more: () => load(state.next) };
}
