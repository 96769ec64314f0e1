/** Addresses of pages: which is shown, and how to go to another without loading the document. */
import { useEffect, useState } from "./lib.js";

/** @typedef {{page: string, id: string, hash: string}} Route */

const ALONE = ["login", "tokens", "admin"];
const WITH_ID = ["collections", "ask", "dialogues", "invitation", "link"];

/** @returns {Route} the page "missing" stands for every unknown address */
function current() {
  const [, page = "", id = "", ...rest] = location.pathname.split("/");
  const known = id ? WITH_ID.includes(page) && !rest.length : ALONE.includes(page);
  const { hash } = location;
  if (location.pathname === "/") return { page: "collections", id: "", hash };
  if (!known) return { page: "missing", id: "", hash };
  try {
    return { page, id: decodeURIComponent(id), hash };
  } catch {
    return { page: "missing", id: "", hash };
  }
}

/** Go to a page of this service. */
export function navigate(address, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}

/** The route of the address bar, renewed as it changes. */
export function useRoute() {
  const [route, setRoute] = useState(current);
  useEffect(() => {
    const renew = () => setRoute(current());
    addEventListener("popstate", renew);
    document.addEventListener("click", follow);
    return () => {
      removeEventListener("popstate", renew);
      document.removeEventListener("click", follow);
    };
  }, []);
  return route;
}

/** Follow a link to a page here without loading the document; leave all others to the browser. */
function follow(event) {
  const link = event.target.closest?.("a[href]");
  const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute("download")) return;
  const url = new URL(link.href);
  if (url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
  if (url.pathname === location.pathname && url.hash) return;
  event.preventDefault();
  navigate(url.pathname + url.search + url.hash);
}
