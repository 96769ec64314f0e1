import pytest

from seminar.collection.assignment.inclinations import (
    TopicMatch,
    best_topic,
    random_topic,
    survey_topics,
)
from seminar.collection.corpus.records import Topic
from seminar.collection.records import Inclination
from seminar.errors import ConfigurationError

TOPICS = [Topic(f"{genre}{number}", "", genre) for genre in "abc" for number in range(9)]


def test_a_survey_asks_evenly_about_the_genres():
    asked = survey_topics(TOPICS, count=9, seed=3)
    assert sorted(topic.genre for topic in asked) == ["a"] * 3 + ["b"] * 3 + ["c"] * 3
    assert len({topic.id for topic in asked}) == 9
    assert asked == survey_topics(TOPICS, count=9, seed=3)
    assert asked != survey_topics(TOPICS, count=9, seed=4)


def test_a_survey_asks_about_all_topics_where_there_are_few():
    assert {topic.id for topic in survey_topics(TOPICS[:3], count=5)} == {"a0", "a1", "a2"}


@pytest.mark.parametrize("count", [4, 16])
def test_a_survey_has_5_to_15_topics(count: int):
    with pytest.raises(ConfigurationError, match=f"5 to 15 topics, not {count}"):
        survey_topics(TOPICS, count=count)


def test_the_best_topic_has_the_largest_sum():
    first: dict[str, Inclination] = {"film": 2, "game": 1, "song": -1}
    second: dict[str, Inclination] = {"film": -1, "game": -2, "song": 1}
    # film 2 + 1, game 1 + 2, song 1 + 1: film and game are equal, film is the first by name
    assert best_topic(first, second) == TopicMatch("film", True, 3)
    assert best_topic(second, first) == TopicMatch("film", False, 3)


@pytest.mark.parametrize(
    ("first", "second"),
    [(2, 1), (-1, -2), (2, 0)],
)
def test_a_topic_needs_one_who_teaches_and_one_who_learns(first, second):
    assert best_topic({"film": first}, {"film": second}) is None


def test_with_least_0_one_who_is_not_interested_is_taken():
    match = best_topic({"film": 0}, {"film": -1}, least=0)
    assert match == TopicMatch("film", True, 1)
    assert best_topic({"film": 1}, {"film": 1}, least=0) is None


def test_who_is_barred_does_not_teach():
    first: dict[str, Inclination] = {"film": 2, "song": -1}
    second: dict[str, Inclination] = {"film": -2, "song": 1}
    assert best_topic(first, second) == TopicMatch("film", True, 4)
    barred = (frozenset({"film"}), frozenset({"film"}))
    assert best_topic(first, second, barred=barred) == TopicMatch("song", False, 2)


def test_a_random_topic_is_one_that_both_were_asked_about():
    first: dict[str, Inclination] = {"film": 1, "song": -1, "game": -1}
    second: dict[str, Inclination] = {"film": -1, "song": -1}
    drawn = {random_topic(first, second, seed=seed) for seed in range(60)}
    assert drawn == {
        TopicMatch("film", True, 2),
        TopicMatch("film", False, -2),
        TopicMatch("song", True, 0),
        TopicMatch("song", False, 0),
    }
    assert random_topic({"film": 1}, {"song": -1}, seed=0) is None


def test_who_is_barred_teaches_no_random_topic():
    both: dict[str, Inclination] = {"film": 0, "song": 0}
    barred = (frozenset({"film", "song"}), frozenset({"film"}))
    drawn = {random_topic(both, both, seed=seed, barred=barred) for seed in range(20)}
    assert drawn == {TopicMatch("song", False, 0)}
