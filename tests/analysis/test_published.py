import pandas as pd
import pytest

from seminar.analysis.exhibits import Table
from seminar.analysis.frames import turns
from seminar.analysis.published import SPLITS, beside_paper, cell, facts
from seminar.analysis.sections import dataset_section
from seminar.datasets.catalog import DATASETS, load
from tests.paths import DATASET_FILES


def test_the_difference_is_ours_minus_the_papers():
    table = Table("topiocqa-table-2", "", pd.DataFrame({"statistic": ["turns"], "dev": [2500]}))
    [row] = beside_paper("topiocqa", ["dev"], [table]).frame.to_dict("records")
    assert (row["paper"], row["ours"], row["difference"]) == (2514, 2500, -14)


def test_a_total_needs_every_split():
    frame = pd.DataFrame({"statistic": ["QA"], "all": [6824]})
    table = Table("pragmaticqa-table-2", "", frame)
    assert beside_paper("pragmaticqa", ["train"], [table]).lacks
    assert not beside_paper("pragmaticqa", SPLITS["pragmaticqa"], [table]).lacks


def test_a_cell_is_found_by_the_first_columns_of_its_row():
    frame = pd.DataFrame({"of": ["all", "some"], "word": ["what", "what"], "share %": [3.0, 4.0]})
    assert cell(frame, ["some", "what"], "share %") == 4
    assert cell(frame, ["some", "who"], "share %") is None
    assert cell(frame, ["some"], "other") is None


@pytest.mark.parametrize("dataset", SPLITS)
def test_facts_name_splits_and_tables_that_exist(dataset: str):
    assert facts(dataset)
    names = {one.name for one in dataset_section(dataset, turns([], split="x")).exhibits}
    for fact in facts(dataset):
        assert fact.split == "all" or fact.split in DATASETS[dataset].SPLITS
        assert fact.table in names, fact


def test_the_section_of_a_dataset_begins_with_the_paper():
    section = dataset_section("topiocqa", turns(load("topiocqa/dev", DATASET_FILES), split="dev"))
    assert section.exhibits[0].name == "paper"
