"""Retrieval by the query alone: the written dialogues' turns, searched over the files of their set.

    scripts/bench query [--split dev] [--encoder minilm]

Each set is rendered into files and indexed. Every answerable turn is searched as typed, with each
history setting, and in its human rewrite, after gold replies; nothing is read. Counted is how often
a passage that holds the answer comes first, and is among the first three. Needs SEMINAR_DATA.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.results import progress, write_result
from seminar.answering.composing import NOT_FOUND, SPOKEN
from seminar.assembly import index_files
from seminar.datasets.catalog import locate
from seminar.datasets.dialogues.written import Quote, WrittenSet, WrittenTurn, read_sets
from seminar.datasets.dialogues.written_files import write_files
from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Encoder, Retriever
from seminar.questions.registry import HISTORIES
from seminar.retrieval.hybrid import hybrid
from seminar.retrieval.representations import FusedRepresentations
from seminar.training.reader.written import IngestedSet, ingest
from seminar.types import Dialogue, Passage, Query, Reply, Span, Turn

CUTOFFS = (1, 3)
DEPTH = 10


@dataclass(frozen=True)
class Asked:
    """A turn after its gold history, and the passages that answer it."""

    turn: WrittenTurn
    dialogue: Dialogue
    gold: frozenset[str]


def asked_turns(ingested: IngestedSet) -> Iterator[Asked]:
    """Every answerable turn of a set whose answer ingestion kept."""
    for turns in ingested.group.dialogues:
        dialogue = Dialogue()
        for turn in turns:
            places = [place for quote in turn.answers if (place := ingested.locate(quote))]
            if places:
                yield Asked(turn, dialogue, frozenset(passage.id for passage, _ in places))
            dialogue = dialogue.add(Turn(turn.question, gold_reply(turn, places)))


def gold_reply(turn: WrittenTurn, places: Sequence[tuple[Passage, int]]) -> Reply:
    """The written answer as a reply, or a refusal."""
    query = Query(turn.rewrite, turn.question)
    if not turn.answers or not places:
        return Reply(NOT_FOUND, query)
    passage, start = places[0]
    span = Span(passage, start, start + _length(turn.answers, passage, start))
    text = SPOKEN[turn.affirmation] + span.text
    return Reply(text, query, answerable=True, literal=(span,), affirmation=turn.affirmation)


def _length(quotes: Sequence[Quote], passage: Passage, start: int) -> int:
    return next(len(one.text) for one in quotes if passage.text.startswith(one.text, start))


def ways(asked: Sequence[Asked]) -> dict[str, list[Query]]:
    """The queries of each way to search the turns."""
    dialogues, questions = [one.dialogue for one in asked], [one.turn.question for one in asked]
    rewrites = [one.turn.rewrite for one in asked]
    found = {name: load().rewrite(dialogues, questions) for name, load in HISTORIES.items()}
    return {**found, "human rewrite": [Query(text, text) for text in rewrites]}


def ranks(retriever: Retriever, queries: Sequence[Query], asked: Sequence[Asked]) -> list[int]:
    """The place of the first passage that answers, from 0; `DEPTH` where there is none."""
    rankings = retriever.search(queries, DEPTH)
    return [
        next((at for at, hit in enumerate(ranking) if hit.passage.id in one.gold), DEPTH)
        for ranking, one in zip(rankings, asked, strict=True)
    ]


def shares(places: Sequence[int]) -> dict[str, float]:
    return {
        f"first {k}": round(100 * sum(place < k for place in places) / len(places), 1)
        for k in CUTOFFS
    }


def search_set(group: WrittenSet, encoder: Encoder, work: Path) -> dict[str, list[int]]:
    """The ranks of every way over the files of one set."""
    files = work / group.id / "files"
    write_files(group, files)
    store, _ = index_files([files], work / group.id / encoder.name, encoder)
    retriever = FusedRepresentations(hybrid(store, encoder))
    asked = list(asked_turns(ingest(group)))
    return {name: ranks(retriever, queries, asked) for name, queries in ways(asked).items()}


def main() -> None:
    options = _options()
    groups = list(read_sets(locate(f"written/{options.split}")))
    encoder = load_encoder(options.encoder)
    places: dict[str, list[int]] = {}
    for at in progress(range(len(groups)), "sets"):
        for name, own in search_set(groups[at], encoder, options.work).items():
            places.setdefault(name, []).extend(own)
    rows = {name: shares(own) for name, own in places.items()}
    turns = len(places["original"])
    write_result("query", {"split": options.split, "sets": len(groups), "turns": turns, **rows})


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--split", choices=("train", "dev"), default="dev")
    parser.add_argument("--encoder", default="minilm")
    parser.add_argument("--work", type=Path, default=Path(".seminar/bench/query"))
    return parser.parse_args()


if __name__ == "__main__":
    main()
