"""TopiOCQA's turns over the Wikispeedia articles: dialogues as they would have gone there."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from seminar.datasets.catalog import documents, load
from seminar.examples import Example
from seminar.ingestion.passages import split
from seminar.metrics.measures.answer_spans import best_span
from seminar.reading.evidence import coverage, inverse_document_frequencies
from seminar.retrieval.representations import spelling
from seminar.text import terms
from seminar.training.fitting.topics import LabelledTurn, in_dialogue
from seminar.types import Dialogue, Passage, Query, Reply, Span, Turn

SAME_SECTION = 0.3
ASKED = 0.3  # what the question's words count beside the answer's, to find the answer's passage
CHANGES = 5  # foreign dialogues in which each first question is asked


@dataclass(frozen=True)
class Case:
    """A question in its dialogue, the article that it is after, and how the topic moves."""

    question: str
    dialogue: Dialogue
    article: str
    move: str
    answer: str = ""  # where it stands in the article word for word


class Articles:
    """The Wikispeedia articles by title, cut into passages."""

    def __init__(self) -> None:
        self.passages: list[Passage] = []
        self._articles: dict[str, list[Passage]] = {}
        for article in documents("wikispeedia"):
            own = split(article)
            self.passages += own
            if own:
                self._articles.setdefault(article.title.lower(), own)

    def source(self, topic: str) -> str:
        """The article of a topic, whatever its capitals; "" where there is none."""
        own = self._articles.get(topic.lower())
        return own[0].source if own else ""

    def holds(self, topic: str, answer: str) -> bool:
        """Whether some passage of the article has the answer word for word."""
        words = spelling(answer)
        return any(words in spelling(one.text) for one in self._articles[topic.lower()])

    def span(self, example: Example) -> Span:
        """Where the gold answer most likely stands: the turns come without their passages."""
        passages = self._articles[example.gold.topic.lower()]
        bags = [terms(one.searched) for one in passages]
        rarity = inverse_document_frequencies(bags)
        answer, asked = terms(example.gold.answers[0]), terms(example.question)
        worth = [
            coverage(answer, bag, rarity)
            + ASKED * coverage(asked, bag, rarity)
            + SAME_SECTION * (one.section.split(" > ")[-1] == example.gold.section)
            for one, bag in zip(passages, bags, strict=True)
        ]
        passage = passages[worth.index(max(worth))]
        found = best_span(passage.text, example.gold.answers[0])
        return Span(passage, found.start, found.end) if found else Span(passage, 0, 0)


def cases(split_name: str, articles: Articles) -> list[Case]:
    """The turns whose topic is an article, in the order of the file."""
    asked = list(in_dialogue(load(f"topiocqa/{split_name}")))
    wanted = {one.example.dialogue_id for one in asked if articles.source(one.example.gold.topic)}
    asked = [one for one in asked if one.example.dialogue_id in wanted]
    turns = {one.example.id: _turn(one.example, articles) for one in asked}
    return [_case(one, turns, articles) for one in asked if articles.source(one.example.gold.topic)]


def _case(asked: LabelledTurn, turns: dict[str, Turn], articles: Articles) -> Case:
    example = asked.example
    topic, answer = example.gold.topic, example.gold.answers[0]
    before = [turns[f"{example.dialogue_id}_{turn}"] for turn in range(1, example.turn)]
    return Case(
        example.question,
        Dialogue(tuple(before)),
        articles.source(topic),
        asked.switch or "first",
        answer if articles.holds(topic, answer) else "",
    )


def _turn(example: Example, articles: Articles) -> Turn:
    """The turn with its gold answer, standing in its article where that is in the collection."""
    answer, query = example.gold.answers[0], Query(example.question)
    if not example.gold.topic:
        return Turn(example.question, Reply("", query))
    reply = Reply(answer, query, answerable=True)
    if articles.source(example.gold.topic):
        reply = replace(reply, literal=(articles.span(example),), topic=example.gold.topic)
    return Turn(example.question, reply)


def changes_of_subject(found: Sequence[Case], seed: int = 1) -> list[Case]:
    """First questions asked in the middle of other dialogues, where they belong to nothing."""
    chance = random.Random(seed)
    hosts = [one.dialogue for one in found if len(one.dialogue.trail) > 1]
    firsts = [one for one in found if not one.dialogue.turns]
    return [
        replace(one, dialogue=host, move="change of subject")
        for one in firsts
        for host in chance.sample(hosts, CHANGES)
    ]


def moves(found: Iterable[Case]) -> dict[str, list[int]]:
    """The positions of the cases by how the topic moves."""
    places: dict[str, list[int]] = {}
    for at, one in enumerate(found):
        places.setdefault(one.move, []).append(at)
    return places
