"""How often the live checks of TopiOCQA's questioner speak up, for good questions and for bad ones.

    scripts/bench collection_notes

Needs SEMINAR_DATA: TopiOCQA's dev split, whose questions passed the paper's own checks. Beside
them stand first questions of other conversations, which refer to nothing that was said.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import groupby

from benchmarks.results import write_result
from seminar.collection.records import CorpusSpan, FreeAnswer, Turn
from seminar.collection.rules.topiocqa import question_notes
from seminar.datasets.catalog import load
from seminar.examples import Example

TIME = datetime(2026, 1, 1, tzinfo=UTC)


def turn_of(example: Example) -> Turn:
    gold = example.gold
    rationale = CorpusSpan(gold.topic, 0, 1, "") if gold.answerable else None
    answer = FreeAnswer(gold.answers[0], rationale)
    return Turn(example.dialogue_id, example.turn, example.question, answer, TIME, TIME)


def section_titles(conversation: Sequence[Example], before: Sequence[Example]) -> list[str]:
    """The sections of the documents so far that the conversation has answers from.

    The questioner saw all of their sections, which the dataset does not list.
    """
    seen = {example.gold.topic for example in before}
    return [one.gold.section for one in conversation if one.gold.topic in seen]


def noted(conversations: Iterable[Sequence[Example]], strange: Sequence[str]) -> dict[str, object]:
    """The percentage of questions with each note; `strange` replaces the questions if given."""
    chance = random.Random(0)
    counts: Counter[str] = Counter()
    questions = 0
    for conversation in conversations:
        for place in range(1, len(conversation)):
            before = conversation[:place]
            asked = chance.choice(strange) if strange else conversation[place].question
            turns = [turn_of(example) for example in before]
            notes = question_notes(asked, turns, section_titles(conversation, before))
            counts.update(note.kind for note in notes)
            questions += 1
    shares = {kind: round(100 * count / questions, 1) for kind, count in sorted(counts.items())}
    return {"questions": questions, "noted, percent": shares}


def main() -> None:
    examples = list(load("topiocqa/dev"))
    conversations = [list(own) for _, own in groupby(examples, key=lambda one: one.dialogue_id)]
    strange = [conversation[0].question for conversation in conversations]
    write_result(
        "collection_notes",
        {
            "follow-ups as they were asked": noted(conversations, []),
            "first questions of other conversations": noted(conversations, strange),
        },
    )


if __name__ == "__main__":
    main()
