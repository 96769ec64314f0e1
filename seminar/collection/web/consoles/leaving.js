/** Ending a dialog as its protocol allows, leaving it before, and reporting the partner. */
import { html, useState } from "../../lib.js";
import { ActionDialog } from "../../parts/dialog.js";
import { shown } from "../../text.js";
import { useLive } from "../live.js";
import { Choices } from "../parts.js";
import { strings } from "../strings.js";
import { useActing } from "./acting.js";

export function EndDialog({ close }) {
  const { act } = useActing();
  const t = strings.ending;
  return html`<${ActionDialog} title=${t.endTitle} label=${t.end} close=${close} action=${async () => act({ kind: "end" })}><p>${t.endText}</p><//>`;
}

export function LeaveDialog({ close }) {
  const { act } = useActing();
  const t = strings.ending;
  return html`<${ActionDialog} title=${t.leaveTitle} label=${t.leave} close=${close} danger action=${async () => act({ kind: "leave" })}><p>${t.leaveText}</p><//>`;
}

export function ReportDialog({ close }) {
  const { study } = useLive();
  const { act } = useActing();
  const [problem, setProblem] = useState(study.report_problems[0]);
  const t = strings.ending;
  const report = async (form) => act({ kind: "report", problem, text: String(form.get("text")).trim() });
  return html`<${ActionDialog} title=${t.reportTitle} label=${t.report} close=${close} danger action=${report}>
    <p>${t.reportText}</p>
    <${Choices} name="problem" legend=${t.problem} row=${false} value=${problem} choose=${setProblem}
      options=${study.report_problems.map((one) => ({ value: one, label: shown(one) }))} />
    <label class="field">${t.details}<textarea name="text" rows="3" maxlength="2000" dir="auto"></textarea></label>
  <//>`;
}
