from pathlib import Path

import pytest

from seminar.evaluation.setup import Setup
from tests.paths import DATASET_FILES


@pytest.fixture
def files() -> Path:
    """A folder in the layout of SEMINAR_DATA: small files in the official formats."""
    return DATASET_FILES


@pytest.fixture
def make_setup(tmp_path: Path):
    """Make the setup of a split of the small files."""
    from seminar.datasets.catalog import load

    def make(name: str, **settings) -> Setup:
        return Setup(name, list(load(name, DATASET_FILES)), tmp_path, DATASET_FILES, **settings)

    return make
