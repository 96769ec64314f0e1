/** The box in which one asks; what is typed is kept until it is asked. */
import { html, useEffect, useLayoutEffect, useRef, useState } from "../lib.js";
import { strings } from "../strings.js";
import { keep, kept } from "../kept.js";
import { IconButton } from "../parts/icon.js";

/** @param {{draft: string, busy: boolean, ask: (question: string) => any, stop?: () => void, disabled?: boolean}} properties */
export function Composer({ draft, busy, ask, stop, disabled = false, children }) {
  const t = strings.conversation;
  const [text, setText] = useState(() => kept(`draft:${draft}`));
  const field = useRef(null);
  useEffect(() => keep(`draft:${draft}`, text), [text]);
  useLayoutEffect(() => {
    field.current.style.height = "auto";
    field.current.style.height = `${field.current.scrollHeight}px`;
  }, [text]);
  useEffect(() => {
    if (matchMedia("(hover: hover)").matches && !location.hash) field.current.focus();
  }, []);
  const submit = (event) => {
    event?.preventDefault();
    const question = text.trim();
    if (!question || busy || disabled) return;
    setText("");
    ask(question);
  };
  const press = (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) submit(event);
    if (event.key === "Escape" && busy) {
      event.preventDefault();
      stop?.();
    }
  };
  return html`<form class="composer" onSubmit=${submit}>
    <div class="composer-box">
      <label class="visually-hidden" for="question">${t.question}</label>
      <textarea id="question" ref=${field} rows="1" dir="auto" maxlength="4000" value=${text} placeholder=${t.placeholder}
        onInput=${(event) => setText(event.target.value)} onKeyDown=${press}></textarea>
      <div class="composer-foot">
        <div class="composer-tools">${children}</div>
        ${busy
          ? html`<${IconButton} icon="stop" label=${t.stop} class="send-button" onClick=${stop} />`
          : html`<button class="send-button" aria-label=${t.send} title=${t.send} disabled=${!text.trim() || disabled}>
              <svg class="icon" aria-hidden="true"><use href=${new URL("../icons.svg#send", import.meta.url).href} /></svg>
            </button>`}
      </div>
    </div>
    <p class="composer-hint">${t.hint}</p>
  </form>`;
}
