"""What a trained reader scores on a given passage: SQuAD 2.0 and 1.1, QuAC, BoolQ, CoQA."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from benchmarks.results import progress
from seminar.datasets.catalog import load
from seminar.examples import Example
from seminar.logistic import probability
from seminar.metrics.measures.no_answer import NoAnswer
from seminar.metrics.official.quac import QuacPrediction, score
from seminar.metrics.official.squad import score_v1, score_v1_answer, score_v2
from seminar.models.reader.model import Finding, Inquiry, ReaderModel
from seminar.text import sentences
from seminar.training.reader.coqa import YES_NO, plain_answer
from seminar.training.reader.examples import CANNOT_ANSWER, heading_of, without_sentinel
from seminar.training.samples import boolq_parts, quac_parts, sample

BATCH = 32
LONGEST_QUAC_ANSWER = 48
DECIDED = 1.0  # log odds of yes against no from which one of them counts as decided
ALL_REFERENCES = 3  # the first turns of a dialog of the part have every reference, later ones one

HISTORY_SHOWN = {
    "context on": {},
    "in the text only": {"marks": 0},
    "marked only": {"turns": 0},
    "context off": {"turns": 0, "marks": 0},
}

Scores = dict[str, object]


def chosen(examples: Iterable[Example], limit: int | None) -> list[Example]:
    """All examples, or a fixed sample of them."""
    return list(examples) if limit is None else sample(examples, limit)


def inquiry_of(example: Example) -> Inquiry:
    """A question about its own passage, with the turns before it."""
    told = tuple(
        (question, "" if answer == CANNOT_ANSWER else answer)
        for question, answer in example.history
    )
    text, heading = without_sentinel(example.context), heading_of(example)
    return Inquiry(example.question, text, heading, told)


def read(
    model: ReaderModel, inquiries: Sequence[Inquiry], label: str, *, longest: int = 24
) -> list[Finding]:
    findings: list[Finding] = []
    for start in progress(range(0, len(inquiries), BATCH), label):
        found = model.read(inquiries[start : start + BATCH], longest=longest)
        findings += [best for [best] in found]
    return findings


def text_of(inquiry: Inquiry, finding: Finding) -> str:
    return inquiry.text[finding.start : finding.end]


def _squad_file(examples: Sequence[Example]) -> list[dict[str, object]]:
    """The official file's `data`, as far as its scorer looks."""
    questions = [
        {"id": one.id, "answers": [{"text": text} for text in one.gold.answers]} for one in examples
    ]
    return [{"paragraphs": [{"qas": questions}]}]


def squad2(model: ReaderModel, limit: int | None) -> Scores:
    """SQuAD 2.0 dev; no answer where its probability is above a half."""
    examples = chosen(load("squad/dev-v2"), limit)
    inquiries = [inquiry_of(one) for one in examples]
    findings = read(model, inquiries, "SQuAD 2.0 dev")
    said = {
        one.id: text_of(*pair)
        for one, pair in zip(examples, zip(inquiries, findings, strict=True), strict=True)
    }
    absent = {
        one.id: probability(-finding.margin)
        for one, finding in zip(examples, findings, strict=True)
    }
    decided = NoAnswer(absent, threshold=0.5)
    scores = score_v2(_squad_file(examples), said, no_answer=decided)  # type: ignore[arg-type]
    return {"questions": len(examples), **_rounded(scores)}


def squad1(model: ReaderModel, limit: int | None) -> Scores:
    """SQuAD 1.1 dev: the best span, whatever its odds."""
    examples = chosen(load("squad/dev"), limit)
    inquiries = [inquiry_of(one) for one in examples]
    findings = read(model, inquiries, "SQuAD 1.1 dev")
    said = {
        one.id: text_of(*pair)
        for one, pair in zip(examples, zip(inquiries, findings, strict=True), strict=True)
    }
    scores = score_v1(_squad_file(examples), said)  # type: ignore[arg-type]
    return {"questions": len(examples), **_rounded(scores)}


