/** Edit a question: the changed one is asked in a new conversation with what came before. */
import { html, useEffect, useRef, useState } from "../lib.js";
import { strings } from "../strings.js";
import { Problem } from "../parts/problem.js";
import { forkDialogue } from "./asking.js";

export function EditQuestion({ turn, dialogue, close }) {
  const t = strings.conversation;
  const field = useRef(null);
  const [state, setState] = useState({ busy: false, error: null });
  useEffect(() => {
    field.current.focus();
    field.current.setSelectionRange(turn.question.length, turn.question.length);
  }, []);
  const submit = async (event) => {
    event.preventDefault();
    const question = field.current.value.trim();
    if (!question) return;
    setState({ busy: true, error: null });
    try {
      await forkDialogue(dialogue.id, turn.number, question);
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  const press = (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) submit(event);
    if (event.key === "Escape") {
      event.preventDefault();
      close();
    }
  };
  return html`<form class="edit-question" onSubmit=${submit}>
    <label class="visually-hidden" for=${`edit-${turn.number}`}>${t.edit}</label>
    <textarea id=${`edit-${turn.number}`} ref=${field} rows="2" dir="auto" defaultValue=${turn.question} onKeyDown=${press}></textarea>
    <p class="quiet">${t.editHint}</p>
    <${Problem} error=${state.error} />
    <div class="form-actions">
      <button type="button" class="button quiet small" onClick=${close}>${strings.cancel}</button>
      <button class="button small" disabled=${state.busy}>${t.askEdited}</button>
    </div>
  </form>`;
}
