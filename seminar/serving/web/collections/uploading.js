/** Uploads in chunks: what was received stays when one is interrupted, and is not sent again. */
import { useEffect, useRef, useState } from "../lib.js";
import { ProblemError, path, post, send } from "../api.js";

const CHUNK = 4_000_000; // bytes
const TRIES = 4;
const PAUSE = 500; // milliseconds before the second try, doubled for each further one

/** @typedef {{path: string, file: File, sent: number, state: "waiting" | "done" | "failed", error: Error | null}} Upload */

/** Upload one file, and tell how much of it is there. */
async function uploadFile(collection, item, signal, tell) {
  const announced = { path: item.path, size: item.file.size };
  const begun = await repeated(signal, () => post(path("collections", collection, "uploads"), announced, { signal }));
  let offset = begun.received;
  tell(offset);
  while (offset < item.file.size) {
    const chunk = item.file.slice(offset, offset + CHUNK);
    const at = offset;
    const state = await repeated(signal, () =>
      send("PATCH", path("uploads", begun.id), { raw: chunk, headers: { "Upload-Offset": String(at) }, signal }),
    );
    offset = (await state.json().catch(() => null))?.received ?? at + chunk.size;
    tell(offset);
  }
}

/** Try again what fails for lack of a connection or because the service is busy. */
async function repeated(signal, act) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await act();
    } catch (error) {
      const passing = error instanceof ProblemError && (error.status === 0 || error.status === 429 || error.status >= 500);
      if (!passing || tries >= TRIES || signal.aborted) throw error;
      const pause = Math.max(PAUSE * 2 ** (tries - 1), (error.wait ?? 0) * 1000);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/**
 * The uploads into a collection, one file after the other; then it is indexed.
 * @param {string} collection @param {(job: object) => void} indexed is told the job
 */
export function useUploads(collection, indexed) {
  const [uploads, setUploads] = useState([]);
  const [running, setRunning] = useState(false);
  const [error, setError] = useState(null);
  const queue = useRef([]);
  const controller = useRef(null);
  const show = () => setUploads([...queue.current]);

  const run = async () => {
    if (controller.current) return;
    controller.current = new AbortController();
    setRunning(true);
    setError(null);
    let item;
    while ((item = queue.current.find((one) => one.state === "waiting")) && !controller.current.signal.aborted) {
      await uploadOne(item, controller.current.signal);
    }
    const paused = controller.current.signal.aborted;
    controller.current = null;
    setRunning(false);
    if (!paused && queue.current.some((one) => one.state === "done")) {
      await post(path("collections", collection, "index")).then(indexed, setError);
    }
  };
  const uploadOne = async (item, signal) => {
    try {
      await uploadFile(collection, item, signal, (sent) => ((item.sent = sent), show()));
      item.state = "done";
    } catch (failure) {
      if (failure.name !== "AbortError") Object.assign(item, { state: "failed", error: failure });
    }
    show();
  };
  useEffect(() => () => controller.current?.abort(), []);
  return {
    uploads,
    running,
    error,
    add: (items) => {
      queue.current = [...queue.current.filter((one) => one.state !== "done"), ...items.map(asUpload)];
      show();
      run();
    },
    resume: () => {
      for (const item of queue.current) if (item.state === "failed") Object.assign(item, { state: "waiting", error: null });
      run();
    },
    pause: () => controller.current?.abort(),
  };
}

/** @returns {Upload} */
const asUpload = ({ path: name, file }) => ({ path: name, file, sent: 0, state: "waiting", error: null });
