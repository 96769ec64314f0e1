import json
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import create_engine, select
from sqlalchemy.orm import Session

from seminar.analysis import chats
from seminar.analysis.clusters import group_questions
from seminar.analysis.inputs import kind_of
from seminar.analysis.service_files import database_chats, file_chats
from seminar.dialogue_exports import as_json
from seminar.errors import DatasetError
from seminar.serving.dialogues.records import dialogue_record, turn_record
from seminar.serving.storage import schema


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


@pytest.fixture
def service(tmp_path: Path) -> Path:
    """The service's own database, with a dialogue of two turns that two people judged."""
    file = tmp_path / "service.sqlite"
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        connection.exec_driver_sql("PRAGMA journal_mode=WAL")
        schema.Table.metadata.create_all(connection)
    with Session(engine) as session:
        session.add(schema.StoredDialogue(id="d", collection_id="c", title="Museum"))
        for number, saved_turn in enumerate(TURNS[:2], start=1):
            session.add(
                schema.StoredTurn(
                    dialogue_id="d", number=number, question=saved_turn["question"],
                    reply=saved_turn,
                )
            )  # fmt: skip
        for person, right in (("a", True), ("b", False)):
            session.add(
                schema.Feedback(
                    dialogue_id="d", number=2, account_id=person, right=right,
                    comment="fine" if right else "It was Ada",
                )
            )  # fmt: skip
        session.commit()
    engine.dispose()
    return file


def test_the_database_of_the_service_is_only_read(service: Path):
    before = service.read_bytes()
    frame = chats.chat_turns(database_chats(service))
    assert frame["question"].tolist() == ["When does the museum open?", "Who runs it?"]
    assert frame["sources"].tolist() == [("guide.md",), ("mail.mbox",)]
    # Of several judgements of a turn, one that calls it wrong counts.
    assert frame["right"].tolist() == [None, False]
    assert frame["comment"].tolist() == ["", "It was Ada"]
    assert service.read_bytes() == before


def test_exported_dialogues_have_their_turns_and_feedback(service: Path, tmp_path: Path):
    engine = create_engine(f"sqlite:///{service}")
    with Session(engine) as session:
        dialogue = session.get_one(schema.StoredDialogue, "d")
        turn = session.get_one(schema.StoredTurn, ("d", 2))
        said = session.scalars(select(schema.Feedback).filter_by(right=False)).one()
        record = {**dialogue_record(dialogue), "turns": [turn_record(turn, said)]}
    engine.dispose()
    file = tmp_path / "dialogue.json"
    file.write_text(as_json(record), encoding="utf-8")
    assert kind_of(file) == "chat"
    [row] = chats.chat_turns(file_chats(file)).to_dict("records")
    assert row["chat"] == "dialogue.json: Museum"
    assert row["right"] is False
    assert row["comment"] == "It was Ada"
    assert row["sources"] == ("mail.mbox",)


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
