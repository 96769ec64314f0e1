"""Replies to questions about the conversation itself: what is here, what was said, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial

from seminar.answering.acts import relevant_new
from seminar.answering.already_told import enclosing, sentence_spans, shown_in
from seminar.answering.excerpts import Excerpt, Excerpts
from seminar.answering.meta_questions import Kind, MetaQuestion, recognise
from seminar.answering.prose import is_prose
from seminar.answering.topics import switch_of
from seminar.protocols import Contents, Responder, Retriever
from seminar.text import terms
from seminar.types import Answer, Dialogue, Hit, Passage, Query, Reply, Span

MORE_SENTENCES = 2
QUOTED_SECTIONS = 3
QUOTED_PER_SIDE = 2  # of a comparison
LISTED_FILES = 20
SEARCHED = 10

WELCOME = "You're welcome."
FAREWELL = "Goodbye."
ACKNOWLEDGED = "Good. Ask on whenever you like."
ABILITIES = (
    "I answer questions from these files, in their own words, and say where each answer stands; "
    "where the files don't answer, I say so. I quote, I don't summarise. You can also ask: what "
    "files do you have? what do you know about …? tell me more; who said that? are you sure?"
)
HINT = "Ask “what files do you have?” to see what they are about."
NOTHING_YET = f"I haven't answered anything yet. {HINT}"
NO_MORE = "That is all I found there."
NO_COMPARISON = "I quote, I don't compare. Name two things: compare … with …"
UNCERTAIN = "I can be mistaken about what was asked; these are the words I answered from:"
REFUSED = "I found nothing likely enough to be an answer"
# The places of the answers that were given: the first was the reply, the others alternatives.
_CHOICES = {
    "first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1, "other": 1, "next": 1, "not": 1,
}  # fmt: skip
_LAST_TOPIC = frozenset("it that this them these those the last previous answer topic page".split())
_EVERYTHING = frozenset(
    "everything all of your my the these this files documents docs collection folder".split()
)


class ConversationResponder:
    """Replies to what asks about the conversation; anything else is left to the files.

    `contents` are the indexed files. `responder` composes the answers to "tell me more" and "who
    said that?", which are quotations as any other answer.
    """

    def __init__(self, retriever: Retriever, responder: Responder, *, contents: Contents) -> None:
        self.retriever, self.responder, self.contents = retriever, responder, contents
        self.excerpts = Excerpts(contents, retriever)
        self._replies: Mapping[Kind, Callable[[Dialogue, Query, MetaQuestion], Reply | None]] = {
            "greeting": self._greeting,
            "thanks": partial(_fixed, WELCOME),
            "farewell": partial(_fixed, FAREWELL),
            "acknowledgement": partial(_fixed, ACKNOWLEDGED),
            "abilities": self._abilities,
            "files": self._files,
            "sections": self._sections,
            "summary": self._summary,
            "said": self._said,
            "comparison": self._comparison,
            "repetition": _repetition,
            "doubt": _doubt,
            "evidence": _evidence,
            "more": self._more,
            "speaker": self._speaker,
            "choice": self._choice,
        }

    def reply(self, dialogues: Sequence[Dialogue], questions: Sequence[str]) -> list[Reply | None]:
        """The reply to each meta question, None for every other question."""
        return [
            self._reply(dialogue, question)
            for dialogue, question in zip(dialogues, questions, strict=True)
        ]

    def _reply(self, dialogue: Dialogue, question: str) -> Reply | None:
        asked = recognise(question)
        if asked is None:
            return None
        return self._replies[asked.kind](dialogue, Query(question, question), asked)

    def _greeting(self, dialogue: Dialogue, query: Query, asked: MetaQuestion) -> Reply:
        count = _counted(len(self.contents.sources()), "file")
        return _meta(query, f"Hello. I answer questions from {count}. {HINT}")

    def _abilities(self, dialogue: Dialogue, query: Query, asked: MetaQuestion) -> Reply:
        return _meta(query, f"{ABILITIES}\n{self._listing()}")

    def _files(self, dialogue: Dialogue, query: Query, asked: MetaQuestion) -> Reply:
        return _meta(query, self._listing())

    def _listing(self) -> str:
        """The indexed files with their titles, as many as one can take in."""
        sources = list(self.contents.sources())
        listed = sources[:LISTED_FILES]
        lines = [f"- {line}" for line in self._titled(listed)]
        rest = len(sources) - len(listed)
        more = [f"and {rest} more"] if rest else []
        return "\n".join([f"I answer from {_counted(len(sources), 'file')}:", *lines, *more])

    def _titled(self, sources: Sequence[str]) -> list[str]:
        """Each file with its title, where it is one document."""
        rankings = self.retriever.search([Query(source, scope=source) for source in sources], 1)
        titles = {hit.passage.source: hit.passage.title for hits in rankings for hit in hits}
        return [
            f"{source}: {title}" if (title := titles.get(source)) and title != source else source
            for source in sources
        ]

    def _sections(self, dialogue: Dialogue, query: Query, asked: MetaQuestion) -> Reply:
        topic = asked.topics[0]
        spans = self._openings(topic)
        if not spans:
            return self._nothing_on(query, topic)
        return _quoting(dialogue, query, f"These sections speak of {topic}:", spans)

    def _summary(self, dialogue: Dialogue, query: Query, asked: MetaQuestion) -> Reply:
        topic = _topic(dialogue, asked)
        if not topic:
            listing = self._listing()
            return _meta(query, f"I quote, I don't summarise. Name a topic. {listing}")
        excerpt = self.excerpts.find(topic)
        if excerpt:
            return _excerpted(dialogue, query, excerpt)
        spans = self._openings(topic)
        if not spans:
            return self._nothing_on(query, topic)
        intro = f"I quote, I don't summarise; here is what the files say on {topic}:"
        return _quoting(dialogue, query, intro, spans)

    def _said(self, dialogue: Dialogue, query: Query, asked: MetaQuestion) -> Reply | None:
        """What was written in a channel or period; None where the topic is about something else."""
        excerpt = self.excerpts.find(asked.topics[0])
        if excerpt is None or excerpt.subject:
            return None
        return _excerpted(dialogue, query, excerpt)

    def _comparison(self, dialogue: Dialogue, query: Query, asked: MetaQuestion) -> Reply:
        topics = asked.topics if len(asked.topics) > 1 else ()
        if not topics:
            return _meta(query, "I quote, I don't compare. Name the two: compare … with …")
        quoted = [self._openings(topic)[:QUOTED_PER_SIDE] for topic in topics]
        missing = [topic for topic, spans in zip(topics, quoted, strict=True) if not spans]
        if missing:
            return self._nothing_on(query, " or ".join(missing))
        intro = (
            f"I quote, I don't compare; here is what the files say on {' and on '.join(topics)}:"
        )
        unique = {(span.passage.id, span.start): span for spans in quoted for span in spans}
        return _quoting(dialogue, query, intro, list(unique.values()))

    def _openings(self, topic: str) -> list[Span]:
        """A sentence of each section on a topic: those named after it first, as they were found."""
        [hits] = self.retriever.search([Query(topic)], SEARCHED)
        wanted = terms(topic)
        sections: dict[tuple[str, str], tuple[tuple[bool, bool], Span]] = {}
        for hit in hits:
            passage = hit.passage
            named = wanted <= terms(f"{passage.source} {passage.heading}")
            opening = _opening(passage, frozenset() if named else wanted)
            if opening:
                rank = not named, bool(passage.section)  # a document begins without a section
                sections.setdefault((passage.source, passage.section), (rank, opening))
        ordered = sorted(sections.values(), key=lambda section: section[0])
        return [opening for _, opening in ordered[:QUOTED_SECTIONS]]

    def _nothing_on(self, query: Query, topic: str) -> Reply:
        return _meta(query, f"No section speaks of {topic}. {self._listing()}")

    def _more(self, dialogue: Dialogue, query: Query, asked: MetaQuestion) -> Reply:
        """The next new sentences after the last answer, as one answer."""
        last = last_answer(dialogue)
        if last is None:
            return _meta(query, NOTHING_YET)
        sentences = _new_sentences(dialogue, last, last.hits)
        if not sentences:
            [hits] = self.retriever.search([Query(last.literal[-1].passage.heading)], SEARCHED)
            sentences = _new_sentences(dialogue, last, hits)
        if not sentences:
            return _meta(query, NO_MORE)
        answer = Answer(sentences[0], 1.0, also=tuple(sentences[1:MORE_SENTENCES]))
        return self._composed(dialogue, query, last.hits, answer)

    def _speaker(self, dialogue: Dialogue, query: Query, asked: MetaQuestion) -> Reply | None:
        """Who said the last answer; None where it comes from no message, for a reader to tell."""
        last = last_answer(dialogue)
        utterance = last.literal[0].utterance if last else None
        if last is None or utterance is None:
            return None
        span = last.literal[0]
        name = span.passage.speaker_label(utterance)
        if name is None:  # the place names who spoke, though the passage doesn't
            return _evidence(dialogue, query, asked)
        return self._composed(dialogue, query, last.hits, Answer(name, 1.0, also=(span,)))

    def _choice(self, dialogue: Dialogue, query: Query, asked: MetaQuestion) -> Reply | None:
        """The alternative that was chosen; None where the last reply had no alternatives."""
        last = dialogue.turns[-1].reply if dialogue.turns else None
        if last is None or not last.alternatives:
            return None
        place = _CHOICES[asked.topics[0].lower()]
        if place == 0:
            return _repetition(dialogue, query, asked)
        if place > len(last.alternatives):
            return _meta(query, f"I gave {_counted(1 + len(last.alternatives), 'answer')}.")
        chosen = last.alternatives[place - 1 if place > 0 else place].answer
        return self._composed(dialogue, replace(query, text=last.query.text), last.hits, chosen)

    def _composed(
        self, dialogue: Dialogue, query: Query, hits: tuple[Hit, ...], answer: Answer
    ) -> Reply:
        [reply] = self.responder.respond([dialogue], [query], [hits], [[answer]])
        return reply


def last_answer(dialogue: Dialogue) -> Reply | None:
    """The last reply that answered from the files."""
    replies = (turn.reply for turn in reversed(dialogue.turns) if not turn.reply.meta)
    return next((reply for reply in replies if reply.literal), None)


def _last_reply(dialogue: Dialogue) -> Reply | None:
    """The last reply to a question of the files, answered or refused."""
    replies = (turn.reply for turn in reversed(dialogue.turns))
    return next((reply for reply in replies if not reply.meta), None)


def _repetition(dialogue: Dialogue, query: Query, asked: MetaQuestion) -> Reply:
    """What was replied last, word for word."""
    if not dialogue.turns:
        return _meta(query, NOTHING_YET)
    last = dialogue.turns[-1].reply
    return _citing(query, last.text, last)


def _doubt(dialogue: Dialogue, query: Query, asked: MetaQuestion) -> Reply:
    """How likely the last answer is, and the words that it came from."""
    last = _last_reply(dialogue)
    if last is None:
        return _meta(query, NOTHING_YET)
    if not last.literal:
        return _meta(query, _refusal(last))
    chance = f"I am {last.score:.0%} sure. " if last.score else ""
    return _citing(query, chance + _quoted(UNCERTAIN, last), last)


def _evidence(dialogue: Dialogue, query: Query, asked: MetaQuestion) -> Reply:
    """The sentence that the last answer came from."""
    last = _last_reply(dialogue)
    if last is None:
        return _meta(query, NOTHING_YET)
    if not last.literal:
        return _meta(query, _refusal(last))
    source = last.literal[0].source
    return _citing(query, _quoted(f"Because {source} says:", last), last)


def _refusal(last: Reply) -> str:
    near = f"; the nearest sentence is “{last.nearest.text}”" if last.nearest else ""
    return f"{REFUSED}{near}."


def _quoted(intro: str, last: Reply) -> str:
    return f"{intro} “{' … '.join(enclosing(span).text for span in last.literal)}”"


def _citing(query: Query, text: str, last: Reply) -> Reply:
    """A reply about the last one, with its citations."""
    return replace(_meta(query, text), literal=last.literal, answerable=bool(last.literal))


def _quoting(dialogue: Dialogue, query: Query, intro: str, spans: Sequence[Span]) -> Reply:
    """Sentences of the files after a line of our own; their topic is one to ask on about."""
    passage = spans[0].passage
    return Reply(
        text="\n".join([intro, *(f"“{span.text}”" for span in spans)]),
        query=query,
        answerable=True,
        literal=tuple(spans),
        topic=passage.title,
        switch=switch_of(dialogue, passage.source),
        meta=True,
    )


def _meta(query: Query, text: str) -> Reply:
    return Reply(text, query, meta=True)


def _fixed(text: str, dialogue: Dialogue, query: Query, asked: MetaQuestion) -> Reply:
    return _meta(query, text)


def _topic(dialogue: Dialogue, asked: MetaQuestion) -> str:
    """The topic of a summary, which may be the last answer's; "" for all files together."""
    named = asked.topics[0] if asked.topics else "that"
    words = set(named.lower().split())
    if names_everything(named):
        return ""
    last = last_answer(dialogue)
    if words <= _LAST_TOPIC:
        return last.literal[0].passage.heading if last else ""
    return named


