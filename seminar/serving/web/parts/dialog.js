/** Dialogs over the page: the browser's own, which keep the focus and close with Esc. */
import { html, useEffect, useRef, useState } from "../lib.js";
import { strings } from "../strings.js";
import { IconButton } from "./icon.js";
import { Problem } from "./problem.js";

let serial = 0;

/** A dialog that is open while it is rendered. */
export function Dialog({ title, close, children, wide = false }) {
  const element = useRef(null);
  const [heading] = useState(() => `dialog-${(serial += 1)}`);
  useEffect(() => {
    const before = document.activeElement;
    element.current.showModal();
    return () => before?.isConnected && before.focus();
  }, []);
  const outside = (event) => event.target === element.current && close();
  return html`<dialog ref=${element} class=${wide ? "dialog wide" : "dialog"} aria-labelledby=${heading}
    onCancel=${(event) => (event.preventDefault(), close())} onMouseDown=${outside}>
    <div class="dialog-body">
      <header class="dialog-head">
        <h2 id=${heading}><bdi>${title}</bdi></h2>
        <${IconButton} icon="close" label=${strings.close} onClick=${close} />
      </header>
      ${children}
    </div>
  </dialog>`;
}

/** A dialog with one action, which may fail: then it stays, with the reason. */
export function ActionDialog({ title, action, label, close, children, danger = false }) {
  const [state, setState] = useState({ busy: false, error: null });
  const submit = async (event) => {
    event.preventDefault();
    setState({ busy: true, error: null });
    try {
      await action(new FormData(event.target));
      close();
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  return html`<${Dialog} title=${title} close=${close}>
    <form class="form" onSubmit=${submit}>
      ${children}
      <${Problem} error=${state.error} />
      <div class="form-actions">
        <button type="button" class="button quiet" onClick=${close}>${strings.cancel}</button>
        <button class=${danger ? "button danger" : "button"} disabled=${state.busy}>${label}</button>
      </div>
    </form>
  <//>`;
}

/** Ask for a name. */
export function NameDialog({ title, name = "", label = strings.save, placeholder = "", save, close }) {
  const field = useRef(null);
  useEffect(() => field.current.select(), []);
  const action = (form) => save(String(form.get("name")).trim());
  return html`<${ActionDialog} title=${title} action=${action} label=${label} close=${close}>
    <label class="field">${strings.name}
      <input ref=${field} name="name" required maxlength="200" dir="auto" autocomplete="off"
        placeholder=${placeholder} defaultValue=${name} />
    </label>
  <//>`;
}

/** Ask whether to go on with what can't be undone. */
export function ConfirmDialog({ title, text, label = strings.delete, action, close }) {
  return html`<${ActionDialog} title=${title} action=${action} label=${label} close=${close} danger>
    <p><bdi>${text}</bdi></p>
  <//>`;
}
