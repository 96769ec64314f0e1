"""No-answer probabilities: thresholds, and the answerable and unanswerable parts of a score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from seminar.metrics.strictness import average, check_some, fault, name_some

Scores = Mapping[str, float]
Measures = Mapping[str, Scores]

PERCENT = 100.0
SCALES = {"fzr": 1.0}  # FZ-R is out of 100 from the start; the other measures are out of 1


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """The probability of no answer, by question; above the threshold none is given."""

    probabilities: Mapping[str, float]
    threshold: float = 1.0

    def apply(
        self, scores: Scores, answerable: Mapping[str, bool], *, strict: bool = False
    ) -> dict[str, float]:
        """The scores once the questions above the threshold count as answered with nothing."""
        missing = [key for key in scores if key not in self.probabilities]
        if missing:
            message = f"no no-answer probability for {name_some(missing)}"
            raise fault(KeyError, message, strict=strict)
        return {
            key: float(not answerable[key]) if self.probabilities[key] > self.threshold else score
            for key, score in scores.items()
        }


def breakdown(
    measures: Measures, answerable: Mapping[str, bool], *, strict: bool = False
) -> dict[str, float]:
    """Averages over all questions, those with an answer (HasAns_) and those without (NoAns_).

    A question without a score counts as 0. Strict, as in the official program: it is left out of
    the first average, and then stops the program at its part.
    """
    scored = next(iter(measures.values())).keys()
    everything = list(scored) if strict else list(answerable)
    check_some(everything, "questions", strict=strict)
    report = _averages(measures, everything, prefix="")
    for prefix, kind in (("HasAns_", True), ("NoAns_", False)):
        part = [key for key, has_answer in answerable.items() if has_answer is kind]
        missing = [key for key in part if key not in scored]
        if strict and missing:
            raise KeyError(f"no prediction for {name_some(missing)}")
        if part:
            report |= _averages(measures, part, prefix=prefix)
    return report


def _averages(measures: Measures, keys: list[str], *, prefix: str) -> dict[str, float]:
    """The mean of each measure over some questions, and how many they are."""
    report: dict[str, float] = {
        f"{prefix}{name}": SCALES.get(name, PERCENT)
        * sum(scores.get(key, 0.0) for key in keys)
        / len(keys)
        for name, scores in measures.items()
    }
    return report | {f"{prefix}total": len(keys)}


def best_thresholds(
    measures: Measures,
    predictions: Mapping[str, str],
    probabilities: Mapping[str, float],
    answerable: Mapping[str, bool],
) -> dict[str, float]:
    """For each measure the best that any threshold gives, in percent, and that threshold."""
    report: dict[str, float] = {}
    for name, scores in measures.items():
        current: float = sum(not has_answer for has_answer in answerable.values())
        best, threshold = current, 0.0
        for key in _rising(probabilities):
            if key not in scores:
                continue
            current += scores[key] if answerable[key] else -float(bool(predictions[key]))
            if current > best:
                best, threshold = current, probabilities[key]
        report[f"best_{name}"] = average(PERCENT * best, len(scores), strict=False)
        report[f"best_{name}_thresh"] = threshold
    return report


def average_precisions(
    measures: Measures,
    probabilities: Mapping[str, float],
    answerable: Mapping[str, bool],
    *,
    strict: bool = False,
) -> dict[str, float]:
    """Average precision, in percent, by measure and for an oracle, if anything is answerable.

    Questions that aren't in the data are passed over; strict, they stop the program.
    """
    unknown = [key for key in probabilities if key not in answerable]
    if unknown and strict:
        raise KeyError(f"no-answer probability for unknown {name_some(unknown)}")
    known = {key: value for key, value in probabilities.items() if key in answerable}
    if not any(answerable.values()):
        return {}
    oracle = {key: float(has_answer) for key, has_answer in answerable.items()}
    return {
        f"pr_{name}_ap": _average_precision(scores, known, answerable)
        for name, scores in {**measures, "oracle": oracle}.items()
    }


def _average_precision(
    scores: Scores, probabilities: Mapping[str, float], answerable: Mapping[str, bool]
) -> float:
    """The area under precision over recall as the threshold rises, ties at once."""
    order = list(_rising(probabilities))
    count = sum(answerable.values())
    total = recorded = area = 0.0
    for place, key in enumerate(order, start=1):
        if answerable[key]:
            total += scores.get(key, 0.0)
        last = place == len(order) or probabilities[key] != probabilities[order[place]]
        if last:
            recall = total / count
            area += total / place * (recall - recorded)
            recorded = recall
    return PERCENT * area


def _rising(probabilities: Mapping[str, float]) -> Iterable[str]:
    """The questions from the least probable to have no answer to the most; ties in file order."""
    return sorted(probabilities, key=probabilities.__getitem__)
