"""Generate questions to collect answers to, from chunks and their summaries.

QAConv's section 2.1.2 (Wu et al., 2022): a question is too easy if a reader gives the answer that
the question was made from.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from seminar.collection.questions.llm_questions import write_questions, write_summaries
from seminar.collection.questions.question_candidates import Candidate, Judged, Origin
from seminar.collection.questions.rules import broken_rules
from seminar.collection.questions.summaries import sentences_of, summarise
from seminar.collection.questions.templates import questions_about
from seminar.metrics.measures.normalisation import normalise
from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Encoder, Generator, Reader
from seminar.settings import Settings
from seminar.stages import build_reader, open_language_model
from seminar.types import Hit, Passage, Query, Span

BATCH = 8  # chunks given to a reader or a language model at a time
PER_CHUNK = 4  # questions of a chunk and as many of its summary, as the paper shows four
PER_KIND = 2


@dataclass(frozen=True, slots=True)
class QuestionGenerator:
    """Generates questions from chunks and judges them, with a language model or by templates.

    The same seed gives the same questions of the same chunks.
    """

    reader: Reader
    encoder: Encoder
    model: Generator | None = None
    seed: int = 0

    def generate(self, passages: Iterable[Passage]) -> Iterator[Judged]:
        """The questions of each chunk, judged, in the chunks' order."""
        chance = random.Random(self.seed)
        waiting = iter(passages)
        while batch := list(islice(waiting, BATCH)):
            written = self._written(batch) if self.model else self._by_templates(batch, chance)
            yield from self._judge(_distinct(written))

    def _by_templates(
        self, passages: Sequence[Passage], chance: random.Random
    ) -> Iterator[Candidate]:
        for passage in passages:
            yield from _chosen(summarise(passage, self.encoder), "summary", chance)
            yield from _chosen(sentences_of(passage), "chunk", chance)

    def _written(self, passages: Sequence[Passage]) -> Iterator[Candidate]:
        if self.model is None:
            return
        texts = [passage.text for passage in passages]
        summaries = write_summaries(self.model, passages)
        of_summaries = write_questions(self.model, passages, summaries, "summary")
        of_chunks = write_questions(self.model, passages, texts, "chunk")
        for several in zip(of_summaries, of_chunks, strict=True):
            for candidates in several:
                yield from candidates

    def _judge(self, candidates: Sequence[Candidate]) -> Iterator[Judged]:
        failed = [
            broken_rules(candidate.question, candidate.answer, candidate.passage.text)
            for candidate in candidates
        ]
        read = [candidate for candidate, rules in zip(candidates, failed, strict=True) if not rules]
        queries = [Query(candidate.question, question=candidate.question) for candidate in read]
        answers = iter(
            self.reader.read(queries, [[Hit(candidate.passage, 1.0)] for candidate in read])
        )
        for candidate, rules in zip(candidates, failed, strict=True):
            if rules:
                yield Judged(candidate, rules)
            else:
                own = next(answers)
                easy = bool(own) and normalise(own[0].span.text) == normalise(candidate.answer)
                yield Judged(candidate, easy=easy)


def _chosen(
    sentences: Sequence[Span], origin: Origin, chance: random.Random
) -> Iterator[Candidate]:
    """Some of the questions that the sentences give, of several kinds."""
    questions = [question for sentence in sentences for question in questions_about(sentence)]
    chance.shuffle(questions)
    taken: dict[str, int] = {}
    for question, answer, kind in questions:
        taken[kind] = taken.get(kind, 0) + 1
        if taken[kind] <= PER_KIND and sum(min(n, PER_KIND) for n in taken.values()) <= PER_CHUNK:
            yield Candidate(question, answer.text, answer.passage, origin, kind, answer)


def _distinct(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The first of the candidates that share a chunk and a question."""
    first: dict[tuple[str, str], Candidate] = {}
    for candidate in candidates:
        first.setdefault((candidate.passage.id, candidate.question), candidate)
    return list(first.values())


def open_generator(settings: Settings, *, seed: int = 0) -> QuestionGenerator:
    """A generator with the settings' reader and, if one is named, their language model."""
    model = open_language_model(settings) if settings.llm else None
    return QuestionGenerator(build_reader(settings.reader), load_encoder("static"), model, seed)
