import os
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
    with pytest.raises(SeminarError, match=r"^turns.jsonl:2: not a turn as /save"):
        parse_questions(b'{"question": "Who?"}\nWhen?\n', "turns.jsonl")


def test_questions_that_are_not_utf_8_are_an_error():
    with pytest.raises(SeminarError, match=r"^script.txt: not UTF-8; save it as UTF-8"):
        parse_questions(b"Caf\xe9?", "script.txt")


def test_question_needs_a_letter_or_a_digit():
    assert check_question(" 1911? ") == "1911?"
    with pytest.raises(SeminarError, match=r"^'\?' has no letter or digit"):
        check_question("?")


SPAN = {"text": "Zoë", "source": "a.md", "start": 0, "end": 3, "title": "", "section": ""}
TURN = {
    "question": "Who?\u2028",
    "text": "Zoë",
    "answerable": True,
    "literal": [SPAN],
    "pragmatic": [{**SPAN, "role": "lead"}],
    "followups": ["When?"],
    "topic": "",
    "switch": None,
    "query": "Who?",
}


def test_written_turns_are_read_back_with_every_field(tmp_path: Path):
    write_turns(tmp_path / "turns.jsonl", [TURN])
    [turn] = read_turns(tmp_path / "turns.jsonl")
    record = turn.record
    assert {**record, **TURN, "literal": [], "pragmatic": []} == {
        **record,
        "literal": [],
        "pragmatic": [],
    }
    assert SPAN.items() <= record["literal"][0].items()
    assert (record["affirmation"], record["hits"], record["prose"]) == ("neither", [], None)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"question": 7}, "Expected `str`, got `int` at `question`"),
        ({"text": None}, "Expected `str`, got `null` at `text`"),
        ({"answerable": "no"}, "Expected `bool`, got `str` at `answerable`"),
        ({"literal": {}}, "Expected `array`, got `object` at `literal`"),
        ({"literal": [{**SPAN, "start": -1}]}, "at `literal[0].start`"),
        ({"literal": [{**SPAN, "end": 10**30}]}, "at `literal[0].end`"),
        ({"pragmatic": [{**SPAN, "role": "x"}]}, "Invalid enum value 'x' at `pragmatic[0].role`"),
        ({"followups": [["When?"]]}, "at `followups[0]`"),
        ({"switch": "somewhere"}, "Invalid enum value 'somewhere' at `switch`"),
        ({"score": "high"}, "at `score`"),
        ({"meta": 1}, "at `meta`"),
        ({"alternatives": [{"text": "a"}]}, "missing required field `reading`"),
        ({"hits": [7]}, "at `hits[0]`"),
    ],
)
def test_turn_with_a_wrong_field_is_refused_by_its_name(tmp_path: Path, change: dict, field: str):
    file = tmp_path / "turns.jsonl"
    write_turns(file, [TURN, {**TURN, **change}])
    with pytest.raises(SeminarError) as raised:
        read_turns(file)
    assert str(raised.value).startswith(f"{file}:2: not a turn as /save")
    assert field in str(raised.value)


def test_turn_without_a_question_to_ask_is_refused(tmp_path: Path):
    write_turns(tmp_path / "turns.jsonl", [{**TURN, "question": "??"}])
    with pytest.raises(SeminarError, match="has no letter or digit"):
        read_turns(tmp_path / "turns.jsonl")


def test_half_of_a_surrogate_pair_is_refused(tmp_path: Path):
    file = tmp_path / "turns.jsonl"
    write_turns(file, [TURN])
    file.write_text(file.read_text().replace("When?", "\\ud800"))
    with pytest.raises(SeminarError, match=r"turns.jsonl:1: not a turn"):
        read_turns(file)


def test_pipe_is_not_waited_for(tmp_path: Path):
    os.mkfifo(tmp_path / "turns.jsonl")
    with pytest.raises(SeminarError, match="not a regular file"):
        read_turns(tmp_path / "turns.jsonl")


def test_missing_file_is_named(tmp_path: Path):
    with pytest.raises(SeminarError, match=r"none.jsonl: can't be read \(No such file"):
        read_turns(tmp_path / "none.jsonl")
