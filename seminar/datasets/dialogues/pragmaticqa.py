"""PragmatiCQA: fan-wiki conversations with literal and pragmatic spans (Qi et al., 2023)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from seminar.datasets.files import Split, read_json_lines
from seminar.datasets.records import Record
from seminar.examples import Evidence, Example, Gold
from seminar.types import Affirmation, Passage

TITLE = "PragmatiCQA"
SIGNATURE = ("a_meta", "literal_obj")
UNKNOWN = "I don't know"
PAGE_FAILED = "Cannot GET "
AFFIRMATIONS: dict[str, Affirmation] = {"Yes": "yes", "No": "no"}
# A few spans of the release name their first and last block by other keys.
ELEMENT_KEYS = ("startKey", "startId", "endKey", "endId")


def read(path: Path) -> Iterator[Example]:
    """Every question of an official file, one conversation a line."""
    stem = path.name.partition(".")[0]
    for number, conversation in enumerate(read_json_lines(path)):
        yield from _turns(f"{stem}-{number}", conversation)


def page_failed(example: Example) -> bool:
    """Whether the teacher saw an error instead of a page: such turns are counted apart."""
    shown = example.gold.literal + example.gold.pragmatic
    return any(span.text.startswith(PAGE_FAILED) for span in shown)


def community_passages(examples: Iterable[Example]) -> dict[str, list[Passage]]:
    """The spans of each community as passages, those of one block together, a line each.

    The pages are not released, so this is what is known of them. Spans within others of their
    block, replies that are no spans and failed pages are left out.
    """
    blocks: dict[str, dict[str, dict[str, None]]] = defaultdict(lambda: defaultdict(dict))
    for example in examples:
        if page_failed(example):
            continue
        for span in example.gold.literal + example.gold.pragmatic:
            text = " ".join(span.text.split())
            if span.elements and text:
                blocks[example.sources[0]][span.elements[0]][text] = None
    return {
        community: [_block(community, key, list(texts)) for key, texts in own.items()]
        for community, own in blocks.items()
    }


def _block(community: str, key: str, spans: list[str]) -> Passage:
    whole = [span for span in spans if not any(span in other for other in spans if other != span)]
    text = "\n".join(whole)
    return Passage(f"{community}/{key}", 0, len(text), text, title=community)


def _turns(name: str, conversation: Record) -> Iterator[Example]:
    history: tuple[tuple[str, str], ...] = ()
    for turn, qa in enumerate(conversation.items("qas"), start=1):
        yield Example(
            id=f"{name}_{turn}",
            dialogue_id=name,
            question=qa.text("q"),
            gold=_gold(qa, topic=conversation.text("topic")),
            history=history,
            title=conversation.text("topic"),
            domain=conversation.text("genre"),
            sources=(conversation.text("community"),),
            turn=turn,
        )
        history = (*history, (qa.text("q"), qa.text("a")))


def _gold(qa: Record, topic: str) -> Gold:
    literal = tuple(map(_span, qa["a_meta"].items("literal_obj")))
    words = [span.text for span in literal]
    return Gold(
        answers=(qa.text("a"),),
        answerable=UNKNOWN not in words,
        affirmation=next((AFFIRMATIONS[word] for word in words if word in AFFIRMATIONS), "neither"),
        topic=topic,
        literal=literal,
        pragmatic=tuple(map(_span, qa["a_meta"].items("pragmatic_obj"))),
        ratings=tuple(rating.as_integer() for rating in qa.items("human_eval"))
        if qa.has("human_eval")
        else (),
    )


def _span(record: Record) -> Evidence:
    # A reply that isn't a span, as "Yes" or "I don't know", has null or 0 for keys.
    present = (key for key in ELEMENT_KEYS if record.has(key) and record[key].value)
    elements = tuple(record.text(key) for key in present)
    return Evidence(record.text("text"), elements=elements)


SPLITS = {
    "train": Split(("train.jsonl",), read),
    "val": Split(("val.jsonl",), read),
    "test": Split(("test.jsonl",), read),
}
