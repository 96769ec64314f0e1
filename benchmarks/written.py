"""Conversations over unseen material: the written dialogues, asked from ingestion on.

    scripts/bench written [--split dev] [--history own|gold|rewrite] [--sets N] [--reader NAME]

Every set is rendered into files (Markdown, a Slack export, mailboxes, subtitles), indexed, and its
dialogues are held with the assistant: `own` after its own replies, `gold` after the written ones,
`rewrite` with each question alone in its self-contained form. Needs SEMINAR_DATA.

A span is right when it stands in the right document and has the written words, is a part of them
that has a content word, or shares half of their tokens (F1). A question for yes or no is right when
the affirmation is.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.results import read_result, write_result
from seminar.assembly import open_files
from seminar.assistant import Assistant
from seminar.datasets.catalog import locate
from seminar.datasets.dialogues.written import Quote, WrittenSet, WrittenTurn, read_sets
from seminar.datasets.dialogues.written_files import write_files
from seminar.metrics.measures.overlap import f1
from seminar.settings import Settings
from seminar.text import terms
from seminar.types import Dialogue, Passage, Query, Reply, Span, Turn

CLOSE = 0.5  # token F1 from which a span counts as the written one
FORMS = {"why": "why or how", "how": "why or how"}


@dataclass(frozen=True, slots=True)
class Judgement:
    """One turn and what became of it; `place` is the rank of the answer's passage, 0 if missing."""

    set: str
    kind: str
    document: str
    question: str
    searched: str
    reply: str
    gold: str
    answerable: bool
    answered: bool
    right: bool
    wants: str  # the affirmation that is right
    affirmation: str
    speaker: bool | None
    alternatives: int
    alternatives_found: int
    place: int
    seconds: float


class Material:
    """A set rendered into a folder; tells whether spans and passages are those of its quotes."""

    def __init__(self, group: WrittenSet, folder: Path) -> None:
        self.group = group
        self._sources = write_files(group, folder)

    def is_of(self, passage: Passage, document: str) -> bool:
        """Whether a passage comes from a document of the set."""
        names = (passage.source, *(message.source for message in passage.utterances))
        return any(name.startswith(self._sources[document]) for name in names)

    def holds(self, passage: Passage, quote: Quote) -> bool:
        """Whether a passage has the quoted words."""
        return self.is_of(passage, quote.document) and _plain(quote.text) in _plain(passage.text)

    def matches(self, span: Span, quote: Quote) -> bool:
        """Whether a span says what a quote says."""
        if not self.is_of(span.passage, quote.document):
            return False
        words, gold = _plain(span.text), _plain(quote.text)
        part = words in gold and bool(terms(words))
        return gold in words or part or f1(words, gold) >= CLOSE

    def gold_reply(self, turn: WrittenTurn, reply: Reply) -> Reply:
        """The reply that a turn should have got, over the passage that it should cite."""
        if not turn.answers:
            return Reply("", Query(turn.question), answerable=False)
        quote = turn.answers[0]
        passage = next((h.passage for h in reply.hits if self.holds(h.passage, quote)), None)
        start = passage.text.find(quote.text) if passage else -1
        spans = (Span(passage, start, start + len(quote.text)),) if passage and start >= 0 else ()
        topic = self.group.document(quote.document).title
        return Reply(quote.text, reply.query, answerable=True, literal=spans, topic=topic)


def _plain(text: str) -> str:
    return " ".join(text.split())


def converse(
    assistant: Assistant, material: Material, turns: Sequence[WrittenTurn], history: str
) -> Iterator[Judgement]:
    """Hold one dialogue and judge each turn."""
    dialogue = Dialogue()
    for turn in turns:
        question = turn.rewrite if history == "rewrite" else turn.question
        begun = time.perf_counter()
        reply = assistant.reply(dialogue, question)
        seconds = time.perf_counter() - begun
        yield judge(material, turn, question, reply, seconds)
        if history != "rewrite":
            kept = reply if history == "own" else material.gold_reply(turn, reply)
            dialogue = dialogue.add(Turn(question, kept))


def judge(
    material: Material, turn: WrittenTurn, question: str, reply: Reply, seconds: float
) -> Judgement:
    """What became of a turn."""
    spans = reply.literal if reply.answerable else ()
    quoted = any(material.matches(span, quote) for span in spans for quote in turn.answers)
    polar = turn.affirmation != "neither"
    right = reply.affirmation == turn.affirmation if polar else quoted
    others = [alternative.answer.span for alternative in reply.alternatives]
    grounds = (*turn.answers, *turn.near)
    return Judgement(
        set=material.group.id,
        kind=turn.kind,
        document=material.group.document(grounds[0].document).kind if grounds else "page",
        question=question,
        searched=reply.query.text,
        reply=reply.text,
        gold=turn.answers[0].text if turn.answers else "",
        answerable=turn.answerable,
        answered=reply.answerable,
        right=turn.answerable and reply.answerable and right,
        wants=turn.affirmation,
        affirmation=reply.affirmation if reply.answerable else "neither",
        speaker=_names_speaker(turn, reply) if turn.kind == "who-said" else None,
        alternatives=len(turn.alternatives),
        alternatives_found=sum(
            any(material.matches(span, quote) for span in (*spans, *others))
            for quote in turn.alternatives
        ),
        place=_place(material, turn, reply),
        seconds=seconds,
    )


