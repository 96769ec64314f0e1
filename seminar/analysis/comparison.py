"""Systems compared on the same questions: paired bootstrap, wins and losses, single errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import pandas as pd

from seminar.analysis.outcomes import Outcome
from seminar.analysis.question_types import prefix
from seminar.examples import Evidence, Example
from seminar.metrics.statistics import bootstrap_interval, paired_randomisation

ROUNDS = 2_000
SAME = 1e-9  # scores that differ by less are equal
LEAST = 20  # questions of a kind that is listed
KINDS = {
    "question type": "type",
    "answerable": "answerable",
    "turn": "switch",
    "question kind": "kind",
    "domain": "domain",
    "answer length": "length",
}
ERRORS = 2_000  # questions in the error browser
TEXT = 1_500  # characters of a text there

Pair = tuple[str, str]


def pairs(outcomes: pd.DataFrame) -> dict[Pair, pd.DataFrame]:
    """The questions that two systems both answered, with their gap, for each two systems."""
    systems = list(dict.fromkeys(outcomes["system"])) if len(outcomes) else []
    parts = {name: outcomes[outcomes["system"] == name] for name in systems}
    return {
        (first, second): parts[first]
        .merge(parts[second][["id", "score"]], on="id", suffixes=("", " of second"))
        .assign(gap=lambda both: both["score of second"] - both["score"])
        for first, second in combinations(systems, 2)
    }


def paired_bootstrap(outcomes: pd.DataFrame, *, seed: int = 0) -> pd.DataFrame:
    """The difference of each two systems in percent, with its interval and p-value.

    The interval comes from 2,000 resamplings of whole dialogs, the p-value from swapping the
    systems' answers of whole dialogs.
    """
    rows = []
    for (first, second), both in pairs(outcomes).items():
        if both.empty:
            continue
        dialogs = both["dialogue"].tolist()
        gap = bootstrap_interval(both["gap"].tolist(), dialogs, rounds=ROUNDS, seed=seed)
        chance = paired_randomisation(
            both["score"].tolist(), both["score of second"].tolist(), dialogs, rounds=ROUNDS,
            seed=seed,
        )  # fmt: skip
        wins, losses = _count(both["gap"])
        rows.append(
            (first, second, len(both), 100 * gap.mean, 100 * gap.low, 100 * gap.high,
             chance.p_value, wins, losses, len(both) - wins - losses)
        )  # fmt: skip
    names = [
        "first",
        "second",
        "questions",
        "second − first",
        "low",
        "high",
        "p",
        "second wins",
        "second loses",
        "equal",
    ]
    return pd.DataFrame(rows, columns=names)


def _count(gaps: pd.Series) -> tuple[int, int]:
    return int((gaps > SAME).sum()), int((gaps < -SAME).sum())


def wins_by_kind(outcomes: pd.DataFrame) -> pd.DataFrame:
    """Wins, losses and the mean gap of each two systems by kinds of 20 questions or more."""
    rows = []
    for (first, second), both in pairs(outcomes).items():
        typed = both.assign(type=both["question"].map(lambda text: prefix(text)[0]))
        for name, column in KINDS.items():
            if column not in typed:
                continue
            for kind, part in typed.groupby(column, observed=True, sort=True):
                if len(part) < LEAST or kind == "":
                    continue
                wins, losses = _count(part["gap"])
                rows.append(
                    (first, second, name, str(kind), len(part), wins, losses,
                     100 * float(part["gap"].mean()))
                )  # fmt: skip
    names = [
        "first",
        "second",
        "by",
        "kind",
        "questions",
        "second wins",
        "second loses",
        "mean gap",
    ]
    return pd.DataFrame(rows, columns=names)


def error_rows(
    examples: Sequence[Example], systems: Mapping[str, Sequence[Outcome]], *, limit: int = ERRORS
) -> tuple[Mapping[str, Any], ...]:
    """The questions with the lowest scores, with history, gold, predictions and evidence."""
    answers: dict[str, dict[str, Outcome]] = {}
    for system, outcomes in systems.items():
        for one in outcomes:
            answers.setdefault(one.id, {})[system] = one
    asked = [example for example in examples if example.id in answers]
    worst = sorted(asked, key=lambda one: min(o.score for o in answers[one.id].values()))
    return tuple(_error(example, answers[example.id]) for example in worst[:limit])


def _error(example: Example, own: Mapping[str, Outcome]) -> Mapping[str, Any]:
    gold = example.gold
    return {
        "id": example.id,
        "dialogue": example.dialogue_id,
        "turn": example.turn,
        "question": example.question[:TEXT],
        "type": prefix(example.question)[0],
        "history": [[q[:TEXT], a[:TEXT]] for q, a in example.history],
        "gold": [answer[:TEXT] for answer in dict.fromkeys(gold.answers)] or ["(no answer)"],
        "evidence": _evidence(example),
        "predictions": [
            {"system": system, "answer": one.answer[:TEXT] or "(none)",
             "score": round(100 * one.score, 1)}
            for system, one in own.items()
        ],
    }  # fmt: skip


def _evidence(example: Example) -> str:
    """The gold evidence, or the words around the answer in the context."""
    shown: tuple[Evidence, ...] = example.gold.evidence or example.gold.literal
    quoted = " … ".join(text for one in shown if (text := one.text or one.title or one.source))
    if quoted or not (example.context and example.gold.answers):
        return quoted[:TEXT]
    spans = example.gold.spans
    at = spans[0][0] if spans else example.context.find(example.gold.answers[0])
    return example.context[max(0, at - TEXT // 4) : at + TEXT // 2] if at >= 0 else ""
