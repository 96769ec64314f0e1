/** Actions that the server has not accepted yet; they outlive a reload, also in another tab. */
import { keep, kept, keptNames } from "../kept.js";
import { randomKey } from "../api.js";

/** @typedef {{dialog: string, id: string, action: {kind: string}}} Waiting */

const PREFIX = "outbox:";
let serial = 0;

/** Keep an action until it is accepted or refused. @returns {Waiting} */
export function addToOutbox(worker, dialog, action) {
  const waiting = { dialog, id: randomKey(), action };
  serial += 1;
  const order = `${Date.now()}`.padStart(15, "0") + `${serial}`.padStart(6, "0");
  keep(`${PREFIX}${worker}:${order}:${waiting.id}`, JSON.stringify(waiting));
  return waiting;
}

/** All waiting actions of a worker, oldest first. @returns {Waiting[]} */
export function outboxOf(worker) {
  return keptNames(`${PREFIX}${worker}:`)
    .sort()
    .map((name) => JSON.parse(kept(name)));
}

/** Forget an action that was accepted or refused. */
export function removeFromOutbox(worker, id) {
  for (const name of keptNames(`${PREFIX}${worker}:`)) {
    if (name.endsWith(`:${id}`)) keep(name, "");
  }
}
