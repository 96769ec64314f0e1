import math

import pytest

from seminar.errors import ConfigurationError, ScoringError
from seminar.metrics.measures.fuzzy import fuzzy_ratio
from seminar.metrics.measures.no_answer import NoAnswer
from seminar.metrics.measures.numbers import number_aliases, words_to_number
from seminar.metrics.official.qaconv import binary_f1, gold_answers, score, score_recall


def question(key: str, *answers: str, segment: str = "s") -> dict[str, object]:
    return {"id": key, "answers": list(answers), "article_segment_id": segment}


@pytest.mark.parametrize(
    ("text", "alias"),
    [
        ("007", "seven"),
        ("1100", "one thousand, one hundred"),
        ("2019", "two thousand and nineteen"),
        ("٣", "three"),
        ("twenty-one", "21"),
        ("one of the three companies", "4"),
        ("At this point in time", "0"),
        ("two point five", "2.5"),
        ("five five five", "30"),
        ("three billion two million", "3003000002"),
        ("million", "1000000"),
    ],
)
def test_numbers_have_another_spelling(text: str, alias: str):
    assert number_aliases([text]) == [alias]


@pytest.mark.parametrize(
    "text", ["1,000", "3.5", "-5", "4 ", "20%", "1st", "thousand two", "million billion", "²"]
)
def test_a_text_without_a_number_has_no_alias(text: str):
    assert number_aliases([text]) == []


def test_strict_superscripts_stop_the_program():
    with pytest.raises(ArithmeticError):
        number_aliases(["²"], strict=True)


def test_words_without_a_number_make_none():
    with pytest.raises(ValueError, match="no number word"):
        words_to_number("a dozen")


def test_gold_answers_come_with_aliases_and_predictions_dont():
    assert gold_answers(["two"]) == ["two", "2"]
    scores = score([question("q", "2")], {"q": "two"})
    assert scores["exact"] == 100.0
    assert score([question("q", "pair")], {"q": "2"})["exact"] == 0.0


def test_an_unanswerable_question_wants_the_word():
    questions = [question("q"), question("r", "x")]
    predicted = score(questions, {"q": "Unanswerable.", "r": "x"})
    silent = score(questions, {"q": "", "r": "x"})
    assert (predicted["NoAns_exact"], predicted["unans_bin_f1"]) == (100.0, 100.0)
    assert (silent["NoAns_exact"], silent["unans_bin_f1"]) == (0.0, 0.0)


def test_binary_f1_is_absent_where_everything_has_an_answer():
    assert "unans_bin_f1" not in score([question("q", "x")], {"q": "x"})


def test_binary_f1_of_labels():
    assert binary_f1([(True, True), (True, False), (False, False)]) == 2 / 3
    assert binary_f1([(False, False)]) == 0.0


def test_above_the_threshold_the_fuzzy_ratio_is_the_official_slip():
    scores = score([question("q")], {"q": "x"}, no_answer=NoAnswer({"q": 0.9}, 0.5))
    assert (scores["exact"], scores["fzr"]) == (100.0, 1.0)


def test_a_missing_prediction_is_wrong_or_an_error_if_strict():
    questions = [question("q", "x"), question("r", "y")]
    assert score(questions, {"q": "x"})["exact"] == 50.0
    with pytest.raises(KeyError, match="'r'"):
        score(questions, {"q": "x"}, strict=True)
    with pytest.raises(ValueError, match="no questions"):
        score(questions, {}, strict=True)
    with pytest.raises(ScoringError, match="no questions"):
        score([], {})


def test_the_back_ends_differ_on_long_texts():
    predicted = "the committee met on the first day of may and " * 5
    wanted = "on the second day of june the board met and " * 6
    low = fuzzy_ratio(predicted, wanted, backend="difflib")
    assert low < fuzzy_ratio(predicted, wanted, backend="levenshtein")


def test_a_text_beside_nothing_is_unlike_it():
    assert (fuzzy_ratio("the", ""), fuzzy_ratio("x", "the")) == (100, 0)


def test_an_unknown_back_end_is_named():
    with pytest.raises(ConfigurationError, match="Did you mean 'difflib'"):
        fuzzy_ratio("x", "y", backend="diflib")


def test_of_equal_scores_the_last_comes_first():
    questions = [question("q", segment="first")]
    assert score_recall(questions, {"q": {"first": 1.0, "second": 1.0}})["Recall@1"] == 0.0
    assert score_recall(questions, {"q": {"second": 1.0, "first": 1.0}})["Recall@1"] == 1.0


def test_misses_count_only_in_the_fair_value():
    questions = [question("q", segment="d1"), question("r", segment="d9")]
    rankings = {"q": {"d1": 1.0}, "r": {"d1": 1.0}}
    assert score_recall(questions, rankings)["Recall@1"] == 1.0
    assert score_recall(questions, rankings, count_misses=True)["Recall@1"] == 0.5


def test_without_any_place_recall_is_not_a_number():
    assert math.isnan(score_recall([], {})["Recall@10"])


def test_a_question_without_a_ranking_is_a_miss_or_an_error_if_strict():
    questions = [question("q", segment="d1")]
    assert score_recall(questions, {}, count_misses=True)["Recall@10"] == 0.0
    with pytest.raises(KeyError, match="'q'"):
        score_recall(questions, {}, strict=True)
