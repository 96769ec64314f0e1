"""The pay ledger: entries that are only ever added, in minor units of one currency."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from seminar.collection.pay.schedule import Pay
from seminar.errors import SeminarError


class LedgerError(SeminarError):
    """Entries that can't stand beside each other in a ledger."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One amount for one worker; `key` is unique, so that posting twice is seen.

    A correction is a further entry that `reverses` an earlier one, never a change of it.
    """

    key: str
    worker: str
    kind: str
    amount: int
    currency: str
    at: datetime
    dialogue: str = ""
    note: str = ""
    reverses: str = ""


def dialogue_entries(
    pay: Pay, *, worker: str, dialogue: str, currency: str, at: datetime
) -> tuple[Entry, ...]:
    """The entries of what a worker earned in a dialogue; the same dialogue gives the same keys."""
    return tuple(
        Entry(f"{dialogue}/{worker}/{kind}", worker, kind, amount, currency, at, dialogue)
        for kind, amount in pay.lines
    )


def bonus(
    *, key: str, worker: str, amount: int, currency: str, at: datetime, note: str = ""
) -> Entry:
    """An amount beside the plan, as for good work or for a fault of the study's."""
    if amount <= 0:
        raise LedgerError(f"bonus '{key}' is {amount}; it must be above 0")
    return Entry(key, worker, "bonus", amount, currency, at, note=note)


def reversal(entry: Entry, *, at: datetime, note: str) -> Entry:
    """The entry that takes an earlier one back in full."""
    return Entry(
        key=f"{entry.key}/reversed",
        worker=entry.worker,
        kind="reversal",
        amount=-entry.amount,
        currency=entry.currency,
        at=at,
        dialogue=entry.dialogue,
        note=note,
        reverses=entry.key,
    )


def balances(entries: Iterable[Entry]) -> dict[str, int]:
    """What each worker has earned, in minor units."""
    totals: defaultdict[str, int] = defaultdict(int)
    for entry in entries:
        totals[entry.worker] += entry.amount
    return dict(totals)


def check_ledger(entries: Sequence[Entry]) -> None:
    """Raise LedgerError for a key used twice, a second currency, or a reversal that doesn't fit."""
    repeated = [key for key, count in Counter(entry.key for entry in entries).items() if count > 1]
    if repeated:
        raise LedgerError(f"entry '{repeated[0]}' is there more than once")
    currencies = sorted({entry.currency for entry in entries})
    if len(currencies) > 1:
        raise LedgerError(f"one ledger can't hold {' and '.join(currencies)}")
    known = {entry.key: entry for entry in entries}
    for entry in entries:
        _check_sign(entry, known.get(entry.reverses))


def _check_sign(entry: Entry, reversed_entry: Entry | None) -> None:
    if not entry.reverses:
        if entry.amount < 0:
            raise LedgerError(f"entry '{entry.key}' is {entry.amount} and reverses nothing")
        return
    if reversed_entry is None:
        raise LedgerError(f"entry '{entry.key}' reverses '{entry.reverses}', which isn't there")
    expected = (reversed_entry.worker, -reversed_entry.amount)
    if (entry.worker, entry.amount) != expected:
        raise LedgerError(f"entry '{entry.key}' doesn't reverse '{entry.reverses}' in full")
