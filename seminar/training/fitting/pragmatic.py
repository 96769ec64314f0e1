"""Fit the scorer of pragmatic answers: python -m seminar.training.fitting.pragmatic --out FOLDER

PragmatiCQA's questions are asked of the spans of their own community, and the literal span that
the teacher chose is taken as the answer. A sentence counts as right when most of it stands in a
pragmatic span that the teacher chose for that question. Fitted on train, scored on val.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seminar.answering.already_told import Shown
from seminar.answering.pragmatic import FEATURES, LEAD, Candidate, Pragmatics
from seminar.datasets.catalog import load
from seminar.datasets.dialogues.pragmaticqa import community_passages, page_failed
from seminar.examples import Example
from seminar.logistic import fit_logistic
from seminar.metrics.measures.normalisation import tokens
from seminar.metrics.official.pragmaticqa import Spans, pragmatic_f1
from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Retriever
from seminar.text import terms
from seminar.training.fitting.trials import HITS, index_passages, write_fit
from seminar.types import Hit, Passage, Query, Span

WITHIN = 0.7  # the share of a sentence's tokens that a chosen span must have
LIMIT = 2
BARS = (0.0, 0.02, 0.03, 0.05, 0.1, 0.15)


@dataclass(frozen=True, slots=True)
class Trial:
    """A question, what could be added to its literal answer, and what its teacher added."""

    example: Example
    following: Example | None
    candidates: list[Candidate]

    @property
    def features(self) -> NDArray[np.float64]:
        return np.array([one.features for one in self.candidates])  # (candidates, features)

    @property
    def right(self) -> NDArray[np.float64]:
        chosen = [Counter(tokens(span.text)) for span in self.example.gold.pragmatic]
        return np.array([float(_within(one.span.text, chosen)) for one in self.candidates])


def _within(text: str, chosen: Sequence[Counter[str]]) -> bool:
    own = Counter(tokens(text))
    return any((own & span).total() >= WITHIN * own.total() > 0 for span in chosen)


def trials(split: str, scorer: Pragmatics) -> list[Trial]:
    """Every question of a split whose literal answer is a span and which has candidates.

    The query is the question without its history: the candidates come from the answer's context.
    """
    examples = [one for one in load(f"pragmaticqa/{split}") if not page_failed(one)]
    turns = {(one.dialogue_id, one.turn): one for one in examples}
    found = []
    for community, passages in community_passages(examples).items():
        with tempfile.TemporaryDirectory() as folder:
            retriever = index_passages(passages, Path(folder), scorer.encoder)
            for example in examples:
                if example.sources[0] != community:
                    continue
                following = turns.get((example.dialogue_id, example.turn + 1))
                candidates = _candidates(example, passages, retriever, scorer)
                if candidates:
                    found.append(Trial(example, following, candidates))
    return found


def _candidates(
    example: Example, passages: Sequence[Passage], retriever: Retriever, scorer: Pragmatics
) -> list[Candidate]:
    literal = list(literal_spans(example, passages))
    if not literal:
        return []
    query = Query(example.question, example.question)
    [hits] = retriever.search([query], HITS)
    if literal[0].passage.id not in {hit.passage.id for hit in hits}:
        hits.append(Hit(literal[0].passage, 0.0))
    replies = tuple(frozenset(terms(reply)) for _, reply in example.history)
    shown = Shown(texts=replies).add(literal)
    return scorer.candidates(query, hits, literal=literal[0], shown=shown)


def literal_spans(example: Example, passages: Sequence[Passage]) -> Iterator[Span]:
    """The teacher's literal spans, where they stand among the passages."""
    for span in example.gold.literal:
        text = " ".join(span.text.split())
        holder = next((one for one in passages if span.elements and text in one.text), None)
        if holder and text:
            start = holder.text.index(text)
            yield Span(holder, start, start + len(text))


def report(found: Sequence[Trial], scorer: Pragmatics) -> dict[str, float]:
    """F1-prag in percent with the gold literal answer, and how often a choice was the teacher's."""
    f1s, spans, right = [], 0, 0.0
    for trial in found:
        gold = trial.example.gold
        chosen = scorer.ranked(trial.candidates)[: scorer.limit]
        wanted = Spans([one.text for one in gold.literal], [one.text for one in gold.pragmatic])
        f1s.append(pragmatic_f1(Spans([], [one.span.text for one in chosen]), wanted))
        spans += len(chosen)
        right += sum(Trial(trial.example, None, chosen).right) if chosen else 0
    return {
        "F1-prag": round(100 * float(np.mean(f1s)), 2),
        "sentences a question": round(spans / len(found), 2),
        "of them the teacher's, %": round(100 * right / max(1, spans), 1),
    }


def role_report(found: Sequence[Trial]) -> dict[str, float]:
    """How well the share of new terms tells spans that led the asker on from those that answered.

    Counted are the teacher's own sentences of which exactly one holds: the next question asks for
    a term that only they brought up (a lead), or its literal answer shares most of their terms.
    """
    said: list[tuple[bool, bool]] = []  # (was a lead, is called one)
    for trial in found:
        if trial.following is None:
            continue
        for one, right in zip(trial.candidates, trial.right, strict=True):
            led = _led(one.span.text, trial.example, trial.following)
            if right and led != _answered(one.span.text, trial.following):
                said.append((led, one.pragmatic.role == "lead"))
    leads = [called for led, called in said if led]
    answers = [not called for led, called in said if not led]
    return {
        "sentences": len(said),
        "leads called leads, %": round(100 * float(np.mean(leads)), 1),
        "next answers called so, %": round(100 * float(np.mean(answers)), 1),
    }


def _led(text: str, example: Example, following: Example) -> bool:
    earlier = [example.question, *(span.text for span in example.gold.literal)]
    earlier += [part for turn in example.history for part in turn]
    known = set().union(*map(terms, earlier))
    return bool((terms(text) - known) & terms(following.question))


def _answered(text: str, following: Example) -> bool:
    own = terms(text)
    answers = [terms(span.text) for span in following.gold.literal if span.elements]
    return any(2 * len(own & one) >= min(len(own), len(one)) > 0 for one in answers)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    encoder = load_encoder("static")
    train, val = (
        trials(split, Pragmatics(encoder, weights=dict.fromkeys(FEATURES, 0.0)))
        for split in ("train", "val")
    )
    weights = fit_logistic(
        np.concatenate([one.features for one in train]),
        np.concatenate([one.right for one in train]),
    )
    named = dict(zip(FEATURES, weights.round(4).tolist(), strict=True))
    scores = {
        "questions": {"train": len(train), "val": len(val)},
        "val, by bar": {
            bar: report(val, Pragmatics(encoder, weights=named, limit=LIMIT, bar=bar))
            for bar in BARS
        },
        f"roles at {LEAD}": {"train": role_report(train), "val": role_report(val)},
    }
    write_fit(options.out, named, scores)


if __name__ == "__main__":
    main()
