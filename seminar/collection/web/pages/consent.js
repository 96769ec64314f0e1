/** The consent text; nothing is kept of somebody who does not agree. */
import { html, useState } from "../../lib.js";
import { Problem } from "../../parts/problem.js";
import { useLive } from "../live.js";
import { Markdown } from "../markdown.js";
import { strings } from "../strings.js";

export function ConsentPage() {
  const { study, requests, setStanding, leave } = useLive();
  const [checked, setChecked] = useState(false);
  const [error, setError] = useState(null);
  const t = strings.consent;
  const answer = (agreed) => async (event) => {
    event.preventDefault();
    try {
      const standing = await requests.post({ version: study.consent_version, agreed }, "consent");
      if (agreed) setStanding(standing);
      else leave();
    } catch (failed) {
      setError(failed);
    }
  };
  return html`<form class="page narrow text-page" onSubmit=${answer(true)}>
    <h2>${t.title}</h2>
    <${Markdown} text=${study.consent} />
    <label class="choice consent-choice"><input type="checkbox" required checked=${checked} onChange=${(event) => setChecked(event.target.checked)} />${t.agree}</label>
    <${Problem} error=${error} />
    <div class="form-actions start">
      <button class="button" disabled=${!checked}>${t.submit}</button>
      <button type="button" class="button quiet" onClick=${answer(false)}>${t.refuse}</button>
    </div>
  </form>`;
}
