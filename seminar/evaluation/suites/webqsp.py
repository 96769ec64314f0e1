"""WebQSP: F1 of answer sets, as in AmbigQA (Yih et al., 2016)."""

from __future__ import annotations

from seminar.evaluation.suites.ambigqa import TASK, natural_questions
from seminar.evaluation.suites.suite import Suite

SUITE = Suite({"answers": TASK}, corpus=natural_questions)
