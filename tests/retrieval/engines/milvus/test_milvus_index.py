"""What only the Milvus engine does; its contract is checked with that of every engine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pymilvus import MilvusClient

from seminar.assembly import create_index, is_index, open_index
from seminar.cli.main import run
from seminar.errors import IndexStoreError
from seminar.index_url import IndexUrl, parse_index_url
from seminar.retrieval.dense import Dense
from seminar.retrieval.engines.milvus.address import TOKEN, parse_address
from seminar.retrieval.engines.milvus.collections import Head, head_row
from seminar.retrieval.engines.milvus.store import MilvusIndex
from seminar.retrieval.file_index import IndexedFile
from seminar.retrieval.fusion import Fused
from seminar.retrieval.hybrid import RANK_CONSTANT, StoreFused, hybrid
from seminar.retrieval.lexical import Lexical
from seminar.types import Link, Passage, Query
from tests.fakes import FakeEncoder
from tests.milvus_server import SERVER, milvus, milvus_lite

ENCODER = FakeEncoder()


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], IndexUrl]]:
    with milvus(tmp_path_factory.mktemp("milvus") / "data.db") as made:
        yield made


def text_file(path: str, *texts: str) -> IndexedFile:
    passages = [Passage(path, 100 * n, 100 * n + len(text), text) for n, text in enumerate(texts)]
    return IndexedFile(path, "1", tuple(passages))


def put(writer, *files: IndexedFile) -> None:
    writer.add(files, ENCODER.encode([one.searched for file in files for one in file.passages]))


def made(place: IndexUrl) -> MilvusIndex:
    index = MilvusIndex.create(parse_address(place), encoder="fake", dimensions=64)
    with index.writer() as writer:
        put(writer, text_file("a.md", "red tower", "red bridge"))
    return index


def stored_rows(index: MilvusIndex) -> int:
    """The rows of every version, also of those that nobody sees."""
    return index._passages.count("born >= 0")


def test_index_is_opened_by_its_url(places):
    place = places()
    assert not is_index(place)
    create_index(place, ENCODER)
    assert is_index(place)
    index = open_index(place)
    assert (index.encoder_name, index.dimensions, index.count()) == ("fake", 64, 0)


def test_index_in_a_file_is_found_again(tmp_path: Path):
    place = parse_index_url(f"milvus://{tmp_path}/lite.db/notes")
    assert not is_index(place)
    with pytest.raises(IndexStoreError, match="there is no index at"):
        open_index(place)
    assert list(tmp_path.iterdir()) == []
    index = create_index(place, ENCODER)
    index.add([Passage("a.md", 0, 9, "red tower")], ENCODER.encode(["red tower"]))
    [hits] = open_index(place).search_text([Query("tower")], k=3)
    assert [hit.passage.source for hit in hits] == ["a.md"]


def test_index_is_searched_and_updated_after_a_restart_of_the_server(tmp_path: Path):
    for number in range(2):
        with milvus_lite(tmp_path / "data.db") as server:
            index = create_index(parse_index_url(f"{server}/notes"), ENCODER)
            assert index.count() == number
            assert is_index(parse_index_url(f"{server}/notes"))
            assert open_index(parse_index_url(f"{server}/notes")).count() == number
            text = f"red tower {number}"
            index.add([Passage(f"{number}.md", 0, len(text), text)], ENCODER.encode([text]))
            [hits] = index.search_text([Query("tower")], k=3)
            assert len(hits) == number + 1


KILLED = """
import sys, time
from pathlib import Path
from seminar.assembly import open_index
from seminar.index_url import parse_index_url
from seminar.retrieval.file_index import IndexedFile
from seminar.types import Passage
from tests.fakes import FakeEncoder
passages = tuple(Passage("b.md", n, n + 11, "green tower") for n in range(2_000))
index = open_index(parse_index_url(sys.argv[1]))
with index.writer() as writer:
    writer.remove(["a.md"])
    writer.add([IndexedFile("b.md", "1", passages)], FakeEncoder().encode(["green tower"] * 2_000))
    print("written", flush=True)
    time.sleep(600)
