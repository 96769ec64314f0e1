import json
import sqlite3
from pathlib import Path

import pytest

from seminar.analysis import chats
from seminar.analysis.clusters import group_questions
from seminar.analysis.service_files import database_chats, file_chats
from seminar.errors import DatasetError


def saved(question: str, source: str = "", **fields: object) -> dict[str, object]:
    literal = [{"text": "words", "source": source}] if source else []
    return {"question": question, "text": "reply", "answerable": bool(source), "literal": literal,
            "alternatives": [], "meta": False, "query": question, "seconds": 0.5, "score": 0.8,
            "notes": [], "followups": [], **fields}  # fmt: skip


TURNS = [
    saved("When does the museum open?", "guide.md"),
    saved("Who runs it?", "mail.mbox#12", seconds=1.5),
    saved("Is there a car park?"),
    saved("Can I park a car there?"),
    saved("What files are there?", meta=True),
]
FRAME = chats.chat_turns([("one", TURNS[:3]), ("two", TURNS[3:])])


def test_overview():
    table = dict(chats.overview(FRAME).to_numpy().tolist())
    assert table["conversations"] == 2
    assert table["questions"] == 5
    assert table["about the conversation itself"] == 1
    assert table["answered"] == 2
    assert table["not answered"] == 2
    assert table["not answered %"] == 50
    assert table["sources quoted"] == 2
    assert table["median seconds"] == 0.5


def test_sources_are_files_without_the_message():
    table = chats.by_source(FRAME)
    assert table.to_numpy().tolist() == [["guide.md", 1, 50.0], ["mail.mbox", 1, 50.0]]


def test_types_of_questions_with_the_share_answered():
    table = chats.asked_types(FRAME).set_index("type")
    assert table["answered %"].to_dict() == {"is": 0, "who": 100, "when": 100, "OTHER": 0}


def test_questions_about_the_same_thing_are_put_together():
    table = group_questions(
        ["Is there a car park?", "What does lunch cost?", "Can I park a car there?",
         "Where do cars park?", "What did the lunch cost?"]
    )  # fmt: skip
    assert table["questions"].tolist() == [3, 2]
    assert table["words"].tolist() == ["car, park", "cost, lunch"]


def test_questions_without_content_words_are_their_own_groups():
    assert group_questions(["Why?", "Who?"])["questions"].tolist() == [1, 1]


def test_latency_by_stage_where_turns_have_stages():
    frame = chats.chat_turns([("one", [saved("a", stages={"search": 0.1, "read": 0.3})])])
    table = chats.latency(frame).set_index("stage")
    assert table["median s"].to_dict() == {"search": 0.1, "read": 0.3, "whole reply": 0.5}


def test_saved_turns_are_one_conversation(tmp_path: Path):
    file = tmp_path / "chat.jsonl"
    file.write_text("\n".join(map(json.dumps, TURNS)), encoding="utf-8")
    [(name, turns)] = file_chats(file)
    assert name == "chat.jsonl"
    assert turns == TURNS


def test_exported_dialogues_have_their_turns_and_feedback(tmp_path: Path):
    said = {"right": False, "comment": "It closed in May"}
    turn = {"number": 1, "question": "When?", "reply": saved("When?", "a.md"), "feedback": said}
    file = tmp_path / "dialogue.json"
    file.write_text(json.dumps({"id": "d", "title": "Museum", "turns": [turn]}), encoding="utf-8")
    frame = chats.chat_turns(file_chats(file))
    assert frame.loc[0, "chat"] == "dialogue.json: Museum"
    assert frame.loc[0, "right"] is False or not frame.loc[0, "right"]
    assert frame.loc[0, "comment"] == "It closed in May"
    assert frame.loc[0, "sources"] == ("a.md",)


def test_the_database_of_the_service_is_only_read(tmp_path: Path):
    file = tmp_path / "service.db"
    with sqlite3.connect(file) as connection:
        connection.executescript(
            "CREATE TABLE turns (dialogue_id, number, question, reply, created);"
            'CREATE TABLE feedback (dialogue_id, number, "right", comment);'
        )
        for number, turn in enumerate(TURNS[:2], start=1):
            connection.execute(
                "INSERT INTO turns VALUES ('d', ?, ?, ?, '2026')",
                (number, turn["question"], json.dumps(turn)),
            )
        connection.execute("INSERT INTO feedback VALUES ('d', 2, 1, 'yes')")
    connection.close()
    before = file.read_bytes()
    frame = chats.chat_turns(database_chats(file))
    assert frame["question"].tolist() == ["When does the museum open?", "Who runs it?"]
    assert frame["right"].tolist()[1]
    assert file.read_bytes() == before


def test_another_database_is_an_error(tmp_path: Path):
    file = tmp_path / "other.db"
    sqlite3.connect(file).execute("CREATE TABLE a (b)").connection.close()
    with pytest.raises(DatasetError, match="no database of the service: no such table"):
        list(database_chats(file))


def test_a_line_without_a_question_is_an_error(tmp_path: Path):
    file = tmp_path / "chat.jsonl"
    file.write_text('{"question": "a"}\n{"text": "b"}\n', encoding="utf-8")
    with pytest.raises(DatasetError, match=r"chat\.jsonl:2: no turn with a 'question'"):
        list(file_chats(file))
