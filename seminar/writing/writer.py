"""The writer: prose from the passages that were found, grounded and weighed against the reader.

The embedded line has answered already; whatever fails here leaves its reply standing, with a note.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from seminar.answering.interpretations import readings
from seminar.errors import EndpointError
from seminar.models.llm.chat import ChatModel, Completion, Listener
from seminar.protocols import Reader, Responder, Retriever
from seminar.questions.llm_planner import Plan, Planner, needs_plan
from seminar.reading.equivalence import spans_overlap
from seminar.types import (
    Alternative,
    Answer,
    Dialogue,
    Hit,
    Prose,
    Query,
    Reply,
    Representation,
    Segment,
    Span,
)
from seminar.writing.budget import Budget
from seminar.writing.completions import parse
from seminar.writing.grounding import Grounder
from seminar.writing.prompts import STEPS, asks_for_steps, chat_about
from seminar.writing.requests import Requests
from seminar.writing.weighing import Candidate, Weighing, Written

STANDS = "the answer was found without it"
CANDIDATES = 4  # answers of the embedded reader that are weighed


@dataclass(frozen=True, slots=True)
class Embedded:
    """The embedded stages that search, read and compose what the model takes part in."""

    retriever: Retriever
    reader: Reader
    responder: Responder
    hits: int = 10


@dataclass(frozen=True, slots=True)
class Manner:
    """How prose is told: `quoted` in exact words alone, `marked` with what nothing bears out."""

    threshold: float = 0.3
    quoted: bool = False
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """A completion with what bears its sentences out."""

    completion: Completion
    segments: tuple[Segment, ...]
    written: Written

    def prose(self, manner: Manner, plan: Plan, *, kept: bool = True) -> Prose:
        """The sentences that are told, where the model's answer is, and what they cost."""
        told = [one for one in self.segments if one.spans or manner.marked]
        return Prose(
            tuple(told) if kept and not manner.quoted else (),
            sum(not one.spans for one in self.segments),
            self.completion.read + plan.read,
            self.completion.written + plan.written,
        )


class ProseWriter:
    """Writes the prose of replies: plan, search, write, ground, weigh.

    The model reads one prompt with all passages. What it writes counts as far as words of the
    passages bear it out, and as a second witness beside the embedded reader, never alone.
    """

    def __init__(
        self,
        model: ChatModel,
        embedded: Embedded,
        grounder: Grounder,
        *,
        planner: Planner,
        budget: Callable[[], Budget],
        requests: Requests | None = None,
        manner: Manner | None = None,
        weighing: Weighing | None = None,
    ) -> None:
        self.model, self.embedded, self.grounder = model, embedded, grounder
        self.planner, self.budget = planner, budget
        self.requests = requests
        self.manner, self.weighing = manner or Manner(), weighing or Weighing()

    def write(
        self, dialogues: Sequence[Dialogue], replies: Sequence[Reply], listen: Listener
    ) -> list[Reply]:
        """Each reply with its prose, or as it was with a note on what failed."""
        return [
            self._requested(reply, listen) if reply.meta else self._write(dialogue, reply, listen)
            for dialogue, reply in zip(dialogues, replies, strict=True)
        ]

    def _requested(self, reply: Reply, listen: Listener) -> Reply:
        """A reply about the conversation, with the summary or comparison that it asks for."""
        if self.requests is None or self.manner.quoted:
            return reply
        try:
            return self.requests.write(reply, listen) or reply
        except EndpointError as error:
            return _noted(reply, f"{error}; the files were quoted instead")

    def _write(self, dialogue: Dialogue, reply: Reply, listen: Listener) -> Reply:
        query = reply.query
        plan = self.planner.plan(query) if needs_plan(query) else Plan(query.typed)
        query = planned(query, plan)
        hits: Sequence[Hit] = reply.hits
        if query != reply.query:
            [searched] = self.embedded.retriever.search([query], k=self.embedded.hits)
            hits = searched or hits
        found = replace(reply, query=query, hits=tuple(hits), notes=(*reply.notes, *plan.notes))
        try:
            draft = self.draft(dialogue, query, hits, listen)
        except EndpointError as error:
            return _noted(replace(reply, notes=found.notes), f"{error}; {STANDS}")
        in_full = replace(query, question=plan.question)
        [answers] = self.embedded.reader.read([in_full], [hits])
        weighed = self.weighing.weigh(_with_literal(answers, reply), draft.written)
        return self._decided(dialogue, found, draft, weighed, plan)

    def draft(
        self, dialogue: Dialogue, query: Query, hits: Sequence[Hit], listen: Listener
    ) -> Draft:
        """What the model writes from the hits, with what bears it out."""
        task = STEPS if asks_for_steps(query.typed) else ""
        said = chat_about([], query, dialogue, task=task)
        passages = self.budget().passages(query, hits, said)
        completion = self.model.chat(chat_about(passages, query, dialogue, task=task), listen)
        return self.grounded(completion, passages, query)

    def grounded(self, completion: Completion, passages: Sequence[Span], query: Query) -> Draft:
        """A completion with what bears each of its whole sentences out."""
        parsed = parse(completion.text)
        statements = parsed.statements[:-1] if completion.cut else parsed.statements
        segments = tuple(self.grounder.ground(statements, passages, query.text))
        borne_out = tuple(one for one in segments if one.spans)
        written = Written(borne_out, parsed.affirmation, parsed.absent)
        return Draft(completion, segments, written)

    def _decided(
        self,
        dialogue: Dialogue,
        reply: Reply,
        draft: Draft,
        weighed: Sequence[Candidate],
        plan: Plan,
    ) -> Reply:
        """The reply with the best candidate as its answer, and the prose where it tells that."""
        best = weighed[0] if weighed else None
        notes = _notes(draft, best, self.manner)
        if best is None or best.answer.score < self.manner.threshold:
            refused = self._composed(dialogue, reply, [])
            prose = draft.prose(self.manner, plan, kept=False)
            return _noted(replace(refused, prose=prose), *notes)
        agreed = best.verdict.written
        told = self._told(dialogue, reply, best.answer)
        if not agreed:
            told = replace(told, alternatives=(*told.alternatives, *_others(weighed, self.manner)))
        prose = draft.prose(self.manner, plan, kept=agreed)
        if not self.manner.quoted:
            asked = clarification(best.answer, told)
            prose = replace(woven(prose, told), clarification=asked)
        return _noted(replace(told, prose=prose), *notes)

    def _told(self, dialogue: Dialogue, reply: Reply, answer: Answer) -> Reply:
        """The reply with this answer: as it was where it is the same."""
        same = reply.answerable and reply.literal[:1] == (answer.span,)
        if same and answer.affirmation == reply.affirmation:
            return replace(reply, score=answer.score)
        return self._composed(dialogue, reply, [answer])

    def _composed(self, dialogue: Dialogue, reply: Reply, answers: Sequence[Answer]) -> Reply:
        [composed] = self.embedded.responder.respond(
            [dialogue], [reply.query], [reply.hits], [answers]
        )
        return replace(composed, notes=reply.notes)


