/** Right or wrong, and the words that would have been right. */
import { html, useEffect, useRef, useState } from "../lib.js";
import { strings } from "../strings.js";
import { shorten } from "../text.js";
import { path, put } from "../api.js";
import { IconButton } from "../parts/icon.js";
import { Problem } from "../parts/problem.js";

/** The buttons; the form opens below them when something is wrong. */
export function FeedbackButtons({ feedback, judge, form, toggleForm }) {
  const t = strings.conversation;
  return html`<span class="feedback-buttons">
    <${IconButton} icon="right" label=${t.right} aria-pressed=${feedback?.right === true} onClick=${() => judge()} />
    <${IconButton} icon="close" label=${t.wrong} aria-pressed=${feedback?.right === false} aria-expanded=${form} onClick=${toggleForm} />
  </span>`;
}

/** Send what a person says of a turn, and return the turn with it. */
export async function sendFeedback(dialogue, turn, feedback) {
  await put(path("dialogues", dialogue, "turns", String(turn.number), "feedback"), feedback);
  return { ...turn, feedback };
}

export function FeedbackForm({ turn, dialogue, setTurn, select, close }) {
  const t = strings.conversation;
  const [span, setSpan] = useState(turn.feedback?.span ?? null);
  const [state, setState] = useState({ busy: false, error: null });
  const element = useRef(null);
  useEffect(() => element.current.scrollIntoView({ block: "nearest" }), []);
  const submit = async (event) => {
    event.preventDefault();
    const comment = String(new FormData(event.target).get("comment")).trim();
    setState({ busy: true, error: null });
    try {
      setTurn(await sendFeedback(dialogue, turn, { right: false, span, comment }));
      close();
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  return html`<form class="feedback-form" ref=${element} onSubmit=${submit}>
    <p><strong>${t.wrongTitle}</strong> <span class="quiet">${t.wrongText}</span></p>
    ${span && html`<p class="chosen"><span class="label">${t.chosen}</span> <mark dir="auto">${shorten(span.text, 200)}</mark></p>`}
    <label class="field">${t.comment}
      <textarea name="comment" rows="2" maxlength="2000" dir="auto" defaultValue=${turn.feedback?.comment ?? ""}></textarea>
    </label>
    <${Problem} error=${state.error} />
    <div class="form-actions">
      <button type="button" class="button quiet small" onClick=${() => select(turn, setSpan)}>${t.selectWords}</button>
      <button type="button" class="button quiet small" onClick=${close}>${strings.cancel}</button>
      <button class="button small" disabled=${state.busy}>${t.send_feedback}</button>
    </div>
  </form>`;
}
