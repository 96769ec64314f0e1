/** The progress of an index job, told by the service until it ends. */
import { html, useEffect, useState } from "../lib.js";
import { strings } from "../strings.js";
import { shorten } from "../text.js";
import { path, send } from "../api.js";
import { eventsOf } from "../events.js";
import { Problem } from "../parts/problem.js";

const PAUSE = 1500; // milliseconds before a broken stream is read again
const ENDS = ["done", "failed"];

/** The job as it goes on; `changed` is called when it ends. */
function useJob(job, changed) {
  const [latest, setLatest] = useState(job);
  useEffect(() => {
    setLatest(job);
    if (!job || ENDS.includes(job.state)) return undefined;
    const controller = new AbortController();
    watch(job.id, controller.signal, setLatest).then((ended) => ended && changed());
    return () => controller.abort();
  }, [job?.id, job?.state]);
  return latest;
}

/** Read the events of a job until it ends, over broken connections. */
async function watch(id, signal, tell) {
  while (!signal.aborted) {
    try {
      const response = await send("GET", path("jobs", id, "events"), { signal });
      for await (const { name, record } of eventsOf(response)) {
        tell(record);
        if (ENDS.includes(name)) return true;
      }
    } catch (error) {
      if (error.status >= 400 && error.status < 500 && error.status !== 429) return true;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  return false;
}

export function JobStatus({ job, changed, again = null }) {
  const t = strings.collection;
  const latest = useJob(job, changed);
  if (!latest || latest.state === "done") return null;
  if (latest.state === "failed") {
    return html`<${Problem} title=${t.failed} error=${new Error(latest.error ?? "")} retry=${again} />`;
  }
  const { done = 0, total = 0, file = "", stage = "" } = latest.progress ?? {};
  return html`<div class="job" role="status">
    <p><strong>${latest.state === "waiting" ? t.waiting : t.indexing}</strong>
      <span class="quiet number">${total ? t.progress(done, total) : ""}</span></p>
    <progress aria-label=${t.indexing} max=${total || 1} value=${total ? done : undefined}></progress>
    <p class="quiet clip job-file"><bdi>${shorten(file || stage || "", 120)}</bdi></p>
  </div>`;
}
