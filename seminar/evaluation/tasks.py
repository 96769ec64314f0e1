"""What is measured on a dataset: each question's measures, by the pieces of the official scorers.

A measure that doesn't count for a question is left out of its measures; a score is the mean over
the questions that have it, as the official programs average.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from seminar.errors import ConfigurationError, ScoringError
from seminar.evaluation.predictions import Prediction
from seminar.examples import Example, Reading
from seminar.metrics.measures.overlap import TurnScore, score_turn
from seminar.metrics.official import ambigqa, nq_open, pragmaticqa, qaconv, quac, squad

Measures = dict[str, float]
Measure = Callable[[Example, Prediction], Measures]


@dataclass(frozen=True, slots=True)
class Task:
    """What a dataset measures: columns in order, and the measures of one question, 0 to 1.

    `no_answer` is how a system says that there is none. `dialogs` holds measures of whole dialogs:
    the share of them in which another measure is full on every question.
    """

    columns: tuple[str, ...]
    measure: Measure
    no_answer: str = ""
    scale: float = 100.0
    decimals: int = 1
    dialogs: Mapping[str, str] = field(default_factory=dict)


def measure_quac(example: Example, said: Prediction) -> Measures:
    """F1 and human equivalence; where people disagree only the unfiltered F1 counts."""
    references = quac.resolve_cannot_answer(example.gold.answers)
    human = quac.human_f1(references)
    f1 = quac.answer_f1(said.answer, references)
    measures = {"F1 all": f1}
    if human < quac.MINIMUM_HUMAN_F1:
        return measures
    measures |= {"F1": f1, "HEQ-Q": float(f1 >= human)}
    for name, letter, act in (
        ("yes/no", said.yesno, example.gold.affirmation),
        ("follow-up", said.followup, example.gold.continuation),
    ):
        if letter and act:
            measures[name] = float(LETTERS[name].get(letter) == act)
    return measures


LETTERS = {
    "yes/no": {"y": "yes", "n": "no", "x": "neither"},
    "follow-up": {"y": "follow up", "m": "maybe", "n": "don't"},
}


def measure_turn(example: Example, said: Prediction) -> Measures:
    """Exact match and F1, leave-one-out (CoQA, TopiOCQA)."""
    return _exact_and_f1(score_turn(said.answer, example.gold.answers))


def measure_squad_v1(example: Example, said: Prediction) -> Measures:
    """Exact match and F1 of the best reference; a question without one can't be scored."""
    return _exact_and_f1(squad.score_v1_answer(said.answer, example.gold.answers))


def measure_squad_v2(example: Example, said: Prediction) -> Measures:
    """Exact match and F1 of the best reference, no answer being right where there is none."""
    return _exact_and_f1(squad.score_v2_answer(said.answer, example.gold.answers))


def _exact_and_f1(score: TurnScore) -> Measures:
    return {"EM": score.exact, "F1": score.f1}


def measure_qaconv(example: Example, said: Prediction) -> Measures:
    """Exact match, F1 and FZ-R, and the parts of them by answerability (table 9 of the paper)."""
    gold = qaconv.gold_answers(example.gold.answers)
    one = qaconv.score_answer(said.answer, gold)
    measures = {"EM": one.exact, "F1": one.f1, "FZ-R": one.fzr / 100}
    if example.gold.answerable:
        return measures | {"EM answerable": one.exact, "F1 answerable": one.f1}
    return measures | {"recall unanswerable": one.exact}


def measure_nq_open(example: Example, said: Prediction) -> Measures:
    """Exact match with any reference."""
    return {"EM": float(nq_open.exact_match(said.answer, example.gold.answers))}


def measure_answer_set(example: Example, said: Prediction) -> Measures:
    """F1 of a set of answers against the best annotation (AmbigQA, WebQSP)."""
    answers = said.answers or ((said.answer,) if said.answer else ())
    sets = [[one.aliases for one in found] for found in example.gold.annotations]
    f1 = max(ambigqa.set_f1(found, answers) for found in sets)
    several = not any(single_answer(found) for found in example.gold.annotations)
    return {"F1": f1, "F1 multi": f1} if several else {"F1": f1}


def single_answer(found: tuple[Reading, ...]) -> bool:
    """Whether an annotator held one answer for enough, without telling readings apart."""
    return len(found) == 1 and not found[0].question


