/** A live dialog or task: the console of one's role in the protocol. */
import { html, useEffect } from "../../lib.js";
import { useLive } from "../live.js";
import { strings } from "../strings.js";
import { PragmaticStudent } from "./pragmaticqa_student.js";
import { PragmaticTeacher } from "./pragmaticqa_teacher.js";
import { QaconvAnnotator, QaconvVerifier } from "./qaconv_judging.js";
import { QaconvWriter } from "./qaconv_writer.js";
import { QuacAnnotator, QuacTeacher } from "./quac_answering.js";
import { QuacStudent } from "./quac_student.js";
import { TopiocqaAnnotator, TopiocqaAnswerer } from "./topiocqa_answering.js";
import { TopiocqaQuestioner } from "./topiocqa_questioner.js";

/** By the `view` of the server; a protocol of one's own adds its consoles here. */
const CONSOLES = {
  "quac student": QuacStudent,
  "quac teacher": QuacTeacher,
  "quac annotator": QuacAnnotator,
  "topiocqa questioner": TopiocqaQuestioner,
  "topiocqa answerer": TopiocqaAnswerer,
  "topiocqa annotator": TopiocqaAnnotator,
  "pragmaticqa student": PragmaticStudent,
  "pragmaticqa teacher": PragmaticTeacher,
  "qaconv writer": QaconvWriter,
  "qaconv verifier": QaconvVerifier,
  "qaconv annotator": QaconvAnnotator,
};

export function DialogPage() {
  const { study, live } = useLive();
  const { view } = live;
  const { yours, ended } = view.frame;
  useEffect(() => {
    document.title = yours && !ended ? strings.yourTurnTitle(study.title) : study.title;
    return () => void (document.title = study.title);
  }, [yours, ended !== null]);
  const console = CONSOLES[view.view];
  if (!console) return html`<p class="page narrow">${strings.unknownView}</p>`;
  return html`<${console} key=${view.frame.dialog} view=${view} />`;
}
