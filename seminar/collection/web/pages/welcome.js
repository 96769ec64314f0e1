/** The first page: what the study is, and the way in. */
import { html, useState } from "../../lib.js";
import { shown } from "../../text.js";
import { Problem } from "../../parts/problem.js";
import { Markdown } from "../markdown.js";
import { strings } from "../strings.js";

/** @param {{study: any, preview: boolean, join: (code?: string) => Promise<void>}} properties */
export function WelcomePage({ study, preview, join }) {
  const [state, setState] = useState({ busy: false, error: null });
  const t = strings.welcome;
  const submit = async (event) => {
    event.preventDefault();
    setState({ busy: true, error: null });
    try {
      await join(String(new FormData(event.target).get("code") ?? "").trim());
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  return html`<main class="page narrow text-page welcome">
    <h1><bdi>${shown(study.title)}</bdi></h1>
    <${Markdown} text=${study.introduction} />
    ${study.state !== "open" && html`<p class="notice">${t.states[study.state]}</p>`}
    ${preview && html`<p class="notice">${t.preview}</p>`}
    ${!preview && html`<form class="form start-form" onSubmit=${submit}>
      ${study.needs_code && html`<label class="field">${t.code}<input name="code" required maxlength="200" autocomplete="off" /></label>`}
      <${Problem} error=${state.error} />
      <div class="form-actions start"><button class="button" disabled=${state.busy || study.state === "closed"}>${t.start}</button></div>
    </form>`}
    ${study.contact && html`<p class="quiet">${strings.contact(shown(study.contact))}</p>`}
  </main>`;
}
