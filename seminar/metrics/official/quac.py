"""QuAC (Choi et al., 2018): F1 against people, human equivalence (HEQ) and dialog acts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypedDict

from seminar.metrics.measures.overlap import Bag, bag_f1, bag_of, exact_match, leave_one_out
from seminar.metrics.strictness import average, check_text, fault

CANNOT_ANSWER = "CANNOTANSWER"
MINIMUM_HUMAN_F1 = 0.4


class QuacAnswer(TypedDict):
    """A reference answer in the official file."""

    text: str


class QuacQuestion(TypedDict):
    """A question in the official file; its dialog acts are letters."""

    id: str
    answers: list[QuacAnswer]
    yesno: str
    followup: str


class QuacDialog(TypedDict):
    """A dialog: a paragraph of the official file."""

    id: str
    context: str
    qas: list[QuacQuestion]


class QuacArticle(TypedDict):
    """An article in the official file's `data`."""

    paragraphs: list[QuacDialog]


class QuacLine(TypedDict):
    """A line of the official prediction file: parallel lists."""

    qid: list[str]
    best_span_str: list[str]
    yesno: list[str]
    followup: list[str]


@dataclass(frozen=True, slots=True)
class QuacPrediction:
    """The answer to one question and its dialog acts, as letters."""

    text: str
    yesno: str
    followup: str


@dataclass(frozen=True, slots=True)
class QuacScores:
    """What the official scorer reports: percentages, and the counts behind them."""

    unfiltered_f1: float
    f1: float
    heq: float
    dheq: float
    yesno: float
    followup: float
    unanswerable_accuracy: float
    human_f1: float
    unfiltered: int
    unanswerable: int
    heq_count: int
    heq_total: int
    dheq_count: int
    dheq_total: int


def resolve_cannot_answer(references: Sequence[str]) -> list[str]:
    """The references after the vote on whether there is an answer; a tie says there is none.

    >>> resolve_cannot_answer(["in Rome", "CANNOTANSWER"])
    ['CANNOTANSWER']
    """
    answers = [reference for reference in references if reference != CANNOT_ANSWER]
    return answers if 2 * len(answers) > len(references) else [CANNOT_ANSWER]


def human_f1(references: Sequence[str]) -> float:
    """How well people agree: each reference's F1 with the nearest other one, averaged."""
    return _human_f1([bag_of(reference) for reference in references])


def _human_f1(bags: Sequence[Bag]) -> float:
    """Each bag's F1 with the nearest other one, averaged; F1 is symmetric, so each pair once."""
    count = len(bags)
    if count == 1:
        return 1.0
    best = [0.0] * count
    for i in range(count):
        for j in range(i + 1, count):
            pair = bag_f1(bags[i], bags[j])
            if pair > best[i]:
                best[i] = pair
            if pair > best[j]:
                best[j] = pair
    return sum(best) / count


def answer_f1(prediction: str, references: Sequence[str], *, strict: bool = False) -> float:
    """F1 of an answer, leave-one-out over the references; CANNOTANSWER is right or wrong."""
    if not references:
        message = "a question without references can't be scored"
        raise fault(ZeroDivisionError, message, strict=strict)
    bags = [bag_of(reference) for reference in references]
    return leave_one_out(_pair_scores(prediction, references, bags))


def _pair_scores(prediction: str, references: Sequence[str], bags: Sequence[Bag]) -> list[float]:
    """The score of a prediction against each reference."""
    predicted = bag_of(prediction)
    return [
        float(prediction == CANNOT_ANSWER)
        if reference == CANNOT_ANSWER
        else bag_f1(predicted, expected)
        for reference, expected in zip(references, bags, strict=True)
    ]


def overlap_label(prediction: str, references: Sequence[str], context: str) -> str:
    """How an answer lies to the reference that it matches best, by places in the context."""
    scores = _pair_scores(prediction, references, [bag_of(text) for text in references])
    reference = references[scores.index(max(scores))]
    if reference == CANNOT_ANSWER:
        return "Exact match" if prediction == CANNOT_ANSWER else "No overlap"
    predicted, expected = context.find(prediction), context.find(reference)
    if predicted == -1 or expected == -1:
        return "Span indexing error"
    if exact_match(prediction, reference):
        return "Exact match"
    # Ranges that merely touch count as overlapping.
    overlaps = predicted <= expected + len(reference) and expected <= predicted + len(prediction)
    return "Partial overlap" if overlaps else "No overlap"


