"""The written dialogues over the example collection: what each turn should do, and what it does.

    scripts/bench scripted_dialogues [--reader NAME] [--history WORD] [--threshold P] [--written]

Six dialogues (`examples/dialogues/`) were written from the documents. Each is held with the
assistant's own replies, as a person would, or with `--written` as if every turn before had been
answered as written; a turn is right when everything that is written of it
holds. `tests/test_script.py` requires a number of right turns.

How far each stage gets is counted too, after written replies: the answer stands in the hits, is the
reader's first whatever its probability, is read right where its passage alone is given.
"""

from __future__ import annotations

import argparse
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.results import write_result
from seminar.answering.topics import switch_of
from seminar.assembly import open_files
from seminar.assistant import Assistant
from seminar.metrics.measures.overlap import f1
from seminar.protocols import Retriever
from seminar.settings import Settings
from seminar.text import terms
from seminar.types import Answer, Dialogue, Hit, Query, Reply, Span, Turn

EXAMPLES = Path(__file__).parent.parent / "examples"
DEEP = 60  # hits that surely hold the passage of words that it is searched by
# What may be wrong with a turn, each as its message has it; a turn may have several.
FAULTS = (
    "not answered",
    "answered what no page tells",
    "another span",
    "not told",
    "affirmation",
    "switch",
    "topic",
    "continuation",
)
CLOSE = 0.5  # token F1 from which a span is the written one, cut otherwise


@dataclass(frozen=True, slots=True)
class Place:
    """Exact words of a source; `page` where the source has pages."""

    source: str
    answer: str
    page: int | None = None

    def holds(self, span: Span) -> bool:
        """Whether a span tells these words: it has them, is part of them, or is close to them."""
        if span.passage.source != self.source or (self.page and span.page != self.page):
            return False
        told, written = (" ".join(text.split()) for text in (span.text, self.answer))
        part = told in written and bool(terms(told))
        return written in told or part or f1(told, written) >= CLOSE


@dataclass(frozen=True, slots=True)
class Expected:
    """What is written of a turn; `also` are other places that tell the same."""

    question: str
    topic: str
    switch: str | None = None
    place: Place | None = None
    also: tuple[Place, ...] = ()
    alternatives: tuple[Place, ...] = ()
    affirmation: str = "neither"
    continuation: tuple[str, ...] = ()

    @property
    def readings(self) -> tuple[tuple[Place, ...], ...]:
        """The places of each answer: one, or several where the question is ambiguous."""
        own = (self.place, *self.also) if self.place else ()
        return (own, *((one,) for one in self.alternatives)) if own else ()

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(place for reading in self.readings for place in reading)


@dataclass(frozen=True, slots=True)
class Judged:
    """A turn, what was replied, and what of it is not as written."""

    expected: Expected
    reply: Reply
    wrong: tuple[str, ...]


def read_script(folder: Path = EXAMPLES / "dialogues") -> dict[str, list[Expected]]:
    """The dialogues by name, in order."""
    return {
        file.stem: [_expected(turn) for turn in tomllib.loads(file.read_text("utf-8"))["turn"]]
        for file in sorted(folder.glob("*.toml"))
    }


def _expected(turn: dict[str, object]) -> Expected:
    """A turn as it is written in TOML; a turn without an answer has no place."""
    answered = not turn.pop("unanswerable", False)
    own = {key: turn.pop(key) for key in ("source", "answer", "page") if key in turn}
    for key in ("also", "alternatives"):
        turn[key] = tuple(Place(**one) for one in turn.get(key, ()))
    turn["continuation"] = tuple(turn.get("continuation", ()))
    return Expected(**turn, place=Place(**own) if answered else None)


def hold(
    assistant: Assistant, script: Sequence[Expected], *, written: bool = False
) -> Iterator[Judged]:
    """Hold a dialogue, and judge each turn by what the dialogue has come to.

    With `written`, what was replied is taken to be what should have been.
    """
    dialogue, trail = Dialogue(), list[str]()
    for expected in script:
        reply = assistant.reply(dialogue, expected.question)
        on_track = [passage.source for passage in dialogue.trail] == trail
        yield Judged(expected, reply, tuple(_faults(expected, reply, dialogue, on_track)))
        said = _as_written(assistant, expected, reply) if written else reply
        dialogue = dialogue.add(Turn(expected.question, said))
        trail += [expected.place.source] if expected.place else []


def _as_written(assistant: Assistant, expected: Expected, reply: Reply) -> Reply:
    """The reply that a turn should have got."""
    place = expected.place
    if place is None:
        return Reply("", reply.query, answerable=False)
    span = _written_span(assistant.retriever, place)
    return Reply(place.answer, reply.query, answerable=True, literal=(span,), topic=expected.topic)


def _written_span(retriever: Retriever, place: Place) -> Span:
    [hits] = retriever.search([Query(place.answer)], DEEP)
    return next(
        Span(hit.passage, at, at + len(place.answer))
        for hit in hits
        if hit.passage.source == place.source and (at := hit.passage.text.find(place.answer)) >= 0
    )


