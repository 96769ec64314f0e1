"""Turns that people judged as evaluation examples: right before, and right with this assistant.

A judged turn is asked again after the same turns. What it should answer is the span that the person
marked, or else the answer that they called right; F1 is SQuAD's.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from seminar.assembly import Opened
from seminar.dialogue_files import restore_dialogue
from seminar.errors import DatasetError, SeminarError
from seminar.metrics.official.squad import score_v1_answer
from seminar.saved_turns import SavedTurn, convert_saved
from seminar.text import truncate

RIGHT = 0.5  # F1 from which an answer counts as the one that was wanted
SHOWN = 40  # characters of a question in a table


@dataclass(frozen=True, slots=True)
class JudgedTurn:
    """A turn that a person judged, with the turns before it.

    `wanted` are the words that would have been right; "" for an answer that should be a refusal,
    and None where the person only said that it was wrong.
    """

    dialogue: str
    number: int
    question: str
    earlier: tuple[SavedTurn, ...]
    scope: str
    right: bool
    wanted: str | None


@dataclass(frozen=True, slots=True)
class Judgement:
    """A judged turn now: the answer, its F1 and whether it is right, where that is known."""

    dialogue: str
    number: int
    question: str
    right_before: bool
    answer: str
    f1: float | None
    right_now: bool | None


def read_export(file: Path) -> list[JudgedTurn]:
    """The judged turns of a dialogue that was exported as JSON."""
    try:
        dialogue = json.loads(file.read_bytes())
        return judged_turns(dialogue)
    except OSError as error:
        raise DatasetError(f"{file}: can't be read ({error.strerror})") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise DatasetError(
            f"{file}: not a dialogue exported as JSON ({type(error).__name__}: {error})"
        ) from None
    except SeminarError as error:
        raise DatasetError(f"{file}: {error}") from None


def judged_turns(dialogue: dict[str, Any]) -> list[JudgedTurn]:
    """The judged turns of a dialogue, as the API shows it."""
    turns = dialogue["turns"]
    replies = [
        convert_saved({**turn["reply"], "question": turn["question"]}, f"turn {number}")
        for number, turn in enumerate(turns, start=1)
    ]
    return [
        JudgedTurn(
            dialogue=dialogue["title"] or dialogue["id"],
            number=turn["number"],
            question=turn["question"],
            earlier=tuple(replies[:at]),
            scope=dialogue["scope"],
            right=turn["feedback"]["right"],
            wanted=_wanted(turn),
        )
        for at, turn in enumerate(turns)
        if turn["feedback"]
    ]


def judge_again(turns: Sequence[JudgedTurn], opened: Opened) -> list[Judgement]:
    """Ask each turn again in its dialogue, and compare with what was wanted."""
    return [_judge(turn, opened.within(turn.scope) if turn.scope else opened) for turn in turns]


def as_text(judgements: Sequence[Judgement]) -> str:
    """A line for each turn, and the sums."""
    rows = [
        f"{_word(one.right_before):<6} {_word(one.right_now):<6} {_figure(one.f1):>5}  "
        f"{one.number:>3}  {truncate(one.question, SHOWN)}"
        for one in judgements
    ]
    return "\n".join(["before now       F1 turn  question", *rows, "", summary(judgements)])


def as_markdown(judgements: Sequence[Judgement]) -> str:
    lines = ["| before | now | F1 | turn | question |", "|---|---|---|---|---|"]
    for one in judgements:
        question = truncate(one.question, SHOWN).replace("|", "\\|")
        cells = (_word(one.right_before), _word(one.right_now), _figure(one.f1), str(one.number))
        lines.append(f"| {' | '.join(cells)} | {question} |")
    return "\n".join([*lines, "", summary(judgements)])


def as_json(judgements: Sequence[Judgement]) -> str:
    return json.dumps([asdict(one) for one in judgements], ensure_ascii=False, indent=1)


FEEDBACK_FORMATS = {"text": as_text, "markdown": as_markdown, "json": as_json}


def summary(judgements: Sequence[Judgement]) -> str:
    """How many were right, of those of which that is known; and the mean F1."""
    known = [one for one in judgements if one.right_now is not None]
    scores = [one.f1 for one in known if one.f1 is not None]
    before = sum(one.right_before for one in known)
    now = sum(bool(one.right_now) for one in known)
    unknown = len(judgements) - len(known)
    mean = f", F1 {100 * sum(scores) / len(scores):.1f}" if scores else ""
    rest = f"; {unknown} called wrong without the right words" if unknown else ""
    return f"right before {before}, right now {now} of {len(known)} judged turns{mean}{rest}"


def _wanted(turn: dict[str, Any]) -> str | None:
    said, reply = turn["feedback"], turn["reply"]
    if said["span"]:
        return str(said["span"]["text"])
    if not said["right"]:
        return None
    return str(reply["text"]) if reply["answerable"] else ""


def _judge(turn: JudgedTurn, opened: Opened) -> Judgement:
    dialogue, _ = restore_dialogue(turn.earlier, opened.index)
    [reply] = opened.assistant.answer_without_suggestions([dialogue], [turn.question])
    answer = reply.text if reply.answerable else ""
    f1, right = _compare(turn, answer)
    return Judgement(turn.dialogue, turn.number, turn.question, turn.right, reply.text, f1, right)


def _compare(turn: JudgedTurn, answer: str) -> tuple[float | None, bool | None]:
    """F1, and whether the answer is right; None where nobody said what would be."""
    if turn.wanted is None:
        return None, None
    if not turn.wanted or not answer:
        return None if not turn.wanted else 0.0, turn.wanted == answer
    f1 = score_v1_answer(answer, [turn.wanted]).f1
    return f1, f1 >= RIGHT


def _word(right: bool | None) -> str:
    return {True: "right", False: "wrong", None: "?"}[right]


def _figure(f1: float | None) -> str:
    return "–" if f1 is None else f"{100 * f1:.1f}"
