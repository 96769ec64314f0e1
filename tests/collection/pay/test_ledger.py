import csv
import io
from datetime import UTC, datetime, timedelta

import pytest

from seminar.collection.pay.ledger import (
    Entry,
    LedgerError,
    balances,
    bonus,
    check_ledger,
    dialogue_entries,
    reversal,
)
from seminar.collection.pay.schedule import PayPlan, earned
from seminar.collection.pay.statements import plain_cell, statement, totals

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
PLAN = PayPlan("USD", base=100, extra=10, growth=5, minimum=2)


def entries_of(worker: str, dialogue: str, turns: int) -> tuple[Entry, ...]:
    pay = earned(PLAN, turns, role="student", ending="completed")
    return dialogue_entries(pay, worker=worker, dialogue=dialogue, currency="USD", at=NOON)


def test_balances_add_up():
    extra = bonus(key="b1", worker="w1", amount=25, currency="USD", at=NOON)
    ledger = [*entries_of("w1", "d1", 4), *entries_of("w2", "d1", 4), extra]
    check_ledger(ledger)
    assert balances(ledger) == {"w1": 150, "w2": 125}


def test_posting_a_dialogue_twice_is_seen():
    with pytest.raises(LedgerError, match="entry 'd1/w1/base' is there more than once"):
        check_ledger([*entries_of("w1", "d1", 2), *entries_of("w1", "d1", 2)])


def test_a_reversal_takes_back_in_full():
    [base] = entries_of("w1", "d1", 2)
    back = reversal(base, at=NOON, note="spam")
    check_ledger([base, back])
    assert balances([base, back]) == {"w1": 0}


def test_a_reversal_of_nothing_is_refused():
    [base] = entries_of("w1", "d1", 2)
    with pytest.raises(LedgerError, match="reverses 'd1/w1/base', which isn't there"):
        check_ledger([reversal(base, at=NOON, note="spam")])


def test_an_amount_below_zero_needs_what_it_reverses():
    with pytest.raises(LedgerError, match="'x' is -5 and reverses nothing"):
        check_ledger([Entry("x", "w1", "fine", -5, "USD", NOON)])


def test_one_ledger_has_one_currency():
    foreign = bonus(key="b", worker="w", amount=1, currency="EUR", at=NOON)
    with pytest.raises(LedgerError, match="EUR and USD"):
        check_ledger([*entries_of("w", "d", 2), foreign])


def test_a_statement_lists_entries_by_time_and_their_sum():
    late = bonus(
        key="b",
        worker="w1",
        amount=205,
        currency="USD",
        at=NOON + timedelta(hours=1),
        note="thanks",
    )
    rows = list(csv.DictReader(io.StringIO(statement([late, *entries_of("w1", "d1", 3)], "w1"))))
    assert [(row["kind"], row["amount"]) for row in rows] == [
        ("base", "1.00"),
        ("further turns", "0.10"),
        ("bonus", "2.05"),
        ("total", "3.15"),
    ]


def test_statements_hold_no_formula():
    entry = Entry("k", "=cmd()", "bonus", 5, "USD", NOON, note='@SUM(A1),"quoted"\n+2')
    [row, total] = csv.DictReader(io.StringIO(statement([entry], "=cmd()")))
    assert row["worker"] == total["worker"] == "'=cmd()"
    assert row["note"] == '\'@SUM(A1),"quoted"\n+2'
    assert [plain_cell(text) for text in ("-1", " +1", "\t=1", "＝1", "a=1", "")] == [
        "'-1",
        "' +1",
        "'\t=1",
        "'＝1",
        "a=1",
        "",
    ]


def test_totals_have_one_line_for_each_worker():
    ledger = [*entries_of("w2", "d1", 2), *entries_of("w1", "d1", 4)]
    rows = list(csv.reader(io.StringIO(totals(ledger))))
    assert rows == [
        ["worker", "entries", "amount", "currency"],
        ["w1", "2", "1.25", "USD"],
        ["w2", "1", "1.00", "USD"],
    ]


def test_an_empty_ledger_has_empty_statements():
    assert statement([], "w1").splitlines() == ["worker,date,dialogue,kind,amount,currency,note"]
    assert totals([]).splitlines() == ["worker,entries,amount,currency"]