def names_everything(topic: str) -> bool:
    """Whether a topic is all files, as in "these documents"."""
    words = set(topic.lower().split())
    return words <= _EVERYTHING and not words <= _LAST_TOPIC


def _excerpted(dialogue: Dialogue, query: Query, excerpt: Excerpt) -> Reply:
    """A sentence of each of the first messages or sections of an excerpt, or why there is none."""
    found: dict[tuple[str, str], Span] = {}
    for part in excerpt.spans:
        passage = part.passage
        own = (one for one in sentence_spans(passage) if part.start <= one.start < part.end)
        opening = next((one for one in own if is_prose(one)), None)
        if opening and len(found) < QUOTED_SECTIONS:
            found.setdefault((passage.source, passage.section), opening)
    if excerpt.problem or not found:
        nothing = f"There is no sentence to quote {excerpt.name}."
        return replace(_meta(query, excerpt.problem or nothing), notes=excerpt.notes)
    intro = f"I quote, I don't summarise; here is what was written {excerpt.name}:"
    quoted = _quoting(dialogue, query, intro, list(found.values()))
    return replace(quoted, notes=excerpt.notes)


def _opening(passage: Passage, wanted: Set[str]) -> Span | None:
    """The first sentence of a passage that can be shown by itself and has most of some terms."""
    return next(
        (
            span
            for span in sentence_spans(passage)
            if 2 * len(wanted & terms(span.text)) >= len(wanted) and is_prose(span)
        ),
        None,
    )


def _new_sentences(dialogue: Dialogue, last: Reply, hits: Sequence[Hit]) -> list[Span]:
    return relevant_new(last.query, hits, literal=last.literal[-1], shown=shown_in(dialogue))


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