def planned(query: Query, plan: Plan) -> Query:
    """The query with the plan's question as its text, beside what else is searched."""
    if plan.question == query.text and not plan.queries:
        return query
    if plan.question == query.typed and not plan.queries:
        return query
    weight = max((one.weight for one in query.representations), default=1.0)
    others = query.representations or (Representation(query.text, weight),)
    added = [Representation(text, weight) for text in (plan.question, *plan.queries)]
    known = {one.text for one in others}
    fresh = [one for one in added if one.text not in known]
    return replace(query, text=plan.question, vector=None, representations=(*fresh, *others))


def woven(prose: Prose, reply: Reply) -> Prose:
    """Prose with the extras of its reply: a sentence that tells one is marked, else it is added."""
    if not prose.segments:
        return prose
    segments = list(prose.segments)
    for extra in reply.pragmatic:
        told = [at for at, one in enumerate(segments) if _tells_extra(one, extra.span, reply)]
        if told:
            segments[told[0]] = replace(segments[told[0]], role=extra.role)
        else:
            words = " ".join(extra.span.text.split())
            segments.append(Segment(words, (extra.span,), 1.0, role=extra.role))
    return replace(prose, segments=tuple(segments))


def _tells_extra(segment: Segment, extra: Span, reply: Reply) -> bool:
    """Whether a sentence rests on an extra, and not on the answer too."""
    asked = any(spans_overlap(span, own) for span in segment.spans for own in reply.literal)
    return not asked and any(spans_overlap(span, extra) for span in segment.spans)


def clarification(answer: Answer, reply: Reply) -> str:
    """A question that asks which reading is meant, where the answers have readings of their own."""
    answers = [answer, *(one.answer for one in reply.alternatives)]
    found = list(dict.fromkeys(one for one in readings(reply.query.typed, answers) if one))
    if len(found) < 2:
        return ""
    *others, last = found
    return f"Which do you mean: {', '.join(others)}, or {last}?"


def _with_literal(answers: Sequence[Answer], reply: Reply) -> list[Answer]:
    """The reader's best answers, the one that is on the screen among them."""
    best = list(answers[:CANDIDATES])
    if not reply.literal or any(reply.literal[0] == one.span for one in best):
        return best
    first, *others = reply.literal
    return [Answer(first, reply.score or 0.0, reply.affirmation, also=tuple(others)), *best]


def _others(weighed: Sequence[Candidate], manner: Manner) -> list[Alternative]:
    """What the model wrote instead, where that is probable too."""
    best, *others = weighed
    return [
        Alternative(one.answer)
        for one in others[:1]
        if one.verdict.written
        and one.answer.score >= manner.threshold
        and not spans_overlap(one.answer.span, best.answer.span)
    ]


def _notes(draft: Draft, best: Candidate | None, manner: Manner) -> list[str]:
    """What was left out, cut off or stayed in dispute."""
    lost = sum(not one.spans for one in draft.segments)
    notes = []
    if draft.completion.cut:
        notes.append(f"the language model's answer is cut off: {draft.completion.cut}")
    if lost:
        what = "marked" if manner.marked else "left out"
        nouns = "sentence" if lost == 1 else "sentences"
        notes.append(f"{lost} {nouns} of the language model not borne out by the passages: {what}")
    if best is None or best.answer.score < manner.threshold:
        return notes
    if best.verdict.absent:
        notes.append("the language model found no answer in these passages")
    elif best.verdict.otherwise:
        notes.append("the language model answered something else, which the reader doubts")
    return notes


def _noted(reply: Reply, *notes: str) -> Reply:
    return replace(reply, notes=tuple(dict.fromkeys([*reply.notes, *notes])))
