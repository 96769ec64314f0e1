/** The worker's pages: the study's texts, joining, and the page of the step one is at. */
import { html, useEffect, useMemo, useState } from "../../lib.js";
import { keep, kept } from "../../kept.js";
import { Problem, Waiting } from "../../parts/problem.js";
import { Connection } from "../connection.js";
import { forgetDrafts, LiveContext } from "../live.js";
import { requestsWith } from "../requests.js";
import { Shell } from "./shell.js";
import { STEPS } from "./steps.js";
import { WelcomePage } from "./welcome.js";

const PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE";

/** What the platform's link says of the worker; kept, because the address loses it. */
function parametersOf(search) {
  const parameters = Object.fromEntries(new URLSearchParams(search));
  return Object.keys(parameters).length ? parameters : null;
}

/** The token of an earlier visit, unless the link names somebody else. */
function keptToken(parameters) {
  return !parameters || kept("worker:parameters") === JSON.stringify(parameters) ? kept("worker:token") : "";
}

/** The study, and who one is in it. */
function useJoining() {
  const parameters = useMemo(() => parametersOf(location.search), []);
  const [state, setState] = useState({ study: null, token: "", standing: null, error: null });
  const set = (part) => setState((old) => ({ ...old, error: null, ...part }));
  const enter = (token, standing) => {
    keep("worker:token", token);
    keep("worker:parameters", parameters ? JSON.stringify(parameters) : kept("worker:parameters"));
    set({ token, standing });
  };
  const join = async (code = "") => {
    const joined = await requestsWith("").post({ parameters: { ...parameters, ...(code ? { code } : {}) } }, "join");
    enter(joined.token, joined.standing);
  };
  const load = async () => {
    try {
      const study = await requestsWith("").get("study");
      document.title = study.title;
      set({ study });
      await comeBack(keptToken(parameters), enter);
    } catch (error) {
      set({ error });
    }
  };
  useEffect(() => void load(), []);
  const leave = () => {
    keep("worker:token", "");
    keep("worker:parameters", "");
    set({ token: "", standing: null });
  };
  return { ...state, preview: parameters?.assignmentId === PREVIEW, join, leave, load };
}

/** Take up a token that still stands. */
async function comeBack(token, enter) {
  if (!token) return;
  try {
    enter(token, await requestsWith(token).get("standing"));
  } catch (error) {
    if (error.status !== 401 && error.status !== 403) throw error;
    keep("worker:token", "");
  }
}

export function StudyPage() {
  const { study, token, standing, error, preview, join, leave, load } = useJoining();
  if (error || !study) {
    return html`<main class="outside">${error ? html`<${Problem} error=${error} retry=${load} />` : html`<${Waiting} />`}</main>`;
  }
  if (!standing) return html`<${WelcomePage} study=${study} preview=${preview} join=${join} />`;
  return html`<${Worker} key=${token} study=${study} token=${token} standing=${standing} leave=${leave} />`;
}

/** Which page is shown: the dialog and its end come before what the standing says. */
function stepOf({ view, waiting, standing }, shownEnd) {
  const frame = view?.frame;
  if (frame && frame.dialog !== shownEnd) {
    if (frame.ended) return "dialog";
    return frame.dialog === standing.dialog ? standing.step : "opening";
  }
  if (standing.step === "dialog") return "opening";
  return waiting ? "waiting" : standing.step;
}

/** Everything after joining, over one live connection. */
function Worker({ study, token, standing, leave }) {
  const [live, setLive] = useState(null);
  const [shownEnd, setShownEnd] = useState("");
  const [connection, setConnection] = useState(null);
  useEffect(() => {
    const made = new Connection(token, standing, setLive);
    setLive(made.live);
    setConnection(made);
    return () => made.end();
  }, [token]);
  const requests = useMemo(() => requestsWith(token), [token]);
  const frame = live?.view?.frame;
  useEffect(() => {
    if (frame?.ended) forgetDrafts(frame.dialog);
  }, [frame?.dialog, frame?.ended]);
  const setStanding = (next) => connection.set({ standing: next });
  const isNew = frame && !frame.ended && frame.dialog !== live.standing.dialog;
  useEffect(() => {
    if (isNew) requests.get("standing").then(setStanding, () => {}); // does it begin with a test?
  }, [isNew]);
  if (!connection || !live) return html`<main class="outside"><${Waiting} /></main>`;
  const step = stepOf(live, shownEnd);
  const value = {
    study, requests, connection, live, setStanding, leave,
    dismiss: () => setShownEnd(frame.dialog), // what ended was read
  };
  return html`<${LiveContext.Provider} value=${value}>
    <${Shell} step=${step}><${STEPS[step] ?? STEPS.lobby} key=${step} /><//>
  <//>`;
}
