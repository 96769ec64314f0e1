import pytest

from seminar.models.reader_layout import (
    CLS,
    FOUND,
    HEADING,
    HISTORY_LIMIT,
    QUESTION,
    REPLY,
    SEP,
    TURN,
    Asked,
    Read,
    lay_out,
    windows,
)


def test_a_single_question_has_no_history_and_no_heading():
    layout = lay_out(Asked((50, 51)), Read((60, 61, 62)))
    assert layout.ids == [CLS, QUESTION, 50, 51, SEP, 60, 61, 62, SEP]
    assert layout.segments == [0, 0, 0, 0, 0, 1, 1, 1, 1]
    assert layout.passage_start == 5


def test_history_comes_oldest_first_and_found_answers_after_the_question():
    asked = Asked((50,), history=(((40,), (41,)), ((42,), (43,))), found=((70,), (71, 72)))
    layout = lay_out(asked, Read((60,), heading=(80, 81)))
    assert layout.ids == [
        *(CLS, TURN, 40, REPLY, 41, TURN, 42, REPLY, 43),
        *(QUESTION, 50, FOUND, 70, FOUND, 71, 72, SEP),
        *(80, 81, HEADING, 60, SEP),
    ]
    assert layout.ids[layout.passage_start] == 60


def test_the_oldest_turns_are_dropped_first():
    turn = (tuple(range(200, 220)), tuple(range(300, 310)))
    newest = ((999,), (998,))
    layout = lay_out(Asked((50,), history=(turn, turn, newest)), Read((60,)))
    shown = layout.ids[1 : layout.ids.index(QUESTION)]
    assert shown == [TURN, *turn[0], REPLY, *turn[1], TURN, 999, REPLY, 998]
    assert len(shown) <= HISTORY_LIMIT


def test_previous_answers_are_marked_by_how_long_ago_they_were_given():
    read = Read((60, 61, 62, 63, 64), given=((0, 2), None, (1, 4)))
    layout = lay_out(Asked((50,)), read)
    assert layout.marks[layout.passage_start :] == [1, 1, 3, 3, 0, 0]


def test_separators_carry_marks_of_their_own():
    layout = lay_out(Asked((50,), found=((70,),)), Read((60,), heading=(80,)))
    assert layout.marks == [0, 6, 0, 7, 0, 0, 0, 8, 0, 0]


@pytest.mark.parametrize(
    ("length", "expected"),
    [(0, [(0, 0)]), (6, [(0, 6)]), (7, [(0, 6), (1, 7)]), (12, [(0, 6), (3, 9), (6, 12)])],
)
def test_windows_cover_the_passage_to_its_last_token(length, expected):
    assert windows(length, size=6, stride=3) == expected
