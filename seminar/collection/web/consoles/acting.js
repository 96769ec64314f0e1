/** What a console needs to act: sending, what was refused, and pages to read. */
import { useEffect, useRef, useState } from "../../lib.js";
import { useLive } from "../live.js";

/** Sends actions of the current dialog; `busy` until the server has stored them. */
export function useActing() {
  const { connection, live } = useLive();
  const { frame } = live.view;
  return {
    busy: live.sending > 0,
    refused: live.refused?.id ? live.refused : null,
    may: (kind) => !frame.ended && frame.allowed.includes(kind),
    act: (action) => connection.act(action),
    typed: () => connection.typed(),
  };
}

/** The name of a draft of the current turn: with the next question it is another. */
export function draftName(view, name) {
  return `${view.frame.dialog}:${view.turns?.length ?? 0}:${name}`;
}

/** A page of the corpus that one's role may read. @param {string} id */
export function usePage(id) {
  const { requests, live } = useLive();
  const { dialog } = live.view.frame;
  const pages = useRef(new Map());
  const [state, setState] = useState({ id: "", page: null, error: null });
  const load = async () => {
    try {
      const page = pages.current.get(id) ?? (await requests.get("dialogs", dialog, "page", { page: id }));
      pages.current.set(id, page);
      setState({ id, page, error: null });
    } catch (error) {
      setState({ id, page: null, error });
    }
  };
  useEffect(() => void (id && load()), [dialog, id]);
  return { page: state.page, error: state.id === id ? state.error : null, load };
}

const PAUSE = 350; // milliseconds without a key before a question is checked

/** The server's notes on what is being written. @param {string} question @param {string} answer */
export function useNotes(question, answer = "") {
  const { connection, live } = useLive();
  const { dialog, ended } = live.view.frame;
  useEffect(() => {
    if (!question.trim() || ended) return undefined;
    const timer = setTimeout(() => connection.send({ type: "check", dialog, question, answer }), PAUSE);
    return () => clearTimeout(timer);
  }, [dialog, question, answer, live.status]);
  const { notes } = live;
  return notes?.dialog === dialog && notes.question === question ? notes.notes : [];
}
