import os
from pathlib import Path

import pytest

from seminar.errors import ConfigurationError, DatasetError, SeminarError
from seminar.evaluation.grids.row_process import run_in_process
from seminar.evaluation.grids.runs import predict_row
from seminar.evaluation.grids.setup import GridPlan
from tests.paths import DATASET_FILES


def ignore(done: int, total: int) -> None:
    return


def test_an_error_in_the_process_is_raised_here(tmp_path: Path):
    plan = GridPlan("quac", tmp_path)
    with pytest.raises(ConfigurationError, match="unknown grid 'quac'"):
        run_in_process(predict_row, (plan, "answers", "Majority"), ignore)


def test_missing_data_in_the_process_is_a_dataset_error_here(tmp_path: Path):
    plan = GridPlan("qaconv-table6", tmp_path, root=DATASET_FILES)
    with pytest.raises(DatasetError, match=r"no 'tst\.json' here"):
        run_in_process(predict_row, (plan, "zero-shot", "span"), ignore)


def test_a_process_that_dies_is_an_error():
    with pytest.raises(SeminarError, match="ended without a word"):
        run_in_process(os._exit, (3,), ignore)
