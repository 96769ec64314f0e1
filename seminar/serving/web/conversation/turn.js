/** A turn: the question, its reply, and what can be done with both. */
import { html, useState } from "../lib.js";
import { strings } from "../strings.js";
import { shown } from "../text.js";
import { copyText } from "../parts/copy.js";
import { IconButton } from "../parts/icon.js";
import { Problem } from "../parts/problem.js";
import { Answer } from "./answer.js";
import { EditQuestion } from "./edit_question.js";
import { FeedbackButtons, FeedbackForm, sendFeedback } from "./feedback.js";
import { Searched, Why } from "./reasons.js";

/**
 * @param {{turn: import("./types.js").Turn, dialogue: {id: string, scope: string}, last: boolean,
 *   fresh: boolean, actions: {open: Function, select: Function, ask: Function, setTurn: Function}}} properties
 */
export function TurnView({ turn, dialogue, last, fresh, actions }) {
  const t = strings.conversation;
  const [editing, setEditing] = useState(false);
  const [panel, setPanel] = useState("");
  const [error, setError] = useState(null);
  const toggle = (name) => setPanel(panel === name ? "" : name);
  const { reply } = turn;
  const judge = async () => {
    try {
      actions.setTurn(await sendFeedback(dialogue.id, turn, { right: true, span: null, comment: "" }));
      setPanel("");
      setError(null);
    } catch (failure) {
      setError(failure);
    }
  };
  const link = () => copyText(`${location.origin}/dialogues/${dialogue.id}#turn-${turn.number}`);
  return html`<article class=${fresh ? "turn fresh" : "turn"} id=${`turn-${turn.number}`} tabindex="-1" aria-label=${t.turn(turn.number)}>
    <div class="question">
      ${editing
        ? html`<${EditQuestion} turn=${turn} dialogue=${dialogue} close=${() => setEditing(false)} />`
        : html`<h2 dir="auto">${shown(turn.question)}</h2>
            <span class="question-actions">
              <${IconButton} icon="edit" label=${t.edit} data-key="e" onClick=${() => setEditing(true)} />
              <${IconButton} icon="link" label=${t.permalink} onClick=${link} />
            </span>`}
    </div>
    <${Answer} reply=${reply} open=${actions.open} />
    <div class="turn-foot">
      ${!reply.meta && html`<${PanelButton} name="searched" panel=${panel} toggle=${toggle} label=${t.searched} />
        <${PanelButton} name="why" panel=${panel} toggle=${toggle} label=${reply.score === null ? t.why : `${t.why} · ${t.sure(Math.round(reply.score * 100))}`} hotkey="w" />`}
      ${!reply.meta && html`<${FeedbackButtons} feedback=${turn.feedback} judge=${judge} form=${panel === "wrong"} toggleForm=${() => toggle("wrong")} />`}
      ${turn.feedback && html`<span class="quiet" role="status">${t.thanks}</span>`}
    </div>
    <${Problem} error=${error} />
    ${panel === "searched" && html`<${Searched} reply=${reply} scope=${dialogue.scope} />`}
    ${panel === "why" && html`<${Why} reply=${reply} open=${actions.open} />`}
    ${panel === "wrong" && html`<${FeedbackForm} turn=${turn} dialogue=${dialogue.id} setTurn=${actions.setTurn} select=${actions.select} close=${() => setPanel("")} />`}
    ${last && html`<${Followups} questions=${reply.followups} ask=${actions.ask} />`}
  </article>`;
}

function PanelButton({ name, panel, toggle, label, hotkey }) {
  return html`<button type="button" class="panel-button" data-key=${hotkey} aria-expanded=${panel === name} onClick=${() => toggle(name)}>${label}</button>`;
}

/** The questions that can be asked next; each was tried and has an answer. */
export function Followups({ questions, ask }) {
  if (!questions.length) return null;
  return html`<div class="followups" role="group" aria-label=${strings.conversation.followups}>
    ${questions.map((question) => html`<button type="button" class="chip" onClick=${() => ask(question)}><bdi>${shown(question)}</bdi></button>`)}
  </div>`;
}
