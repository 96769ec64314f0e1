"""Questions to ask next, each tried before it is suggested: the files answer all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import chain, zip_longest

from seminar.answering.already_told import Shown, enclosing, sentence_spans, shown_in
from seminar.answering.heading_questions import question_for_heading
from seminar.answering.names import names
from seminar.answering.question_generation import question_for
from seminar.text import terms
from seminar.types import Dialogue, Passage, Reply, Span, Turn

Ask = Callable[[Sequence[Dialogue], Sequence[str]], list[Reply]]

LIMIT = 3
_ASKING = frozenset(terms("tell about"))  # the words of a question that say nothing of its topic
TRIED = 5  # questions that are searched and read to choose from, which bounds the time of a turn


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A question, and the sentence that must answer it, or the terms that its place must have.

    A question about a section is answered under that heading, one about a name in a sentence or
    under a heading that has the name.
    """

    question: str
    place: Span | None = None
    heading: frozenset[str] = frozenset()
    name: frozenset[str] = frozenset()

    def is_met_by(self, answer: Span) -> bool:
        """Whether an answer stands where the question was made for."""
        sentence = enclosing(answer)
        if self.place is None:
            heading = terms(sentence.passage.heading)
            return self.heading <= heading and self.name <= heading | terms(sentence.text)
        same = sentence.passage.id == self.place.passage.id
        return same and sentence.start < self.place.end and self.place.start < sentence.end


class Followups:
    """Suggests at most `limit` questions, tried by `ask` in one batch for all replies.

    `ask` is an assistant that suggests nothing itself. A question is suggested only if it is
    answered at the place that it was made for, by words that were not shown yet.
    """

    def __init__(self, ask: Ask, *, limit: int = LIMIT, tried: int = TRIED) -> None:
        self.ask = ask
        self.limit, self.tried = limit, tried

    def suggest(
        self, dialogues: Sequence[Dialogue], replies: Sequence[Reply]
    ) -> list[tuple[str, ...]]:
        """The questions for each reply; none where nothing was answered."""
        after = [
            dialogue.add(Turn(reply.query.typed, reply))
            for dialogue, reply in zip(dialogues, replies, strict=True)
        ]
        candidates = [suggestions(dialogue)[: self.tried] for dialogue in after]
        asked = [
            (dialogue, suggestion.question)
            for dialogue, several in zip(after, candidates, strict=True)
            for suggestion in several
        ]
        if not asked:
            return [() for _ in replies]
        trials = iter(self.ask([dialogue for dialogue, _ in asked], [text for _, text in asked]))
        return [
            self._answered(shown_in(dialogue), [(one, next(trials)) for one in several])
            for dialogue, several in zip(after, candidates, strict=True)
        ]

    def _answered(
        self, shown: Shown, trials: Sequence[tuple[Suggestion, Reply]]
    ) -> tuple[str, ...]:
        answered: list[str] = []
        for suggestion, reply in trials:
            if not reply.answerable or shown.repeats(enclosing(reply.literal[0])):
                continue
            if suggestion.is_met_by(reply.literal[0]):
                answered.append(suggestion.question)
                shown = shown.add(reply.literal)  # two questions with one answer are one too many
        return tuple(answered[: self.limit])


def suggestions(dialogue: Dialogue) -> list[Suggestion]:
    """The questions that could be asked after the last turn, each different from all before."""
    reply = dialogue.turns[-1].reply
    if not reply.answerable or reply.meta:
        return []
    earlier = [turn.question for turn in dialogue.turns]
    earlier += [question for turn in dialogue.turns for question in turn.reply.followups]
    kinds = (
        _of_sentences(reply, shown_in(dialogue)),
        _of_sections(reply),
        _of_names(reply),
    )
    different: list[Suggestion] = []
    for suggestion in chain.from_iterable(zip_longest(*kinds)):  # some of each kind, best first
        before = [*earlier, *(one.question for one in different)]
        if suggestion and not any(_same(suggestion.question, other) for other in before):
            different.append(suggestion)
    return different


def _same(question: str, other: str) -> bool:
    """Whether two questions ask the same: one has no term that the other lacks."""
    return terms(question) - _ASKING <= terms(other)


def _of_sentences(reply: Reply, shown: Shown) -> Iterator[Suggestion]:
    """The sentences of the answer's passage, the extras' and its document's others.

    Only sentences that have the form of an answer give a question.
    """
    for passage in _passages(reply):
        known = terms(f"{passage.heading} {reply.query.typed} {reply.text}")
        for span in sentence_spans(passage):
            question = question_for(span.text)
            if question and _is_clear(question, known) and not shown.repeats(span):
                yield Suggestion(question, span)


def _is_clear(question: str, known: Set[str]) -> bool:
    """Whether one knows what a question is about: it has a name, two terms, or a known term."""
    return len(terms(question) - _ASKING) > 2 or bool(terms(question) & known or names(question))


def _of_sections(reply: Reply) -> Iterator[Suggestion]:
    """The other sections of the same document that were found."""
    own = reply.literal[0].passage
    for hit in reply.hits:
        passage = hit.passage
        if passage.source == own.source and passage.section != own.section:
            heading = passage.section.rpartition(" > ")[2]
            question = question_for_heading(heading, passage.text)
            # A word that other sections use too is no topic of its own.
            others = (one.passage for one in reply.hits if one.passage.section != passage.section)
            common = terms(" ".join(other.text for other in others))
            if question and not terms(heading) <= common:
                yield Suggestion(question, heading=frozenset(terms(heading)))


def _of_names(reply: Reply) -> Iterator[Suggestion]:
    """What the answer and its extras name or link to."""
    shown = [enclosing(span) for span in (*reply.literal, *(one.span for one in reply.pragmatic))]
    own = terms(reply.literal[0].passage.heading)
    for span in shown:
        anchors = [
            span.passage.text[link.start : link.end]
            for link in span.passage.links
            if span.start <= link.start and link.end <= span.end
        ]
        for name in (*(anchor for anchor in anchors if names(f"to {anchor}")), *names(span.text)):
            if not terms(name) <= own and (" " in name or name in anchors):
                article = "the " if f"the {name}" in span.text else ""
                question = f"Tell me about {article}{name}."
                yield Suggestion(question, name=frozenset(terms(name)))


def _passages(reply: Reply) -> list[Passage]:
    spans = (*reply.literal, *(one.span for one in reply.pragmatic))
    shown = [span.passage for span in spans]
    others = [hit.passage for hit in reply.hits if hit.passage.source == shown[0].source]
    return list({passage.id: passage for passage in (*shown, *others)}.values())
