import pytest

from seminar.errors import ConfigurationError
from seminar.metrics.official.trec import mean_measures, mean_of_queries, trec_eval


def test_every_judged_query_counts():
    judgements = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    assert mean_measures(judgements, {"q1": {"d1": 1}}, ["RR", "nDCG@3"]) == {
        "RR": 0.5,
        "nDCG@3": 0.5,
    }


def test_trec_eval_counts_the_queries_that_were_run():
    by_query = trec_eval({"q1": {"d1": 1}, "q2": {"d1": 1}}, {"q1": {"d1": 1.0}}, ["map"])
    assert by_query == {"q1": {"map": 1.0}}
    assert mean_of_queries(by_query) == {"map": 1.0}


def test_equal_scores_go_by_falling_id_except_with_a_cutoff():
    judgements, run = {"q": {"b": 1}}, {"q": {"a": 1.0, "b": 1.0}}
    assert mean_measures(judgements, run, ["RR", "RR@10"]) == {"RR": 1.0, "RR@10": 0.5}


def test_gain_is_the_grade():
    measures = mean_measures({"q": {"a": 2, "b": 1}}, {"q": {"b": 2.0, "a": 1.0}}, ["nDCG"])
    assert measures["nDCG"] == pytest.approx(0.8597186998521972)


def test_an_unknown_measure_is_named():
    with pytest.raises(ConfigurationError, match="measure not found: NDG"):
        mean_measures({"q": {"a": 1}}, {}, ["NDG@3"])


def test_without_queries_there_is_no_mean():
    assert mean_of_queries({}) == {}