def _names_speaker(turn: WrittenTurn, reply: Reply) -> bool:
    """Whether a reply names the speaker, or cites a message of theirs."""
    if not reply.answerable:
        return False
    cited = {span.utterance.speaker for span in reply.literal if span.utterance}
    return turn.speaker in cited or turn.speaker in reply.text


def _place(material: Material, turn: WrittenTurn, reply: Reply) -> int:
    for rank, hit in enumerate(reply.hits, start=1):
        if any(material.holds(hit.passage, quote) for quote in turn.answers):
            return rank
    return 0


def run(groups: Iterable[WrittenSet], history: str, settings: Settings) -> Iterator[Judgement]:
    """Render, index and ask each set."""
    for group in groups:
        with tempfile.TemporaryDirectory() as folder:
            material = Material(group, Path(folder))
            assistant = open_files([Path(folder)], settings).assistant
            for turns in group.dialogues:
                yield from converse(assistant, material, turns, history)


def percent(flags: Iterable[bool]) -> float | None:
    flags = list(flags)
    return round(100 * sum(flags) / len(flags), 1) if flags else None


def summarise(turns: Sequence[Judgement]) -> dict[str, object]:
    """The figures of a run, all in percent but for counts and milliseconds."""
    answerable = [turn for turn in turns if turn.answerable]
    hidden = [turn for turn in turns if not turn.answerable]
    polar = [turn for turn in answerable if turn.wants != "neither"]
    told = [turn for turn in turns if turn.affirmation != "neither"]
    asked_whether = [turn for turn in polar if turn.affirmation != "neither"]
    kinds = defaultdict(list)
    for turn in answerable:
        kinds[FORMS.get(turn.kind, turn.kind)].append(turn)
        kinds[f"over {turn.document}"].append(turn)
    return {
        "turns": len(turns),
        "right": percent(turn.right for turn in answerable),
        "refused, unanswerable": percent(not turn.answered for turn in hidden),
        "refused, answerable": percent(not turn.answered for turn in answerable),
        "yes or no": {
            "asked": len(polar),
            "right": percent(turn.right for turn in polar),
            "said": percent(turn.affirmation != "neither" for turn in polar),
            "right of those said": percent(turn.right for turn in asked_whether),
            "said of all turns, wrongly": sum(turn.affirmation != turn.wants for turn in told),
        },
        "speaker": percent(turn.speaker for turn in turns if turn.speaker is not None),
        "alternatives": _share(turns),
        "passage first": percent(turn.place == 1 for turn in answerable),
        "passage among three": percent(0 < turn.place <= 3 for turn in answerable),
        "milliseconds, median": round(1000 * statistics.median(t.seconds for t in turns)),
        "right by kind": {
            kind: [percent(turn.right for turn in some), len(some)]
            for kind, some in sorted(kinds.items())
        },
    }


def _share(turns: Sequence[Judgement]) -> float | None:
    wanted = sum(turn.alternatives for turn in turns)
    found = sum(turn.alternatives_found for turn in turns)
    return round(100 * found / wanted, 1) if wanted else None


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--split", default="dev", choices=("dev", "train"))
    parser.add_argument("--history", action="append", choices=("own", "gold", "rewrite"))
    parser.add_argument("--sets", type=int, help="only so many sets")
    parser.add_argument("--reader", default="span", help="a reader's name or folder")
    parser.add_argument("--threshold", type=float)
    parser.add_argument("--turns", type=Path, help="write every turn as a JSON line")
    parser.add_argument("--name", default="written", help="the result's name")
    options = parser.parse_args()
    settings = Settings(reader=options.reader, encoder="minilm", followups=False)
    if options.threshold is not None:
        settings = Settings(
            reader=options.reader,
            encoder="minilm",
            followups=False,
            threshold=options.threshold,
        )
    groups = list(read_sets(locate(f"written/{options.split}")))[: options.sets]
    results = read_result(options.name) if not options.sets else {}
    for history in options.history or ("own", "rewrite"):
        turns = list(run(groups, history, settings))
        results[f"{options.split}, {history}"] = summarise(turns)
        print(history, json.dumps(results[f"{options.split}, {history}"], indent=1))
        if options.turns:
            with options.turns.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps({"run": history, **asdict(t)}) + "\n" for t in turns)
    if not options.sets:
        write_result(options.name, results)


if __name__ == "__main__":
    main()
