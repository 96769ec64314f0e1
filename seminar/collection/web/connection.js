/** The socket to the server: connects again by itself, and sends again what was not accepted. */
import { keep, kept } from "../kept.js";
import { addToOutbox, outboxOf, removeFromOutbox } from "./outbox.js";

const FIRST_WAIT = 300; // milliseconds before connecting again
const LONGEST_WAIT = 5000;
const PING = 15000;
const SILENCE = 40000; // after which a connection counts as lost
const TYPING = 2500; // without a key, after which one no longer writes

/** @typedef {{status: "connecting" | "open" | "lost" | "closed", standing: any, view: any, partner: any,
 *   waiting: any, notes: any, notices: string[], refused: any, sending: number, closing: string}} Live */

/** @returns {Live} */
const nothing = (standing) => ({
  status: "connecting",
  standing,
  view: null,
  partner: null,
  waiting: null,
  notes: null,
  notices: [],
  refused: null,
  sending: 0,
  closing: "",
});

const WANTED = "waiting:"; // kept: the role as which one waits, or "any"

/** One worker's connection; `changed` is called with each new state. */
export class Connection {
  /** @param {string} token @param {any} standing @param {(live: Live) => void} changed */
  constructor(token, standing, changed) {
    this.token = token;
    this.changed = changed;
    this.live = nothing(standing);
    this.wait = FIRST_WAIT;
    this.ended = false;
    this.awake = () => this.live.status === "lost" && this.connect();
    addEventListener("online", this.awake);
    this.timer = setInterval(() => this.watch(), PING);
    this.connect();
  }

  /** End for good. */
  end() {
    this.ended = true;
    removeEventListener("online", this.awake);
    clearInterval(this.timer);
    clearTimeout(this.retry);
    clearTimeout(this.typing);
    this.socket?.close();
  }

  set(part) {
    this.live = { ...this.live, ...part };
    if (!this.ended) this.changed(this.live);
  }

  connect() {
    clearTimeout(this.retry);
    this.set({ status: this.live.status === "lost" ? "lost" : "connecting" });
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/api/v1/live`);
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", token: this.token }));
    socket.onmessage = (event) => this.socket === socket && this.receive(JSON.parse(event.data));
    socket.onclose = () => this.socket === socket && this.lose();
  }

  lose() {
    this.socket = null;
    if (this.ended || this.live.status === "closed") return;
    this.set({ status: "lost", partner: null });
    this.retry = setTimeout(() => this.connect(), this.wait * (0.5 + Math.random()));
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  /** Ask whether the connection still stands; a silent one is given up. */
  watch() {
    if (!this.socket || this.live.status !== "open") return;
    if (Date.now() - this.heard > SILENCE) {
      this.socket.close();
      this.lose();
    } else this.send({ type: "ping" });
  }

  receive(message) {
    this.heard = Date.now();
    RECEIVED[message.type]?.(this, message);
  }

  /** Send a message that need not arrive; false while there is no connection. */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN || this.live.status !== "open") return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Wait for a partner, also after the connection was lost. @param {string} role empty: any */
  enter(role) {
    keep(WANTED + this.live.standing.worker, role || "any");
    this.set({ refused: null });
    this.send({ type: "enter", role });
  }

  /** Wait no longer. */
  exit() {
    keep(WANTED + this.live.standing.worker, "");
    this.send({ type: "exit" });
  }

  /** A key was pressed: the partner sees that one writes. */
  typed() {
    if (!this.typing) this.send({ type: "typing", dialog: this.live.view.frame.dialog, on: true });
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.stopTyping(), TYPING);
  }

  stopTyping() {
    if (!this.typing) return;
    clearTimeout(this.typing);
    this.typing = 0;
    this.send({ type: "typing", dialog: this.live.view?.frame.dialog ?? "", on: false });
  }

  /** Do something in the dialog: it is kept until the server has stored it. */
  act(action) {
    this.stopTyping();
    const { standing, view } = this.live;
    const waiting = addToOutbox(standing.worker, view.frame.dialog, action);
    this.set({ sending: this.live.sending + 1, refused: null });
    this.send({ type: "act", ...waiting });
    return waiting.id;
  }

  /** A message other than an action changed nothing; one does not wait for a partner then. */
  notUnderstood(message) {
    const lobby = ["lobby", "role", "paused"].includes(message.code);
    if (lobby) keep(WANTED + this.live.standing.worker, "");
    this.set({ refused: message, ...(lobby ? { waiting: null } : {}) });
  }

  /** The server has answered an action. */
  settle(id, refused = null) {
    removeFromOutbox(this.live.standing.worker, id);
    this.set({ sending: outboxOf(this.live.standing.worker).length, refused });
  }
}

/** What a message of the server changes. */
const RECEIVED = {
  welcome: (connection, { standing }) => {
    connection.wait = FIRST_WAIT;
    const waiting = outboxOf(standing.worker);
    connection.set({ status: "open", standing, waiting: null, sending: waiting.length });
    for (const one of waiting) connection.send({ type: "act", ...one });
    const wanted = kept(WANTED + standing.worker);
    if (wanted && ["lobby", "waiting"].includes(standing.step)) connection.enter(wanted === "any" ? "" : wanted);
  },
  standing: (connection, { standing }) => {
    connection.set({ standing, ...(standing.step === "waiting" ? {} : { waiting: null }) });
  },
  waiting: (connection, message) => connection.set({ waiting: { ...message, from: Date.now() - message.since * 1000 } }),
  view: (connection, { view }) => {
    const old = connection.live.view?.frame;
    if (old?.dialog === view.frame.dialog && old.number > view.frame.number) return;
    const isNew = old?.dialog !== view.frame.dialog;
    keep(WANTED + connection.live.standing.worker, "");
    connection.set({ view, waiting: null, ...(isNew ? { partner: null, notes: null, refused: null } : {}) });
  },
  accepted: (connection, { id }) => connection.settle(id),
  refused: (connection, message) => {
    if (message.id) connection.settle(message.id, message);
    else connection.notUnderstood(message);
  },
  partner: (connection, message) => connection.set({ partner: { ...message, from: Date.now() } }),
  notes: (connection, message) => connection.set({ notes: message }),
  notice: (connection, { text }) => connection.set({ notices: [...connection.live.notices, text] }),
  closing: (connection, { detail, again }) => !again && connection.set({ status: "closed", closing: detail }),
};
