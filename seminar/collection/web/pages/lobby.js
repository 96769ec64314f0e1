/** The lobby: what can be done now, and the wait for a partner. */
import { html, useEffect, useState } from "../../lib.js";
import { shown } from "../../text.js";
import { Problem } from "../../parts/problem.js";
import { useSubmit } from "../forms.js";
import { useLive } from "../live.js";
import { clock, useSeconds } from "../seconds.js";
import { Markdown } from "../markdown.js";
import { strings } from "../strings.js";
import { Completion } from "./messages.js";

export function LobbyPage() {
  const { study, live, connection } = useLive();
  const t = strings.lobby;
  const { roles, tasks } = live.standing;
  const enter = (role) => connection.enter(role);
  const alone = tasks.filter((task) => task !== "practice");
  const [only] = roles;
  return html`<div class="page narrow text-page">
    <h2>${t.title}</h2>
    ${live.refused && html`<p class="notice" role="alert">${shown(live.refused.detail)}</p>`}
    ${study.state === "paused" && html`<p class="notice">${strings.welcome.states.paused}</p>`}
    ${roles.length > 0 && html`<section class="lobby-choice">
      <h3>${t.talk}</h3>
      <p>${t.talkText}${roles.length > 1 && ` ${t.rolesText}`}</p>
      <div class="form-actions start">
        <button type="button" class="button" disabled=${live.status !== "open"} onClick=${() => enter(roles.length === 1 ? only : "")}>${roles.length === 1 && only ? t.enterAs(strings.roles[only] ?? only) : t.enter}</button>
        ${roles.length > 1 && roles.map((role) => html`<button type="button" class="button quiet" aria-label=${t.enterAs(strings.roles[role] ?? role)} disabled=${live.status !== "open"} onClick=${() => enter(role)}>${t.as(strings.roles[role] ?? role)}</button>`)}
      </div>
    </section>`}
    ${alone.map((task) => html`<${Task} key=${task} task=${task} />`)}
    ${tasks.includes("practice") && html`<${Practice} roles=${study.practice} />`}
    ${!roles.length && !tasks.length && html`<p>${t.nothing}</p>`}
    <${Completion} />
    <${AllInstructions} study=${study} />
  </div>`;
}

function Task({ task }) {
  const { requests } = useLive();
  const t = strings.lobby.tasks[task] ?? { title: task, text: "", begin: strings.lobby.begin };
  const { busy, error, submit } = useSubmit(async () => void (await requests.post({ task }, "tasks")));
  return html`<section class="lobby-choice"><h3>${t.title}</h3><p>${t.text}</p><${Problem} error=${error} />
    <div class="form-actions start"><button type="button" class="button" disabled=${busy} onClick=${submit}>${t.begin}</button></div></section>`;
}

function Practice({ roles }) {
  const { requests } = useLive();
  const [role, setRole] = useState("");
  const t = strings.lobby.practice;
  const { busy, error, submit } = useSubmit(async () => void (await requests.post({ task: "practice", role }, "tasks")));
  useEffect(() => {
    if (role) submit();
  }, [role]);
  return html`<section class="lobby-choice"><h3>${t.title}</h3><p>${t.text}</p><${Problem} error=${error} />
    <div class="form-actions start">${roles.map((one) => html`<button type="button" class="button quiet" disabled=${busy} onClick=${() => setRole(one)}>${t.begin(strings.roles[one] ?? one)}</button>`)}</div></section>`;
}

function AllInstructions({ study }) {
  const entries = Object.entries(study.instructions);
  if (!entries.length) return null;
  return html`<section class="lobby-instructions"><h3>${strings.instructions}</h3>
    ${entries.map(([role, text]) => html`<details class="instructions" open=${entries.length === 1}><summary>${strings.roles[role] ?? role}</summary><${Markdown} text=${text} /></details>`)}
  </section>`;
}

export function WaitingPage() {
  const { study, live, connection } = useLive();
  const [arrived] = useState(Date.now());
  const seconds = useSeconds(live.waiting?.from ?? arrived);
  const t = strings.waitingRoom;
  return html`<div class="page narrow text-page">
    <section class="waiting-room">
      <h2>${t.title}</h2>
      <p class="waiting-clock number" aria-label=${t.time}>${clock(seconds)}</p>
      <p class="quiet" role="status">${live.waiting ? t.people(live.waiting.people) : ""}</p>
      <p>${t.text}</p>
      <button type="button" class="button quiet" onClick=${() => connection.exit()}>${t.leave}</button>
    </section>
    <${AllInstructions} study=${study} />
  </div>`;
}
