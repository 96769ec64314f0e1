"""Periods that topics name: which days they are, and what is no period."""

from datetime import date

import pytest

from seminar.answering.periods import find_period, resolve
from seminar.errors import SeminarError

NEWEST, TODAY = date(2025, 3, 11), date(2026, 11, 19)


def period(topic: str) -> str:
    named = find_period(topic)
    assert named is not None
    return str(resolve(named, NEWEST, TODAY))


@pytest.mark.parametrize(
    ("topic", "days"),
    [
        ("in 2024", "from 1 January 2024 to 31 December 2024"),
        ("in 2025-02", "from 1 February 2025 to 28 February 2025"),
        ("on 2025-02-03", "on 3 February 2025"),
        ("May 2024", "from 1 May 2024 to 31 May 2024"),
        ("on the 3rd of May, 2024", "on 3 May 2024"),
        ("on Mar. 3, 2025", "on 3 March 2025"),
        ("since 3 May 2024", "since 3 May 2024"),
        ("from 3 May 2024", "since 3 May 2024"),
        ("from March 2024", "from 1 March 2024 to 31 March 2024"),
        ("from March 2024 on", "since 1 March 2024"),
        ("after 3 May 2024", "since 4 May 2024"),
        ("until May 2024", "until 31 May 2024"),
        ("before 2025", "until 31 December 2024"),
        ("from 3 to 10 May 2024", "from 3 May 2024 to 10 May 2024"),
        ("3-10 May 2024", "from 3 May 2024 to 10 May 2024"),
        ("from May 3 to 10", "from 3 May 2024 to 10 May 2024"),
        ("2025-02-01 to 2025-02-10", "from 1 February 2025 to 10 February 2025"),
        ("between 3 May 2024 and 10 June", "from 3 May 2024 to 10 June 2024"),
        ("from November to February 2025", "from 1 November 2024 to 28 February 2025"),
        ("today", "on 19 November 2026"),
        ("yesterday", "on 18 November 2026"),
        ("last week", "from 9 November 2026 to 15 November 2026"),
        ("this month", "from 1 November 2026 to 30 November 2026"),
        ("last month", "from 1 October 2026 to 31 October 2026"),
        ("last year", "from 1 January 2025 to 31 December 2025"),
        ("the last 10 days", "from 10 November 2026 to 19 November 2026"),
        ("since yesterday", "since 18 November 2026"),
    ],
)
def test_a_period_is_its_days(topic: str, days: str):
    assert period(topic) == days


@pytest.mark.parametrize(
    ("topic", "days"),
    [
        ("in February", "from 1 February 2025 to 28 February 2025"),
        ("in December", "from 1 December 2024 to 31 December 2024"),
        ("on 29 February", "on 29 February 2024"),
        ("from November to February", "from 1 November 2024 to 28 February 2025"),
    ],
)
def test_a_missing_year_is_the_last_one_up_to_the_newest_message(topic: str, days: str):
    assert period(topic) == days


@pytest.mark.parametrize(
    ("topic", "rest"),
    [
        ("#boathouse in February", "#boathouse"),
        ("the lift from 3 to 10 May", "the lift"),
        ("last week in general", "in general"),
        ("last week", ""),
    ],
)
def test_the_rest_of_the_topic_is_kept(topic: str, rest: str):
    named = find_period(topic)
    assert named is not None
    assert named.rest == rest


@pytest.mark.parametrize(
    "topic",
    [
        "the flood of 1953",
        "what visitors may do",
        "the march to 3 halls",
        "the year 2024-25",
        "room 2024",
        "the last lift",
        "",
    ],
)
def test_other_words_are_no_period(topic: str):
    assert find_period(topic) is None


@pytest.mark.parametrize("topic", ["on 30 February", "since 2024-13", "on 2024-02-31"])
def test_a_day_that_no_year_has_is_an_error(topic: str):
    with pytest.raises(SeminarError, match="there is no such date"):
        period(topic)


def test_a_period_that_ends_before_it_begins_is_an_error():
    with pytest.raises(SeminarError, match="ends before it begins: 10 May 2024 to 3 May 2024"):
        period("from 10 May 2024 to 3 May 2024")
