import pytest

from seminar.collection.assignment.background import (
    PASS_MARK,
    RELATED,
    background_test,
    score_test,
)
from seminar.errors import ConfigurationError

OWN = ["The Matrix", "Neo", "Trinity", "Zion", "Agent Smith", "Nebuchadnezzar", "Cypher"]
OTHERS = {
    "Halloween": ["Michael Myers", "Laurie Strode", "Haddonfield", "neo"],
    "Alien": ["Ellen Ripley", "Nostromo", "The Matrix Revisited", "Xenomorph"],
}


def test_five_titles_belong_and_five_do_not():
    test = background_test("The Matrix", OWN, OTHERS, seed=1)
    key = dict(zip(test.titles, test.related, strict=True))
    assert {title for title, related in key.items() if related} == set(OWN[2:7])
    # two or three of each other topic, its most popular first; "neo" and the film's name are out
    unrelated = {title for title, related in key.items() if not related}
    assert unrelated > {"Michael Myers", "Laurie Strode", "Ellen Ripley", "Nostromo"}
    assert len(unrelated) == 5
    assert not unrelated & {"neo", "The Matrix Revisited"}
    assert set(test.related[:5]) == {True, False}  # mixed
    assert test == background_test("The Matrix", OWN, OTHERS, seed=1)


def test_titles_of_two_topics_are_asked_last():
    others = {**OTHERS, "Dune": ["Zion", "Trinity", "Arrakis"]}
    test = background_test("The Matrix", [*OWN, "Tank"], others, seed=1)
    key = dict(zip(test.titles, test.related, strict=True))
    related = {title for title, own in key.items() if own}
    assert related == {"Agent Smith", "Nebuchadnezzar", "Cypher", "Tank", "The Matrix"}


def test_titles_that_name_the_topic_are_taken_where_others_are_too_few():
    own = ["The Matrix", "The Matrix Reloaded", "Neo", "Trinity", "Zion", "Cypher"]
    test = background_test("The Matrix", own, OTHERS, seed=1)
    key = dict(zip(test.titles, test.related, strict=True))
    assert {title for title, related in key.items() if related} == set(own) - {"Neo"}


def test_a_point_for_each_title_judged_right():
    test = background_test("The Matrix", OWN, OTHERS, seed=1)
    right = ["relevant" if related else "irrelevant" for related in test.related]
    assert score_test(test, right) == 10
    assert score_test(test, ["relevant"] * 10) == RELATED
    assert score_test(test, ["don't know"] * 10) == 0
    assert score_test(test, [*right[:7], "don't know", "don't know", right[9]]) == PASS_MARK


def test_answers_and_titles_have_the_same_number():
    test = background_test("The Matrix", OWN, OTHERS, seed=1)
    with pytest.raises(ConfigurationError, match="9 answers for 10 titles"):
        score_test(test, ["relevant"] * 9)


def test_too_few_titles_are_an_error():
    with pytest.raises(ConfigurationError, match="'The Matrix' has 3 titles and 6 of other topics"):
        background_test("The Matrix", OWN[:3], OTHERS, seed=1)
