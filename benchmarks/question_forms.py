"""Reading by the form of the question: the written dialogues' turns, each over its own passage.

    scripts/bench question_forms [--reader FOLDER] [--rewriter FOLDER] [--every N]

Nothing is searched: a turn is read over the passage with its answer, and an unanswerable one over
the passage that comes nearest to answering it. Forms: the human rewrite, alone and in its dialogue;
the question as typed, alone, after gold replies, and after replies of which some are missing or
wrong; and the rewriter's question after these same replies. Needs SEMINAR_DATA.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.results import progress, write_result
from seminar.datasets.catalog import locate
from seminar.datasets.dialogues.written import WrittenTurn, read_sets
from seminar.metrics.measures.overlap import f1
from seminar.models.reader.model import Finding, Inquiry, ReaderModel
from seminar.models.rewriter.model import FollowUp, RewriterModel
from seminar.reading.candidates import answered_odds
from seminar.text import terms
from seminar.training.reader.examples import CANNOT_ANSWER
from seminar.training.reader.written import IngestedSet, ingest
from seminar.training.written_histories import with_changed_replies
from seminar.types import Passage
from seminar.weights import weights_folder

CLOSE = 0.5  # token F1 from which a span counts as the written one
History = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A follow-up, its passage, and its history with gold and with changed replies."""

    turn: WrittenTurn
    passage: Passage
    gold: History
    changed: History


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of one form: `answered` are the log odds of any answer."""

    turn: WrittenTurn
    right: bool
    answered: float
    yes: float


def follow_ups(ingested: IngestedSet, draw: random.Random) -> Iterator[Asked]:
    """The turns after the first of each dialogue whose passage is known."""
    for turns in ingested.group.dialogues:
        history: History = ()
        for turn in turns:
            quotes = turn.answers or turn.near
            located = ingested.locate(quotes[0]) if quotes else None
            if history and located:
                changed = with_changed_replies(history, ingested.group, draw)
                yield Asked(turn, located[0], _plain(history), _plain(changed))
            history = (*history, (turn.question, turn.reply or CANNOT_ANSWER))


def _plain(history: History) -> History:
    """A history as readers take it: "" for no answer."""
    return tuple((asked, "" if reply == CANNOT_ANSWER else reply) for asked, reply in history)


def forms_of(asked: Asked, rewriter: RewriterModel) -> dict[str, tuple[str, History]]:
    """The question and the history of each form."""
    turn = asked.turn
    [rewritten] = rewriter.rewrite([FollowUp(turn.question, asked.changed)])
    return {
        "human rewrite": (turn.rewrite, ()),
        "human rewrite, in its dialogue": (turn.rewrite, asked.gold),
        "typed": (turn.question, ()),
        "typed, gold replies": (turn.question, asked.gold),
        "typed, changed replies": (turn.question, asked.changed),
        "typed, without any reply": (turn.question, tuple((q, "") for q, _ in asked.changed)),
        "rewriter, changed replies": (rewritten, ()),
        "rewriter, in its dialogue, changed replies": (rewritten, asked.changed),
    }


def judged(asked: Asked, finding: Finding) -> Reading:
    """Whether the best span is an answer, and what the network says of the answer's type."""
    words = " ".join(asked.passage.text[finding.start : finding.end].split())
    golds = [" ".join(quote.text.split()) for quote in asked.turn.answers]
    part = bool(terms(words))
    right = any(gold in words or (part and words in gold) or f1(words, gold) >= CLOSE
                for gold in golds)  # fmt: skip
    return Reading(asked.turn, right, answered_odds(finding), finding.yes)


def summary(readings: Sequence[Reading]) -> dict[str, object]:
    """Right spans, right sides of yes or no, and how well answerable turns are told apart."""
    open_questions = [one for one in readings if one.turn.answers and not _is_polar(one.turn)]
    polar = [one for one in readings if one.turn.answers and _is_polar(one.turn)]
    here = np.array([one.answered for one in readings if one.turn.answers])
    hidden = np.array([one.answered for one in readings if not one.turn.answers])
    sides = [(one.yes > 0) == (one.turn.affirmation == "yes") for one in polar]
    above = (1 + np.sign(here[:, None] - hidden[None, :])) / 2  # (answerable, unanswerable)
    return {
        "span right": [_percent([one.right for one in open_questions]), len(open_questions)],
        "yes or no right": [_percent(sides), len(polar)],
        "answerable, AUC": [_percent(above), len(hidden)],
    }


def _is_polar(turn: WrittenTurn) -> bool:
    return turn.affirmation != "neither"


def _percent(flags: object) -> float:
    return round(100 * float(np.mean(flags)), 1)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reader", type=Path, default=weights_folder("reader"))
    parser.add_argument("--rewriter", type=Path, default=weights_folder("rewriter"))
    parser.add_argument("--every", type=int, default=1, help="only every N-th turn")
    parser.add_argument("--name", default="question-forms", help="the result's name")
    options = parser.parse_args()
    reader, rewriter = ReaderModel(options.reader), RewriterModel(options.rewriter)
    draw = random.Random(5)
    groups = [ingest(group) for group in read_sets(locate("written/dev"))]
    asked = [one for group in groups for one in follow_ups(group, draw)][:: options.every]
    readings: dict[str, list[Reading]] = defaultdict(list)
    for one in progress(asked, "turns"):
        for form, (question, history) in forms_of(one, rewriter).items():
            inquiry = Inquiry(question, one.passage.text, one.passage.heading, history)
            [[finding]] = reader.read([inquiry])
            readings[form].append(judged(one, finding))
    write_result(
        options.name,
        {
            "split": "dev",
            "follow-ups": len(asked),
            **{form: summary(some) for form, some in readings.items()},
        },
    )


if __name__ == "__main__":
    main()
