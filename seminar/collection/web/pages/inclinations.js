/** PragmatiCQA's survey: which topics one wants to learn or to teach. */
import { html } from "../../lib.js";
import { Problem, Waiting } from "../../parts/problem.js";
import { shown } from "../../text.js";
import { useForm, useSubmit } from "../forms.js";
import { useDraft, useLive } from "../live.js";
import { strings } from "../strings.js";

const LEVELS = [-2, -1, 0, 1, 2];

export function InclinationsPage() {
  const { record, error, load } = useForm("inclinations");
  if (!record) return html`<div class="page">${error ? html`<${Problem} error=${error} retry=${load} />` : html`<${Waiting} />`}</div>`;
  return html`<${Survey} topics=${record.topics} />`;
}

function Survey({ topics }) {
  const { live, requests, setStanding } = useLive();
  const [levels, setLevels, forget] = useDraft(`${live.standing.worker}:inclinations`, {});
  const t = strings.inclinations;
  const missing = topics.filter((topic) => levels[topic.id] === undefined).length;
  const { busy, error, submit } = useSubmit(async () => {
    const own = Object.fromEntries(topics.map((topic) => [topic.id, levels[topic.id]]));
    setStanding(await requests.post({ levels: own }, "inclinations"));
    forget();
  });
  return html`<form class="page text-page" onSubmit=${submit}>
    <h2>${t.title}</h2>
    <p>${t.text}</p>
    <div class="table-place" tabindex="0" role="region" aria-label=${t.title}><table class="survey-table">
      <thead><tr><th scope="col">${t.topic}</th>${LEVELS.map((level) => html`<th scope="col">${t.levels[level]}</th>`)}</tr></thead>
      <tbody>${topics.map((topic) => html`<tr key=${topic.id}>
        <th scope="row"><bdi>${shown(topic.title)}</bdi> ${topic.genre && html`<span class="tag">${shown(topic.genre)}</span>`}</th>
        ${LEVELS.map((level) => html`<td><label class="cell-choice"><input type="radio" name=${topic.id} checked=${levels[topic.id] === level}
          aria-label=${`${shown(topic.title)}: ${t.levels[level]}`} onChange=${() => setLevels({ ...levels, [topic.id]: level })} /><span class="cell-label" aria-hidden="true">${t.levels[level]}</span></label></td>`)}
      </tr>`)}</tbody>
    </table></div>
    <${Problem} error=${error} />
    <div class="form-actions start">
      <button class="button" disabled=${busy || missing > 0}>${t.submit}</button>
      ${missing > 0 && html`<span class="quiet">${t.missing(missing)}</span>`}
    </div>
  </form>`;
}
