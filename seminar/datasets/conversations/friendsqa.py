"""FriendsQA: questions about scenes of a television show (Yang and Choi, 2019)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from seminar.datasets.conversations.lines import join_utterances
from seminar.datasets.files import Split, read_json
from seminar.datasets.records import Record
from seminar.examples import Example, Gold
from seminar.types import Utterance

TITLE = "FriendsQA"
SIGNATURE = ("utterance_id", "answer_text")
# The official files do spell the key with a colon.
UTTERANCES = "utterances:"


def read(path: Path) -> Iterator[Example]:
    """Every question of an official file; the context has a line for each utterance."""
    for scene in read_json(path).items("data"):
        title = scene.text("title")
        for paragraph in scene.items("paragraphs"):
            text, utterances = join_utterances(map(_utterance, paragraph.items(UTTERANCES)))
            for qa in paragraph.items("qas"):
                yield Example(
                    id=qa.text("id"),
                    dialogue_id=qa.text("id"),
                    question=qa.text("question"),
                    gold=_gold(qa, utterances),
                    context=text,
                    title=title,
                    sources=(title,),
                )


def _utterance(record: Record) -> tuple[str, str, str]:
    return record.name("uid"), ", ".join(record.texts("speakers")), record.text("utterance")


def _gold(qa: Record, utterances: tuple[Utterance, ...]) -> Gold:
    answers = list(qa.items("answers"))
    return Gold(
        answers=tuple(answer.text("answer_text") for answer in answers),
        answerable=bool(answers),
        spans=tuple(_span(answer, utterances) for answer in answers),
    )


def _span(answer: Record, utterances: tuple[Utterance, ...]) -> tuple[int, int]:
    """Offsets in the context; the file counts words of an utterance, or means its speaker."""
    utterance = {utterance.key: utterance for utterance in utterances}.get(
        answer.name("utterance_id")
    )
    if utterance is None:
        raise answer["utterance_id"].expected("an utterance of the scene")
    if answer.flag("is_speaker"):
        return utterance.start, utterance.start + len(utterance.speaker)
    words = utterance.text.split(" ")
    first, last = answer.integer("inner_start"), answer.integer("inner_end")
    if not 0 <= first <= last < len(words):
        raise answer.fault(f"words {first} to {last} aren't in an utterance of {len(words)} words")
    offset = utterance.end - len(utterance.text)
    start = offset + sum(len(word) + 1 for word in words[:first])
    return start, start + len(" ".join(words[first : last + 1]))


SPLITS = {
    part: Split((f"friendsqa_{part}.json", f"dat/friendsqa_{part}.json"), read)
    for part in ("trn", "dev", "tst")
}
