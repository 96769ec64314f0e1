import json
from pathlib import Path


def test_citation_and_id_of_an_answer_lead_to_its_place(seminar, folder: Path):
    record = json.loads(seminar("ask", folder, "-q", "How long is the crossing?", "--json").out)
    [span] = record["literal"]
    assert (span["line"], span["column"]) == (5, 20)
    shown = json.loads(seminar("show", folder, span["id"], "--json").out)
    assert (shown["text"], shown["citation"]) == ("55 minutes", "ferry.md:5:20")
    assert (shown["before"][-19:], shown["after"]) == ("The crossing takes ", ". Dogs travel free.")
    assert shown["file"] == str(folder / "ferry.md")
    printed = seminar("ask", folder, "-q", "How long is the crossing?").out
    assert "— ferry.md:5:20, The ferry > Crossing" in printed


def test_place_is_looked_for_in_the_files_that_were_asked_last(seminar, folder: Path):
    assert seminar("show", "ferry.md:5").err.startswith("seminar: nothing was asked so far")
    seminar("ask", folder, "-q", "How long is the crossing?")
    ended = seminar("show", "ferry.md:5")
    assert ended.out == (
        "— ferry.md:5:1, The ferry > Crossing\n"
        "  The ferry\n\n  Crossing\n\n"
        "  »The crossing takes 55 minutes. Dogs travel free.«\n"
    )
    [kept] = (folder.parent / "home").glob("last-asked.json")
    assert kept.stat().st_mode & 0o777 == 0o600


def test_unknown_place_is_one_line(seminar, folder: Path):
    ended = seminar("show", folder, "ferry.md:x")
    assert ended.code == 2
    assert ended.err.startswith("seminar: 'ferry.md:x' is not in these files. Name a place")


def test_place_in_an_index_has_no_file(seminar, folder: Path, tmp_path: Path):
    seminar("index", folder, "--to", tmp_path / "index")
    shown = json.loads(seminar("show", tmp_path / "index", "ferry.md:5", "--json").out)
    assert (shown["file"], shown["line"], shown["column"]) == (None, 5, None)
