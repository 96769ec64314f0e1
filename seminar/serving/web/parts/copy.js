/** A text to copy, as a link or a secret. */
import { html, useRef, useState } from "../lib.js";
import { strings } from "../strings.js";

/** Copy a text; without the clipboard (a page without HTTPS) it is selected instead. */
export async function copyText(text, field = null) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text).catch(() => field?.select());
    return;
  }
  field?.select();
  document.execCommand("copy");
}

export function CopyField({ label, text }) {
  const field = useRef(null);
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(text, field.current);
    setCopied(true);
  };
  return html`<div class="copy-field">
    <input ref=${field} readonly value=${text} aria-label=${label} onFocus=${(event) => event.target.select()} />
    <button type="button" class="button small" onClick=${copy}>${copied ? strings.copied : strings.copy}</button>
  </div>`;
}
