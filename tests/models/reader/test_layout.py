import numpy as np
import pytest

from seminar.models.reader.layout import (
    CLS,
    FOUND,
    HEADING,
    HISTORY_LIMIT,
    QUESTION,
    REPLY,
    SEP,
    TURN,
    PassageSide,
    QuestionSide,
    best_spans,
    lay_out,
    through,
    windows,
)


def test_a_single_question_has_no_history_and_no_heading():
    layout = lay_out(QuestionSide((50, 51)), PassageSide((60, 61, 62)))
    assert layout.ids == [CLS, QUESTION, 50, 51, SEP, 60, 61, 62, SEP]
    assert layout.segments == [0, 0, 0, 0, 0, 1, 1, 1, 1]
    assert layout.passage_start == 5


def test_history_comes_oldest_first_and_found_answers_after_the_question():
    asked = QuestionSide((50,), history=(((40,), (41,)), ((42,), (43,))), found=((70,), (71, 72)))
    layout = lay_out(asked, PassageSide((60,), heading=(80, 81)))
    assert layout.ids == [
        *(CLS, TURN, 40, REPLY, 41, TURN, 42, REPLY, 43),
        *(QUESTION, 50, FOUND, 70, FOUND, 71, 72, SEP),
        *(80, 81, HEADING, 60, SEP),
    ]
    assert layout.ids[layout.passage_start] == 60


def test_the_oldest_turns_are_dropped_first():
    turn = (tuple(range(200, 220)), tuple(range(300, 310)))
    newest = ((999,), (998,))
    layout = lay_out(QuestionSide((50,), history=(turn, turn, newest)), PassageSide((60,)))
    shown = layout.ids[1 : layout.ids.index(QUESTION)]
    assert shown == [TURN, *turn[0], REPLY, *turn[1], TURN, 999, REPLY, 998]
    assert len(shown) <= HISTORY_LIMIT


def test_previous_answers_are_marked_by_how_long_ago_they_were_given():
    read = PassageSide((60, 61, 62, 63, 64), given=((0, 2), None, (1, 4)))
    layout = lay_out(QuestionSide((50,)), read)
    assert layout.marks[layout.passage_start :] == [1, 1, 3, 3, 0, 0]


def test_separators_carry_marks_of_their_own():
    layout = lay_out(QuestionSide((50,), found=((70,),)), PassageSide((60,), heading=(80,)))
    assert layout.marks == [0, 6, 0, 7, 0, 0, 0, 8, 0, 0]


@pytest.mark.parametrize(
    ("length", "expected"),
    [(0, [(0, 0)]), (6, [(0, 6)]), (7, [(0, 6), (1, 7)]), (12, [(0, 6), (3, 9), (6, 12)])],
)
def test_windows_cover_the_passage_to_its_last_token(length, expected):
    assert windows(length, size=6, stride=3) == expected


def logits(**values: float) -> np.ndarray:
    made = np.zeros(8, dtype=np.float32)
    for name, value in values.items():
        made[int(name[1:])] = value
    return made


def test_the_best_span_starts_before_it_ends():
    assert best_spans(logits(t6=5.0), logits(t4=4.0, t7=3.0), (3, 8), longest=4) == [(6, 7, 8.0)]


def test_the_best_span_is_no_longer_than_allowed():
    start, end = logits(t3=5.0), logits(t7=5.0, t5=1.0)
    assert best_spans(start, end, (3, 8), longest=3) == [(3, 5, 6.0)]
    assert best_spans(start, end, (3, 8), longest=5) == [(3, 7, 10.0)]


def test_the_question_is_never_the_answer():
    assert best_spans(logits(t1=9.0, t4=1.0), logits(t1=9.0, t4=1.0), (3, 8), longest=4) == [
        (4, 4, 2.0)
    ]


def test_what_follows_the_passage_is_never_the_answer():
    assert best_spans(logits(t7=9.0, t4=1.0), logits(t7=9.0, t4=1.0), (3, 7), longest=4) == [
        (4, 4, 2.0)
    ]


def test_a_window_cuts_earlier_answers_to_what_is_in_sight():
    read = PassageSide(
        tuple(range(200, 210)), heading=(150,), given=((1, 4), None, (5, 7), (8, 10))
    )
    seen = through(read, (3, 8))
    assert seen == PassageSide((203, 204, 205, 206, 207), (150,), ((0, 1), None, (2, 4), None))


def test_further_spans_share_no_token_with_a_better_one():
    start, end = logits(t3=5.0, t6=3.0), logits(t4=4.0, t7=3.0)
    spans = best_spans(start, end, (3, 8), longest=4, count=3)
    assert spans == [(3, 4, 9.0), (6, 7, 6.0), (5, 5, 0.0)]
    assert best_spans(start, end, (5, 5), longest=4) == []


def test_a_span_stays_within_its_line():
    start, end = logits(t3=5.0), logits(t6=5.0, t4=1.0)
    [span] = best_spans(start, end, (3, 8), longest=5, lines=[0, 0, 1, 1, 1])
    assert span == (3, 4, 6.0)
