"""Counts of the real files, where SEMINAR_DATA names their folder."""

import os
from pathlib import Path

import pytest

from seminar.datasets.catalog import documents, load, passages, threads

DATA = os.environ.get("SEMINAR_DATA", "")
pytestmark = pytest.mark.skipif(not DATA, reason="SEMINAR_DATA is not set")

COUNTS = {
    "abg_coqa/test": 1_055,
    "abg_coqa/val": 1_092,
    "ambigqa/dev": 2_002,
    "ambigqa/train": 10_036,
    "boolq/combined": 15_942,
    "canard/dev": 3_430,
    "canard/train-pairs": 31_526,
    "nq_gold_passages/openbook": 824,
    "nq_gold_passages/oracle": 2_655,
    "nq_open/dev": 3_610,
    "nq_open/dpr-dev": 8_757,
    "nq_open/dpr-test": 3_610,
    "nq_open/efficientqa-dev": 1_800,
    "nq_open/efficientqa-test": 1_769,
    "pragmaticqa/test": 1_576,
    "pragmaticqa/train": 3_722,
    "pragmaticqa/val": 1_526,
    "qaconv/trn": 27_287,
    "qaconv/trn-full": 10_344,
    "qaconv/tst": 3_503,
    "qaconv/tst-full": 1_288,
    "qaconv/val": 3_414,
    "qaconv/val-full": 1_341,
    "qrecc/dev-part": 2_000,
    "qrecc/train-part": 4_000,
    "quac/val-part": 3_325,
    "quac/val-part-references": 2_100,
    "squad/dev": 10_570,
    "squad/dev-v2": 11_873,
    "squad/train": 87_599,
    "squad/train-v2-unanswerable": 43_498,
    "topiocqa/dev": 2_514,
    "topiocqa/train": 45_450,
    "trec_cast/2019": 479,
    "trec_cast/2019-train": 269,
    "trec_cast/2020": 216,
    "trec_cast/2021": 239,
    "trec_cast/2022": 205,
    "webquestions/devtest": 189,
    "webquestions/test": 2_032,
    "webquestions/trainmodel": 2_834,
    "webquestions/val": 755,
    "written/dev": 558,
    "written/train": 6_995,
}


@pytest.mark.parametrize(("name", "count"), COUNTS.items())
def test_a_split_has_its_published_number_of_examples(name: str, count: int):
    assert sum(1 for _ in load(name, Path(DATA))) == count


def test_squad_spans_are_the_offsets_of_the_answers():
    for example in load("squad/dev-v2", Path(DATA)):
        spans = [example.context[start:end] for start, end in example.gold.spans]
        assert spans == list(example.gold.answers), example.id


def test_unanswerable_questions():
    unanswerable = {
        name: sum(not example.gold.answerable for example in load(name, Path(DATA)))
        for name in ("squad/dev-v2", "qaconv/tst", "topiocqa/dev", "quac/val-part-references")
    }
    assert unanswerable == {
        "squad/dev-v2": 5_945,
        "qaconv/tst": 272,
        "topiocqa/dev": 174,
        "quac/val-part-references": 328,
    }


def test_corpora():
    assert sum(1 for _ in passages("squad/dev", Path(DATA))) == 2_067
    assert sum(1 for _ in threads("qaconv", Path(DATA))) == 2_455
    assert next(documents("wikispeedia", Path(DATA))).title == "Áedán mac Gabráin"
