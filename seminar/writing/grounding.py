"""Grounding: the words of a passage that bear a written sentence out, or the finding that none do.

Numbers, names, dates and addresses of the sentence must stand in those words; of the rest a
logistic regression judges, over shared words and what the embedded reader says of the sentence as
a question (`python -m seminar.training.fitting.grounding`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from seminar.logistic import probability
from seminar.models.llm.quotations import locate
from seminar.models.reader.model import ReaderModel
from seminar.reading.statements import Claim, Support, supports
from seminar.text import sentence_spans, terms, words
from seminar.types import Segment, Span
from seminar.weights import read_weights
from seminar.writing.completions import Statement, claim_of
from seminar.writing.facts import facts_of, lacks_names

MOST_SPANS = 3  # sentences of the files that one written sentence may rest on
CLOSE = 0.5  # least share of the statement's words in its evidence, for it to be read at all

_JOINT = re.compile(r"[,;]?\s+(?:and|but|while|whereas)\s+|;\s+", re.IGNORECASE)

FEATURES = (
    "bias",
    "covered",  # share of the statement's terms in the evidence and its heading
    "known",  # the same, with the question and the rest of the passage
    "in order",  # share of the statement's pairs of words that stand in the evidence as pairs
    "denial",  # one denies and the other doesn't
    "yes",  # log odds of yes against no, the statement being asked of the evidence
    "answered",  # log odds that the evidence answers that question at all
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A statement, the spans that may bear it out, and what else is known around them."""

    statement: str
    spans: tuple[Span, ...]
    context: str = ""  # the question, and the passages around the spans

    @property
    def text(self) -> str:
        return " ".join(" ".join(span.text.split()) for span in self.spans)

    @property
    def heading(self) -> str:
        return " · ".join(dict.fromkeys(span.passage.heading for span in self.spans))

    @property
    def claim(self) -> Claim:
        return Claim(claim_of(self.statement), self.text, self.heading)

    @property
    def holds_facts(self) -> bool:
        """Whether the evidence has the numbers and addresses, and something around it the names."""
        wanted, near = facts_of(claim_of(self.statement)), f"{self.heading} {self.text}"
        held = facts_of(near)
        return (
            wanted.numbers <= held.numbers
            and wanted.addresses <= held.addresses
            and not lacks_names(wanted.names, f"{near} {self.context}")
        )

    def features(self, support: Support) -> dict[str, float]:
        """The features of the regression, by name."""
        statement = claim_of(self.statement)
        own, near = terms(statement), terms(f"{self.heading} {self.text}")
        pairs = _pairs(statement)
        denials = [facts_of(text).denies for text in (statement, self.text)]
        return {
            "bias": 1.0,
            "covered": _share(own, near),
            "known": _share(own, near | terms(self.context)),
            "in order": _share(pairs, _pairs(self.text)),
            "denial": float(denials[0] != denials[1]),
            "yes": support.yes,
            "answered": support.answered,
        }


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of the regression, and the least probability of a sentence that is told."""

    weights: Mapping[str, float]
    least: float

    def score(self, evidence: Evidence, support: Support) -> float:
        """The probability that the evidence bears the statement out."""
        if not evidence.spans or not evidence.holds_facts:
            return 0.0
        found = evidence.features(support)
        return probability(sum(self.weights[name] * found[name] for name in FEATURES))


def shipped_weights() -> Weights:
    saved = read_weights("prose", "grounding.json")
    return Weights(saved["weights"], saved["least"])


class Grounder:
    """Aligns statements with the passages that they were written from."""

    def __init__(self, model: ReaderModel, weights: Weights | None = None) -> None:
        self.model = model
        self._weights = weights

    @cached_property
    def weights(self) -> Weights:
        return self._weights or shipped_weights()

    def ground(
        self, statements: Sequence[Statement], passages: Sequence[Span], question: str = ""
    ) -> list[Segment]:
        """Each statement with what bears it out; the cited passages count before the others."""
        copied = [_copied(one, passages) for one in statements]
        choices = [
            [] if spans else _evidence(one, passages, question)
            for one, spans in zip(statements, copied, strict=True)
        ]
        read = iter(supports(self.model, [one.claim for pair in choices for one in pair]))
        return [
            Segment(statement.text, spans, 1.0)
            if spans
            else self._best(statement, [(evidence, next(read)) for evidence in pair])
            for statement, pair, spans in zip(statements, choices, copied, strict=True)
        ]

    def _best(self, statement: Statement, pairs: Sequence[tuple[Evidence, Support]]) -> Segment:
        scored = [(self.weights.score(*pair), pair[0].spans) for pair in pairs]
        first = next((one for one in scored if one[0] >= self.weights.least), None)
        score, spans = first or max(scored, key=lambda one: one[0], default=(0.0, ()))
        return Segment(statement.text, spans if first else (), score)


def _copied(statement: Statement, passages: Sequence[Span]) -> tuple[Span, ...]:
    """The words of the passages that a statement repeats; those that it cites before any other."""
    claim = claim_of(statement.text)
    cited = [passages[n - 1] for n in statement.cited if 0 < n <= len(passages)]
    for passage in [*cited, *passages]:
        place = locate(claim, passage.text)
        if place:
            start, end = (passage.start + at for at in place)
            return (replace(passage, start=start, end=end),)
    return _joined(claim, [*cited, *passages])


def _joined(claim: str, passages: Sequence[Span]) -> tuple[Span, ...]:
    """The two whole sentences of the passages that a claim joins, as by "and"; else nothing."""
    joints = list(_JOINT.finditer(claim))
    if not joints:
        return ()
    known: dict[tuple[str, ...], Span] = {}
    for passage in passages:
        for sentence in sentence_spans(passage):
            known.setdefault(_plain_words(sentence.text), sentence)
    for joint in joints:
        halves = claim[: joint.start()], claim[joint.end() :]
        found = [known.get(_plain_words(half)) for half in halves]
        spans = tuple(span for span in found if span)
        if len(spans) == len(halves):
            return spans
    return ()


def _plain_words(text: str) -> tuple[str, ...]:
    return tuple(text[start:end].lower() for start, end in words(text))


def _evidence(statement: Statement, passages: Sequence[Span], question: str) -> list[Evidence]:
    """What may bear a statement out: words of the passages that it cites, words of any."""
    cited = [passages[n - 1] for n in statement.cited if 0 < n <= len(passages)]
    found = []
    for among in [cited, passages] if cited else [passages]:
        spans = _closest(claim_of(statement.text), among)
        around = [one.text for one in among if any(one.passage == s.passage for s in spans)]
        evidence = Evidence(statement.text, spans, " ".join([question, *around]))
        if spans and evidence not in found:
            found.append(evidence)
    return found


def _closest(statement: str, passages: Sequence[Span]) -> tuple[Span, ...]:
    """The sentences that have most of a statement's terms, one after another, in their order."""
    wanted = terms(statement)
    facts = facts_of(statement)
    rest = wanted | facts.numbers | facts.names
    sentences = [sentence for passage in passages for sentence in sentence_spans(passage)]
    held = [
        terms(f"{one.passage.heading} {one.text}")
        | facts_of(one.text).numbers
        | (facts.names - lacks_names(facts.names, one.text))
        for one in sentences
    ]
    chosen: list[int] = []
    while rest and len(chosen) < min(MOST_SPANS, len(sentences)):
        gains = [len(rest & own) + 0.01 * len(wanted & own) for own in held]
        best = gains.index(max(gains))
        if gains[best] < 1 or best in chosen:
            break
        chosen.append(best)
        rest = rest - held[best]
    covered = set[str]().union(*(held[at] for at in chosen))
    if _share(wanted, covered) < CLOSE:
        return ()
    return tuple(sentences[at] for at in sorted(chosen))


def _share(own: set[str], other: set[str]) -> float:
    return len(own & other) / len(own) if own else 0.0


def _pairs(text: str) -> set[str]:
    """The pairs of neighbouring words of a text, in small letters."""
    return {f"{one} {following}" for one, following in pairwise(_plain_words(text))}
