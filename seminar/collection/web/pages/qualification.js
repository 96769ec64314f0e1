/** The study's test, in several attempts. */
import { html, useState } from "../../lib.js";
import { Problem, Waiting } from "../../parts/problem.js";
import { shown } from "../../text.js";
import { useForm, useSubmit } from "../forms.js";
import { useLive } from "../live.js";
import { Markdown } from "../markdown.js";
import { Choices } from "../parts.js";
import { strings } from "../strings.js";

export function QualificationPage() {
  const { record, error, load, set } = useForm("qualification");
  if (!record) return html`<div class="page narrow">${error ? html`<${Problem} error=${error} retry=${load} />` : html`<${Waiting} />`}</div>`;
  return html`<${Test} key=${record.attempts_left} test=${record} set=${set} />`;
}

function Test({ test, set }) {
  const { requests, setStanding } = useLive();
  const [answers, setAnswers] = useState(() => test.items.map(() => null));
  const t = strings.qualification;
  const { busy, error, submit } = useSubmit(async () => {
    const result = await requests.post({ answers }, "qualification");
    if (result.passed || result.attempts_left < 1) setStanding(await requests.get("standing"));
    else set(result);
  });
  return html`<form class="page narrow text-page" onSubmit=${submit}>
    <h2>${t.title}</h2>
    ${test.passed === false && html`<p class="notice" role="alert">${t.again(test.attempts_left)}</p>`}
    <${Markdown} text=${test.text} />
    ${test.items.map((item, index) => html`<${Choices} key=${index} name=${`item-${index}`} row=${false} legend=${shown(item.text)} value=${answers[index]}
      options=${item.options.map((label, value) => ({ label, value }))}
      choose=${(value) => setAnswers(answers.map((old, at) => (at === index ? value : old)))} />`)}
    <${Problem} error=${error} />
    <div class="form-actions start"><button class="button" disabled=${busy || answers.includes(null)}>${t.submit}</button></div>
  </form>`;
}
