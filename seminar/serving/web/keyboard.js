/** Shortcuts of the whole page. */
import { useEffect, useRef } from "./lib.js";

/** Whether keys are being typed into something. */
export function isTyping(target) {
  return target.closest?.("input, textarea, select, [contenteditable]") !== null;
}

/**
 * Call the function of a key while the component is shown; letters only outside of fields.
 * @param {Record<string, (event: KeyboardEvent) => void>} keys by `event.key`, "Ctrl+" before it
 */
export function useKeys(keys) {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event) => {
      const withControl = event.ctrlKey || event.metaKey;
      const action = latest.current[withControl ? `Ctrl+${event.key}` : event.key];
      if (!action || event.altKey || event.defaultPrevented) return;
      if (!withControl && event.key !== "Escape" && isTyping(event.target)) return;
      if (document.querySelector("dialog[open]")) return; // it has its own
      action(event);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