"""


def test_killed_writer_is_succeeded_and_what_it_left_is_undone(places):
    place = places()
    index = made(place)
    command = [sys.executable, "-c", KILLED, str(place)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"written\n"
        busy = pytest.raises(IndexStoreError, match=f"written by process {process.pid} on ")
        with busy, index.writer(timeout=0.1):
            pass
        process.kill()
    assert stored_rows(index) == 2_002
    assert open_index(place).count() == 2
    with index.writer(timeout=30, lease_seconds=0.5) as writer:
        put(writer, text_file("c.md", "blue tower"))
    [hits] = index.search_text([Query("tower")], k=10)
    assert sorted(hit.passage.text for hit in hits) == ["blue tower", "red tower"]
    assert stored_rows(index) == 3


def test_writer_that_lost_its_lease_publishes_nothing(places):
    place = places()
    index, other = made(place), open_index(place)

    def lose_it() -> None:
        with index.writer() as writer:
            put(writer, text_file("b.md", "green tower"))
            with other.writer(lease_seconds=-1.0):
                pass
            writer.publish()

    with pytest.raises(IndexStoreError, match="another process took over writing"):
        lose_it()
    assert set(open_index(place).files()) == {"a.md"}


def test_replaced_rows_are_deleted_when_no_reader_can_need_them(places):
    index = made(places())
    with index.writer() as writer:
        put(writer, text_file("a.md", "green tower"))
    assert (index.count(), stored_rows(index)) == (1, 3)
    with index.writer(reader_seconds=0.0) as writer:
        writer.remove([])
    assert (index.count(), stored_rows(index)) == (1, 1)


def test_record_that_is_too_long_is_packed(places):
    index = made(places())
    links = tuple(Link(n, n + 1, f"https://example.org/{n}") for n in range(3_000))
    passage = Passage("b.md", 0, 10, "many links", links=links)
    index.add([passage], ENCODER.encode([passage.searched]))
    assert index.passages(["b.md"]) == [[passage]]


def test_text_that_milvus_can_not_hold_is_refused_with_its_passage(places):
    index = made(places())
    long = Passage("b.md", 0, 70_000, "x" * 70_000)
    with pytest.raises(IndexStoreError, match=r"passage 'b.md#0-70000' can't be stored in Milvus"):
        index.add([long], ENCODER.encode([long.searched]))
    assert index.count() == 2


def test_verification_names_what_is_wrong(places):
    index = made(places())
    assert index.verify() == []
    index._passages.erase('file == "a.md" and searched like "%bridge%"')
    assert index.verify() == ["a.md: 1 of 2 passages"]


def test_index_of_another_format_or_encoder_is_refused(places):
    index = made(places())
    with pytest.raises(IndexStoreError, match="was made with encoder 'fake'"):
        MilvusIndex(index.address, encoder="other", dimensions=64)
    index._files.insert([head_row(Head("fake", 64, "single", "hnsw", format=99))])
    with pytest.raises(IndexStoreError, match="has format 99; this version of Seminar knows 1"):
        MilvusIndex(index.address)


def test_collection_of_somebody_else_is_refused_and_left_alone(places):
    address = parse_address(places())
    client = MilvusClient(uri=address.server)
    client.create_collection(address.collection, dimension=4)
    with pytest.raises(IndexStoreError, match="was not made by Seminar"):
        MilvusIndex.create(address, encoder="fake", dimensions=64)
    assert not client.has_collection(f"{address.collection}_files")


def test_missing_credentials_are_named_and_right_ones_accepted(tmp_path, monkeypatch):
    with milvus_lite(tmp_path / "data.db", password="cm9vdDpzZXNhbWU=") as server:
        place = parse_index_url(f"{server}/notes")
        monkeypatch.delenv(TOKEN, raising=False)
        with pytest.raises(IndexStoreError, match=f"needs credentials.*none were given.*{TOKEN}"):
            open_index(place)
        monkeypatch.setenv(TOKEN, "root:wrong")
        with pytest.raises(IndexStoreError, match="those given were not accepted") as caught:
            open_index(place)
        assert "wrong" not in str(caught.value)
        monkeypatch.setenv(TOKEN, "root:sesame")
        assert create_index(place, ENCODER).count() == 0


@pytest.mark.parametrize("host", ["127.0.0.1:1", "nowhere.invalid"])
def test_unreachable_server_is_one_line_and_the_files_stay(host, tmp_path, capsys):
    note = tmp_path / "note.md"
    note.write_text("The tower is red.")
    with pytest.raises(SystemExit) as ended:
        run(["index", str(tmp_path), "--to", f"milvus://{host}/notes", "--encoder", "static"])
    lines = capsys.readouterr().err.strip().splitlines()
    assert (ended.value.code, len(lines)) == (2, 1)
    assert f"can't reach the Milvus server of milvus://{host}" in lines[0]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["note.md"]


def test_own_fusion_ranks_as_ours_where_no_scores_are_equal(places):
    index = MilvusIndex.create(parse_address(places()), encoder="fake", dimensions=64)
    letters = "abcdefghijklmnopqrstuvwxyz"
    texts = [" ".join(f"word{letter}" for letter in letters[n : 2 * n + 2]) for n in range(24)]
    passages = [
        Passage(f"{n:02}.md", 0, len(text), text, scope=f"s{n % 2}/{n}")
        for n, text in enumerate(texts)
    ]
    index.add(passages, ENCODER.encode([one.searched for one in passages]))
    ours = Fused([Lexical(index), Dense(index, ENCODER)], constant=RANK_CONSTANT)
    queries = [
        Query(" ".join(texts[n].split()[:3]), scope=scope)
        for n in range(5, 15)
        for scope in (None, "s1", "nowhere")
    ]
    own = hybrid(index, ENCODER)
    assert isinstance(own, StoreFused)
    expected, found = ours.search(queries, 10), own.search(queries, 10)
    assert [[hit.passage for hit in hits] for hits in found] == [
        [hit.passage for hit in hits] for hits in expected
    ]
    assert [len(hits) for hits in found[:3]] == [10, 10, 0]
    assert own.search([Query("worda")], k=0) == [[]]


@pytest.mark.skipif(not os.environ.get(SERVER), reason=f"{SERVER} names no Milvus server")
@pytest.mark.parametrize("options", ["vectors=half", "vectors=half&index=diskann"])
def test_server_finds_the_same_with_half_precision(places, options):
    place = parse_index_url(str(places()).replace("vectors=single", options))
    index = made(place)
    assert index._head.vectors == "half"
    query = Query("red bridge", vector=ENCODER.encode(["red bridge"])[0])
    [hits] = index.search_vector([query], k=2)
    assert [hit.passage.text for hit in hits] == ["red bridge", "red tower"]
    assert hits[0].score == pytest.approx(1.0, abs=0.01)