def measure_pragmaticqa(example: Example, said: Prediction) -> Measures:
    """F1 of the literal spans, and of what the pragmatic ones add."""
    gold = pragmaticqa.Spans(
        [span.text for span in example.gold.literal],
        [span.text for span in example.gold.pragmatic],
    )
    spans = pragmaticqa.Spans(said.literal or ([said.answer] * bool(said.answer)), said.pragmatic)
    return {
        "F1-lit": pragmaticqa.literal_f1(spans, gold),
        "F1-prag": pragmaticqa.pragmatic_f1(spans, gold),
    }


def measure_boolq(example: Example, said: Prediction) -> Measures:
    """Whether yes or no is right."""
    said_yes = LETTERS["yes/no"].get(said.yesno, said.answer.lower())
    return {"accuracy": float(said_yes == example.gold.affirmation)}


def measure_segment_recall(example: Example, said: Prediction) -> Measures:
    """Whether the gold chunk is among the first k (QAConv, full mode)."""
    gold = {evidence.source for evidence in example.gold.evidence}
    if not gold:  # no segment could be told to be the chunk
        return {}
    return _recall([one.id in gold for one in said.ranking], qaconv.CUTOFFS)


def measure_topiocqa_hits(example: Example, said: Prediction) -> Measures:
    """Whether the gold passage is among the first 20 and the first 100, found by its words."""
    if not example.gold.evidence:
        raise ScoringError(f"turn '{example.id}' has no gold passage: retrieval can't be scored")
    gold = example.gold.evidence[0]
    hits = [(one.title, one.text) == (gold.title, gold.text) for one in said.ranking]
    return _recall(hits, (20, 100), name="Top-")


def _recall(hits: list[bool], cutoffs: tuple[int, ...], name: str = "R@") -> Measures:
    return {f"{name}{k}": float(any(hits[:k])) for k in cutoffs}


_RECALLS = tuple(f"R@{k}" for k in qaconv.CUTOFFS)
_PLAIN = ("EM", "F1")

ANSWERS: dict[str, Task] = {
    "ambigqa": Task(("F1", "F1 multi"), measure_answer_set),
    "boolq": Task(("accuracy",), measure_boolq),
    "coqa": Task(_PLAIN, measure_turn, no_answer="unknown"),
    "friendsqa": Task(_PLAIN, measure_squad_v2),
    "molweni": Task(_PLAIN, measure_squad_v2),
    "nq_gold_passages": Task(("EM",), measure_nq_open),
    "nq_open": Task(("EM",), measure_nq_open),
    "pragmaticqa": Task(("F1-lit", "F1-prag"), measure_pragmaticqa, no_answer="I don't know"),
    "qaconv": Task(
        ("EM", "F1", "FZ-R", "EM answerable", "F1 answerable", "recall unanswerable"),
        measure_qaconv,
        no_answer=qaconv.UNANSWERABLE,
    ),
    "quac": Task(
        ("F1", "HEQ-Q", "HEQ-D", "F1 all", "yes/no", "follow-up"),
        measure_quac,
        no_answer=quac.CANNOT_ANSWER,
        dialogs={"HEQ-D": "HEQ-Q"},
    ),
    "squad": Task(_PLAIN, measure_squad_v1),
    "squad/dev-v2": Task(_PLAIN, measure_squad_v2),
    "squad/train-v2": Task(_PLAIN, measure_squad_v2),
    "squad/train-v2-unanswerable": Task(_PLAIN, measure_squad_v2),
    "topiocqa": Task(_PLAIN, measure_turn, no_answer="UNANSWERABLE"),
    "webqsp": Task(("F1", "F1 multi"), measure_answer_set),
    "webquestions": Task(("EM",), measure_nq_open),
}
RETRIEVAL: dict[str, Task] = {
    "qaconv": Task(_RECALLS, measure_segment_recall, scale=1.0, decimals=3),
    "topiocqa": Task(("Top-20", "Top-100"), measure_topiocqa_hits),
}
# The same measure against chunks that had to be found again: no figure of the paper's is its like.
LOCATED: dict[str, Task] = {"qaconv": RETRIEVAL["qaconv"]}
KINDS = {"answers": ANSWERS, "retrieval": RETRIEVAL, "located chunks": LOCATED}


def find_task(name: str, kind: str = "answers") -> Task:
    """What is measured on a split, as in find_task("squad/dev-v2")."""
    tasks = KINDS[kind]
    task = tasks.get(name) or tasks.get(name.partition("/")[0])
    if task is None:
        known = ", ".join(sorted({one.partition("/")[0] for one in tasks}))
        raise ConfigurationError(f"{name} has no measure of {kind}. Those that have: {known}")
    return task
