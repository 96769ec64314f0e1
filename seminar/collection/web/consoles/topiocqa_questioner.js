/** TopiOCQA's questioner: titles of documents and sections, never their text. */
import { html, useState } from "../../lib.js";
import { shown } from "../../text.js";
import { Words } from "../../parts/words.js";
import { useDraft } from "../live.js";
import { strings } from "../strings.js";
import { draftName, useNotes } from "./acting.js";
import { Console, Notes } from "./console.js";
import { AskForm } from "./quac_student.js";
import { Transcript } from "./transcript.js";

export function TopiocqaQuestioner({ view }) {
  const t = strings.topiocqa;
  const work = html`<h3>${t.documents}</h3>
    <p class="quiet">${t.documentsText}</p>
    <ul class="document-titles">${view.documents.map((one) => html`<li key=${one.page}><${DocumentTitles} document=${one} /></li>`)}</ul>`;
  const transcript = html`<${Transcript} turns=${view.turns} asker="questioner" answerer="answerer" own="questioner"
    answer=${(turn) => html`<${FreeAnswer} turn=${turn} />`} empty=${t.firstQuestion(view.seed)} />`;
  return html`<${Console} asks view=${view} title=${view.seed} progress=${strings.turnsOf(view.frame.turns_done, view.encouraged)}
    work=${work} transcript=${transcript} form=${html`<${Asking} view=${view} />`} />`;
}

function DocumentTitles({ document }) {
  return html`<details class="document" open=${document.visited}>
    <summary><strong><bdi>${shown(document.title)}</bdi></strong> ${!document.visited && html`<span class="tag">${strings.topiocqa.linked}</span>`}</summary>
    <ul>${document.sections.map((title) => html`<li><bdi>${shown(title.replaceAll(" > ", " › "))}</bdi></li>`)}</ul>
  </details>`;
}

/** The question with the server's checks while it is written. */
function Asking({ view }) {
  const [draft] = useDraft(draftName(view, "question"), "");
  const [text, setText] = useState(draft);
  const notes = useNotes(text);
  return html`<${AskForm} view=${view} observe=${setText}><${Notes} notes=${[...new Set([...view.notes, ...notes])]} /><//>`;
}

/** An answer in the transcript. */
export function FreeAnswer({ turn }) {
  return turn.unanswerable ? html`<span class="verdict none">${strings.unanswerable}</span>` : html`<${Words} text=${turn.answer} />`;
}