def predictions_of(
    lines: Iterable[QuacLine], *, strict: bool = False
) -> dict[str, dict[str, QuacPrediction]]:
    """The predictions of a file, by dialog and question.

    A line belongs to the dialog of its first question; the shortest of its lists ends it; a later
    line overwrites an earlier one.
    """
    predictions: dict[str, dict[str, QuacPrediction]] = {}
    for line in lines:
        if not line["qid"]:
            raise fault(IndexError, "a line of predictions names no question", strict=strict)
        dialog = line["qid"][0].split("_q#")[0]
        questions = predictions.setdefault(dialog, {})
        columns = (line["qid"], line["best_span_str"], line["yesno"], line["followup"])
        for key, text, yesno, followup in zip(*columns, strict=False):
            questions[key] = QuacPrediction(text, yesno, followup)
    return predictions


def dialogs_of(articles: Iterable[QuacArticle]) -> Iterator[QuacDialog]:
    """Every dialog of the official file's `data`, in order."""
    return (dialog for article in articles for dialog in article["paragraphs"])


def score(
    articles: Iterable[QuacArticle],
    predictions: Mapping[str, Mapping[str, QuacPrediction]],
    *,
    minimum_human_f1: float = MINIMUM_HUMAN_F1,
    strict: bool = False,
) -> QuacScores:
    """The official scores of predictions by dialog and question; a missing one is wrong."""
    pairs = ((dialog, predictions.get(dialog["id"], {})) for dialog in dialogs_of(articles))
    return score_dialogs(pairs, minimum_human_f1=minimum_human_f1, strict=strict)


def score_dialogs(
    dialogs: Iterable[tuple[QuacDialog, Mapping[str, QuacPrediction]]],
    *,
    minimum_human_f1: float = MINIMUM_HUMAN_F1,
    strict: bool = False,
) -> QuacScores:
    """The official scores of a stream of dialogs with their predictions, in flat memory."""
    tally = _Tally(minimum_human_f1, strict)
    for dialog, predictions in dialogs:
        good = True
        for question in dialog["qas"]:
            good &= tally.add(question, predictions.get(question["id"]))
        tally.dialogs += 1
        tally.good_dialogs += good
    return tally.report()


@dataclass(slots=True)
class _Tally:
    """Running sums over questions and dialogs."""

    minimum_human_f1: float
    strict: bool
    unfiltered: int = 0
    unfiltered_sum: float = 0.0
    scored: int = 0
    f1_sum: float = 0.0
    humans: int = 0
    human_sum: float = 0.0
    unanswerable: int = 0
    unanswerable_sum: float = 0.0
    yesno: int = 0
    followup: int = 0
    equivalent: int = 0
    dialogs: int = field(default=0)
    good_dialogs: int = field(default=0)

    def add(self, question: QuacQuestion, prediction: QuacPrediction | None) -> bool:
        """Count one question; False if the dialog can't equal people any more."""
        references = resolve_cannot_answer([answer["text"] for answer in question["answers"]])
        bags = [bag_of(reference) for reference in references]
        human = _human_f1(bags)
        model = 0.0
        if prediction is not None:
            check_text(prediction.text, f"the answer to '{question['id']}'", strict=self.strict)
            model = leave_one_out(_pair_scores(prediction.text, references, bags))
        self.unfiltered += 1
        self.unfiltered_sum += model
        agreed = human >= self.minimum_human_f1
        if agreed:
            self.humans += 1
            self.human_sum += human
        elif prediction is not None:
            return True  # people disagree: the question counts no further
        self.scored += 1
        self.f1_sum += model
        if references == [CANNOT_ANSWER]:
            self.unanswerable += 1
            self.unanswerable_sum += model
        if prediction is None:
            return False
        self.yesno += prediction.yesno == question["yesno"]
        self.followup += prediction.followup == question["followup"]
        equivalent = model >= human
        self.equivalent += equivalent
        return equivalent

    def report(self) -> QuacScores:
        """The averages, in percent."""

        def percent(total: float, count: int) -> float:
            return average(100.0 * total, count, strict=self.strict)

        if not self.unfiltered:
            raise fault(ZeroDivisionError, "no questions to score", strict=self.strict)
        return QuacScores(
            unfiltered_f1=percent(self.unfiltered_sum, self.unfiltered),
            f1=percent(self.f1_sum, self.scored),
            heq=percent(self.equivalent, self.scored),
            dheq=percent(self.good_dialogs, self.dialogs),
            yesno=percent(self.yesno, self.scored),
            followup=percent(self.followup, self.scored),
            unanswerable_accuracy=percent(self.unanswerable_sum, self.unanswerable),
            human_f1=percent(self.human_sum, self.humans),
            unfiltered=self.unfiltered,
            unanswerable=self.unanswerable,
            heq_count=self.equivalent,
            heq_total=self.scored,
            dheq_count=self.good_dialogs,
            dheq_total=self.dialogs,
        )
