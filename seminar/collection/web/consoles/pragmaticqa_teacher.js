/** PragmatiCQA's teacher: literal spans, then further ones, then a reply in one's own words. */
import { html, useState } from "../../lib.js";
import { shown } from "../../text.js";
import { Words } from "../../parts/words.js";
import { useDraft } from "../live.js";
import { Choices } from "../parts.js";
import { strings } from "../strings.js";
import { draftName, useActing } from "./acting.js";
import { Browser } from "./browser.js";
import { Console, DraftBox, TextBox } from "./console.js";
import { Quotations } from "./pragmaticqa_student.js";
import { SpanList } from "./span_list.js";
import { Transcript } from "./transcript.js";

const LITERAL_ANSWERS = ["yes", "no", "don't know"];
const STEPS = ["literal", "pragmatic", "paraphrase"];

export function PragmaticTeacher({ view }) {
  const t = strings.pragmaticqa;
  const [span, setSpan] = useState(null);
  const [again, setAgain] = useState({ number: 0, step: "" }); // a step that one returned to
  const step = again.number === view.frame.number && again.step ? again.step : view.step;
  const chosen = useChosen(view, step);
  const add = () => {
    if (span) chosen.add(span);
    setSpan(null);
  };
  const work = html`<${Browser} view=${view} span=${span} select=${step === "literal" || step === "pragmatic" ? setSpan : null} take=${add}
    kept=${step === "literal" ? chosen.spans : view.literal} cited=${step === "pragmatic" ? chosen.spans : view.pragmatic} />`;
  const answer = (turn) => html`<${Words} text=${turn.answer} />
    <details class="rationale"><summary>${t.chosenSpans}</summary>
      <${Quotations} texts=${turn.literal.map((one) => one.text)} answer=${turn.literal_answer} />
      ${turn.pragmatic.length > 0 && html`<${Quotations} texts=${turn.pragmatic.map((one) => one.text)} />`}
    </details>`;
  const transcript = html`<${Transcript} turns=${view.turns} asker="student" answerer="teacher" own="teacher" answer=${answer} empty=${t.awaitQuestion} />`;
  const form = html`<${StepForm} view=${view} step=${step} span=${span} add=${add} chosen=${chosen}
    goTo=${(next) => setAgain({ number: view.frame.number, step: next })} />`;
  return html`<${Console} view=${view} title=${view.topic} progress=${t.rounds(view.rounds, view.minimum)} work=${work} transcript=${transcript} form=${form} />`;
}

/** The spans of a step as they are being chosen, beginning with those that the server has. */
function useChosen(view, step) {
  const stored = step === "literal" ? { spans: view.literal, answer: view.literal_answer } : { spans: view.pragmatic, answer: null };
  const [form, setForm] = useDraft(draftName(view, `spans:${step}`), stored);
  const { typed } = useActing();
  const set = (next) => {
    setForm(next);
    typed();
  };
  return {
    ...form,
    add: (span) => set({ spans: [...form.spans.filter((one) => !same(one, span)), span], answer: null }),
    drop: (span) => set({ ...form, spans: form.spans.filter((one) => one !== span) }),
    reply: (answer) => set({ spans: [], answer }),
    replace: (spans) => set({ spans, answer: null }),
  };
}

const same = (one, other) => one.page === other.page && one.start === other.start && one.end === other.end;

function StepForm({ view, step, span, add, chosen, goTo }) {
  const t = strings.pragmaticqa;
  if (!STEPS.includes(step)) return html`<p class="quiet">${t.awaitQuestion}</p>`;
  return html`<ol class="step-list" aria-label=${t.steps.label}>${STEPS.map((name, index) => html`<li class=${name === step ? "current" : ""} aria-current=${name === step ? "step" : undefined}>
      ${STEPS.indexOf(view.step) > index && name !== step
        ? html`<button type="button" class="step-button" onClick=${() => goTo(name)}>${index + 1}. ${t.steps[name]}</button>`
        : html`<span>${index + 1}. ${t.steps[name]}</span>`}
    </li>`)}</ol>
    ${step === "paraphrase"
      ? html`<${Paraphrase} view=${view} />`
      : html`<${ChoosingForm} key=${step} view=${view} step=${step} span=${span} add=${add} chosen=${chosen} />`}`;
}

/** Steps 1 and 2: words of pages, or in the first an answer in their place. */
function ChoosingForm({ view, step, span, add, chosen }) {
  const t = strings.pragmaticqa;
  const { busy, act } = useActing();
  const literal = step === "literal";
  const spans = chosen.spans.map(({ page, start, end }) => ({ page, start, end }));
  const complete = !literal || spans.length > 0 || chosen.answer;
  const submit = (event) => {
    event.preventDefault();
    if (!complete || busy) return;
    act(literal ? { kind: "select literal", spans, answer: chosen.answer } : { kind: "select pragmatic", spans });
  };
  const proposed = literal ? view.draft?.spans : view.draft?.pragmatic;
  return html`<form class="answer-form" onSubmit=${submit}>
    <p>${literal ? t.literalText : t.pragmaticText}</p>
    ${view.draft && proposed.length > 0 && html`<${DraftBox} draft=${{ text: proposed.map((one) => one.text).join(" … ") }} use=${() => chosen.replace(proposed)} />`}
    <${SpanList} spans=${chosen.spans} drop=${chosen.drop} empty=${literal ? t.noLiteral : t.noPragmatic} />
    <button type="button" class="button quiet small" disabled=${!span} onClick=${add}>${t.add}</button>
    ${literal && html`<${Choices} name="literal-answer" legend=${t.instead} value=${chosen.answer} choose=${chosen.reply}
      options=${LITERAL_ANSWERS.map((value) => ({ value, label: t.literalAnswers[value] }))} />`}
    <div class="form-actions"><button class="button" disabled=${!complete || busy}>${busy ? strings.sending : t.next}</button></div>
  </form>`;
}

/** Step 3: the reply that the student sees. */
function Paraphrase({ view }) {
  const t = strings.pragmaticqa;
  const { busy, may, act, typed } = useActing();
  const [text, setText] = useDraft(draftName(view, "reply"), "");
  const change = (value) => {
    setText(value);
    typed();
  };
  return html`<div class="answer-form">
    <p>${t.paraphraseText}</p>
    <p class="label">${t.rated.literal}</p><${Quotations} texts=${view.literal.map((one) => one.text)} answer=${view.literal_answer} />
    ${view.pragmatic.length > 0 && html`<p class="label">${t.rated.pragmatic}</p><${Quotations} texts=${view.pragmatic.map((one) => one.text)} />`}
    <${DraftBox} draft=${view.draft} use=${() => change(shown(view.draft.text))} />
    <${TextBox} label=${t.reply} value=${text} change=${change} send=${strings.answer.send} busy=${busy} disabled=${!may("paraphrase")} focus
      submit=${() => act({ kind: "paraphrase", text: text.trim() })} />
  </div>`;
}
