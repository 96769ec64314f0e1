/** QAConv's writer: a question of one's own with its answer, or one of four that are offered. */
import { html, useState } from "../../lib.js";
import { shown } from "../../text.js";
import { useDraft } from "../live.js";
import { Choices } from "../parts.js";
import { strings } from "../strings.js";
import { draftName, useActing, useNotes } from "./acting.js";
import { ChunkText } from "./chunk.js";
import { Console, Notes } from "./console.js";

const EMPTY = { question: "", answer: "", chosen: null };

export function QaconvWriter({ view }) {
  const [form, setForm] = useDraft(draftName(view, "write"), EMPTY);
  const [span, setSpan] = useState(null);
  const { may } = useActing();
  const open = may("write") && view.setting !== "unanswerable";
  const select = (next, words) => {
    setSpan(next);
    if (next) setForm({ ...form, answer: words });
  };
  const title = view.chunk.title || strings.qaconv.conversation;
  return html`<${Console} view=${view} title=${title} progress="" work=${html`<${ChunkText} chunk=${view.chunk} span=${span} select=${open ? select : null} />`}
    form=${html`<${WriteForm} view=${view} form=${form} change=${(part) => setForm({ ...form, ...part })} />`} />`;
}

function WriteForm({ view, form, change }) {
  const t = strings.qaconv;
  const { busy, may, act } = useActing();
  const notes = useNotes(form.question, form.answer);
  const asksAnswer = view.setting !== "unanswerable";
  const complete = form.question.trim() && (!asksAnswer || form.answer.trim()) && (view.setting !== "choose" || form.chosen !== null);
  const submit = (event) => {
    event.preventDefault();
    if (!complete || busy) return;
    act({ kind: "write", question: form.question.trim(), answers: asksAnswer ? [form.answer.trim()] : [], chosen: form.chosen });
  };
  return html`<form class="answer-form" onSubmit=${submit}>
    <h3>${t.settings[view.setting].title}</h3>
    <p>${t.settings[view.setting].text}</p>
    ${view.setting === "choose" && html`<${Choices} name="offered" legend=${t.offered} row=${false} value=${form.chosen}
      options=${view.offered.map((question, value) => ({ value, label: question }))}
      choose=${(chosen) => change({ chosen, question: shown(view.offered[chosen]) })} />`}
    <label class="field">${t.question}
      <textarea rows="2" dir="auto" maxlength="2000" required value=${form.question} aria-describedby="write-notes" onInput=${(event) => change({ question: event.target.value })}></textarea>
    </label>
    ${asksAnswer && html`<label class="field">${t.answer}
      <textarea rows="2" dir="auto" maxlength="2000" required value=${form.answer} aria-describedby="write-notes" onInput=${(event) => change({ answer: event.target.value })}></textarea>
    </label>`}
    <${Notes} notes=${notes} id="write-notes" title=${t.missing} />
    <div class="form-actions"><button class="button" disabled=${!complete || busy || !may("write")}>${busy ? strings.sending : t.submit}</button></div>
  </form>`;
}
