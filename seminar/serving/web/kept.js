/** What a browser keeps over a reload: drafts, questions under way, the theme. */

/** The storage, or null where the browser forbids it. */
function storage() {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

export function kept(key) {
  return storage()?.getItem(key) ?? "";
}

/** Keep a text; an empty one is forgotten. */
export function keep(key, text) {
  try {
    if (text) storage()?.setItem(key, text);
    else storage()?.removeItem(key);
  } catch {
    // The storage is full: what is on the screen stays there.
  }
}

/** @typedef {{question: string, key: string}} Pending a question and the key that makes a repeat safe */

/** The question that was asked in a dialogue and has no turn yet. @returns {Pending | null} */
export function pendingOf(dialogue) {
  try {
    return JSON.parse(kept(`pending:${dialogue}`));
  } catch {
    return null;
  }
}

export function keepPending(dialogue, pending) {
  keep(`pending:${dialogue}`, pending ? JSON.stringify(pending) : "");
}

/** The keys with a prefix under which something is kept. */
export function keptNames(prefix) {
  return Object.keys(storage() ?? {}).filter((key) => key.startsWith(prefix));
}