def reach(assistant: Assistant, script: Sequence[Expected]) -> Counter[str]:
    """How far each stage gets with the answerable turns of a dialogue, after written replies."""
    dialogue, reached = Dialogue(), Counter[str]()
    for expected in script:
        [query] = assistant.rewriter.rewrite([dialogue], [expected.question])
        [hits] = assistant.retriever.search([query], assistant.k)
        if expected.place:
            own = _written_span(assistant.retriever, expected.place)
            told, alone = assistant.reader.read([query] * 2, [hits, [Hit(own.passage, 1.0)]])
            reached["answerable"] += 1
            reached["in the hits"] += any(_stands_in(hit, expected) for hit in hits)
            reached["first of all spans"] += _is_first(told, expected)
            reached["first in its own passage"] += _is_first(alone, expected)
        said = _as_written(assistant, expected, Reply("", query))
        dialogue = dialogue.add(Turn(expected.question, said))
    return reached


def _stands_in(hit: Hit, expected: Expected) -> bool:
    text = " ".join(hit.passage.text.split())
    return any(
        hit.passage.source == place.source and " ".join(place.answer.split()) in text
        for place in expected.places
    )


def _is_first(answers: Sequence[Answer], expected: Expected) -> bool:
    return any(place.holds(answers[0].span) for place in expected.places if answers)


def _faults(expected: Expected, reply: Reply, dialogue: Dialogue, on_track: bool) -> Iterator[str]:
    if expected.place is None or not reply.answerable:
        yield from _faults_of_silence(expected, reply)
        return
    if reply.affirmation != expected.affirmation:
        yield f"affirmation {reply.affirmation}, not {expected.affirmation}"
    literal = reply.literal[0]
    if not any(place.holds(literal) for place in expected.places):
        yield "another span"
        return
    # After another way than the written one, the label must fit the way that was taken.
    as_written = literal.passage.source == expected.place.source
    switch = (
        expected.switch if on_track and as_written else switch_of(dialogue, literal.passage.source)
    )
    if reply.switch != switch:
        yield f"switch {reply.switch}, not {switch}"
    if as_written and reply.topic != expected.topic:
        yield f"topic {reply.topic}"
    if as_written and expected.continuation and reply.continuation not in expected.continuation:
        yield f"continuation {reply.continuation}"
    yield from _missing(expected, reply)


def _faults_of_silence(expected: Expected, reply: Reply) -> Iterator[str]:
    """Of an answer where none should be, or none where one should be."""
    if expected.place is not None:
        yield "not answered"
    elif reply.answerable:
        yield "answered what no page tells"
    elif expected.continuation and reply.continuation not in expected.continuation:
        yield f"continuation {reply.continuation}"


def _missing(expected: Expected, reply: Reply) -> Iterator[str]:
    """The answers to an ambiguous question that were not told; any of them may come first."""
    told = [reply.literal[0], *(one.answer.span for one in reply.alternatives)]
    for reading in expected.readings:
        if not any(place.holds(span) for place in reading for span in told):
            yield f"{reading[0].answer} not told"


def report(judged: Sequence[Judged], tell: Callable[[str], None]) -> int:
    """Tell of each turn whether it is right and why not; how many are."""
    for one in judged:
        mark = "right" if not one.wrong else "WRONG"
        tell(f"{mark}  {one.expected.question}")
        if one.wrong:
            written = one.expected.place.answer if one.expected.place else "(nothing)"
            tell(f"       {'; '.join(one.wrong)}")
            tell(f"       said: {one.reply.text[:120]}")
            tell(f"       written: {written[:120]}")
    return sum(not one.wrong for one in judged)


def faults(judged: Sequence[Judged]) -> Counter[str]:
    """How many turns have each fault."""
    return Counter(kind for one in judged for kind in FAULTS if kind in "; ".join(one.wrong))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    defaults = Settings()
    parser.add_argument("--reader", default=defaults.reader)
    parser.add_argument("--history", default=defaults.history)
    parser.add_argument("--threshold", type=float, default=defaults.threshold)
    parser.add_argument("--written", action="store_true", help="show turns after written replies")
    options = parser.parse_args()
    chosen = vars(options)
    shown = chosen.pop("written")
    settings = replace(defaults, **chosen)
    assistant = open_files([EXAMPLES / "collection"], settings).assistant
    script = read_script()
    named = chosen | {"reader": Path(options.reader).name}  # a folder's path is the machine's own
    result: dict[str, object] = {"settings": named, "turns": sum(map(len, script.values()))}
    for written in (False, True):
        tell = print if written == shown else lambda _: None
        right, wrong = 0, Counter[str]()
        for name, turns in script.items():
            tell(f"\n{name}")
            judged = list(hold(assistant, turns, written=written))
            right += report(judged, tell)
            wrong += faults(judged)
        after = " after written replies" if written else ""
        result |= {f"right{after}": right, f"wrong{after}": wrong}
    result |= sum((reach(assistant, turns) for turns in script.values()), Counter[str]())
    write_result("script", result)


if __name__ == "__main__":
    main()
