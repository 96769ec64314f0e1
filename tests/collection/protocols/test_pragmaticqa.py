import msgspec
import pytest

from seminar.collection.messages.actions import (
    Ask,
    End,
    Open,
    Paraphrase,
    Rate,
    SelectLiteral,
    SelectPragmatic,
)
from seminar.collection.protocols.activity import Refused
from seminar.collection.protocols.drafts import Qualified
from seminar.collection.protocols.pragmaticqa import PROTOCOL
from tests.collection.small_corpus import SECRET, TIDE, after, begun, frame, span

ASK = ("student", Ask(question="Where do they rehearse?"))
LITERAL = ("teacher", SelectLiteral(spans=(span(TIDE, SECRET),)))
PRAGMATIC = ("teacher", SelectPragmatic(spans=(span(TIDE, "It sang for the harbour."),)))
REPLY = ("teacher", Paraphrase(text="In a warehouse, and they sang for the harbour."))
ROUND = (ASK, LITERAL, PRAGMATIC, REPLY)


def rating(turn: int) -> tuple[str, Rate]:
    rate = Rate(turn=turn, natural=1, literal=2, next_questions=3, leads=4, faithful=5)
    return "student", rate


def student(progress):
    return progress.activity.view("student", frame("student"))


def test_teacher_answers_in_three_steps():
    progress = after(begun(PROTOCOL, "music"), ASK)
    steps = []
    for act in (LITERAL, PRAGMATIC, REPLY):
        steps.append(progress.activity.view("teacher", frame("teacher")).step)
        progress = after(progress, act)
    assert steps == ["literal", "pragmatic", "paraphrase"]
    [turn] = progress.activity.turns()
    assert [one.text for one in turn.answer.literal] == [SECRET]
    assert [one.text for one in turn.answer.pragmatic] == ["It sang for the harbour."]
    assert turn.answer.text == "In a warehouse, and they sang for the harbour."


@pytest.mark.parametrize("early", [PRAGMATIC, REPLY])
def test_no_step_is_skipped(early):
    with pytest.raises(Refused) as refused:
        after(begun(PROTOCOL, "music"), ASK, early)
    assert refused.value.code == "turn"


def test_first_step_is_spans_or_one_of_yes_no_and_dont_know():
    progress = after(begun(PROTOCOL, "music"), ASK)
    for wrong in (SelectLiteral(), SelectLiteral(spans=LITERAL[1].spans, answer="yes")):
        with pytest.raises(Refused):
            after(progress, ("teacher", wrong))
    progress = after(progress, ("teacher", SelectLiteral(answer="don't know")), PRAGMATIC, REPLY)
    assert progress.activity.turns()[0].answer.literal_answer == "don't know"


def test_spans_are_revealed_to_the_student_when_the_next_question_was_asked():
    progress = after(begun(PROTOCOL, "music"), *ROUND)
    assert SECRET not in msgspec.json.encode(student(progress)).decode()
    assert student(progress).rating is None
    progress = after(progress, ASK)
    assert student(progress).rating.literal == (SECRET,)
    progress = after(progress, rating(1))
    assert student(progress).rating is None
    assert SECRET not in msgspec.json.encode(student(progress)).decode()
    assert progress.activity.turns()[0].ratings["leads"] == 4


def test_next_question_waits_for_the_rating():
    progress = after(begun(PROTOCOL, "music"), *ROUND, *ROUND)
    assert progress.allowed("student") == ("rate", "leave", "report")
    assert "ask" in after(progress, rating(1)).allowed("student")


def test_rating_of_another_reply_is_refused():
    with pytest.raises(Refused):
        after(begun(PROTOCOL, "music"), *ROUND, ASK, rating(2))


def test_either_ends_after_six_rounds():
    progress = after(begun(PROTOCOL, "music"), *ROUND)
    for number in range(1, 6):
        assert "end" not in progress.allowed("teacher")
        progress = after(progress, ASK, rating(number), *ROUND[1:])
    assert after(progress, ("teacher", End())).closing.reason == "completed"


def test_dialog_waits_until_the_teacher_has_passed_the_test():
    progress = begun(PROTOCOL, "music", setup={"background_test": True})
    with pytest.raises(Refused):
        after(progress, ASK)
    assert after(progress, ("server", Qualified()), ASK).number == 2


def test_student_reads_no_page_and_the_teacher_those_that_were_opened():
    progress = after(begun(PROTOCOL, "music"), ("teacher", Open(page="holm")))
    assert progress.activity.pages("student") == frozenset()
    assert progress.activity.pages("teacher") == {"tide", "holm"}
