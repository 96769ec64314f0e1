import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from seminar.errors import ConfigurationError, SeminarError
from seminar.session import Session, open_session
from seminar.types import Dialogue, Query, Reply

SUGGESTED = ("When does the ferry sail?", "Tell me about Dunmarrow.")


class Echoing:
    """An assistant that repeats the question, and suggests two after a "Tell me"."""

    def ask(self, dialogues: list[Dialogue], questions: list[str]) -> list[Reply]:
        return self.suggest(dialogues, self.answer_without_suggestions(dialogues, questions))

    writer = None

    def answer_without_suggestions(self, _: list[Dialogue], questions: list[str]) -> list[Reply]:
        return [Reply(text=questions[0], query=Query(questions[0]))]

    def suggest(self, _: list[Dialogue], replies: list[Reply]) -> list[Reply]:
        asked = replies[0].text.startswith("Tell")
        return [replace(replies[0], followups=SUGGESTED if asked else ())]


class Opened:
    assistant = Echoing()


def echoing_session() -> Session:
    return Session(Opened())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SEMINAR_HOME", str(tmp_path / "home"))
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "ferry.md").write_text("# The ferry\n\nThe crossing takes 55 minutes.\n")
    (folder / "tower.md").write_text("# The tower\n\nEdda Thornquist finished the tower in 1911.\n")
    return folder


def questions(session: Session) -> list[str]:
    return [turn.question for turn in session.dialogue.turns]


def saved_questions(file: Path) -> list[str]:
    return [json.loads(line)["question"] for line in file.read_text("utf-8").splitlines()]


def test_number_asks_suggestion_shown_last():
    session = echoing_session()
    for line in ("1", "Tell me more.", "Who?", "1", "2"):  # nothing was suggested before the first
        session.ask(line)
    assert questions(session) == ["1", "Tell me more.", "Who?", *SUGGESTED]


@pytest.mark.parametrize("number", ["0", "3", "1962", "9" * 5000])
def test_number_without_suggestion_is_an_error(number: str):
    session = echoing_session()
    session.ask("Tell me more.")
    with pytest.raises(SeminarError, match=rf"^There is no suggestion {number[:4]}.* \(1–2\)$"):
        session.ask(number)
    assert questions(session) == ["Tell me more."]


def test_line_without_letter_or_digit_is_an_error():
    session = echoing_session()
    with pytest.raises(SeminarError, match=r"^'\?!…' has no letter or digit: ask in words"):
        session.ask("?!…")
    assert questions(session) == []


def test_suggestions_are_added_to_last_turn():
    session = echoing_session()
    assert session.ask_without_suggestions("Tell me more.").followups == ()
    assert session.suggest().followups == SUGGESTED
    assert questions(session) == ["Tell me more."]
    assert session.dialogue.turns[0].reply.followups == SUGGESTED
    assert [record["followups"] for record in session.records] == [list(SUGGESTED)]


def test_suggesting_before_any_question_is_an_error():
    with pytest.raises(SeminarError, match="nothing was asked yet"):
        echoing_session().suggest()


def test_turns_after_save_are_written_as_they_are_answered(tmp_path: Path):
    session, file = echoing_session(), tmp_path / "turns.jsonl"
    session.ask("Who?")
    session.save(file)
    assert saved_questions(file) == ["Who?"]
    session.ask("When?")
    assert saved_questions(file) == ["Who?", "When?"]


def test_save_replaces_only_a_file_of_its_own_session(tmp_path: Path):
    session, file = echoing_session(), tmp_path / "turns.jsonl"
    session.ask("Who?")
    session.save(file)
    session.save(file)
    with pytest.raises(SeminarError, match="exists already; save it under another name"):
        echoing_session().save(file)
    session.reset()
    with pytest.raises(SeminarError, match="exists already"):
        session.save(file)
    assert saved_questions(file) == ["Who?"]


def test_reset_ends_writing_to_the_saved_file(tmp_path: Path):
    session, file = echoing_session(), tmp_path / "turns.jsonl"
    session.ask("Who?")
    session.save(file)
    session.reset()
    session.ask("When?")
    assert saved_questions(file) == ["Who?"]


