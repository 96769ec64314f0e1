"""Training and held-out data of BiDAF++: QuAC, its available part, and SQuAD."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from seminar.datasets.catalog import load
from seminar.examples import Example
from seminar.metrics.official.quac import CANNOT_ANSWER, QuacDialog, QuacPrediction, score_dialogs
from seminar.metrics.official.squad import score_v2_answer
from seminar.networks.papers.bidaf.layout import IGNORED, Dialog, dialog_of
from seminar.training.reader.task import untokenised
from seminar.training.samples import quac_parts, sample

SQUAD_SAMPLE = 600

Scores = dict[str, float]
Measure = Callable[[Sequence[Example], Sequence[QuacPrediction]], Scores]


@dataclass(frozen=True, slots=True)
class BidafData:
    """Dialogs to learn from, examples held out, and how answers to those are measured."""

    dialogs: Sequence[Dialog]
    held_out: Sequence[Example] = ()
    measure: Measure = lambda examples, predictions: {}

    @property
    def acts(self) -> bool:
        """Whether any question has dialog acts."""
        return any(
            one.affirmation != IGNORED or one.continuation != IGNORED
            for dialog in self.dialogs
            for one in dialog.questions
        )


def dialogs_of(examples: Iterable[Example], words: int) -> list[Dialog]:
    """Examples as dialogs, without the questions whose answer isn't in what is read."""
    turns = groupby(examples, key=lambda one: (one.sources, one.context))
    whole = [dialog_of(list(group), words) for _, group in turns]
    answered = [
        replace(one, questions=tuple(asked for asked in one.questions if asked.spans))
        for one in whole
    ]
    return [one for one in answered if one.questions]


def quac_scores(examples: Sequence[Example], predictions: Sequence[QuacPrediction]) -> Scores:
    """F1, human equivalence by question and by dialog, as the official scorer has them."""
    pairs = list(zip(examples, predictions, strict=True))
    groups = [list(group) for _, group in groupby(pairs, key=lambda pair: pair[0].dialogue_id)]
    scores = score_dialogs(
        (_official(group), {example.id: one for example, one in group}) for group in groups
    )
    return {
        "f1": round(scores.f1, 2),
        "heq_q": round(scores.heq, 2),
        "heq_d": round(scores.dheq, 2),
        "f1_all": round(scores.unfiltered_f1, 2),
    }


def _official(group: Sequence[tuple[Example, QuacPrediction]]) -> QuacDialog:
    """A dialog as far as the scorer looks; acts are not scored here."""
    first = group[0][0]
    return {
        "id": first.dialogue_id,
        "context": first.context,
        "qas": [
            {
                "id": example.id,
                "answers": [{"text": text} for text in example.gold.answers],
                "yesno": "x",
                "followup": "n",
            }
            for example, _ in group
        ],
    }


def squad_scores(examples: Sequence[Example], predictions: Sequence[QuacPrediction]) -> Scores:
    """F1 of SQuAD 2.0 with the network's own decision whether there is an answer."""
    texts = ["" if one.text == CANNOT_ANSWER else one.text for one in predictions]
    f1 = [
        score_v2_answer(text, example.gold.answers).f1
        for example, text in zip(examples, texts, strict=True)
    ]
    return {"f1": round(100 * sum(f1) / max(1, len(f1)), 2)}


def _quac(words: int) -> BidafData:
    examples = load("quac/train")
    return BidafData(dialogs_of(examples, words), [*load("quac/val")], quac_scores)


def _quac_part(words: int) -> BidafData:
    examples, held_out = quac_parts()
    return BidafData(dialogs_of(examples, words), held_out, quac_scores)


def _squad(words: int) -> BidafData:
    """SQuAD's paragraphs as dialogs, answerable and unanswerable questions of each together."""
    by_paragraph: dict[str, list[Example]] = {}
    for example in (*load("squad/train"), *map(untokenised, load("squad/train-v2-unanswerable"))):
        by_paragraph.setdefault(example.context, []).append(example)
    examples = [one for paragraph in by_paragraph.values() for one in paragraph]
    held_out = sample(load("squad/dev-v2"), SQUAD_SAMPLE)
    return BidafData(dialogs_of(examples, words), held_out, squad_scores)


DATA: dict[str, Callable[[int], BidafData]] = {
    "quac": _quac,
    "quac-part": _quac_part,
    "squad": _squad,
}
