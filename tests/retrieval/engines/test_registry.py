from pathlib import Path

import pytest

from seminar.assembly import create_index, is_index, open_files, open_index
from seminar.errors import ConfigurationError
from seminar.index_url import parse_place
from seminar.retrieval.engines.registry import FOLDERS, engine_of
from tests.fakes import FakeEncoder


def test_folder_has_the_embedded_engine(tmp_path: Path):
    assert engine_of(tmp_path) is FOLDERS
    made = create_index(tmp_path / "index", FakeEncoder())
    assert is_index(tmp_path / "index")
    assert open_index(tmp_path / "index").files() == made.files() == {}


def test_unknown_scheme_is_an_error_that_names_it():
    with pytest.raises(ConfigurationError, match="unknown kind of index 'tape://'"):
        open_files([parse_place("tape://room/reel")])
