/** Pages that only tell where one stands. */
import { html } from "../../lib.js";
import { shown } from "../../text.js";
import { CopyField } from "../../parts/copy.js";
import { useLive } from "../live.js";
import { money } from "../money.js";
import { strings } from "../strings.js";

export function MessagePage({ name }) {
  const { study } = useLive();
  const t = strings.messages[name];
  return html`<div class="page narrow text-page"><h2>${t.title}</h2><p>${t.text}</p>
    ${study.contact && html`<p class="quiet">${strings.contact(shown(study.contact))}</p>`}
    <${Completion} />
  </div>`;
}

export function DonePage() {
  const { live } = useLive();
  const t = strings.messages.done;
  return html`<div class="page narrow text-page">
    <h2>${t.title}</h2>
    <p>${t.text(money(live.standing.earned, live.standing.currency))}</p>
    <${Completion} />
  </div>`;
}

/** The code of the crowd platform, and the way back to it. */
export function Completion() {
  const { live } = useLive();
  const { completion_code: code, completion_url: url } = live.standing;
  const t = strings.completion;
  if (!code && !url) return null;
  return html`<section class="completion" aria-label=${t.title}>
    <h3>${t.title}</h3>
    ${code && html`<${CopyField} label=${t.code} text=${code} />`}
    ${/^https?:\/\//.test(url) && html`<p><a class="button" href=${url} rel="noreferrer">${t.back}</a></p>`}
  </section>`;
}
