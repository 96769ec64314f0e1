import pkgutil

import pytest

from seminar.datasets.catalog import DATASETS
from seminar.errors import ConfigurationError
from seminar.evaluation import suites
from seminar.evaluation.suites.catalog import (
    SUITES,
    find_suite,
    find_task,
    looks_like,
    scorers_of,
)


def test_every_suite_module_is_named_after_a_dataset():
    modules = {module.name for module in pkgutil.iter_modules(suites.__path__)}
    assert modules - {"catalog", "suite"} == set(SUITES) <= set(DATASETS)


def test_a_split_may_have_a_suite_of_its_own():
    assert scorers_of("squad/dev") == {"answers": "squad-v1"}
    assert scorers_of("squad/dev-v2") == {"answers": "squad-v2"}


def test_splits_with_their_own_suite_exist():
    for name, suite in SUITES.items():
        assert set(suite.splits) <= set(DATASETS[name].SPLITS)


def test_scorers_are_found_by_kind_of_measure():
    assert scorers_of("qaconv/val") == {"answers": "qaconv", "retrieval": "qaconv-recall"}
    assert scorers_of("friendsqa/dev") == {}


def test_a_dataset_without_a_suite_has_an_empty_one():
    assert find_suite("canard/dev").tasks == {}


def test_an_unmeasured_kind_names_the_datasets_that_have_it():
    with pytest.raises(ConfigurationError) as error:
        find_task("quac/val", "retrieval")
    assert str(error.value) == (
        "quac/val has no measure of retrieval. Those that have: qaconv, topiocqa"
    )


@pytest.mark.parametrize(
    ("parsed", "title"),
    [
        ({"qid": ["a"], "best_span_str": ["b"], "yesno": ["x"], "followup": ["y"]}, "QuAC"),
        ([{"id": "story", "turn_id": 1, "answer": "yes"}], "CoQA"),
        ([{"conv_id": 1, "turn_id": 1, "predictions": ["yes"]}], "TopiOCQA"),
        ([{"conv_id": 1, "turn_id": 1, "ctxs": []}], "TopiOCQA retrieval"),
        ([{"Conversation-ID": 1, "Turn-ID": 1, "content": "x"}], "QReCC retrieval"),
        ([{"question": "who", "prediction": "she"}], "NQ-open"),
        ({"question": "who", "prediction": "she"}, "NQ-open"),
        ({"q": {"literal": ["x"], "pragmatic": []}}, "PragmatiCQA"),
        ({"q": [{"question": "who", "answer": "she"}]}, "AmbigQA questions"),
        ({"q": ["she", "he"]}, "AmbigQA"),
        ({"q": {"d": 1.0}}, "TREC"),
        ({"q": "she"}, "SQuAD"),
        (["who won it"], "QReCC rewrites"),
        ([1], ""),
    ],
)
def test_a_format_is_recognised_by_its_first_entry(parsed: object, title: str):
    assert looks_like(parsed) == title
