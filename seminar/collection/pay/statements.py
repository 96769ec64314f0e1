"""Statements of pay as CSV that spreadsheets open without running any cell of it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from seminar.collection.pay.amounts import decimal_amount
from seminar.collection.pay.ledger import Entry, balances

COLUMNS = ("worker", "date", "dialogue", "kind", "amount", "currency", "note")
TOTALS = ("worker", "entries", "amount", "currency")

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def statement(entries: Iterable[Entry], worker: str) -> str:
    """The entries of one worker in the order of time, and their sum."""
    own = sorted((entry for entry in entries if entry.worker == worker), key=_moment)
    rows = [_row(entry) for entry in own]
    if own:
        currency = own[0].currency
        total = decimal_amount(sum(entry.amount for entry in own), currency)
        rows.append((plain_cell(worker), "", "", "total", str(total), currency, ""))
    return csv_text(COLUMNS, rows)


def totals(entries: Sequence[Entry]) -> str:
    """One line for each worker: how many entries, and their sum."""
    counts = dict.fromkeys(balances(entries), 0)
    for entry in entries:
        counts[entry.worker] += 1
    currency = entries[0].currency if entries else ""
    rows = [
        (plain_cell(worker), str(counts[worker]), str(decimal_amount(amount, currency)), currency)
        for worker, amount in sorted(balances(entries).items())
    ]
    return csv_text(TOTALS, rows)


def plain_cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula (OWASP, CSV injection).

    >>> plain_cell("=1+2"), plain_cell("fine")
    ("'=1+2", 'fine')
    """
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows as CSV (RFC 4180) under their columns' names."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(columns)
    writer.writerows(rows)
    return stream.getvalue()


def _moment(entry: Entry) -> tuple[str, str]:
    return entry.at.isoformat(), entry.key


def _row(entry: Entry) -> tuple[str, ...]:
    return (
        plain_cell(entry.worker),
        entry.at.isoformat(timespec="seconds"),
        plain_cell(entry.dialogue),
        plain_cell(entry.kind),
        str(decimal_amount(entry.amount, entry.currency)),
        entry.currency,
        plain_cell(entry.note),
    )
