/** The test before one may teach a topic: which titles belong to it. */
import { html } from "../../lib.js";
import { Problem, Waiting } from "../../parts/problem.js";
import { shown } from "../../text.js";
import { useForm, useSubmit } from "../forms.js";
import { useDraft, useLive } from "../live.js";
import { strings } from "../strings.js";

const ANSWERS = ["related", "unrelated", "unknown"];

export function BackgroundPage() {
  const { live } = useLive();
  const { record, error, load } = useForm("background", live.standing.topic);
  if (!record) return html`<div class="page narrow">${error ? html`<${Problem} error=${error} retry=${load} />` : html`<${Waiting} />`}</div>`;
  return html`<${Test} key=${record.topic} test=${record} />`;
}

function Test({ test }) {
  const { live, requests, setStanding } = useLive();
  const [answers, setAnswers, forget] = useDraft(`${live.standing.worker}:background:${test.topic}`, {});
  const t = strings.background;
  const { busy, error, submit } = useSubmit(async () => {
    await requests.post({ answers: test.titles.map((_, at) => answers[at]) }, "background", test.topic);
    forget();
    setStanding(await requests.get("standing")); // the dialog begins, or has ended
  });
  const missing = test.titles.filter((_, at) => !answers[at]).length;
  return html`<form class="page narrow text-page" onSubmit=${submit}>
    <h2>${t.title(shown(test.title))}</h2>
    <p>${t.text(shown(test.title))}</p>
    <div class="table-place" tabindex="0" role="region" aria-label=${t.table}><table class="survey-table">
      <thead><tr><th scope="col">${t.page}</th>${ANSWERS.map((answer) => html`<th scope="col">${t.answers[answer]}</th>`)}</tr></thead>
      <tbody>${test.titles.map((title, at) => html`<tr key=${at}>
        <th scope="row"><bdi>${shown(title)}</bdi></th>
        ${ANSWERS.map((answer) => html`<td><label class="cell-choice"><input type="radio" name=${`title-${at}`} checked=${answers[at] === answer}
          aria-label=${`${shown(title)}: ${t.answers[answer]}`} onChange=${() => setAnswers({ ...answers, [at]: answer })} /><span class="cell-label" aria-hidden="true">${t.answers[answer]}</span></label></td>`)}
      </tr>`)}</tbody>
    </table></div>
    <${Problem} error=${error} />
    <div class="form-actions start"><button class="button" disabled=${busy || missing > 0}>${t.submit}</button></div>
  </form>`;
}