def test_reply_notes_that_its_turn_could_not_be_written(tmp_path: Path):
    session, folder = echoing_session(), tmp_path / "talks"
    session.save(folder / "turns.jsonl")
    (folder / "turns.jsonl").unlink()
    folder.rmdir()
    folder.write_text("a file where the folder was")
    [note] = session.ask("Who?").notes
    assert note.startswith(f"{folder / 'turns.jsonl'} can't be written (")
    assert session.ask("When?").notes == ()
    assert questions(session) == ["Who?", "When?"]


def test_session_answers_from_files_in_its_dialogue(folder: Path):
    session = open_session(folder)
    reply = session.ask("Who finished the tower?")
    assert (reply.text, reply.literal[0].source) == ("Edda Thornquist", "tower.md")
    assert session.sources == ["ferry.md", "tower.md"]
    assert session.problems == ()
    assert questions(session) == ["Who finished the tower?"]
    assert session.records[0]["text"] == "Edda Thornquist"


def test_session_answers_only_from_its_scope(folder: Path):
    session = open_session(folder / "ferry.md", str(folder / "tower.md"), scope="tower.md")
    assert session.scopes() == {"ferry.md": 1, "tower.md": 1}
    assert session.ask("How long is the crossing?").answerable is False
    session.set_scope("")
    assert session.scope == ""
    assert session.ask("How long is the crossing?").text.endswith("55 minutes")


def test_resumed_session_continues_saved_dialogue(folder: Path, tmp_path: Path):
    file = tmp_path / "turns.jsonl"
    first = open_session(folder)
    first.ask("Who finished the tower?")
    first.ask("How long is the crossing?")
    first.save(file)
    (folder / "ferry.md").write_text("# The ferry\n\nIt takes an hour.\n")
    second = open_session(folder, history="all")
    assert second.resume(file) == ["How long is the crossing?"]
    reply = second.ask("Why?")
    assert reply.query.text.startswith("Who finished the tower? [SEP] Edda Thornquist [SEP]")
    assert len(saved_questions(file)) == 2
    second.save(file)
    assert saved_questions(file) == [*questions(first), "Why?"]


def test_resumed_session_holds_all_that_was_saved(folder: Path, tmp_path: Path):
    first = open_session(folder, followups=True)
    first.ask("Who finished the tower?")
    first.ask("How many submarines does Peru have?")
    first.save(tmp_path / "turns.jsonl")
    second = open_session(folder)
    second.resume(tmp_path / "turns.jsonl")
    assert list(map(list, second.records)) == list(map(list, first.records))  # names, in order
    assert second.records == first.records


def test_resuming_an_unusable_turn_names_file_and_turn(folder: Path, tmp_path: Path):
    file = tmp_path / "turns.jsonl"
    file.write_text('{"question": "Who?"}\n')
    session = open_session(folder)
    with pytest.raises(SeminarError, match=r"turns.jsonl:1: .*missing required field `text`"):
        session.resume(file)


def test_concurrent_sessions_share_an_assistant_and_keep_their_own_turns(folder: Path):
    opened = open_session(folder).opened
    asked = {
        "How long is the crossing?": "55 minutes",
        "Who finished the tower?": "Edda Thornquist",
    }
    sessions = {question: Session(opened) for question in asked}

    def converse(question: str) -> None:
        for _ in range(3):
            sessions[question].ask(question)

    threads = [threading.Thread(target=converse, args=[question]) for question in asked]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for question, answer in asked.items():
        turns = sessions[question].dialogue.turns
        assert [turn.question for turn in turns] == [question] * 3
        assert all(answer in turn.reply.text for turn in turns)


def test_session_without_path_is_an_error():
    with pytest.raises(ConfigurationError, match="no path to ask"):
        open_session()


def test_unknown_setting_is_an_error_that_suggests_a_known_one(folder: Path):
    with pytest.raises(ConfigurationError, match=r"'encodr'. Did you mean 'encoder'\?"):
        open_session(folder, encodr="static")


def test_folder_without_text_is_an_error(tmp_path: Path):
    (tmp_path / "void").mkdir()
    with pytest.raises(SeminarError, match="no file there holds readable text"):
        open_session(tmp_path / "void")
