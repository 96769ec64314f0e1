/** Which page belongs to which step of a worker's standing. */
import { html } from "../../lib.js";
import { Waiting } from "../../parts/problem.js";
import { DialogPage } from "../consoles/dialog.js";
import { BackgroundPage } from "./background.js";
import { ConsentPage } from "./consent.js";
import { ExitSurveyPage } from "./exit_survey.js";
import { InclinationsPage } from "./inclinations.js";
import { LobbyPage, WaitingPage } from "./lobby.js";
import { QualificationPage } from "./qualification.js";
import { DonePage, MessagePage } from "./messages.js";

export const STEPS = {
  consent: ConsentPage,
  qualification: QualificationPage,
  unqualified: () => html`<${MessagePage} name="unqualified" />`,
  inclinations: InclinationsPage,
  background: BackgroundPage,
  lobby: LobbyPage,
  waiting: WaitingPage,
  opening: () => html`<div class="page narrow"><${Waiting} lines=${6} /></div>`,
  dialog: DialogPage,
  "exit survey": ExitSurveyPage,
  done: DonePage,
  blocked: () => html`<${MessagePage} name="blocked" />`,
  closed: () => html`<${MessagePage} name="closed" />`,
};
