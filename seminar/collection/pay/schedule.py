"""What a dialogue pays: per turn, growing beyond the minimum, in part where the partner left.

PragmatiCQA, section 3.3: both workers get more with each turn beyond the minimum, and each of
these turns pays more than the one before; who teaches gets more for a conversation. QuAC, section
2: workers are paid by completed turns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from seminar.errors import ConfigurationError

Ending = Literal["completed", "partner left", "left"]

_ROUNDED_HALF = 50  # out of 100


@dataclass(frozen=True, slots=True)
class PayPlan:
    """The rates of a study, in minor units of its currency.

    `base` is paid once `minimum` turns are done; `turn` for each turn; `extra` for the first turn
    beyond the minimum, and `growth` more with each further one. `most` limits the turns that are
    paid. `roles` are additions for a role, with the base. Where the partner leaves before the
    minimum, `partial` percent of base and role are paid; who leaves gets the turns alone.
    `annotation` is paid for a judgement outside of dialogues.
    """

    currency: str
    base: int = 0
    turn: int = 0
    extra: int = 0
    growth: int = 0
    minimum: int = 0
    most: int = 1_000
    roles: Mapping[str, int] = field(default_factory=dict)
    partial: int = 100
    annotation: int = 0

    def __post_init__(self) -> None:
        rates = {name: getattr(self, name) for name in _RATES} | dict(self.roles)
        for name, rate in rates.items():
            if rate < 0:
                raise ConfigurationError(f"pay '{name}' is {rate}; it can't be below 0")
        if self.partial > 100:
            raise ConfigurationError(f"pay 'partial' is {self.partial} percent; at most 100")


_RATES = ("base", "turn", "extra", "growth", "minimum", "most", "partial", "annotation")


@dataclass(frozen=True, slots=True)
class Pay:
    """What one worker earned in one dialogue, by kind, in minor units."""

    lines: tuple[tuple[str, int], ...]

    @property
    def total(self) -> int:
        return sum(amount for _, amount in self.lines)


def earned(plan: PayPlan, turns: int, *, role: str, ending: Ending) -> Pay:
    """The pay of one worker for a dialogue of so many completed turns.

    >>> plan = PayPlan("USD", base=100, extra=10, growth=5, minimum=6, roles={"teacher": 50})
    >>> earned(plan, 8, role="teacher", ending="completed").lines
    (('base', 100), ('role', 50), ('further turns', 25))
    >>> earned(plan, 8, role="student", ending="completed").total
    125
    """
    if turns < 0:
        raise ConfigurationError(f"a dialogue can't have {turns} turns")
    counted = min(turns, plan.most)
    lines = (
        *_fixed(plan, turns, role, ending),
        ("turns", counted * plan.turn),
        ("further turns", _growing(plan, max(0, counted - plan.minimum))),
    )
    return Pay(tuple((kind, amount) for kind, amount in lines if amount))


def turn_pay(plan: PayPlan, number: int) -> int:
    """What the turn of this number (from 1) adds, to be shown while the dialogue goes on.

    >>> plan = PayPlan("USD", turn=2, extra=10, growth=5, minimum=6)
    >>> [turn_pay(plan, number) for number in (1, 6, 7, 8)]
    [2, 2, 12, 17]
    """
    if number > plan.most:
        return 0
    beyond = number - plan.minimum
    return plan.turn + (plan.extra + (beyond - 1) * plan.growth if beyond > 0 else 0)


def _fixed(plan: PayPlan, turns: int, role: str, ending: Ending) -> list[tuple[str, int]]:
    """Base and addition for the role, in full or in part."""
    amounts = [("base", plan.base), ("role", plan.roles.get(role, 0))]
    if turns >= plan.minimum and (turns or ending == "completed"):
        return amounts
    if ending == "partner left":
        return [(f"part of {kind}", _percent(amount, plan.partial)) for kind, amount in amounts]
    return []


def _percent(amount: int, percent: int) -> int:
    """A percentage in whole minor units, halves rounded up."""
    return (amount * percent + _ROUNDED_HALF) // 100


def _growing(plan: PayPlan, beyond: int) -> int:
    """extra + (extra + growth) + (extra + 2 growth) + ... over the turns beyond the minimum."""
    return beyond * plan.extra + plan.growth * beyond * (beyond - 1) // 2
