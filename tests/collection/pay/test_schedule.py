import pytest
from hypothesis import given
from hypothesis import strategies as st

from seminar.collection.pay.amounts import decimal_amount, minor_units
from seminar.collection.pay.schedule import PayPlan, earned, turn_pay
from seminar.errors import ConfigurationError

PLAN = PayPlan(
    "USD", base=150, turn=3, extra=10, growth=5, minimum=6, roles={"teacher": 75}, partial=50
)


def test_further_turns_pay_more_each():
    assert [turn_pay(PLAN, number) for number in (1, 6, 7, 8, 9)] == [3, 3, 13, 18, 23]
    assert earned(PLAN, 9, role="student", ending="completed").lines == (
        ("base", 150),
        ("turns", 27),
        ("further turns", 45),
    )


def test_the_teacher_gets_more():
    student = earned(PLAN, 6, role="student", ending="completed").total
    assert earned(PLAN, 6, role="teacher", ending="completed").total == student + 75


def test_partner_who_left_before_the_minimum_leaves_partial_pay():
    assert earned(PLAN, 2, role="teacher", ending="partner left").lines == (
        ("part of base", 75),
        ("part of role", 38),
        ("turns", 6),
    )


def test_who_leaves_before_the_minimum_gets_the_turns_alone():
    assert earned(PLAN, 2, role="teacher", ending="left").lines == (("turns", 6),)


def test_leaving_after_the_minimum_costs_nothing():
    completed = earned(PLAN, 7, role="teacher", ending="completed")
    assert earned(PLAN, 7, role="teacher", ending="left") == completed


def test_who_leaves_before_the_first_turn_gets_no_base_even_without_a_minimum():
    plan = PayPlan("USD", base=100)
    assert earned(plan, 0, role="student", ending="left").total == 0
    assert earned(plan, 1, role="student", ending="left").total == 100


@given(
    turns=st.integers(0, 60),
    minimum=st.integers(0, 20),
    growth=st.integers(0, 50),
    most=st.integers(0, 40),
)
def test_turns_shown_one_by_one_add_up_to_the_pay(turns, minimum, growth, most):
    plan = PayPlan("EUR", turn=4, extra=7, growth=growth, minimum=minimum, most=most)
    shown = sum(turn_pay(plan, number) for number in range(1, turns + 1))
    assert earned(plan, turns, role="student", ending="completed").total == shown


def test_pay_below_zero_is_refused():
    with pytest.raises(ConfigurationError, match="pay 'growth' is -1; it can't be below 0"):
        PayPlan("USD", growth=-1)


def test_amounts_are_exact_in_each_currency():
    assert minor_units("0.10", "USD") == 10
    assert minor_units("12", "JPY") == 12
    assert minor_units("0.125", "KWD") == 125
    assert str(decimal_amount(30, "USD")) == "0.30"
    assert str(decimal_amount(-5, "EUR")) == "-0.05"


@pytest.mark.parametrize("amount", ["0.125", "1e3", "NaN", "", "1,5", "-"])
def test_amounts_that_are_not_whole_cents_are_refused(amount):
    with pytest.raises(ConfigurationError, match=f"amount '{amount}'"):
        minor_units(amount, "USD")


def test_a_currency_is_a_code():
    with pytest.raises(ConfigurationError, match="currency 'dollars'"):
        minor_units("1", "dollars")
