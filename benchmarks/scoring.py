"""How fast QuAC-style questions are scored, against a plain implementation that scores each pair.

    python benchmarks/scoring.py [--questions 100000] [--output benchmarks/results/scoring.json]

The plain one normalises both texts of every pair anew and counts with `collections.Counter`, as the
official programs do. Both score the same questions in the same run, and must agree. Processor
time is measured, since other work may share the machine.
"""

from __future__ import annotations

import argparse
import itertools
import json
import platform
import random
import re
import string
import time
import tracemalloc
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from seminar.metrics.official.quac import (
    CANNOT_ANSWER,
    QuacAnswer,
    QuacDialog,
    QuacPrediction,
    QuacQuestion,
    resolve_cannot_answer,
    score_dialogs,
)

REFERENCES = 5
QUESTIONS_PER_DIALOG = 7
POOL = 300  # different dialogs, told again and again
PLAIN_QUESTIONS = 10_000
SEED = 20

Scored = tuple[QuacDialog, Mapping[str, QuacPrediction]]


def make_dialog(number: int, chance: random.Random) -> Scored:
    """A dialog over a made-up section, whose answers are overlapping windows of it."""
    syllables = ["ba", "ri", "to", "ne", "lu", "sa", "mi", "ko", "de", "va"]
    words = ["the", "a", "of", "and", "in", "to", "was", "he", "1,914", "co-founder"]
    words += ["".join(chance.choices(syllables, k=chance.randint(1, 4))) for _ in range(150)]
    section = [chance.choice(words) + chance.choice(["", "", "", "", ",", "."]) for _ in range(400)]
    context = " ".join(section)
    questions, predictions = [], {}
    for place in range(QUESTIONS_PER_DIALOG):
        start = chance.randrange(350)
        answers = [window(section, start, chance) for _ in range(REFERENCES)]
        key = f"D_{number}_q#{place}"
        references = [QuacAnswer(text=text) for text in answers]
        questions.append(QuacQuestion(id=key, answers=references, yesno="x", followup="m"))
        predictions[key] = QuacPrediction(window(section, start, chance), "x", "m")
    return QuacDialog(id=f"D_{number}", context=context, qas=questions), predictions


def window(section: Sequence[str], start: int, chance: random.Random) -> str:
    """About fifteen words near a place, or now and then no answer."""
    if chance.random() < 0.15:
        return CANNOT_ANSWER
    begin = max(0, start + chance.randint(-4, 4))
    return " ".join(section[begin : begin + chance.randint(5, 25)])


def stream(pool: Sequence[Scored], questions: int) -> Iterator[Scored]:
    """As many dialogs as hold that many questions."""
    return itertools.islice(itertools.cycle(pool), questions // QUESTIONS_PER_DIALOG)


def plain_normalise(text: str) -> str:
    """SQuAD normalisation, step by step."""
    punctuation = set(string.punctuation)
    kept = "".join(sign for sign in text.lower() if sign not in punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", kept).split())


def plain_f1(prediction: str, reference: str) -> float:
    """Token F1 of one pair."""
    said, wanted = plain_normalise(prediction).split(), plain_normalise(reference).split()
    shared = sum((Counter(said) & Counter(wanted)).values())
    if not shared:
        return 0.0
    precision, recall = shared / len(said), shared / len(wanted)
    return (2 * precision * recall) / (precision + recall)


def plain_pair(prediction: str, reference: str) -> float:
    """The score of one pair."""
    if reference == CANNOT_ANSWER:
        return float(prediction == CANNOT_ANSWER)
    return plain_f1(prediction, reference)


def plain_question(prediction: str, references: Sequence[str]) -> tuple[float, float]:
    """The F1 of a prediction and of people, every pair anew."""
    if len(references) == 1:
        return plain_pair(prediction, references[0]), 1.0
    model, human = [], []
    for left_out, reference in enumerate(references):
        others = [other for place, other in enumerate(references) if place != left_out]
        model.append(max(plain_pair(prediction, other) for other in others))
        human.append(max(plain_f1(reference, other) for other in others))
    return sum(model) / len(model), sum(human) / len(human)


def plain_scores(dialogs: Iterator[Scored]) -> tuple[float, float]:
    """Unfiltered F1 in percent, and HEQ-Q."""
    unfiltered, equivalent, agreed = [], 0, 0
    for dialog, predictions in dialogs:
        for question in dialog["qas"]:
            references = resolve_cannot_answer([answer["text"] for answer in question["answers"]])
            model, human = plain_question(predictions[question["id"]].text, references)
            unfiltered.append(model)
            if human >= 0.4:
                agreed += 1
                equivalent += model >= human
    return 100 * sum(unfiltered) / len(unfiltered), 100 * equivalent / agreed


def peak_megabytes(pool: Sequence[Scored], questions: int) -> float:
    """The most memory that scoring holds at once, beyond the pool."""
    tracemalloc.start()
    score_dialogs(stream(pool, questions))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 1e6


def measure(questions: int) -> dict[str, object]:
    """Both implementations on the same questions, and memory at two sizes."""
    chance = random.Random(SEED)
    pool = [make_dialog(number, chance) for number in range(POOL)]
    compared = min(questions, PLAIN_QUESTIONS)
    began = time.process_time()
    expected = plain_scores(stream(pool, compared))
    plain = time.process_time() - began
    began = time.process_time()
    same = score_dialogs(stream(pool, compared))
    ours = time.process_time() - began
    if max(abs(same.unfiltered_f1 - expected[0]), abs(same.heq - expected[1])) > 1e-9:
        raise SystemExit(f"the implementations disagree: {same} and {expected}")
    began = time.process_time()
    scores = score_dialogs(stream(pool, questions))
    seconds = time.process_time() - began
    return {
        "questions": scores.unfiltered,
        "references": REFERENCES,
        "cpu_seconds": round(seconds, 2),
        "questions_per_cpu_second": round(scores.unfiltered / seconds),
        "compared_questions": same.unfiltered,
        "plain_cpu_seconds": round(plain, 2),
        "our_cpu_seconds": round(ours, 2),
        "times_faster": round(plain / ours, 1),
        "peak_megabytes_2000_questions": round(peak_megabytes(pool, 2_000), 3),
        "peak_megabytes_20000_questions": round(peak_megabytes(pool, 20_000), 3),
        "python": platform.python_version(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=100_000)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    result = json.dumps(measure(options.questions), indent=2)
    print(result)
    if options.output:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(result + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
