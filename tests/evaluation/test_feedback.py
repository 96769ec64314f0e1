"""Judged turns are asked again: right before, right now, with SQuAD's F1."""

import json
from pathlib import Path

import pytest

from seminar.answering.records import reply_record
from seminar.assembly import Opened, open_files
from seminar.errors import DatasetError
from seminar.evaluation.feedback import as_markdown, judge_again, read_export, summary
from seminar.settings import Settings
from seminar.types import Query, Reply

TEXT = "# Choir\n\nThe choir was founded in 1921 by Maud Brennan. It sings on Sundays.\n"


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    folder = tmp_path_factory.mktemp("files")
    (folder / "choir.md").write_text(TEXT)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEMINAR_HOME", str(tmp_path_factory.mktemp("home")))
        return open_files([folder], Settings(encoder="static"))


def exported(file: Path, *turns: tuple[str, str, dict | None]) -> Path:
    """A dialogue as the service exports it, of questions, answers and what was said of them."""
    records = []
    for number, (question, text, said) in enumerate(turns, start=1):
        reply = Reply(text, Query(question, question), answerable=bool(text))
        record = reply_record(question, reply, 0.1)
        records.append({"number": number, "question": question, "reply": record, "feedback": said})
    dialogue = {"id": "d", "title": "Choir", "scope": "", "turns": records}
    file.write_text(json.dumps(dialogue))
    return file


def said(*, right: bool, words: str = "") -> dict:
    span = {"source": "choir.md", "start": 0, "end": len(words), "text": words} if words else None
    return {"right": right, "span": span, "comment": ""}


def test_turns_are_compared_with_the_words_that_people_want(opened: Opened, tmp_path: Path):
    file = exported(
        tmp_path / "dialogue.json",
        ("When was the choir founded?", "On Sundays", said(right=False, words="1921")),
        ("How many submarines does Peru have?", "", said(right=True)),
        ("When was the choir founded?", "no idea", said(right=False)),
        ("When does it sing?", "1921", None),
    )
    turns = read_export(file)
    assert [turn.number for turn in turns] == [1, 2, 3]
    assert [turn.wanted for turn in turns] == ["1921", "", None]
    first, second, third = judge_again(turns, opened)
    assert (first.right_before, first.right_now) == (
        False,
        first.f1 is not None and first.f1 >= 0.5,
    )
    assert (second.right_before, second.right_now, second.f1) == (True, True, None)
    assert (third.right_now, third.f1) == (None, None)
    judgements = [first, second, third]
    assert summary(judgements).startswith("right before 1, right now 2 of 2 judged turns, F1 ")
    assert as_markdown(judgements).count("\n| ") == 3


def test_file_that_is_no_export_is_named(tmp_path: Path):
    file = tmp_path / "other.json"
    file.write_text("[1]")
    with pytest.raises(DatasetError, match=r"other\.json: not a dialogue exported as JSON"):
        read_export(file)
