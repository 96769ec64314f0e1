"""Models in files; one that really loads is in tests/test_language_model.py."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from seminar.errors import ConfigurationError, MissingExtraError
from seminar.models.llm.local import (
    check_model_file,
    is_model_file,
    open_model_file,
    wait_until_loaded,
)
from seminar.settings import load_settings
from tests.completions import Response, completion, serving


def test_a_file_is_told_from_an_address():
    assert is_model_file("models/a.GGUF")
    assert not is_model_file("http://host/a.gguf")
    assert not is_model_file("http://localhost:8080/v1")


@pytest.mark.parametrize(("content", "message"), [(None, "can't be read"), (b"PK", "not a GGUF")])
def test_what_is_no_model_is_an_error(tmp_path: Path, content: bytes | None, message: str):
    file = tmp_path / "model.gguf"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ConfigurationError, match=message):
        check_model_file(str(file))
    with pytest.raises(ConfigurationError, match=message):
        load_settings(None, llm=str(file))


def test_a_file_needs_no_name_of_a_model(tmp_path: Path):
    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF")
    assert load_settings(None, llm=str(file)).model == ""


@pytest.mark.skipif(find_spec("xllamacpp") is not None, reason="the extra is installed")
def test_without_the_extra_the_pip_line_is_told(tmp_path: Path):
    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF")
    with pytest.raises(MissingExtraError, match=r"pip install 'seminar\[local\]'"):
        open_model_file(str(file), seconds=1, tokens=10, context=1024)


def test_a_server_is_waited_for_until_it_has_loaded_its_model():
    pages = {"/health": Response(b"", 503)}
    asked: list[int] = []

    def loaded() -> None:
        asked.append(1)
        if len(asked) == 3:
            pages["/health"] = Response(b"ok")

    pages["/health"] = Response(b"", 503, pause=loaded)
    with serving(lambda _, __: completion(""), pages) as (url, _):
        wait_until_loaded(url.removesuffix("/v1"))
    assert len(asked) == 3
