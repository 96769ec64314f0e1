/** The beginning of a conversation: the first question to a collection. */
import { html, useEffect, useState } from "../lib.js";
import { strings } from "../strings.js";
import { shown } from "../text.js";
import { path } from "../api.js";
import { useRecord } from "../loading.js";
import { Problem, Waiting } from "../parts/problem.js";
import { JobStatus } from "../collections/job.js";
import { beginDialogue } from "../conversation/asking.js";
import { Composer } from "../conversation/composer.js";
import { ScopePicker } from "../conversation/scope_picker.js";
import { useKeys } from "../keyboard.js";
import { keep } from "../kept.js";

export function AskPage({ id }) {
  const t = strings.conversation;
  const { record: collection, error, renew } = useRecord(path("collections", id));
  const [scope, setScope] = useState("");
  const [state, setState] = useState({ busy: false, error: null });
  useEffect(() => {
    if (collection) document.title = `${shown(collection.name)} – ${strings.product}`;
  }, [collection]);
  useKeys({ "/": focusQuestion });
  const ask = async (question) => {
    setState({ busy: true, error: null });
    try {
      await beginDialogue(id, scope, question);
    } catch (failure) {
      keep(`draft:ask-${id}`, question);
      setState({ busy: false, error: failure });
    }
  };
  if (!collection) return html`<div class="page narrow"><${Problem} error=${error} retry=${renew} />${!error && html`<${Waiting} />`}</div>`;
  return html`<div class="start">
    <div class="start-text">
      <h1>${t.startTitle("")}<bdi>${shown(collection.name)}</bdi></h1>
      <p class="quiet">${collection.passages ? t.startText : t.notIndexed}</p>
      <${JobStatus} job=${collection.job} changed=${renew} />
      ${!collection.passages && html`<p><a class="button" href=${`/collections/${collection.id}`}>${strings.collection.upload}</a></p>`}
    </div>
    <${Problem} error=${state.error} />
    <${Composer} key=${state.error ? "again" : "first"} draft=${`ask-${id}`} busy=${state.busy} ask=${ask} disabled=${!collection.passages}>
      <${ScopePicker} collection=${id} scope=${scope} choose=${setScope} />
    <//>
  </div>`;
}

/** Put the cursor into the question box. */
export function focusQuestion(event) {
  const field = document.getElementById("question");
  if (!field) return;
  event.preventDefault();
  field.focus();
}
