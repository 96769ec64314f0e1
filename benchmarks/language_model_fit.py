"""Fits how a language model and the embedded reader are weighed, for `language_model --fit`."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.kept_completions import Kept
from benchmarks.language_model import Bench, open_bench, tells
from seminar.datasets.dialogues.written import WrittenSet, WrittenTurn
from seminar.logistic import Floats, probabilities
from seminar.settings import Settings
from seminar.types import Dialogue
from seminar.writing.weighing import FEATURES, Candidate, candidates
from seminar.writing.writer import Draft

PENALTY = 1.0  # of the fitted weights


def fit(
    groups: Sequence[WrittenSet],
    ids: Sequence[tuple[int, int, int]],
    settings: Settings,
    model: Kept,
) -> dict[str, object]:
    """Weights of the two witnesses, on the candidates of drawn turns."""
    table, labels, turns = [], [], 0
    with tempfile.TemporaryDirectory() as place:
        for g in sorted({one for one, _, _ in ids}):
            folder = Path(place) / str(g)
            folder.mkdir()
            bench = open_bench(groups[g], folder, settings, model)
            for _, d, t in (one for one in ids if one[0] == g):
                turn = groups[g].dialogues[d][t]
                [quick] = bench.assistant.answer_without_suggestions([Dialogue()], [turn.rewrite])
                if quick.meta:
                    continue
                turns += 1
                draft = bench.writer.draft(Dialogue(), quick.query, quick.hits, lambda _: None)
                [answers] = bench.writer.embedded.reader.read([quick.query], [quick.hits])
                for one in candidates(answers[:2], draft.written):
                    table.append([one.features()[name] for name in FEATURES])
                    labels.append(float(_is_right(bench, turn, one, draft)))
    found, right = np.array(table), np.array(labels)
    offset = found[:, FEATURES.index("reader")]  # calibrated: it keeps its weight of 1
    moved = [name for name in FEATURES if name not in ("bias", "reader")]
    rest = found[:, [FEATURES.index(name) for name in moved]]
    fitted = {"bias": 0.0, "reader": 1.0} | dict(
        zip(moved, np.round(fit_offset(rest, right, offset), 3).tolist(), strict=True)
    )
    return {"weights": fitted, "turns": turns, "candidates": len(labels), "right": int(right.sum())}


def fit_offset(features: Floats, labels: Floats, offset: Floats) -> Floats:
    """Weights of least penalised log loss beside log odds that are given, by Newton's method."""
    weights = np.zeros(features.shape[1])
    for _ in range(50):
        chance = probabilities(features @ weights + offset)
        gradient = features.T @ (chance - labels) + PENALTY * weights
        curvature = (features * (chance * (1 - chance))[:, None]).T @ features
        weights = weights - np.linalg.solve(curvature + PENALTY * np.eye(len(weights)), gradient)
    return weights


def _is_right(bench: Bench, turn: WrittenTurn, candidate: Candidate, draft: Draft) -> bool:
    answer = candidate.answer
    if turn.affirmation != "neither":
        side = answer.affirmation
        if candidate.verdict.written and side == "neither":
            side = draft.written.affirmation
        return side == turn.affirmation
    quoted = any(
        bench.material.matches(span, quote) for span in answer.spans for quote in turn.answers
    )
    told = " ".join(one.text for one in draft.written.segments) if candidate.verdict.written else ""
    return quoted or tells(f"{answer.text} {told}", turn.answers)
