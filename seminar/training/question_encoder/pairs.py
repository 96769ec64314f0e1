"""Training pairs of the conversational question encoder: a question in its dialogue, a target."""

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
class EncoderPair:
    """A question in its dialogue as one text, and the text that its vector should be close to.

    `target` is a passage with its heading, or the self-contained rewrite of the question.
    """

    text: str
    target: str
    rewrite: bool = False


def quac_pairs(examples: Iterable[Example]) -> list[EncoderPair]:
    """Answered questions after the dialogue's subject, with the passage of their answer."""
    pairs = []
    for example in examples:
        target = gold_passage(example)
        if target:
            text = conversation_text(example.question, subject_first(example))
            pairs.append(EncoderPair(text, target))
    return pairs


def subject_first(example: Example) -> list[tuple[str, str]]:
    """The turns before a question, after a first turn that names the dialogue's subject."""
    turns = [
        (question, "" if answer == CANNOT_ANSWER else answer)
        for question, answer in example.history
    ]
    return [(heading_of(example), ""), *turns]


def gold_passage(example: Example) -> str | None:
    """The passage of the section that the answer begins in, as an index would hold it."""
    if not example.gold.answerable or not example.gold.spans:
        return None
    answer_start = example.gold.spans[0][0]
    passages = section_passages(example)
    return next((one.searched for one in passages if one.start <= answer_start < one.end), None)


def section_passages(example: Example) -> list[Passage]:
    """The section that an example asks about, cut as Seminar cuts documents."""
    text = without_sentinel(example.context)
    document = Document(example.dialogue_id, heading_of(example), text)
    return split(document)


def rewrite_pairs(examples: Iterable[Example]) -> list[EncoderPair]:
    """Questions with a history or a title, and their rewrites."""
    return [
        EncoderPair(conversation_text(one.question, subject_first(one)), one.gold.rewrites[0], True)
        for one in examples
        if one.history or one.title
    ]


def squad_pairs(examples: Iterable[Example], draw: random.Random) -> list[EncoderPair]:
    """SQuAD's questions made conversational: names that an earlier turn has become pronouns."""
    paragraphs: dict[tuple[str, str], list[Example]] = defaultdict(list)
    for example in examples:
        paragraphs[example.title, example.context].append(example)
    articles: dict[str, list[Example]] = defaultdict(list)
    for (title, _), questions in paragraphs.items():
        articles[title] += questions
    return list(_conversations(paragraphs, articles, draw))


def _conversations(
    paragraphs: dict[tuple[str, str], list[Example]],
    articles: dict[str, list[Example]],
    draw: random.Random,
) -> Iterator[EncoderPair]:
    for (title, context), questions in paragraphs.items():
        for example in questions:
            # Half of the histories are about the same paragraph, half about the whole article.
            others = questions if draw.random() < 0.5 else articles[title]
            before = [one for one in others if one is not example]
            turns = [
                (one.question, one.gold.answers[0])
                for one in draw.sample(before, min(len(before), draw.randint(1, HISTORY_TURNS)))
            ]
            heading = heading_of(example)
            if draw.random() < 0.5:
                turns.insert(0, (heading, ""))
            earlier = [heading, *(text for turn in turns for text in turn)]
            question = with_pronouns(example.question, earlier)
            text = conversation_text(question, turns)
            yield EncoderPair(text, f"{heading}\n{context}")


def with_pronouns(question: str, earlier: Iterable[str]) -> str:
    """The question with a pronoun in place of the names that earlier texts have.

    >>> with_pronouns("When was Marie Curie born in Warsaw?", ["Marie Curie"])
    'When was they born in Warsaw?'
    """
    known = " ".join(earlier).lower()
    return NAME.sub(
        lambda name: "they" if name.group().lower() in known else name.group(), question
    )
