"""Excerpts: what a topic names by its channel, file or period, and why there is nothing."""

from collections.abc import Sequence
from datetime import UTC, date, datetime

import pytest

from seminar.answering.excerpts import MOST_READ, UNREAD, Excerpt, Excerpts
from seminar.types import Hit, Passage, Query, Utterance
from tests.fakes import ListedContents


def thread(scope: str, *messages: tuple[str, str]) -> Passage:
    """A passage of messages, each with its day."""
    text, utterances = "", []
    for day, words in messages:
        start = len(text) + len("Ada: ")
        text += f"Ada: {words}\n"
        time = datetime.fromisoformat(day).replace(tzinfo=UTC)
        utterances.append(Utterance(day, "Ada", words, time, start, start + len(words)))
    return Passage(scope, 0, len(text), text, scope=scope, utterances=tuple(utterances))


PLANK = thread(
    "slack/boathouse/1",
    ("2025-01-30", "The Clara leaks."),
    ("2025-02-04", "A plank is cracked."),
    ("2025-02-05", "Larch costs 410 crowns."),
    ("2025-03-01", "She sails again."),
)
KEY = thread("slack/boathouse/2", ("2025-02-01", "The key hangs in the oar loft."))
SOUP = thread("slack/lantern/1", ("2025-02-10", "The storm soup needs lemon."))
HOUSE = Passage("boathouse.txt", 0, 27, "The boathouse is open daily")
HELD = [PLANK, KEY, SOUP, HOUSE]


class Found:
    """A retriever that finds every passage of a scope."""

    def search(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        return [
            [Hit(one, 1.0) for one in HELD if one.scope.startswith(query.scope or "")][:k]
            for query in queries
        ]


def found(topic: str, held: Sequence[Passage] = HELD) -> Excerpt | None:
    today = date(2025, 3, 2)
    return Excerpts(ListedContents(held), Found(), today=lambda: today).find(topic)


def texts(topic: str) -> list[str]:
    excerpt = found(topic)
    assert excerpt is not None
    return [span.text.strip() for span in excerpt.spans]


def test_the_messages_of_a_channel_in_a_period_are_found_oldest_first():
    assert texts("#boathouse in February") == [
        "Ada: The key hangs in the oar loft.",
        "Ada: A plank is cracked.\nAda: Larch costs 410 crowns.",
    ]


@pytest.mark.parametrize(
    "topic", ["the lantern channel", "slack/lantern", "#lantern", "lantern since 2024"]
)
def test_a_place_is_named_in_several_ways(topic: str):
    assert texts(topic) == ["Ada: The storm soup needs lemon."]


def test_a_period_of_all_messages_leaves_documents_out():
    assert texts("everything since yesterday") == ["Ada: She sails again."]


def test_a_subject_is_searched_in_its_period():
    assert texts("the storm soup in February") == ["Ada: The storm soup needs lemon."]


def test_a_name_beside_no_period_is_no_place():
    assert found("the boathouse") is None


def test_a_date_of_what_is_told_is_no_period_of_messages():
    assert found("the flood in 1953") is None


@pytest.mark.parametrize(
    ("topic", "problem"),
    [
        (
            "#boathouse in 2023",
            "Nothing was written in slack/boathouse from 1 January 2023 to 31 December 2023; "
            "the messages there are from 30 January 2025 to 1 March 2025.",
        ),
        ("#nowhere in February", "No channel, thread or file is called #nowhere."),
        ("on 30 February", "There is no such date: 30 February."),
    ],
)
def test_nothing_in_a_period_is_one_clear_line(topic: str, problem: str):
    excerpt = found(topic)
    assert excerpt is not None
    assert (excerpt.problem, excerpt.spans) == (problem, ())


def test_files_without_dates_have_no_periods():
    excerpt = found("last week", [HOUSE])
    assert excerpt is not None
    assert excerpt.problem == "No message here has a date."


def test_what_is_too_much_to_read_is_noted():
    excerpt = found("everything in February", [SOUP] * MOST_READ)
    assert excerpt is not None
    assert excerpt.notes == (UNREAD,)
    assert found("#lantern in February").notes == ()
