/** One collection: its files and their problems, uploads, indexing, sharing. */
import { html, useEffect, useState } from "../lib.js";
import { strings } from "../strings.js";
import { shown } from "../text.js";
import { patch, path, post, remove } from "../api.js";
import { useRecord } from "../loading.js";
import { navigate } from "../router.js";
import { useSession } from "../session.js";
import { Icon } from "../parts/icon.js";
import { Menu } from "../parts/menu.js";
import { ConfirmDialog, NameDialog } from "../parts/dialog.js";
import { Problem, Waiting } from "../parts/problem.js";
import { DropArea } from "../collections/drop_area.js";
import { FileList } from "../collections/file_list.js";
import { takeHanded } from "../collections/handed.js";
import { JobStatus } from "../collections/job.js";
import { Sharing } from "../collections/sharing.js";
import { UploadStatus } from "../collections/upload_status.js";
import { useUploads } from "../collections/uploading.js";

export function CollectionPage({ id }) {
  const t = strings.collection;
  const { record: collection, error, renew, set } = useRecord(path("collections", id));
  const [dialog, setDialog] = useState(null);
  const [failure, setFailure] = useState(null);
  const [changes, setChanges] = useState(0); // the list of files is read again after each
  const setJob = (job) => collection && set({ ...collection, job });
  const changed = async () => {
    await renew();
    setChanges((count) => count + 1);
  };
  const uploads = useUploads(id, changed);
  useEffect(() => {
    const items = takeHanded(id);
    if (items.length) uploads.add(items);
  }, [id]);
  useEffect(() => {
    if (collection) document.title = `${shown(collection.name)} – ${strings.product}`;
  }, [collection?.name]);
  if (!collection) return html`<div class="page"><${Problem} error=${error} retry=${renew} />${!error && html`<${Waiting} lines=${6} />`}</div>`;

  const writable = collection.role !== "reader";
  const reindex = () => post(path("collections", id, "index")).then(setJob, setFailure);
  return html`<div class="page">
    <${CollectionHead} collection=${collection} reindex=${reindex} ask=${setDialog} />
    <${Problem} error=${failure ?? uploads.error ?? error} />
    <${JobStatus} job=${collection.job} changed=${changed} again=${writable ? reindex : null} />
    <${UploadStatus} ...${uploads} />
    ${writable && !collection.path && html`<${DropArea} take=${uploads.add} large=${!collection.files} />`}
    <${FileList} collection=${collection} changes=${changes} writable=${writable && !collection.path} removed=${changed} />
    ${dialog && html`<${DIALOGS[dialog]} collection=${collection} set=${set} close=${() => setDialog(null)} />`}
  </div>`;
}

function CollectionHead({ collection, reindex, ask }) {
  const t = strings.collections;
  const { multi_user: several } = useSession();
  const owner = collection.role === "owner";
  const items = [
    collection.role !== "reader" && { label: strings.collection.reindex, icon: "refresh", act: reindex },
    owner && { label: strings.rename, icon: "edit", act: () => ask("rename") },
    owner && { label: strings.delete, icon: "trash", danger: true, act: () => ask("delete") },
  ];
  return html`<header class="page-head">
    <div class="page-title">
      <h1><bdi>${shown(collection.name)}</bdi></h1>
      <p class="quiet">${t.files(collection.files)} · ${t.passages(collection.passages)}${collection.path ? ` · ${t.inPlace}` : ""}</p>
    </div>
    <div class="page-actions">
      <a class="button" href=${`/ask/${collection.id}`}><${Icon} name="chat" />${t.ask}</a>
      ${owner && several && html`<button type="button" class="button quiet" onClick=${() => ask("share")}><${Icon} name="share" />${strings.collection.share}</button>`}
      ${items.some(Boolean) && html`<${Menu} label=${strings.actions(shown(collection.name))} items=${items} />`}
    </div>
  </header>`;
}

const DIALOGS = { rename: Rename, delete: Delete, share: Sharing };

function Rename({ collection, set, close }) {
  const save = async (name) => {
    await patch(path("collections", collection.id), { name });
    set({ ...collection, name });
  };
  return html`<${NameDialog} title=${strings.collection.renameTitle} name=${collection.name} save=${save} close=${close} />`;
}

function Delete({ collection, close }) {
  const t = strings.collection;
  const action = async () => {
    await remove(path("collections", collection.id));
    navigate("/");
  };
  return html`<${ConfirmDialog} title=${t.deleteTitle} text=${t.deleteText(shown(collection.name))} action=${action} close=${close} />`;
}
