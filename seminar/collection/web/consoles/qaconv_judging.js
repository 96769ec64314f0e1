/** QAConv's verifier, who judges a question and its answer, and the annotator who answers it again. */
import { html } from "../../lib.js";
import { Words } from "../../parts/words.js";
import { useDraft } from "../live.js";
import { Choices } from "../parts.js";
import { strings } from "../strings.js";
import { draftName, useActing } from "./acting.js";
import { ChunkText } from "./chunk.js";
import { Console } from "./console.js";

const OPTIONS = ["A", "B", "C", "D"];

export function QaconvVerifier({ view }) {
  return html`<${JudgingConsole} view=${view} form=${html`<${VerdictForm} view=${view} />`} />`;
}

export function QaconvAnnotator({ view }) {
  return html`<${JudgingConsole} view=${view} form=${html`<${ChunkAnswerForm} view=${view} />`} />`;
}

function JudgingConsole({ view, form }) {
  return html`<${Console} view=${view} title=${view.chunk.title || strings.qaconv.conversation} progress="" work=${html`<${ChunkText} chunk=${view.chunk} />`} form=${form} />`;
}

function VerdictForm({ view }) {
  const t = strings.qaconv;
  const { busy, may, act } = useActing();
  const [form, setForm] = useDraft(draftName(view, "verdict"), { option: "", answer: "" });
  const complete = form.option && (form.option !== "D" || form.answer.trim());
  const submit = (event) => {
    event.preventDefault();
    if (complete && !busy) act({ kind: "judge", option: form.option, answer: form.option === "D" ? form.answer.trim() : "" });
  };
  return html`<form class="answer-form" onSubmit=${submit}>
    <h3 class="asked"><${Words} text=${view.question} /></h3>
    <div><p class="label">${t.givenAnswer}</p>
      <ul class="quotations">${view.answers.length ? view.answers.map((answer) => html`<li><mark><${Words} text=${answer} /></mark></li>`) : html`<li class="quiet">${t.givenNone}</li>`}</ul></div>
    <${Choices} name="option" legend=${t.judge} row=${false} value=${form.option} choose=${(option) => setForm({ ...form, option })}
      options=${OPTIONS.map((value) => ({ value, label: `${value}) ${t.options[value]}` }))} />
    ${form.option === "D" && html`<label class="field">${t.better}
      <input required maxlength="2000" dir="auto" autocomplete="off" value=${form.answer} onInput=${(event) => setForm({ ...form, answer: event.target.value })} />
    </label>`}
    <div class="form-actions"><button class="button" disabled=${!complete || busy || !may("judge")}>${busy ? strings.sending : t.submit}</button></div>
  </form>`;
}

function ChunkAnswerForm({ view }) {
  const t = strings.qaconv;
  const { busy, may, act } = useActing();
  const [form, setForm] = useDraft(draftName(view, "answer"), { text: "", none: false });
  const complete = form.none || form.text.trim();
  const submit = (event) => {
    event.preventDefault();
    if (complete && !busy) act({ kind: "answer chunk", text: form.none ? "" : form.text.trim() });
  };
  return html`<form class="answer-form" onSubmit=${submit}>
    <h3 class="asked"><${Words} text=${view.question} /></h3>
    <p>${t.answerAgain}</p>
    <label class="field">${t.answer}
      <textarea rows="2" dir="auto" maxlength="2000" disabled=${form.none} value=${form.none ? "" : form.text} onInput=${(event) => setForm({ ...form, text: event.target.value })}></textarea>
    </label>
    <label class="choice"><input type="checkbox" checked=${form.none} onChange=${(event) => setForm({ ...form, none: event.target.checked })} />${strings.unanswerable}</label>
    <div class="form-actions"><button class="button" disabled=${!complete || busy || !may("answer chunk")}>${busy ? strings.sending : t.submit}</button></div>
  </form>`;
}
