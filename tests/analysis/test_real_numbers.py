"""The papers' numbers on their real files, where SEMINAR_DATA has them."""

import os

import pytest

from seminar.analysis.frames import turns
from seminar.analysis.published import beside_paper
from seminar.analysis.statistics_tables import ambigqa_counts, topiocqa_table2
from seminar.datasets.catalog import load

pytestmark = pytest.mark.skipif("SEMINAR_DATA" not in os.environ, reason="SEMINAR_DATA isn't set")


def test_topiocqa_dev_has_the_numbers_of_its_paper():
    table = topiocqa_table2(turns(load("topiocqa/dev"), split="dev"))
    rows = beside_paper("topiocqa", ["dev"], [table]).frame.set_index("quantity")
    assert rows["ours"].round(2).to_dict() == {
        "turns": 2514,
        "conversations": 205,
        "tokens / question": 6.89,
        "tokens / answer": 11.96,
        "turns / conversation": 12.26,  # 12 in the paper
        "topics / conversation": 3.66,  # 4 in the paper
    }


def test_ambigqa_dev_has_the_answers_of_its_paper():
    table = ambigqa_counts(turns(load("ambigqa/dev"), split="dev")).frame
    assert dict(zip(table["statistic"], table["dev"].round(2), strict=True)) == {
        "questions": 2002,
        "mean answers": 2.33,
        "median answers": 2,
        "% with several answers": 58.54,
    }
