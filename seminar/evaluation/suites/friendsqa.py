"""FriendsQA: exact match and F1, as SQuAD 2.0 counts them."""

from __future__ import annotations

from seminar.evaluation.suites.squad import TASK_V2
from seminar.evaluation.suites.suite import Suite

SUITE = Suite({"answers": TASK_V2})
