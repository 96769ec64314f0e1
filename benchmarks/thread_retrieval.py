"""What telling conversations apart does for search: QAConv's questions about Slack's racket."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from seminar.assembly import create_index
from seminar.datasets.catalog import channels, load, threads
from seminar.examples import Example
from seminar.ingestion.conversations.chats import read_lines
from seminar.ingestion.segments import split_item
from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Retriever
from seminar.retrieval.hybrid import hybrid
from seminar.types import Passage, Query, Utterance

DEPTHS = (1, 5, 10)
_WORDS = re.compile(r"\w+")
# Whether messages name their conversation, and whether the others make one a day.
WAYS = {
    "the dataset's conversations": (True, False),
    "told apart by the model that ships": (False, False),
    "a conversation a day": (False, True),
}


def recall() -> dict[str, object]:
    """R@k of a passage that holds the answering message, for each way to split the channel."""
    asked = [
        example
        for part in ("val", "tst")
        for example in load(f"qaconv/{part}")
        if example.gold.answers and example.sources[0].startswith("slack-racket")
    ]
    talks = {thread.source: thread.utterances for thread in threads("qaconv")}
    answering = {example.id: _answering(example, talks) for example in asked}
    asked = [example for example in asked if answering[example.id]]
    results: dict[str, object] = {"questions": len(asked)}
    for name, (marked, by_day) in WAYS.items():
        with TemporaryDirectory() as folder:
            passages = list(_passages(Path(folder), marked=marked, by_day=by_day))
            retriever = _index(passages, Path(folder) / "index")
            results[name] = {
                "passages": len(passages),
                **_recall(asked, answering, retriever),
            }
    return results


def _answering(example: Example, talks: dict[str, tuple[Utterance, ...]]) -> set[str]:
    """The messages of the question's conversations that hold an answer."""
    return {
        _said(one.speaker, one.text)
        for source in example.sources
        for one in talks.get(source, ())
        if any(answer.casefold() in one.text.casefold() for answer in example.gold.answers)
    }


def _said(speaker: str, text: str) -> str:
    """Enough of a message to know it by, whatever its marks."""
    return f"{speaker}: {' '.join(_WORDS.findall(text.casefold())[:12])}"


def _passages(folder: Path, *, marked: bool, by_day: bool) -> Iterator[Passage]:
    for channel in channels("slack_disentangled"):
        if not channel.name.startswith("racket/"):
            continue
        path = folder / f"{channel.name.replace('/', '-')}.jsonl"
        with path.open("w") as file:
            for said, talk in zip(channel.messages, channel.conversations, strict=True):
                record = {"speaker": said.speaker, "text": said.text, "time": said.key}
                file.write(json.dumps({**record, "thread": talk if marked else ""}) + "\n")
        for item in read_lines(path, path.name, print, by_day=by_day):
            yield from split_item(item)


def _index(passages: list[Passage], folder: Path) -> Retriever:
    encoder = load_encoder("static")
    index = create_index(folder, encoder)
    index.add(passages, encoder.encode([passage.searched for passage in passages]))
    return hybrid(index, encoder)


def _recall(
    asked: list[Example], answering: dict[str, set[str]], retriever: Retriever
) -> dict[str, float]:
    rankings = retriever.search([Query(example.question) for example in asked], max(DEPTHS))
    found = dict.fromkeys(DEPTHS, 0)
    for example, hits in zip(asked, rankings, strict=True):
        ranks = [
            rank
            for rank, hit in enumerate(hits, start=1)
            if any(
                _said(one.speaker, one.text) in answering[example.id]
                for one in hit.passage.utterances
            )
        ]
        for depth in DEPTHS:
            found[depth] += bool(ranks) and ranks[0] <= depth
    return {f"R@{depth}": round(100 * found[depth] / len(asked), 1) for depth in DEPTHS}
