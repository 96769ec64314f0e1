import re
from pathlib import Path

import pytest

from seminar.assembly import choose_encoder, index_files, index_folder, open_files
from seminar.errors import ConfigurationError, IngestionError
from seminar.models.encoders.registry import load_encoder
from seminar.reading.iterative import IterativeReader
from seminar.reading.sentence_reader import SentenceReader
from seminar.reading.span_reader import SpanReader
from seminar.reading.speakers import SpeakerReader
from seminar.settings import Settings
from seminar.types import Dialogue

ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def private_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SEMINAR_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "ferry.md").write_text("# Ferry\n\nThe crossing takes 55 minutes.\n")
    return folder


def test_files_are_indexed_under_the_home(folder: Path, private_home: Path):
    opened = open_files([folder])
    reply = opened.assistant.reply(Dialogue(), "How long does the crossing take?")
    assert reply.text == "55 minutes"
    assert opened.sources == ["ferry.md"]
    assert list((private_home / "indexes").iterdir()) == [index_folder([folder], "static")]


def test_an_index_is_opened_with_the_encoder_that_made_it(folder: Path, tmp_path: Path):
    index_files([folder], tmp_path / "index", load_encoder("minilm"))
    opened = open_files([tmp_path / "index"], Settings(encoder="static"))
    assert opened.index.dimensions == 384
    reply = opened.assistant.reply(Dialogue(), "How long does the crossing take?")
    assert reply.text == "55 minutes"


def test_an_index_is_asked_by_itself(folder: Path, tmp_path: Path):
    index = tmp_path / "index"
    index_files([folder], index, load_encoder("static"))
    with pytest.raises(ConfigurationError, match=f"^{index} is an index, which is asked by itself"):
        open_files([folder, index])


def test_the_reader_is_the_one_that_was_chosen(folder: Path):
    tiny = ROOT / "tests" / "models" / "files" / "tiny-reader"
    usual = open_files([folder]).assistant.reader
    assert isinstance(usual, IterativeReader)
    assert isinstance(usual.reader.reader, SpanReader)
    light = open_files([folder], Settings(reader="sentence")).assistant.reader
    assert isinstance(light.reader, SentenceReader)
    opened = open_files([folder], Settings(reader=str(tiny), threshold=0.0))
    reply = opened.assistant.reply(Dialogue(), "How long does the crossing take?")
    [span] = reply.literal
    assert span.passage.text[span.start : span.end] == reply.text


def test_several_answers_are_looked_for_unless_one_is_asked_for(folder: Path):
    tiny = str(ROOT / "tests" / "models" / "files" / "tiny-reader")
    several = open_files([folder], Settings(reader=tiny, diversity=0.3)).assistant.reader
    assert isinstance(several, IterativeReader)
    assert several.diversity == 0.3
    one = open_files([folder], Settings(reader=tiny, answers="one")).assistant.reader
    assert isinstance(one, SpeakerReader)


def test_the_order_of_the_paths_does_not_make_another_index():
    first, second = Path("a"), Path("b")
    assert index_folder([first, second], "static") == index_folder([second, first], "static")
    assert index_folder([first], "static") != index_folder([second], "static")
    assert index_folder([first], "static") != index_folder([first], "minilm")


def test_a_missing_path_is_named(tmp_path: Path):
    with pytest.raises(IngestionError, match="nowhere: no such file or folder"):
        open_files([tmp_path / "nowhere"])


def test_readme_library_use_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(ROOT)
    _, _, rest = (ROOT / "README.md").read_text(encoding="utf-8").partition("```python\n")
    code, _, _ = rest.partition("```")
    assert len([line for line in code.splitlines() if line.strip()]) <= 5
    exec(compile(code, "README.md", "exec"), {})
    first, second = capsys.readouterr().out.splitlines()
    assert re.search(r"\b1979\b.* \['choir\.md:\d+", first)
    assert re.search(r"Bram Castellane\b.* \['choir\.md:\d+", second)


def test_a_scope_narrows_what_is_asked(folder: Path):
    (folder / "tower.md").write_text("# Tower\n\nThe tower was finished in 1911.\n")
    opened = open_files([folder]).within("tower.md")
    reply = opened.assistant.reply(Dialogue(), "How long does the crossing take?")
    assert {hit.passage.source for hit in reply.hits} == {"tower.md"}
    everything = opened.within("").assistant.reply(Dialogue(), "How long does the crossing take?")
    assert everything.hits[0].passage.source == "ferry.md"


def test_an_unknown_scope_is_an_error_at_once(folder: Path):
    with pytest.raises(ConfigurationError, match=r"Did you mean 'ferry.md'"):
        open_files([folder], Settings(scope="fery.md"))


def test_small_collections_get_minilm_and_large_ones_static(tmp_path: Path):
    small, large = tmp_path / "small", tmp_path / "large"
    for folder, size in ((small, 1_000), (large, 1_600_000)):
        folder.mkdir()
        (folder / "page.txt").write_text("x" * size)
    assert choose_encoder("auto", [small]) == "minilm"
    assert choose_encoder("auto", [large]) == "static"
    assert choose_encoder("auto", [small, large]) == "static"
    assert choose_encoder("minilm", [large]) == "minilm"


def test_auto_keeps_the_encoder_of_an_existing_index(tmp_path: Path):
    page = tmp_path / "page.txt"
    page.write_text("The tower was finished in 1911.")
    index_files([page], tmp_path / "index", load_encoder("static"))
    assert choose_encoder("auto", [page], tmp_path / "index") == "static"
