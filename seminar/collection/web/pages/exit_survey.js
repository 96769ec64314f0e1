/** The survey after a dialog: the topic, the partner, the task. */
import { html } from "../../lib.js";
import { Problem, Waiting } from "../../parts/problem.js";
import { shown } from "../../text.js";
import { useForm, useSubmit } from "../forms.js";
import { useDraft, useLive } from "../live.js";
import { Choices, Scale } from "../parts.js";
import { strings } from "../strings.js";

export function ExitSurveyPage() {
  const { live } = useLive();
  const { record, error, load } = useForm("dialogs", live.standing.dialog, "survey");
  if (!record) return html`<div class="page narrow">${error ? html`<${Problem} error=${error} retry=${load} />` : html`<${Waiting} />`}</div>`;
  return html`<${Survey} survey=${record} />`;
}

function Survey({ survey }) {
  const { requests, setStanding } = useLive();
  const [answers, setAnswers, forget] = useDraft(`${survey.dialog}:exit`, {});
  const t = strings.exitSurvey;
  const given = Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== ""));
  const missing = survey.questions.some((question) => question.required && given[question.name] === undefined);
  const { busy, error, submit } = useSubmit(async () => {
    const standing = await requests.post({ answers: given }, "dialogs", survey.dialog, "survey");
    forget();
    setStanding(standing);
  });
  return html`<form class="page narrow text-page" onSubmit=${submit}>
    <h2>${t.title}</h2>
    ${survey.questions.map((question) => html`<${Question} key=${question.name} question=${question} value=${answers[question.name]}
      choose=${(value) => setAnswers({ ...answers, [question.name]: value })} />`)}
    <${Problem} error=${error} />
    <div class="form-actions start"><button class="button" disabled=${busy || missing}>${t.submit}</button></div>
  </form>`;
}

function Question({ question, value, choose }) {
  const text = shown(question.text);
  if (question.kind === "scale") return html`<${Scale} name=${question.name} legend=${text} ends=${strings.exitSurvey.ends} value=${value} choose=${choose} />`;
  if (question.kind === "choice") {
    const options = question.options.map((label) => ({ label, value: label }));
    return html`<${Choices} name=${question.name} legend=${text} row=${false} options=${options} value=${value} choose=${choose} />`;
  }
  return html`<label class="field">${text}
    <textarea rows="3" maxlength="2000" dir="auto" required=${question.required} value=${value ?? ""} onInput=${(event) => choose(event.target.value)}></textarea>
  </label>`;
}
