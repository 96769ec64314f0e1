/** The uploads under way: how many files, how many bytes, and which failed with the reason. */
import { html } from "../lib.js";
import { strings } from "../strings.js";
import { bytes, shorten, shown } from "../text.js";
import { Icon } from "../parts/icon.js";

export function UploadStatus({ uploads, running, pause, resume }) {
  const t = strings.collection;
  if (!uploads.length) return null;
  const done = uploads.filter((one) => one.state === "done").length;
  const failed = uploads.filter((one) => one.state === "failed");
  const waiting = uploads.find((one) => one.state === "waiting");
  const total = uploads.reduce((sum, one) => sum + one.file.size, 0);
  const sent = uploads.reduce((sum, one) => sum + one.sent, 0);
  return html`<section class="job uploads">
    <p role="status"><strong>${waiting ? t.uploading(done, uploads.length) : t.uploaded(done)}</strong>
      <span class="quiet number">${bytes(sent)} / ${bytes(total)}</span></p>
    ${waiting && html`<progress aria-label=${t.upload} max=${total || 1} value=${sent}></progress>
      <p class="quiet clip job-file"><bdi>${shorten(waiting.path, 120)}</bdi></p>`}
    ${failed.length > 0 && html`<details open>
      <summary class="warning-text"><${Icon} name="warning" />${t.uploadFailed(failed.length)}</summary>
      <ul class="problem-list">${failed.map((one) => html`<li><bdi>${shorten(one.path, 120)}</bdi>: <span class="quiet"><bdi>${shown(one.error.message)}</bdi></span></li>`)}</ul>
    </details>`}
    ${running && html`<button type="button" class="button quiet small" onClick=${pause}>${t.pause}</button>`}
    ${!running && (waiting || failed.length > 0) && html`<button type="button" class="button small" onClick=${resume}>${t.resume}</button>`}
  </section>`;
}
