/** QuAC's teacher, who answers with words of the section, and the annotators who answer again. */
import { html } from "../../lib.js";
import { cut, shown } from "../../text.js";
import { useDraft } from "../live.js";
import { Choices } from "../parts.js";
import { ReadingText } from "../reading/text.js";
import { strings } from "../strings.js";
import { draftName, useActing } from "./acting.js";
import { Console, DraftBox } from "./console.js";
import { QuacAnswer } from "./quac_answer.js";
import { Background } from "./quac_student.js";
import { Transcript } from "./transcript.js";

const EMPTY = { span: null, none: false, continuation: "", affirmation: "neither" };

export function QuacTeacher({ view }) {
  const transcript = html`<${Transcript} turns=${view.turns} asker="student" answerer="teacher" own="teacher"
    answer=${(turn) => html`<${QuacAnswer} turn=${turn} />`} empty=${strings.quac.awaitQuestion} />`;
  const progress = strings.questionsOf(view.frame.turns_done, view.most_turns);
  return html`<${AnsweringConsole} view=${view} transcript=${transcript} progress=${progress} />`;
}

export function QuacAnnotator({ view }) {
  const answer = (turn) => {
    const own = view.own.find((one) => one.number === turn.number);
    return html`${own && html`<p class="own-answer"><span class="label">${strings.yourAnswer}</span> <${QuacAnswer} turn=${own} /></p>`}
      <span class="label">${strings.originalAnswer}</span> <${QuacAnswer} turn=${turn} />`;
  };
  const transcript = html`<${Transcript} turns=${view.turns} asker="student" answerer="teacher" own="annotator" answer=${answer} empty="" />`;
  return html`<${AnsweringConsole} view=${view} transcript=${transcript} progress=${strings.questionsOf(view.own.length, view.questions)} />`;
}

/** The section at the left; at the right the dialog and the form of the answer. */
function AnsweringConsole({ view, transcript, progress }) {
  const { section } = view;
  const { may, typed } = useActing();
  const [form, setForm] = useDraft(draftName(view, "answer"), EMPTY);
  const change = (part) => {
    setForm({ ...form, ...part });
    typed();
  };
  const active = may("answer span");
  const work = html`<details class="background-details"><summary>${strings.quac.backgroundOf(shown(view.title))}</summary><${Background} view=${view} /></details>
    <p class="quiet" id="select-hint">${strings.reading.hint} <span class="keys-hint">${strings.reading.keys}</span></p>
    <${ReadingText} label=${strings.quac.sectionLabel(view.section_title)} text=${section.text} span=${form.span} hint="select-hint"
      select=${active ? (span) => change({ span, none: false }) : null}
      take=${() => document.querySelector(".acting input")?.focus()} />`;
  return html`<${Console} view=${view} title=${`${view.title}: ${view.section_title}`} progress=${progress} work=${work} transcript=${transcript}
    form=${html`<${AnswerForm} view=${view} form=${form} change=${change} />`} />`;
}

function AnswerForm({ view, form, change }) {
  const t = strings.quac;
  const { busy, may, act } = useActing();
  const { section, draft } = view;
  const active = may("answer span");
  const complete = (form.span || form.none) && form.continuation && form.affirmation;
  const submit = (event) => {
    event.preventDefault();
    if (!complete || busy) return;
    const { span, continuation, affirmation } = form;
    const chosen = span && !form.none ? { page: section.page, start: section.start + span.start, end: section.start + span.end } : null;
    act({ kind: "answer span", span: chosen, continuation, affirmation });
  };
  if (!active) return html`<p class="quiet">${view.frame.task === "dialog" ? t.awaitQuestion : strings.sending}</p>`;
  const options = (names, labels) => names.map((value) => ({ value, label: labels[value] }));
  return html`<form class="answer-form" onSubmit=${submit}>
    ${draft && html`<${DraftBox} draft=${draft} use=${() => change(fromDraft(draft, section))} />`}
    <${ChosenWords} text=${form.span && !form.none ? cut(section.text, form.span.start, form.span.end) : ""} empty=${form.none ? t.noAnswer : t.select} />
    <label class="choice"><input type="checkbox" checked=${form.none} onChange=${(event) => change({ none: event.target.checked, span: null })} />${t.noAnswer}</label>
    <${Choices} name="continuation" legend=${t.continuation} value=${form.continuation} choose=${(continuation) => change({ continuation })}
      options=${options(["follow up", "maybe", "don't"], t.continuations)} />
    <${Choices} name="affirmation" legend=${t.affirmation} value=${form.affirmation} choose=${(affirmation) => change({ affirmation })}
      options=${options(["yes", "no", "neither"], t.affirmations)} />
    <div class="form-actions"><button class="button" disabled=${!complete || busy}>${busy ? strings.sending : strings.answer.send}</button></div>
  </form>`;
}

function fromDraft(draft, section) {
  const [span] = draft.spans;
  if (!span) return { none: true, span: null };
  return { none: false, span: { start: span.start - section.start, end: span.end - section.start } };
}

/** The words that were chosen, read out as they change. */
export function ChosenWords({ text, empty }) {
  return html`<p class="chosen-words" role="status">${text ? html`<mark><bdi>${shown(text)}</bdi></mark>` : html`<span class="quiet">${empty}</span>`}</p>`;
}
