from pathlib import Path

import pytest

from seminar.dialogue_files import check_question, parse_questions, read_turns, write_turns
from seminar.errors import SeminarError


def test_questions_are_the_lines_that_are_not_blank():
    assert parse_questions(b"\xef\xbb\xbfWho?\n\n  When? \n", "script.txt") == ["Who?", "When?"]


def test_questions_of_saved_turns_are_read_from_their_records():
    content = '{"question": "Who?", "text": "Zoë"}\n{"question": "When?"}\n'.encode()
    assert parse_questions(content, "turns.jsonl") == ["Who?", "When?"]


def test_line_that_is_not_a_saved_turn_is_named():
    with pytest.raises(SeminarError, match=r"^turns.jsonl:2: not a saved turn"):
        parse_questions(b'{"question": "Who?"}\nWhen?\n', "turns.jsonl")


def test_questions_that_are_not_utf_8_are_an_error():
    with pytest.raises(SeminarError, match=r"^script.txt: not UTF-8; save it as UTF-8"):
        parse_questions(b"Caf\xe9?", "script.txt")


def test_question_needs_a_letter_or_a_digit():
    assert check_question(" 1911? ") == "1911?"
    with pytest.raises(SeminarError, match=r"^'\?' has no letter or digit"):
        check_question("?")


def test_written_turns_are_read_back(tmp_path: Path):
    turns = [{"question": "Who?\u2028", "text": "Zoë"}, {"question": "When?", "text": ""}]
    write_turns(tmp_path / "turns.jsonl", turns)
    assert read_turns(tmp_path / "turns.jsonl") == turns


def test_missing_file_is_named(tmp_path: Path):
    with pytest.raises(SeminarError, match=r"none.jsonl: can't be read \(No such file"):
        read_turns(tmp_path / "none.jsonl")
