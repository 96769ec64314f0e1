/** QuAC's student: the title, the first paragraph, and the questions to a hidden section. */
import { html } from "../../lib.js";
import { shown } from "../../text.js";
import { useDraft } from "../live.js";
import { strings } from "../strings.js";
import { draftName, useActing } from "./acting.js";
import { Console, TextBox } from "./console.js";
import { QuacAnswer } from "./quac_answer.js";
import { Transcript } from "./transcript.js";

export function QuacStudent({ view }) {
  const t = strings.quac;
  const work = html`<${Background} view=${view} />
    <p class="quiet">${t.hidden}</p>
    ${view.unanswerable_left <= 1 && html`<p class="notice">${t.unanswerableLeft(view.unanswerable_left)}</p>`}`;
  const transcript = html`<${Transcript} turns=${view.turns} asker="student" answerer="teacher" own="student"
    answer=${(turn) => html`<${QuacAnswer} turn=${turn} advice />`} empty=${t.firstQuestion} />`;
  return html`<${Console} asks view=${view} title=${`${view.title}: ${view.section_title}`} progress=${strings.questionsOf(view.frame.turns_done, view.most_turns)}
    work=${work} transcript=${transcript} form=${html`<${AskForm} view=${view} />`} />`;
}

/** What both see of the article. */
export function Background({ view }) {
  return html`<div class="background">
    <h3><bdi>${shown(view.title)}</bdi></h3>
    <p class="section-name">${strings.quac.section} <strong><bdi>${shown(view.section_title)}</bdi></strong></p>
    <p class="background-text" dir="auto">${shown(view.background)}</p>
  </div>`;
}

/** The field for the next question. */
export function AskForm({ view, children, placeholder = strings.ask.placeholder, observe = null }) {
  const { busy, may, act, typed } = useActing();
  const [text, setText] = useDraft(draftName(view, "question"), "");
  const change = (value) => {
    setText(value);
    typed();
    observe?.(value);
  };
  return html`<${TextBox} label=${strings.ask.label} value=${text} change=${change} send=${strings.ask.send} busy=${busy} disabled=${!may("ask")}
    submit=${() => act({ kind: "ask", question: text.trim() })} placeholder=${may("ask") ? placeholder : strings.ask.wait}>${children}<//>`;
}