def quac(model: ReaderModel, limit: int | None) -> Scores:
    """The held-out dialogs of the QuAC part, with the turns before each question and without.

    The history is read in the text, and earlier answers are marked in the passage: both, either
    and neither. The same weights read all four, trained with both.
    """
    examples = quac_parts()[1]
    if limit is not None:
        dialogs = list(dict.fromkeys(one.dialogue_id for one in examples))
        kept = set(dialogs[: max(1, limit // 5)])  # five questions a dialog
        examples = [one for one in examples if one.dialogue_id in kept]
    rows: Scores = {"questions": len(examples)}
    inquiries = [inquiry_of(one) for one in examples]
    for name, shown in HISTORY_SHOWN.items():
        variant = model.with_history(**shown)
        findings = read(variant, inquiries, f"QuAC part, {name}", longest=LONGEST_QUAC_ANSWER)
        said = [
            text_of(inquiry, finding) if finding.margin > 0 else CANNOT_ANSWER
            for inquiry, finding in zip(inquiries, findings, strict=True)
        ]
        rows[name] = _quac_scores(examples, said)
        early = [at for at, one in enumerate(examples) if one.turn <= ALL_REFERENCES]
        rows[f"{name}, turns with all references"] = _quac_scores(
            [examples[at] for at in early], [said[at] for at in early]
        )
    return rows


def _quac_scores(examples: Sequence[Example], said: Sequence[str]) -> Scores:
    dialogs, predictions = [], {}
    pairs = zip(examples, said, strict=True)
    for name, turns in groupby(pairs, key=lambda pair: pair[0].dialogue_id):
        asked = list(turns)
        predictions[name] = {one.id: QuacPrediction(text, "x", "n") for one, text in asked}
        questions = [
            {
                "id": one.id,
                "answers": [{"text": answer} for answer in one.gold.answers],
                "yesno": "x",
                "followup": "n",
            }
            for one, _ in asked
        ]
        dialogs.append({"id": name, "context": asked[0][0].context, "qas": questions})
    made = score([{"paragraphs": dialogs}], predictions)  # type: ignore[typeddict-item]
    told = {"F1": made.f1, "F1 all": made.unfiltered_f1, "HEQ-Q": made.heq, "HEQ-D": made.dheq}
    return {"questions": len(examples), **_rounded(told), "abstained": said.count(CANNOT_ANSWER)}


def boolq(model: ReaderModel, limit: int | None) -> Scores:
    """The held-out questions of BoolQ: yes against no."""
    examples = chosen(boolq_parts()[1], limit)
    inquiries = [inquiry_of(one) for one in examples]
    findings = read(model, inquiries, "BoolQ held out")
    gold = [one.gold.affirmation == "yes" for one in examples]
    right = [(found.yes > 0) == yes for found, yes in zip(findings, gold, strict=True)]
    scores = {
        "accuracy": 100 * sum(right) / len(right),
        "always yes": 100 * sum(gold) / len(gold),
    }
    decided = _decided(model, inquiries, findings, gold)
    return {"questions": len(examples), **_rounded(scores), **decided}


def coqa(model: ReaderModel, limit: int | None) -> Scores:
    """The plain questions of Abg-CoQA's test part: the best answer, and yes and no in dialogues."""
    plain = (one for one in load("abg_coqa/test") if not one.gold.clarifications)
    examples = chosen(plain, limit)
    inquiries = [inquiry_of(one) for one in examples]
    findings = read(model, inquiries, "Abg-CoQA test")
    said = [_said(*pair) for pair in zip(inquiries, findings, strict=True)]
    f1 = [
        score_v1_answer(words, one.gold.answers).f1
        for words, one in zip(said, examples, strict=True)
    ]
    wanted = [plain_answer(one.gold.answers[0]) for one in examples]
    polar = [at for at, words in enumerate(wanted) if words in YES_NO]
    asked, found = ([every[at] for at in polar] for every in (inquiries, findings))
    return {
        "questions": len(examples),
        "F1": round(100 * sum(f1) / len(f1), 2),
        "yes or no": len(polar),
        "yes or no, said": sum(said[at] in YES_NO for at in polar),
        "yes or no, right": sum(said[at] == wanted[at] for at in polar),
        "always yes": sum(wanted[at] == "yes" for at in polar),
        **_decided(model, asked, found, [wanted[at] == "yes" for at in polar]),
    }


def _decided(
    model: ReaderModel,
    inquiries: Sequence[Inquiry],
    findings: Sequence[Finding],
    gold: Sequence[bool],
) -> Scores:
    """How many are sure enough of yes or no to say it to an asker, and how many of them rightly.

    As the reader over rankings does, the sentence is looked at alone too.
    """
    pairs = list(zip(inquiries, findings, strict=True))
    alone = [Inquiry(one.question, _sentence(one.text, found.start)) for one, found in pairs]
    again = read(model, alone, "their sentences")
    odds = [one.yes + other.yes for one, other in zip(findings, again, strict=True)]
    sure = [(one > 0) == yes for one, yes in zip(odds, gold, strict=True) if abs(one) >= DECIDED]
    return {"decided": len(sure), "decided, right": sum(sure)}


def _sentence(text: str, place: int) -> str:
    return next((text[start:end] for start, end in sentences(text) if place < end), text)


def _said(inquiry: Inquiry, finding: Finding) -> str:
    if finding.is_yes_no:
        return "yes" if finding.yes > 0 else "no"
    return text_of(inquiry, finding)


def _rounded(scores: dict[str, float]) -> Scores:
    return {name: round(value, 2) for name, value in scores.items()}


READING: dict[str, Callable[[ReaderModel, int | None], Scores]] = {
    "squad2": squad2,
    "squad1": squad1,
    "quac": quac,
    "boolq": boolq,
    "coqa": coqa,
}
