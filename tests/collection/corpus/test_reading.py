from pathlib import Path

from seminar.collection.corpus.reading import page_of, read_files
from seminar.collection.corpus.records import Chunk, Page
from seminar.types import Document, Element

PAGE = "<h1>Tide</h1><p>It turns.</p><p>See <a href='moon.html'>the moon</a>.</p>"


def test_pages_of_files_with_links_and_elements(tmp_path: Path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "tide.html").write_text(PAGE)
    reading = read_files([tmp_path / "site"], tmp_path / "read", "pages")
    [page] = reading.records(Page)
    assert (page.id, page.title) == ("tide.html", "Tide")
    assert [(page.text[one.start : one.end], one.target) for one in page.links] == [
        ("the moon", "moon.html")
    ]
    texts = [page.text[one.start : one.end] for one in page.elements]
    assert texts == ["Tide", "It turns.", "See the moon."]


def test_elements_of_two_pages_with_the_same_words_have_different_keys():
    first, second = (
        page_of(Document(name, "T", "Words", elements=(Element("k", 0, 5),))) for name in "ab"
    )
    assert len(first.elements[0].key) == 36
    assert first.elements[0].key != second.elements[0].key
    assert first == page_of(Document("a", "T", "Words", elements=(Element("k", 0, 5),)))


def test_a_second_run_reads_only_what_changed(tmp_path: Path):
    site = tmp_path / "site"
    site.mkdir()
    (site / "a.md").write_text("# A\n\nOne.")
    (site / "b.md").write_text("# B\n\nTwo.")
    first = read_files([site], tmp_path / "read", "pages")
    assert (first.read, first.kept) == (2, 0)
    (site / "b.md").write_text("# B\n\nThree.")
    (site / "c.md").write_text("# C\n\nFour.")
    second = read_files([site], tmp_path / "read", "pages")
    assert (second.read, second.kept) == (2, 1)
    assert [page.text.split()[-1] for page in second.records(Page)] == ["One.", "Three.", "Four."]


def test_an_interrupted_file_is_read_again(tmp_path: Path):
    site = tmp_path / "site"
    site.mkdir()
    (site / "a.md").write_text("# A\n\nOne.")
    first = read_files([site], tmp_path / "read", "pages")
    first.files[0].rename(first.files[0].with_suffix(".unfinished"))
    again = read_files([site], tmp_path / "read", "pages")
    assert (again.read, again.kept) == (1, 0)
    assert [page.id for page in again.records(Page)] == ["a.md"]


def test_what_was_read_of_a_cut_off_dump_stays(tmp_path: Path):
    dump = tmp_path / "dump.xml"
    page = (
        "<page><title>{0}</title><ns>0</ns><revision><text>{0} [[Moon]].</text></revision></page>"
    )
    dump.write_text(f"<mediawiki>{page.format('Tide')}<page><title>Mo")
    reading = read_files([dump], tmp_path / "read", "pages")
    assert [page.id for page in reading.records(Page)] == ["dump.xml#Tide"]
    [problem] = reading.problems
    assert "cut off after 1 articles" in str(problem)


def test_chunks_of_conversations(panel: Path, tmp_path: Path):
    (panel.parent / "page.md").write_text("# A page\n\nIs no conversation.")
    reading = read_files([panel.parent], tmp_path / "read", "chunks")
    [chunk] = reading.records(Chunk)
    assert [line.speaker for line in chunk.lines] == ["CHAIR", "RASK", "CHAIR"]
    line = chunk.lines[1]
    assert line.text.startswith("Thank you. Every crossing burns 310 litres")
    assert chunk.text[line.start : line.end] == line.text


def test_progress_counts_files(tmp_path: Path):
    site = tmp_path / "site"
    site.mkdir()
    for name in "ab":
        (site / f"{name}.md").write_text(f"# {name}\n\nWords.")
    seen: list[tuple[int, int]] = []
    read_files(
        [site], tmp_path / "read", "pages", watch=lambda done, total: seen.append((done, total))
    )
    assert seen == [(0, 2), (1, 2), (2, 2)]
