"""When the workers of a PragmatiCQA dialog may go (Qi et al., 2023, section 3.2)."""

from __future__ import annotations

LEAST_ROUNDS = 6  # a dialog with fewer is not kept


def may_leave(rounds: int, *, least: int = LEAST_ROUNDS) -> bool:
    """Whether either worker may leave with full pay; a round is a question and its reply."""
    return rounds >= least
