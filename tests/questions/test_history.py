import pytest

from seminar.questions.history import AllHistory, Original, first_and_newest
from seminar.questions.registry import HISTORIES
from seminar.types import Dialogue, Query, Reply, Turn


def turn(question: str, answer: str | None) -> Turn:
    text = answer or "I can't find that in these files."
    return Turn(question, Reply(text=text, query=Query(question), answerable=answer is not None))


BAND = Dialogue(
    (
        turn("who is lead singer of rage against the machine?", "Zack de la Rocha"),
        turn("when was it formed?", "1991"),
    )
)
AWARD = "was it nominated for any award"


def test_original_searches_the_question_alone():
    [query] = Original().rewrite([BAND], [AWARD])
    assert (query.text, query.question) == (AWARD, AWARD)


def test_all_history_is_the_papers_figure_5():
    [query] = AllHistory().rewrite([BAND], [AWARD])
    assert query.text == (
        "who is lead singer of rage against the machine? [SEP] Zack de la Rocha [SEP] "
        "when was it formed? [SEP] 1991 [SEP] was it nominated for any award"
    )
    assert query.question == AWARD


def test_a_first_question_has_no_history():
    [query] = AllHistory().rewrite([Dialogue()], [AWARD])
    assert query.text == AWARD


def test_a_question_that_was_not_answered_leaves_no_answer_in_the_history():
    [query] = AllHistory().rewrite([Dialogue((turn("who paid?", None),))], ["why?"])
    assert query.text == "who paid? [SEP] why?"


def test_too_long_a_history_keeps_the_first_turn_and_the_newest():
    dialogue = Dialogue(tuple(turn(f"question {n}", f"answer {n}") for n in range(1, 6)))
    [query] = AllHistory(limit=17).rewrite([dialogue], ["and now"])
    assert query.text == (
        "question 1 [SEP] answer 1 [SEP] question 4 [SEP] answer 4 [SEP] "
        "question 5 [SEP] answer 5 [SEP] and now"
    )


def test_a_first_turn_that_does_not_fit_leaves_its_room_to_the_newest():
    turns = ["a b c", "d", "e f"]
    assert first_and_newest(turns, room=2, length=lambda text: len(text.split())) == ["e f"]
    assert first_and_newest(["a b c"], room=2, length=lambda text: len(text.split())) == []


@pytest.mark.parametrize("history", HISTORIES)
def test_the_reader_is_told_every_turn_whatever_is_searched(history: str):
    dialogue = BAND.add(turn("who paid?", None))
    [query] = HISTORIES[history]().rewrite([dialogue], [AWARD])
    assert query.history == (
        ("who is lead singer of rage against the machine?", "Zack de la Rocha"),
        ("when was it formed?", "1991"),
        ("who paid?", ""),
    )


def test_one_query_a_question_in_order():
    queries = AllHistory().rewrite([Dialogue(), BAND], ["first?", "second?"])
    assert [query.question for query in queries] == ["first?", "second?"]
    assert AllHistory().rewrite([], []) == []
