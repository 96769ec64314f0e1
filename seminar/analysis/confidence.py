"""What a system's confidence is worth: risk against coverage, and calibration."""

from __future__ import annotations

import numpy as np
import pandas as pd

BINS = 10
POINTS = 100  # of a risk-coverage curve


def risk_coverage(outcomes: pd.DataFrame) -> pd.DataFrame:
    """The risk, 100 − mean score, of each system if only its surest answers are given.

    The questions are ordered by confidence, the surest first; coverage is the share answered.
    """
    rows = []
    known = outcomes[outcomes["confidence"].notna()]
    for system, part in known.groupby("system", sort=False):
        scores = part.sort_values("confidence", ascending=False, kind="stable")["score"].to_numpy()
        counts = np.arange(1, len(scores) + 1)
        risks = 100 * (1 - np.cumsum(scores) / counts)
        picked = np.unique(np.linspace(1, len(scores), min(POINTS, len(scores))).astype(int)) - 1
        rows += [(system, 100 * counts[at] / len(scores), risks[at]) for at in picked]
    return pd.DataFrame(rows, columns=["system", "coverage %", "risk %"])


def calibration(outcomes: pd.DataFrame) -> pd.DataFrame:
    """Mean confidence and mean score of each system in ten bins of confidence, in percent."""
    known = outcomes[outcomes["confidence"].notna()]
    bins = (known["confidence"] * BINS).astype(int).clip(upper=BINS - 1)
    groups = known.groupby(["system", bins.rename("bin")], sort=False)
    table = pd.DataFrame(
        {
            "questions": groups.size(),
            "confidence %": 100 * groups["confidence"].mean(),
            "score %": 100 * groups["score"].mean(),
        }
    )
    return table.reset_index().sort_values(["system", "bin"], kind="stable").reset_index(drop=True)


def summary(outcomes: pd.DataFrame) -> pd.DataFrame:
    """The area under each risk-coverage curve, and the expected calibration error, in percent.

    The area is the mean risk over all coverages; the error the mean distance of confidence and
    score over the bins, by their questions (Guo et al., 2017).
    """
    rows = []
    known = outcomes[outcomes["confidence"].notna()]
    bins = calibration(known)
    for system, part in known.groupby("system", sort=False):
        ordered = part.sort_values("confidence", ascending=False, kind="stable")["score"].to_numpy()
        risks = 1 - np.cumsum(ordered) / np.arange(1, len(ordered) + 1)
        own = bins[bins["system"] == system]
        distance = (own["confidence %"] - own["score %"]).abs()
        error = float((distance * own["questions"]).sum() / own["questions"].sum())
        rows.append((system, len(part), 100 * float(risks.mean()), error))
    names = ["system", "questions", "area under risk-coverage %", "calibration error %"]
    return pd.DataFrame(rows, columns=names)
