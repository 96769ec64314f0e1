"""NQ with gold passages: exact match, as in NQ-open."""

from __future__ import annotations

from seminar.evaluation.suites.nq_open import TASK
from seminar.evaluation.suites.suite import Suite

SUITE = Suite({"answers": TASK})
