"""Questions with the passage that answers them, in TopiOCQA's three representations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from seminar.datasets.catalog import load
from seminar.datasets.conversations.qaconv_chunks import load_chunks, load_split
from seminar.datasets.dialogues.topiocqa import UNANSWERABLE
from seminar.errors import DatasetError, unknown
from seminar.examples import Evidence, Example
from seminar.protocols import Rewriter
from seminar.questions.history import AllHistory, Original
from seminar.questions.registry import HISTORIES
from seminar.training.question_encoder.pairs import section_passages, subject_first
from seminar.training.reader.examples import heading_of
from seminar.training.samples import quac_parts, sample
from seminar.types import SEPARATOR, Dialogue, Passage, Query, Reply, Turn

UNBOUNDED = 100_000  # words of history: the networks cut it at their own lengths


@dataclass(frozen=True, slots=True)
class Pair:
    """A question as it is searched, its answers, and its passage's place in the pool."""

    id: str
    query: str
    answers: tuple[str, ...]
    positive: int


@dataclass(frozen=True, slots=True)
class PairSet:
    """Pairs to train and to validate on, and the pool of passages that negatives come from."""

    train: tuple[Pair, ...]
    held_out: tuple[Pair, ...]
    pool: tuple[Passage, ...]


class Pool:
    """Distinct passages, in the order in which they were added."""

    def __init__(self, passages: Sequence[Passage] = ()) -> None:
        self.passages = list(passages)
        self._places = {passage.id: at for at, passage in enumerate(passages)}

    def place(self, passage: Passage) -> int:
        at = self._places.setdefault(passage.id, len(self.passages))
        if at == len(self.passages):
            self.passages.append(passage)
        return at


def pairs_of(source: str, form: str, *, most: int = 0) -> PairSet:
    """The pairs of a dataset under SEMINAR_DATA; `most` bounds the training pairs, 0 does not."""
    if source not in SOURCES:
        raise unknown("source of pairs", source, SOURCES)
    if form not in FORMS:
        raise unknown("question representation", form, FORMS)
    return SOURCES[source](form, most)


def queries(examples: Sequence[Example], form: str) -> list[str]:
    """The questions in one of TopiOCQA's representations, by the product's own rewriters."""
    dialogues = [dialogue(subject_first(example)) for example in examples]
    rewritten = FORMS[form]().rewrite(dialogues, [example.question for example in examples])
    return [query.text for query in rewritten]


def dialogue(turns: Iterable[tuple[str, str]]) -> Dialogue:
    """Earlier questions and answers as a dialogue."""
    return Dialogue(
        tuple(
            Turn(question, Reply(answer, Query(question), answerable=bool(answer)))
            for question, answer in turns
            if question
        )
    )


FORMS: dict[str, Callable[[], Rewriter]] = {
    "original": Original,
    "all-history": lambda: AllHistory(limit=UNBOUNDED),
    "rewrites": HISTORIES["rewrite"],
}


def _topiocqa(form: str, most: int) -> PairSet:
    """The official retriever files, which hold each form ready made."""
    pool = Pool()
    train = _bounded(load(f"topiocqa/train-{form}"), most)
    return PairSet(
        tuple(_with_evidence(train, pool)),
        tuple(_with_evidence(load(f"topiocqa/dev-{form}"), pool)),
        tuple(pool.passages),
    )


def _with_evidence(examples: Iterable[Example], pool: Pool) -> Iterable[Pair]:
    for example in examples:
        if example.gold.evidence and example.gold.answers[:1] != (UNANSWERABLE,):
            place = pool.place(evidence_passage(example.gold.evidence[0]))
            yield Pair(example.id, example.question, example.gold.answers, place)


def evidence_passage(evidence: Evidence) -> Passage:
    """The passage that a dataset gives whole, its heading parted as in TopiOCQA's corpus."""
    title, _, section = evidence.title.partition(SEPARATOR)
    text = evidence.text
    return Passage(evidence.source or title, 0, len(text), text, title=title, section=section)


def _quac(form: str, most: int) -> PairSet:
    """The QuAC part: sections cut as Seminar cuts documents; the passage that an answer begins in.

    Its dialogs begin from a title and a section, which therefore stand first in every history.
    """
    pool = Pool()
    train, held_out = quac_parts()
    return PairSet(
        tuple(_sectioned(_bounded(train, most), form, pool)),
        tuple(_sectioned(held_out, form, pool)),
        tuple(pool.passages),
    )


def _sectioned(examples: Sequence[Example], form: str, pool: Pool) -> Iterable[Pair]:
    answered = [one for one in examples if one.gold.answerable and one.gold.spans]
    for example, query in zip(answered, queries(answered, form), strict=True):
        at = example.gold.spans[0][0]
        for passage in section_passages(example):
            place = pool.place(passage)
            if passage.start <= at < passage.end:
                yield Pair(example.id, query, example.gold.answers, place)


def _squad(form: str, most: int) -> PairSet:
    """SQuAD 1.1, whose questions are standalone: every form is the same."""
    pool = Pool()
    return PairSet(
        tuple(_about_contexts(_bounded(load("squad/train"), most), pool)),
        tuple(_about_contexts(_bounded(load("squad/dev"), most), pool)),
        tuple(pool.passages),
    )


def _about_contexts(examples: Iterable[Example], pool: Pool) -> Iterable[Pair]:
    for example in examples:
        text = example.context
        passage = Passage(example.sources[0], 0, len(text), text, title=heading_of(example))
        yield Pair(example.id, example.question, example.gold.answers, pool.place(passage))


def _qaconv(form: str, most: int) -> PairSet:
    """QAConv's questions with their chunk; they are standalone too."""
    pool = Pool()
    for chunk in load_chunks(None)[0]:
        pool.place(chunk)
    places = {chunk.source: at for at, chunk in enumerate(pool.passages)}
    return PairSet(
        tuple(_about_chunks(_bounded(load_split("qaconv/trn-full", None), most), places)),
        tuple(_about_chunks(load_split("qaconv/val-full", None), places)),
        tuple(pool.passages),
    )


def _about_chunks(examples: Iterable[Example], places: dict[str, int]) -> Iterable[Pair]:
    for example in examples:
        gold = [one.source for one in example.gold.evidence if one.source in places]
        if gold and example.gold.answers:
            yield Pair(example.id, example.question, example.gold.answers, places[gold[0]])


def _bounded(examples: Iterable[Example], most: int) -> list[Example]:
    """All examples, or a fixed sample of them."""
    return sample(examples, most) if most else list(examples)


SOURCES: dict[str, Callable[[str, int], PairSet]] = {
    "qaconv": _qaconv,
    "quac": _quac,
    "squad": _squad,
    "topiocqa": _topiocqa,
}


def check_some(pairs: PairSet, source: str) -> PairSet:
    """The pairs; no training pairs at all are an error."""
    if not pairs.train:
        raise DatasetError(f"{source} has no question with a passage to learn from")
    return pairs
