from pathlib import Path

import pytest

from seminar.evaluation.benches import Bench

FILES = Path(__file__).parent.parent / "datasets" / "files"


@pytest.fixture
def files() -> Path:
    """A folder in the layout of SEMINAR_DATA: small files in the official formats."""
    return FILES


@pytest.fixture
def bench(tmp_path: Path):
    """Make the bench of a split of the small files."""
    from seminar.datasets.catalog import load

    def make(name: str, **settings) -> Bench:
        return Bench(name, list(load(name, FILES)), tmp_path, FILES, **settings)

    return make
