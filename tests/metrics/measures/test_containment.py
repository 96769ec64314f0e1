import pytest

from seminar.errors import ConfigurationError, ScoringError
from seminar.metrics.measures.containment import (
    dpr_tokens,
    has_answer,
    has_answer_kilt,
    has_answer_pattern,
    reader_exact_match,
    top_k,
)
from seminar.metrics.measures.multi_recall import cover, mrecall_ids, mrecall_strings, recall_ids
from seminar.metrics.official.nq_open import exact_match, pattern_match, score


def test_signs_are_tokens_and_separators_arent():
    assert dpr_tokens("snake_case, soft\u00adhyphen\u200bzero") == [
        *("snake", "_", "case", ","),
        *("soft", "hyphen", "zero"),
    ]


def test_answers_are_found_as_rows_of_tokens():
    assert has_answer(["New York"], "in new  york.")
    assert not has_answer(["art"], "party")
    assert not has_answer(["York New"], "New York")


def test_composed_and_decomposed_letters_are_the_same():
    assert has_answer(["café"], "the cafe\u0301 noir")


def test_an_answer_without_tokens_is_always_there_and_no_answer_never():
    assert has_answer([" \u200b"], "")
    assert not has_answer([], "x")


def test_patterns_are_searched_and_broken_ones_find_nothing():
    assert has_answer_pattern([r"^two$"], "one\nTWO")
    assert not has_answer_pattern(["(ab"], "(ab")


def test_kilt_looks_for_a_part_of_the_normalised_text():
    assert has_answer_kilt(["the art"], "A party!")


def test_reader_match_keeps_marks():
    assert reader_exact_match("a\u0301", "a\u0301.")
    assert not reader_exact_match("\u0301", "a\u0301")


def test_accuracy_has_as_many_depths_as_the_first_ranking():
    documents = {"d1": "x", "d2": "y", "d3": None}
    found = top_k(documents, [["x"], ["y"]], [["d3", "d1"], ["d1", "d3", "d2"]])
    assert (found.hits, found.accuracy) == ((0, 1), (0.0, 0.5))
    assert found.by_question == ((False, True), (False, False, True))


def test_what_cant_be_looked_up_is_named():
    with pytest.raises(ScoringError, match="'d9' isn't in the collection"):
        top_k({}, [["x"]], [["d9"]])
    with pytest.raises(ScoringError, match="no retrieved passages"):
        top_k({}, [], [])
    with pytest.raises(ConfigurationError, match="Known: kilt, regex, string"):
        top_k({}, [["x"]], [["d9"]], match="glob")


def test_k_answers_are_enough_where_there_are_more():
    assert mrecall_ids(["a", "b", "c"], ["c", "a", "x"], k=2) == 1.0
    assert mrecall_ids(["a", "b", "c"], ["c", "x", "a"], k=2) == 0.0


def test_recall_of_ids_may_be_capped():
    assert recall_ids(["a", "b", "c", "d"], ["a", "b"], k=2) == 0.5
    assert recall_ids(["a", "b", "c", "d"], ["a", "b"], k=2, capped=True) == 1.0


def test_without_predictions_nothing_is_recalled():
    assert (mrecall_ids([], [], k=1), recall_ids(["a"], [], k=1)) == (0.0, 0.0)


def test_a_depth_of_zero_is_an_error():
    with pytest.raises(ScoringError, match="k must be 1 or more, not 0"):
        mrecall_ids(["a"], ["a"], k=0)
    with pytest.raises(AssertionError):
        mrecall_ids(["a"], ["a"], k=0, strict=True)


def test_any_alias_covers_an_answer():
    covered = cover([["Rome", "Roma"], ["Paris"]], ["a Roma", "b", "Paris"], k=2)
    assert (covered.covered, covered.answers, covered.mrecall, covered.recall) == (1, 2, 0.0, 1.0)


def test_any_annotation_will_do():
    assert mrecall_strings([[["x"], ["y"]], [["x"]]], ["x"], k=5) == 1.0


def test_open_questions_match_any_reference_decomposed():
    assert exact_match("The caf\u00e9", ["x", "cafe\u0301"])
    assert not exact_match("cafe", ["café"])


def test_open_patterns_match_at_the_start():
    assert pattern_match("5 KM away", [r"\d+ km"])
    assert not pattern_match("about 5 km", [r"\d+ km"])
    assert not pattern_match("(bad", ["(bad"])


def test_open_questions_without_a_prediction_are_wrong():
    scores = score({"q": ["x"], "r": ["y"]}, {"q": "x", "other": "z"})
    assert (scores.correct, scores.total, scores.missing, scores.accuracy) == (1, 2, 1, 0.5)


def test_open_questions_without_references_are_an_error():
    with pytest.raises(ScoringError, match="question 'q' has no references"):
        score({"q": []}, {"q": "x"})
