import json
from pathlib import Path

from seminar.collection.corpus.storing import read_corpus

SAID = [
    (
        "CHAIR",
        "Welcome to the forum. The steamer is in the plan, with 23,000 crowns of the budget.",
    ),
    ("RASK", "Thank you. Every crossing of the late boat burns 310 litres of fuel."),
    ("CHAIR", "The late boat was asked for on 14 April, and the council will vote on it."),
]


def write(tmp_path: Path) -> str:
    path = tmp_path / "panel.jsonl"
    lines = [json.dumps({"speaker": who, "text": text, "thread": "1"}) for who, text in SAID]
    path.write_text("\n".join(lines))
    return str(path)


def test_json_prints_each_question_with_the_place_of_its_answer(seminar, tmp_path: Path):
    ended = seminar("collect", "questions", write(tmp_path), "--all", "--json")
    assert ended.code == 0
    records = [json.loads(line) for line in ended.out.splitlines()]
    assert records
    for record in records:
        assert record["span"]["source"].startswith("panel.jsonl#")
        assert record["span"]["text"] == record["answer"]
    assert any(record["failed"] or record["easy"] for record in records)
    assert f"{len(records)} made" in ended.err


def test_count_limits_the_kept_questions(seminar, tmp_path: Path):
    ended = seminar("collect", "questions", write(tmp_path), "--count", "1", "--reader", "sentence")
    assert ended.code == 0
    assert ended.out.count("?") == 1
    assert "1 kept" in ended.err


def test_folder_without_text_is_an_error(seminar, tmp_path: Path):
    (tmp_path / "empty.txt").write_text("")
    ended = seminar("collect", "questions", str(tmp_path))
    assert ended.code == 2
    assert "nothing to ask about" in ended.err


def test_a_corpus_of_linked_pages(seminar, tmp_path: Path):
    site, to = tmp_path / "site", tmp_path / "corpus"
    site.mkdir()
    (site / "home.md").write_text("# Home\n\nSee [Neo](neo.md).")
    (site / "neo.md").write_text("# Neo\n\nThe one.")
    (site / "alone.md").write_text("# Alone\n\nNobody links here.")
    options = ("--to", str(to), "--protocol", "pragmaticqa")
    ended = seminar("collect", "corpus", str(site), *options, "--central", "Hom", "--json")
    assert ended.code == 2
    assert "unknown page 'Hom'. Did you mean 'Home'" in ended.err
    ended = seminar("collect", "corpus", str(site), *options, "--central", "Home", "--json")
    summary = json.loads(ended.out)
    # the files were read by the first run
    assert (summary["read"], summary["kept"], summary["pages"], summary["topics"]) == (0, 3, 2, 1)
    assert [page.title for page in read_corpus(to).pages] == ["Home", "Neo"]
    assert sorted(file.name for file in to.iterdir()) == ["pages.jsonl", "topics.jsonl"]
