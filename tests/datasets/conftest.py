from pathlib import Path

import pytest


@pytest.fixture
def files() -> Path:
    """A folder in the layout of SEMINAR_DATA: small files in the official formats."""
    return Path(__file__).parent / "files"
