"""What only a language model can do with files: summarise them, compare what they say."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from seminar.answering.excerpts import MOST_READ, Excerpts
from seminar.answering.meta_questions import MetaQuestion, recognise
from seminar.answering.meta_replies import names_everything
from seminar.models.llm.chat import ChatModel, Completion, Listener, Message
from seminar.protocols import Contents, Retriever
from seminar.text import terms
from seminar.types import Dialogue, Hit, Passage, Prose, Query, Reply, Segment, Span
from seminar.writing.budget import Budget
from seminar.writing.completions import parse
from seminar.writing.grounding import Grounder
from seminar.writing.prompts import chat_about
from seminar.writing.summaries import MOST_PASSAGES, Summariser

SEARCHED = 10
SUMMARISED = ("summary", "said")
PER_SIDE = 3  # passages of each side of a comparison
TASK = (
    "Compare the two that are named. Write two sentences on each, then how they differ, as far as "
    "the passages say it."
)


class Requests:
    """Replies to requests for a summary or a comparison, with prose; None for anything else."""

    def __init__(
        self,
        model: ChatModel,
        retriever: Retriever,
        grounder: Grounder,
        *,
        budget: Callable[[], Budget],
        contents: Contents,
        folder: Path,
    ) -> None:
        self.model, self.retriever, self.grounder = model, retriever, grounder
        self.budget, self.contents, self.folder = budget, contents, folder
        self.excerpts = Excerpts(contents, retriever)

    def write(self, reply: Reply, listen: Listener) -> Reply | None:
        asked = recognise(reply.query.typed)
        kind = asked.kind if asked else ""
        if asked and kind == "comparison":
            return self._comparison(reply, asked, listen)
        return self._summary(reply, asked, listen) if asked and kind in SUMMARISED else None

    def _summary(self, reply: Reply, asked: MetaQuestion, listen: Listener) -> Reply:
        topic = asked.topics[0] if asked.topics else ""
        found = self._about(reply, topic)
        if not found:
            return reply
        digest = hashlib.sha256(reply.query.typed.encode()).hexdigest()[:16]
        folder = self.folder / digest
        summariser = Summariser(self.model, self.grounder, self.budget(), folder=folder)
        prose = summariser.summarise(topic, found, listen)
        more = len(found) - MOST_PASSAGES
        notes = [f"{more} passages were too many and are left out"] if more > 0 else []
        return _written(reply, prose, notes)

    def _about(self, reply: Reply, topic: str) -> list[Span]:
        """What a topic names, else what is found on it; everything only where that is asked."""
        excerpt = self.excerpts.find(topic)
        if excerpt:
            return list(excerpt.spans)
        if reply.literal:
            return [_whole(one) for one in self._document(reply.literal[0].passage, topic)]
        if topic and not names_everything(topic):
            return []
        return [_whole(one) for one in self.contents.passages("", limit=MOST_READ)]

    def _document(self, first: Passage, topic: str) -> list[Passage]:
        """The first quotation's document or section if a topic names it, else what is found."""
        scoped = self.contents.passages(first.scope, limit=MOST_READ)
        document = [one for one in scoped if one.source == first.source]
        wanted = terms(topic)
        if first.section and wanted <= terms(first.section) and wanted:
            return [one for one in document if one.section == first.section]
        if wanted <= terms(f"{first.source} {first.heading}"):
            return document
        [hits] = self.retriever.search([Query(topic)], SEARCHED)
        return [hit.passage for hit in hits]

    def _comparison(self, reply: Reply, asked: MetaQuestion, listen: Listener) -> Reply:
        sides = asked.topics
        if len(sides) < 2 or not reply.literal:
            return reply
        query = reply.query
        rankings = self.retriever.search([Query(side) for side in sides], SEARCHED)
        budget, empty = self.budget(), chat_about([], query, Dialogue(), task=TASK)
        half = replace(budget, answer=budget.answer + int(budget.room(empty) / 2))
        spans: list[Span] = []
        owners: dict[str, str] = {}
        for side, hits in zip(sides, shared_out(rankings), strict=True):
            own = half.passages(Query(side), hits[:PER_SIDE], empty)
            owners |= {span.passage.id: side for span in own}
            spans += own
        messages = chat_about(spans, query, Dialogue(), task=TASK)
        prose = self._prose(messages, spans, query, listen)
        told = tuple(replace(one, side=side_of(one, owners)) for one in prose.segments)
        return _written(reply, replace(prose, segments=told), [])

    def _prose(
        self, messages: Sequence[Message], spans: Sequence[Span], query: Query, listen: Listener
    ) -> Prose:
        made: Completion = self.model.chat(messages, listen)
        statements = parse(made.text).statements
        statements = statements[:-1] if made.cut else statements
        segments = self.grounder.ground(statements, spans, query.text)
        told = tuple(one for one in segments if one.spans)
        return Prose(told, len(segments) - len(told), made.read, made.written)


def _whole(passage: Passage) -> Span:
    return Span(passage, 0, len(passage.text))


def shared_out(rankings: Sequence[Sequence[Hit]]) -> list[list[Hit]]:
    """Rankings without the hits that another one has before them, the first among equals."""
    places: dict[str, tuple[int, int]] = {}
    for side, hits in enumerate(rankings):
        for rank, hit in enumerate(hits):
            known = places.setdefault(hit.passage.id, (rank, side))
            places[hit.passage.id] = min(known, (rank, side))
    return [
        [hit for hit in hits if places[hit.passage.id][1] == side]
        for side, hits in enumerate(rankings)
    ]


def side_of(segment: Segment, owners: Mapping[str, str]) -> str:
    """The compared thing whose passages alone bear a sentence out, if it names no other one."""
    found = {owners[span.passage.id] for span in segment.spans}
    if len(found) != 1:
        return ""
    [side] = found
    told = terms(segment.text)
    others = [terms(other) - terms(side) for other in set(owners.values()) - found]
    return "" if any(other and other <= told for other in others) else side


def _written(reply: Reply, prose: Prose, notes: Sequence[str]) -> Reply:
    """The reply with prose as its text and the words behind it as its quotations."""
    notes = (*reply.notes, *notes)
    if prose.left_out:
        nouns = "sentence" if prose.left_out == 1 else "sentences"
        lost = f"{prose.left_out} {nouns} of the language model not borne out by the passages"
        notes = (*notes, f"{lost}: left out")
    if not prose.segments:
        return replace(reply, prose=prose, notes=notes)
    spans = dict.fromkeys(span for one in prose.segments for span in one.spans)
    return replace(
        reply, text=prose.text, prose=prose, literal=tuple(spans), answerable=True, notes=notes
    )
