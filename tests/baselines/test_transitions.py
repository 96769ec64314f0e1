import pytest

from seminar.baselines.transitions import (
    NO_ANSWER,
    START,
    TransitionMatrix,
    chunk_text,
    place,
    previous_place,
)
from seminar.examples import Example, Gold

# Words w00 to w23, four characters apart: two words begin in each of the twelve chunks.
SECTION = " ".join(f"w{number:02}" for number in range(24))


def turn(answer: str, *before: str) -> Example:
    return Example(
        id=answer,
        dialogue_id="d",
        question="?",
        gold=Gold(answers=(answer,)),
        history=tuple(("?", one) for one in before),
        context=f"{SECTION} CANNOTANSWER",
    )


@pytest.mark.parametrize(
    ("answer", "chunk"),
    [
        ("w00 w01 w02", 0),
        ("w01", 0),
        ("w02", 1),
        ("w05 w06", 2),
        ("w23", 11),
        ("CANNOTANSWER", NO_ANSWER),
        ("elsewhere", NO_ANSWER),
    ],
)
def test_an_answer_lies_where_it_begins(answer: str, chunk: int):
    assert place(turn(answer), answer) == chunk


def test_chunks_hold_the_words_that_begin_in_them():
    example = turn("w00")
    assert [chunk_text(example, number) for number in (0, 2, 11)] == [
        "w00 w01",
        "w04 w05",
        "w22 w23",
    ]
    assert chunk_text(example, NO_ANSWER) == "CANNOTANSWER"


def test_a_section_of_few_words_has_empty_chunks():
    short = Example("s", "s", "?", Gold(), context="one two")
    assert chunk_text(short, 0) == "one"
    assert chunk_text(short, 1) == "CANNOTANSWER"


def test_previous_place():
    assert previous_place(turn("w00")) == START
    assert previous_place(turn("w00", "w04", "w08")) == 4


def test_counts_and_the_most_frequent_step():
    matrix = TransitionMatrix.fit(
        [
            turn("w00"),
            turn("w02"),
            turn("w03"),
            turn("w04", "w00"),
            turn("CANNOTANSWER", "w00", "w04"),
            turn("w06", "CANNOTANSWER"),
        ]
    )
    assert matrix.counts.sum() == 6
    assert matrix.counts[START].tolist() == [1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    assert matrix.following(START) == 1
    assert matrix.following(0) == 2
    assert matrix.following(2) == NO_ANSWER
    assert matrix.following(NO_ANSWER) == 3


def test_a_place_never_seen_takes_the_most_frequent_of_all():
    matrix = TransitionMatrix.fit([turn("w10"), turn("w10", "w10"), turn("w00", "w10")])
    assert matrix.following(7) == 5


def test_predictions_are_chunks():
    matrix = TransitionMatrix.fit([turn("w02"), turn("w06", "w02"), turn("CANNOTANSWER", "w06")])
    asked = [turn("w00"), turn("w00", "w03"), turn("w00", "w07")]
    predicted = matrix.predict(asked)
    assert [one.text for one in predicted] == ["w02 w03", "w06 w07", "CANNOTANSWER"]
    assert {(one.yesno, one.followup) for one in predicted} == {("", "")}


def test_examples_without_answers_have_no_spans():
    untold = Example("u", "u", "?", Gold(), context=SECTION)
    assert TransitionMatrix.fit([untold]).counts.sum() == 0
