"""What the conversational question encoder learns from: a question in its dialogue, and its aim."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from seminar.examples import Example
from seminar.ingestion.passages import split
from seminar.networks.question_text import conversation_text
from seminar.training.reader.examples import CANNOT_ANSWER, NAME, heading_of, without_sentinel
from seminar.types import Document, Passage

HISTORY_TURNS = 3


@dataclass(frozen=True, slots=True)
class Lesson:
    """A question in its dialogue as one text, and the text that its vector should be near to.

    `aim` is a passage with its heading, or the same question rewritten to stand alone.
    """

    text: str
    aim: str
    rewrite: bool = False


def quac_lessons(examples: Iterable[Example]) -> list[Lesson]:
    """Answered questions after the dialogue's subject, with the passage of their answer."""
    lessons = []
    for example in examples:
        aim = gold_passage(example)
        if aim:
            lessons.append(Lesson(conversation_text(example.question, subject_first(example)), aim))
    return lessons


def subject_first(example: Example) -> list[tuple[str, str]]:
    """The turns before a question, begun by the subject that both sides of the dialogue knew."""
    turns = [(asked, "" if said == CANNOT_ANSWER else said) for asked, said in example.history]
    return [(heading_of(example), ""), *turns]


def gold_passage(example: Example) -> str | None:
    """The passage of the section that the answer begins in, as an index would hold it."""
    if not example.gold.answerable or not example.gold.spans:
        return None
    place = example.gold.spans[0][0]
    return next(
        (one.searched for one in section_passages(example) if one.start <= place < one.end), None
    )


def section_passages(example: Example) -> list[Passage]:
    """The section that an example asks about, cut as Seminar cuts documents."""
    text = without_sentinel(example.context)
    document = Document(example.dialogue_id, heading_of(example), text)
    return split(document)


def rewrite_lessons(examples: Iterable[Example]) -> list[Lesson]:
    """Questions whose rewrite adds something, aimed at the rewrite."""
    return [
        Lesson(conversation_text(one.question, subject_first(one)), one.gold.rewrites[0], True)
        for one in examples
        if one.history or one.title
    ]


def squad_lessons(examples: Iterable[Example], draw: random.Random) -> list[Lesson]:
    """SQuAD's questions made conversational: what an earlier turn names is named no more."""
    paragraphs: dict[tuple[str, str], list[Example]] = defaultdict(list)
    for example in examples:
        paragraphs[example.title, example.context].append(example)
    articles: dict[str, list[Example]] = defaultdict(list)
    for (title, _), asked in paragraphs.items():
        articles[title] += asked
    return list(_conversations(paragraphs, articles, draw))


def _conversations(
    paragraphs: dict[tuple[str, str], list[Example]],
    articles: dict[str, list[Example]],
    draw: random.Random,
) -> Iterator[Lesson]:
    for (title, context), asked in paragraphs.items():
        for example in asked:
            # Half of the histories are of the same paragraph, half of anywhere in the article.
            others = asked if draw.random() < 0.5 else articles[title]
            before = [one for one in others if one is not example]
            turns = [
                (one.question, one.gold.answers[0])
                for one in draw.sample(before, min(len(before), draw.randint(1, HISTORY_TURNS)))
            ]
            heading = heading_of(example)
            if draw.random() < 0.5:
                turns.insert(0, (heading, ""))
            question = unnamed(example.question, [heading, *(text for t in turns for text in t)])
            text = conversation_text(question, turns)
            yield Lesson(text, f"{heading}\n{context}")


def unnamed(question: str, said: Iterable[str]) -> str:
    """The question without the names that were said before.

    >>> unnamed("When was Marie Curie born in Warsaw?", ["Marie Curie"])
    'When was they born in Warsaw?'
    """
    known = " ".join(said).lower()
    return NAME.sub(
        lambda name: "they" if name.group().lower() in known else name.group(), question
    )
