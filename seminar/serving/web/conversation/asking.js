/** One conversation: its turns, and the question under way with its stages. */
import { useCallback, useEffect, useRef, useState } from "../lib.js";
import { strings } from "../strings.js";
import { ProblemError, get, path, post, randomKey, send } from "../api.js";
import { eventsOf } from "../events.js";
import { keepPending, pendingOf } from "../kept.js";
import { navigate } from "../router.js";
import { dialoguesChanged } from "../navigation/dialogues.js";

/** Begin a conversation and ask its first question there, which is kept until it is answered. */
export async function beginDialogue(collection, scope, question) {
  const dialogue = await post(path("dialogues"), { collection, scope });
  keepPending(dialogue.id, { question, key: randomKey() });
  navigate(`/dialogues/${dialogue.id}`);
}

/** Ask another question in place of a turn's, in a new conversation with the turns before it. */
export async function forkDialogue(id, number, question) {
  const dialogue = await post(path("dialogues", id, "fork"), { number });
  keepPending(dialogue.id, { question, key: randomKey() });
  navigate(`/dialogues/${dialogue.id}`);
}

const DRAFT = 4000; // characters of a draft that are kept
const CUT = 502; // as a proxy says where the connection to a replica breaks
const AWAY = [CUT, 503, 504]; // a replica or its database is away; another one may be there
const PAUSES = [1, 3]; // seconds before a question is sent again

/** What an event changes in the question under way. */
const CHANGES = {
  searched: (record) => ({ stage: "searched", query: record.query, hits: record.hits }),
  quick: (record) => ({ stage: "writing", quick: record }),
  writing: (record, now) => ({ draft: (now.draft + record.text).slice(-DRAFT) }),
  answer: (record) => ({ stage: "answered", number: record.number, reply: record.reply ?? record }),
};

/** The conversation with an id, and what can be done with it. */
export function useDialogue(id) {
  const [dialogue, setDialogue] = useState(null);
  const [error, setError] = useState(null);
  const [live, setLive] = useState(null);
  const running = useRef(null);

  const change = (fields) => setDialogue((old) => old && { ...old, ...fields });
  const addTurn = (turn) =>
    setDialogue((old) => ({ ...old, turns: [...old.turns.filter((one) => one.number !== turn.number), turn] }));

  const run = async (pending, number) => {
    const controller = new AbortController();
    running.current = controller;
    let now = { ...pending, number, stage: "asking", query: "", hits: [], reply: null, quick: null, draft: "", error: null };
    const show = (fields) => setLive((now = { ...now, ...fields }));
    show({});
    try {
      const turn = await askUntilReached(id, pending, controller.signal, (name, record) => {
        if (CHANGES[name]) show(CHANGES[name](record, now));
        if (name === "answer") keepPending(id, null); // it is stored
        if (name === "followups") show({ reply: { ...now.reply, followups: record.followups } });
      });
      keepPending(id, null);
      addTurn(turn ?? turnOf(now));
      setLive(null);
    } catch (failure) {
      if (now.reply) {
        addTurn(turnOf(now));
        setLive(null);
      } else if (failure.name === "AbortError") show({ stage: "stopped" });
      else show({ stage: "failed", error: failure });
    } finally {
      running.current = null;
      dialoguesChanged();
    }
  };

  const load = useCallback(async () => {
    try {
      const loaded = await get(path("dialogues", id));
      setError(null);
      setDialogue(loaded);
      const pending = pendingOf(id);
      if (pending && !running.current) run(pending, loaded.turns.length + 1);
    } catch (failure) {
      setError(failure);
    }
  }, [id]);
  useEffect(() => {
    load();
    return () => running.current?.abort();
  }, [id]);

  return {
    dialogue,
    error,
    live,
    load,
    change,
    ask: (question) => {
      const pending = { question, key: randomKey() };
      keepPending(id, pending);
      return run(pending, (dialogue.turns.at(-1)?.number ?? 0) + 1);
    },
    retry: () => run({ question: live.question, key: live.key }, live.number),
    discard: () => {
      keepPending(id, null);
      setLive(null);
    },
    stop: () => running.current?.abort(),
    setTurn: addTurn,
  };
}

/** The turn as far as it came. @returns {import("./types.js").Turn} */
function turnOf(live) {
  return { number: live.number, question: live.question, reply: live.reply, feedback: null };
}

/**
 * Ask, and ask again with the same key where a replica or the database went away meanwhile: what was
 * stored comes back, nothing is asked twice.
 */
async function askUntilReached(id, pending, signal, tell) {
  for (const pause of PAUSES) {
    try {
      return await ask(id, pending, signal, tell);
    } catch (failure) {
      if (!AWAY.includes(failure.status)) throw failure;
      await new Promise((resolve) => setTimeout(resolve, 1000 * Math.max(pause, failure.wait ?? 0)));
      signal.throwIfAborted();
    }
  }
  return ask(id, pending, signal, tell);
}

/** Ask, tell each event, and return the whole turn, or null if the stream ended after the answer. */
async function ask(id, pending, signal, tell) {
  const response = await send("POST", path("dialogues", id, "turns"), {
    body: { question: pending.question },
    headers: { Accept: "text/event-stream", "Idempotency-Key": pending.key },
    signal,
  });
  let answered = false;
  let done = null;
  try {
    for await (const { name, record } of eventsOf(response)) {
      if (name === "error") throw new ProblemError(record.status, record.detail, record.errors);
      if (name === "done") done = record;
      tell(name, record);
      answered ||= name === "answer";
    }
  } catch (failure) {
    if (failure.name === "AbortError" || failure instanceof ProblemError) throw failure;
    if (!answered) throw new ProblemError(CUT, strings.offline); // the connection broke
  }
  if (answered || done) return done;
  throw new ProblemError(CUT, strings.offline);
}
