"""Questions to ask next, each tried before it is suggested: none that these files can't answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from seminar.answering.already_told import Said, enclosing, said_in, sentence_spans
from seminar.answering.names import names
from seminar.answering.question_generation import question_for
from seminar.text import terms
from seminar.types import Dialogue, Passage, Reply, Span, Turn

Ask = Callable[[Sequence[Dialogue], Sequence[str]], list[Reply]]

LIMIT = 3
TRIED = 5  # what a turn may cost: so many more questions are searched and read
# A heading that is a thing one can ask about, not a sentence, a question or an activity.
_THING = re.compile(r"(?:The )?[A-Za-z’'-]+(?: [a-zA-Z’'-]+){0,3}")
_HOLLOW = frozenset(
    """
    introduction overview summary background notes note references contents see also external links
    appendix miscellaneous other general about more further conclusion how what why when where who
    """.split()
)
_PREPOSITIONS = frozenset(
    "from to at in on by for with after before until since near under over between".split()
)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A question, the terms that its answer must speak of, and the sentence that answers it."""

    question: str
    about: frozenset[str]
    place: Span | None = None

    def is_met_by(self, answer: Span) -> bool:
        """Whether an answer is what the question was made for."""
        sentence = enclosing(answer)
        if self.place is not None:
            same = sentence.passage.id == self.place.passage.id
            return same and sentence.start < self.place.end and self.place.start < sentence.end
        return self.about <= terms(f"{sentence.passage.heading} {sentence.text}")


class Followups:
    """Suggests at most `limit` questions, tried by `ask` in one batch for all replies.

    `ask` is an assistant that suggests nothing itself. A question is shown only if it was answered
    by the words that it was made for, and these were not told yet.
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
        made = [suggestions(dialogue)[: self.tried] for dialogue in after]
        asked = [
            (dialogue, one.question)
            for dialogue, several in zip(after, made, strict=True)
            for one in several
        ]
        if not asked:
            return [() for _ in replies]
        tried = iter(self.ask([dialogue for dialogue, _ in asked], [text for _, text in asked]))
        return [
            self._answered(said_in(dialogue), [(one, next(tried)) for one in several])
            for dialogue, several in zip(after, made, strict=True)
        ]

    def _answered(self, said: Said, tried: Sequence[tuple[Suggestion, Reply]]) -> tuple[str, ...]:
        shown: list[str] = []
        for one, reply in tried:
            if not reply.answerable or said.repeats(enclosing(reply.literal[0])):
                continue
            if one.is_met_by(reply.literal[0]):
                shown.append(one.question)
                said = said.add(reply.literal)  # two questions with one answer are one too many
        return tuple(shown[: self.limit])


def suggestions(dialogue: Dialogue) -> list[Suggestion]:
    """What could be asked after the last turn: of unsaid sentences, of names, of other sections."""
    reply = dialogue.turns[-1].reply
    if not reply.answerable or reply.meta:
        return []
    asked = [terms(turn.question) for turn in dialogue.turns]
    kinds = (_of_sentences(reply, said_in(dialogue)), _of_names(reply), _of_sections(reply))
    found: dict[str, Suggestion] = {}
    for one in chain.from_iterable(zip_longest(*kinds)):  # some of each kind, the best first
        if one and not any(terms(one.question) <= before for before in asked):
            found.setdefault(one.question, one)
    return [one for one in found.values() if not any(one.about <= before for before in asked)]


def _of_sentences(reply: Reply, said: Said) -> Iterator[Suggestion]:
    """Unsaid sentences beside the answer and the extras that have the form of an answer."""
    for passage in _passages(reply):
        for span in sentence_spans(passage):
            question = question_for(span.text)
            if question and not said.repeats(span):
                yield Suggestion(question, frozenset(terms(question)), span)


def _of_names(reply: Reply) -> Iterator[Suggestion]:
    """What the answer and its extras name or link to."""
    shown = [enclosing(span) for span in (*reply.literal, *(one.span for one in reply.pragmatic))]
    for span in shown:
        links = (
            span.passage.text[link.start : link.end]
            for link in span.passage.links
            if span.start <= link.start and link.end <= span.end
        )
        for name in (*(one for one in links if names(f"to {one}")), *names(span.text)):
            if not terms(name) <= terms(reply.topic):
                yield Suggestion(f"Tell me about {name}.", frozenset(terms(name)))


def _of_sections(reply: Reply) -> Iterator[Suggestion]:
    """The other sections of the same document that were found."""
    [literal, *_] = reply.literal
    for hit in reply.hits:
        passage = hit.passage
        if passage.source != literal.passage.source or passage.section == literal.passage.section:
            continue
        title = passage.section.rpartition(" > ")[2]
        if _is_thing(title):
            yield Suggestion(_about_section(title, passage.title), frozenset(terms(title)))


def _is_thing(title: str) -> bool:
    """Whether one can ask what about it: "Fares", not "From school to college"."""
    if not _THING.fullmatch(title):  # a document begins without one
        return False
    words = title.lower().split()
    return not _HOLLOW.intersection(words) and words[0] not in _PREPOSITIONS and _is_noun(words[-1])


def _is_noun(word: str) -> bool:
    """A guess that is wrong on the safe side: headings in -ing and -ed tend to be activities."""
    return not word.endswith(("ing", "ed", "ly"))


def _about_section(title: str, document: str) -> str:
    """The question for a section: a name is asked for as it is, a thing as the document's."""
    thing = title.removeprefix("The ")
    if " " in thing and names(f"to {thing}") == [thing]:
        return f"Tell me about {_within_a_sentence(title)}."
    return f"What about the {thing[0].lower()}{thing[1:]} of {_within_a_sentence(document)}?"


def _within_a_sentence(title: str) -> str:
    return f"the {title[4:]}" if title.startswith("The ") else title


def _passages(reply: Reply) -> list[Passage]:
    spans = (*reply.literal, *(one.span for one in reply.pragmatic))
    return list({span.passage.id: span.passage for span in spans}.values())
