/** A conversation with its source beside it. */
import { html, useEffect, useRef, useState } from "../lib.js";
import { strings } from "../strings.js";
import { shorten } from "../text.js";
import { patch, path } from "../api.js";
import { useKeys } from "../keyboard.js";
import { useRecord } from "../loading.js";
import { navigate } from "../router.js";
import { Problem, Waiting } from "../parts/problem.js";
import { useDialogue } from "../conversation/asking.js";
import { Composer } from "../conversation/composer.js";
import { DialogueHead } from "../conversation/head.js";
import { LiveTurn } from "../conversation/live_turn.js";
import { ScopePicker } from "../conversation/scope_picker.js";
import { Trail } from "../conversation/trail.js";
import { TurnView } from "../conversation/turn.js";
import { moveBetweenTurns, pressIn, showTurn } from "../conversation/turn_keys.js";
import { SourcePane } from "../source/pane.js";
import { focusQuestion } from "./ask.js";

export function DialoguePage({ id, hash }) {
  const t = strings.conversation;
  const talk = useDialogue(id);
  const { dialogue, live } = talk;
  const collection = useRecord(dialogue && path("collections", dialogue.collection));
  const [source, setSource] = useState(null); // {span, opener, choose}
  const [asked, setAsked] = useState(null); // the turn of this visit, kept in view
  const said = useAnnouncement(live);

  const open = (span, opener) => setSource({ span, opener, choose: null });
  const close = () => {
    setSource(null);
    if (source?.opener?.isConnected) source.opener.focus();
  };
  const select = (turn, choose) => {
    const span = turn.reply.literal[0] ?? turn.reply.nearest ?? turn.reply.hits[0];
    if (span) setSource({ span, opener: null, choose: (chosen) => (choose(chosen), setSource(null)) });
  };
  const ask = (question) => talk.ask(question);
  useKeys({
    "/": focusQuestion,
    n: () => dialogue && navigate(`/ask/${dialogue.collection}`),
    ArrowDown: (event) => moveBetweenTurns(event, 1),
    ArrowUp: (event) => moveBetweenTurns(event, -1),
    o: (event) => pressIn(event, "o"),
    e: (event) => pressIn(event, "e"),
    w: (event) => pressIn(event, "w"),
    Escape: (event) => !event.defaultPrevented && live && talk.stop(),
  });
  useEffect(() => {
    if (dialogue) document.title = `${shorten(dialogue.title, 60) || strings.navigation.untitled} – ${strings.product}`;
  }, [dialogue?.title]);
  useEffect(() => {
    if (live) setAsked(live.number);
  }, [live?.key]);
  useEffect(() => {
    if (asked) showTurn(asked);
  }, [asked]);
  useEffect(() => {
    const number = Number(hash.replace("#turn-", ""));
    if (dialogue && !live) showTurn(number || dialogue.turns.at(-1)?.number, Boolean(number));
  }, [dialogue === null, hash]);

  if (!dialogue) return html`<div class="page narrow"><${Problem} error=${talk.error} retry=${talk.load} />${!talk.error && html`<${Waiting} lines=${6} />`}</div>`;
  const setScope = async (scope) => talk.change(await withoutTurns(patch(path("dialogues", id), { scope })));
  const busy = live !== null && live.stage !== "stopped" && live.stage !== "failed";
  const actions = { open, select, ask, setTurn: talk.setTurn };
  const last = live ? 0 : dialogue.turns.at(-1)?.number;
  return html`<div class=${source ? "talk with-source" : "talk"}>
    <section class="conversation" aria-label=${t.label}>
      <${DialogueHead} dialogue=${dialogue} collection=${collection.record} asked=${live?.question ?? ""} change=${talk.change} />
      <${Trail} turns=${dialogue.turns} go=${(number) => showTurn(number, true)} />
      <div class="turns">
        ${dialogue.turns.map((turn) => html`<${TurnView} key=${turn.number} turn=${turn} dialogue=${dialogue} last=${turn.number === last} fresh=${turn.number === last && asked === last} actions=${actions} />`)}
        ${live && html`<${LiveTurn} live=${live} retry=${talk.retry} discard=${talk.discard} open=${open} />`}
      </div>
      <${Composer} draft=${id} busy=${busy} ask=${ask} stop=${talk.stop}>
        <${ScopePicker} collection=${dialogue.collection} scope=${dialogue.scope} choose=${setScope} />
      <//>
      <div class="visually-hidden" aria-live="polite" role="status">${said}</div>
    </section>
    ${source && html`<${SourcePane} collection=${dialogue.collection} span=${source.span} close=${close} choose=${source.choose} />`}
  </div>`;
}

/** What a screen reader is told of the question under way; an answer is told once. */
function useAnnouncement(live) {
  const t = strings.conversation;
  const latest = useRef("");
  if (live?.reply) latest.current = t.answered(shorten(live.reply.text, 300));
  else if (live) latest.current = t.stages[live.stage] ?? t.stopped;
  return latest.current;
}

async function withoutTurns(request) {
  const { turns, ...fields } = await request;
  return fields;
}
