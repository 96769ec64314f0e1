/** TopiOCQA's answerer, and the annotators who answer again: pages, a rationale, a free answer. */
import { html } from "../../lib.js";
import { Words } from "../../parts/words.js";
import { useDraft } from "../live.js";
import { strings } from "../strings.js";
import { draftName, useActing } from "./acting.js";
import { Browser } from "./browser.js";
import { Console, DraftBox } from "./console.js";
import { ChosenWords } from "./quac_answering.js";
import { FreeAnswer } from "./topiocqa_questioner.js";
import { Transcript } from "./transcript.js";

const EMPTY = { rationale: null, text: "", edited: false, none: false };

export function TopiocqaAnswerer({ view }) {
  const transcript = html`<${Transcript} turns=${view.turns} asker="questioner" answerer="answerer" own="answerer"
    answer=${(turn) => html`<${FreeAnswer} turn=${turn} /><${Rationale} turn=${turn} />`} empty=${strings.topiocqa.awaitQuestion} />`;
  return html`<${AnsweringConsole} view=${view} transcript=${transcript} progress=${strings.turnsOf(view.frame.turns_done, view.encouraged)} />`;
}

export function TopiocqaAnnotator({ view }) {
  const answer = (turn) => {
    const own = view.own.find((one) => one.number === turn.number);
    return html`${own && html`<p class="own-answer"><span class="label">${strings.yourAnswer}</span> <${FreeAnswer} turn=${own} /></p>`}
      <span class="label">${strings.originalAnswer}</span> <${FreeAnswer} turn=${turn} /><${Rationale} turn=${turn} />`;
  };
  const transcript = html`<${Transcript} turns=${view.turns} asker="questioner" answerer="answerer" own="annotator" answer=${answer} empty="" />`;
  return html`<${AnsweringConsole} view=${view} transcript=${transcript} progress=${strings.questionsOf(view.own.length, view.questions)} />`;
}

function Rationale({ turn }) {
  return turn.rationale && html`<details class="rationale"><summary>${strings.topiocqa.rationale}</summary><${Words} class="quoted" text=${turn.rationale.text} /></details>`;
}

function AnsweringConsole({ view, transcript, progress }) {
  const { may, typed } = useActing();
  const [form, setForm] = useDraft(draftName(view, "answer"), EMPTY);
  const change = (part) => {
    setForm({ ...form, ...part });
    typed();
  };
  const choose = (rationale) => change({ rationale, none: false, ...(form.edited ? {} : { text: rationale?.text ?? "" }) });
  const work = html`<${Browser} view=${view} span=${form.rationale} select=${may("answer free") ? choose : null}
    take=${() => document.querySelector(".acting textarea")?.focus()} />`;
  return html`<${Console} view=${view} title=${view.seed} progress=${progress} work=${work} transcript=${transcript}
    form=${html`<${AnswerForm} view=${view} form=${form} change=${change} />`} />`;
}

function AnswerForm({ view, form, change }) {
  const t = strings.topiocqa;
  const { busy, may, act } = useActing();
  const complete = form.none || (form.rationale && form.text.trim());
  const submit = (event) => {
    event.preventDefault();
    if (!complete || busy) return;
    const { page, start, end } = form.rationale ?? {};
    act({ kind: "answer free", text: form.none ? "" : form.text.trim(), rationale: form.none ? null : { page, start, end } });
  };
  if (!may("answer free")) return html`<p class="quiet">${view.frame.task === "dialog" ? t.awaitQuestion : strings.sending}</p>`;
  const fromDraft = () => change({ text: view.draft.text, edited: true, none: !view.draft.text, rationale: view.draft.spans[0] ?? null });
  return html`<form class="answer-form" onSubmit=${submit}>
    <${DraftBox} draft=${view.draft} use=${fromDraft} />
    <span class="label">${t.rationale}</span>
    <${ChosenWords} text=${form.none ? "" : form.rationale?.text} empty=${form.none ? strings.unanswerable : t.select} />
    <label class="field">${strings.answer.label}
      <textarea rows="2" dir="auto" maxlength="2000" value=${form.none ? "" : form.text} disabled=${form.none}
        onInput=${(event) => change({ text: event.target.value, edited: event.target.value !== "" })}></textarea>
    </label>
    <div class="form-row">
      <label class="choice"><input type="checkbox" checked=${form.none} onChange=${(event) => change({ none: event.target.checked })} />${strings.unanswerable}</label>
      <button class="button" disabled=${!complete || busy}>${busy ? strings.sending : strings.answer.send}</button>
    </div>
  </form>`;
}

