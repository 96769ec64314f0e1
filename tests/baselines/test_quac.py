import pytest

from seminar.baselines.quac import (
    gold_sentence,
    gold_unanswerable,
    human,
    majority,
    random_sentence,
)
from seminar.baselines.sections import answer_alone, best_sentence, sentences_of
from seminar.examples import Example, Gold
from seminar.metrics.official.quac import QuacPrediction

SENTENCES = (
    "Mira Holt built the lighthouse in 1871.",
    "She lit it with whale oil.",
    "The lamp was replaced in 1904.",
)


def test_sentences_leave_out_the_mark_for_no_answer(dialog: list[Example]):
    assert sentences_of(dialog[0]) == SENTENCES


def test_random_sentence_takes_every_candidate_at_some_time(dialog: list[Example]):
    chosen = {random_sentence(dialog[:1], seed)[0].text for seed in range(60)}
    assert chosen == {*SENTENCES, "CANNOTANSWER"}


def test_random_sentence_does_not_depend_on_the_other_questions(dialog: list[Example]):
    assert random_sentence(dialog, 5)[1:] == random_sentence(dialog[1:], 5)


def test_majority_never_answers(dialog: list[Example]):
    assert majority(dialog) == [QuacPrediction("CANNOTANSWER", "x", "n")] * 3


def test_gold_sentence_is_that_of_highest_f1(dialog: list[Example]):
    assert [best_sentence(example) for example in dialog] == [0, 1, None]
    assert [one.text for one in gold_sentence(dialog)] == [*SENTENCES[:2], "CANNOTANSWER"]


def test_gold_no_answer_replaces_only_where_there_is_none(dialog: list[Example]):
    guesses = [answer_alone("a"), answer_alone("b"), answer_alone("c")]
    predictions = gold_unanswerable(dialog, guesses)
    assert [one.text for one in predictions] == ["a", "b", "CANNOTANSWER"]


def test_human_compares_each_reference_with_the_others(dialog: list[Example]):
    # One reference agrees with itself; two tokens against six share two: F1 = 2 * 2 / 8.
    assert human(dialog) == [1.0, 0.5, 1.0]


def test_section_without_words():
    empty = Example("e", "e", "Why?", Gold(("x",)), context="CANNOTANSWER")
    assert random_sentence([empty])[0].text == "CANNOTANSWER"
    assert gold_sentence([empty])[0].text == "CANNOTANSWER"


def test_unequal_lengths_are_an_error(dialog: list[Example]):
    with pytest.raises(ValueError, match="shorter"):
        gold_unanswerable(dialog, [answer_alone("a")])
