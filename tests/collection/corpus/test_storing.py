from pathlib import Path

import pytest

from seminar.collection.corpus.records import Chunk, Corpus, FirstQuestion, Line, Page, Topic
from seminar.collection.corpus.storing import CorpusError, read_corpus, write_corpus
from seminar.types import Element, Link, Section

CORPUS = Corpus(
    pages=(
        Page(
            id="tide",
            title="Tide",
            text="The tide.\nIt\u2028turns.",
            sections=(Section("Turn", 10, 19),),
            links=(Link(4, 8, "moon"),),
            elements=(Element("p1", 0, 9),),
        ),
        Page(id="moon", title="Moon", text=""),
    ),
    topics=(Topic(id="sea", title="The sea", central="tide", pages=("tide", "moon")),),
    chunks=(Chunk(id="c1", source="a.txt", text="A: b", lines=(Line("A", "b", 3, 4),)),),
    first_questions=(FirstQuestion("tide", "when does it turn"),),
)


def test_corpus_is_read_as_it_was_written(tmp_path: Path):
    write_corpus(tmp_path, CORPUS)
    assert read_corpus(tmp_path) == CORPUS


def test_kind_without_records_leaves_no_file(tmp_path: Path):
    write_corpus(tmp_path, CORPUS)
    write_corpus(tmp_path, Corpus(chunks=CORPUS.chunks))
    assert [path.name for path in tmp_path.iterdir()] == ["chunks.jsonl"]


def test_folder_without_corpus_is_an_error_that_says_how_to_write_one(tmp_path: Path):
    with pytest.raises(CorpusError, match="seminar collect corpus"):
        read_corpus(tmp_path)


def test_damaged_line_is_named(tmp_path: Path):
    write_corpus(tmp_path, CORPUS)
    with (tmp_path / "pages.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"id": 3}\n')
    with pytest.raises(CorpusError, match=r"pages\.jsonl:3: .*id"):
        read_corpus(tmp_path)


def test_id_that_is_there_twice_is_an_error(tmp_path: Path):
    write_corpus(tmp_path, Corpus(pages=(CORPUS.pages[0], CORPUS.pages[0])))
    with pytest.raises(CorpusError, match="'tide' is there twice"):
        read_corpus(tmp_path)
