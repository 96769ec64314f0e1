"""QuAC: dialogs of a student and a teacher about a hidden Wikipedia section (Choi et al., 2018)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from seminar.datasets.files import Split, read_json
from seminar.datasets.records import Record
from seminar.examples import Example, Gold
from seminar.types import Affirmation, Continuation

TITLE = "QuAC"
SIGNATURE = ("orig_answer", "followup", "yesno")
Act = TypeVar("Act", bound=str)

CANNOT_ANSWER = "CANNOTANSWER"
HELD_OUT = 100
AFFIRMATIONS: dict[str, Affirmation] = {"y": "yes", "n": "no", "x": "neither"}
CONTINUATIONS: dict[str, Continuation] = {"y": "follow up", "m": "maybe", "n": "don't"}


def read(path: Path) -> Iterator[Example]:
    """Every question of an official file, train or validation."""
    for article in read_json(path).items("data"):
        for paragraph in article.items("paragraphs"):
            yield from _dialog(article, paragraph)


def answerable(answers: Sequence[str]) -> bool:
    """Whether more annotators found an answer than found none, the official scorer's rule."""
    return 2 * answers.count(CANNOT_ANSWER) < len(answers)


def _dialog(article: Record, paragraph: Record) -> Iterator[Example]:
    history: tuple[tuple[str, str], ...] = ()
    for turn, qa in enumerate(paragraph.items("qas"), start=1):
        question = qa.text("question")
        yield Example(
            id=qa.text("id"),
            dialogue_id=paragraph.text("id"),
            question=question,
            gold=_gold(qa),
            history=history,
            context=paragraph.text("context"),
            title=article.text("title"),
            section=article.text("section_title"),
            background=article.text_or_empty("background"),
            sources=(paragraph.text("id"),),
            turn=turn,
        )
        history = (*history, (question, qa["orig_answer"].text("text")))


def _gold(qa: Record) -> Gold:
    answers = [
        (answer.text("text"), answer.integer("answer_start")) for answer in qa.items("answers")
    ]
    texts = tuple(text for text, _ in answers)
    return Gold(
        answers=texts,
        answerable=answerable(texts),
        spans=tuple((start, start + len(text)) for text, start in answers),
        affirmation=_letter(qa, "yesno", AFFIRMATIONS),
        continuation=_letter(qa, "followup", CONTINUATIONS),
    )


def _letter(qa: Record, key: str, acts: Mapping[str, Act]) -> Act:
    letter = qa.text(key)
    if letter not in acts:
        raise qa[key].expected(f"one of {', '.join(acts)}")
    return acts[letter]


def read_part(path: Path) -> Iterator[Example]:
    """The turns of `val-part.json`: the first three of each dialog with all references."""
    for number, dialog in enumerate(read_json(path).items()):
        yield from _partial_dialog(f"val-part-{number}", dialog)


def read_part_references(path: Path) -> Iterator[Example]:
    """Those turns of `val-part.json` that have all their references."""
    return (example for example in read_part(path) if example.turn <= 3)


def read_part_held_out(path: Path) -> Iterator[Example]:
    """The 100 dialogs of `val-part.json` that no training of Seminar's has seen."""
    whole = list(read_part(path))
    dialogs = sorted({example.dialogue_id for example in whole}, key=_rank)[:HELD_OUT]
    return (example for example in whole if example.dialogue_id in dialogs)


def _rank(name: str) -> str:
    """A fixed random order, the same that training holds dialogs out by."""
    return hashlib.sha256(name.encode()).hexdigest()


def _partial_dialog(name: str, dialog: Record) -> Iterator[Example]:
    # A turn that is among the first three may be repeated in `turns`, with the teacher's answer.
    others = [(turn.text("question"), turn.text("answer")) for turn in dialog.items("turns")]
    turns: list[tuple[str, str, tuple[str, ...]]] = []
    for known in dialog.items("first_three_with_all_refs"):
        question, references = known.text("question"), known.texts("refs")
        position = next((at for at, turn in enumerate(others) if turn[0] == question), None)
        answer = references[0] if position is None else others.pop(position)[1]
        turns.append((question, answer, references))
    turns.extend((question, answer, (answer,)) for question, answer in others)

    history: tuple[tuple[str, str], ...] = ()
    context = dialog.text("context")
    for turn, (question, answer, references) in enumerate(turns, start=1):
        yield Example(
            id=f"{name}_q#{turn - 1}",
            dialogue_id=name,
            question=question,
            gold=Gold(references, answerable(references), _found(context, references)),
            history=history,
            context=context,
            title=dialog.text("title"),
            section=dialog.text("section"),
            background=dialog.text("background"),
            sources=(name,),
            turn=turn,
        )
        history = (*history, (question, answer))


def _found(context: str, answers: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """First occurrences of the answers, or nothing if one of them isn't in the context."""
    starts = [context.find(answer) for answer in answers]
    if min(starts) < 0:
        return ()
    return tuple((start, start + len(text)) for text, start in zip(answers, starts, strict=True))


SPLITS = {
    "train": Split(("train_v0.2.json",), read),
    "val": Split(("val_v0.2.json",), read),
    "test": Split(("test_v0.2.json",), read),  # of a collection of one's own: QuAC's is hidden
    "val-part": Split(("val-part.json",), read_part),
    "val-part-held-out": Split(("val-part.json",), read_part_held_out),
    "val-part-references": Split(("val-part.json",), read_part_references),
}
