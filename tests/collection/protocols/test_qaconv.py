import msgspec
import pytest

from seminar.collection.messages.actions import AnswerChunk, Judge, Write
from seminar.collection.protocols.activity import Refused
from seminar.collection.protocols.qaconv import PROTOCOL
from tests.collection.small_corpus import CHUNK, after, begun, frame

QUESTION = "Which day was the launch moved to by Bob?"
GOOD = Write(question=QUESTION, answers=("Monday",))


def test_question_with_its_answer_ends_the_task():
    progress = after(begun(PROTOCOL, "c1"), ("writer", GOOD))
    assert progress.closing.reason == "completed"
    [turn] = progress.activity.turns()
    assert turn.answer.answers == ("Monday",)


@pytest.mark.parametrize(
    ("write", "missing"),
    [
        (Write(question="Which day was it?", answers=("Monday",)), "more than 6 words"),
        (Write(question="Which day did Bob move your launch to?", answers=("Monday",)), "person"),
        (Write(question=QUESTION, answers=("Tuesday",)), "words of the answer in the source"),
        (Write(question=QUESTION[:-1], answers=("Monday",)), "question mark"),
    ],
)
def test_broken_rule_of_form_is_named(write: Write, missing: str):
    with pytest.raises(Refused, match=missing):
        after(begun(PROTOCOL, "c1"), ("writer", write))


def test_offered_question_is_answered_and_may_be_modified():
    setup = {"setting": "choose", "offered": list(CHUNK.questions)}
    progress = begun(PROTOCOL, "c1", setup=setup)
    with pytest.raises(Refused):
        after(progress, ("writer", GOOD))
    chosen = Write(question="Which day was the launch moved to?", answers=("Monday",), chosen=0)
    [turn] = after(progress, ("writer", chosen)).activity.turns()
    assert (turn.answer.chosen, turn.answer.offered) == (0, CHUNK.questions)


def test_answers_of_the_generator_are_never_shown():
    setup = {"setting": "choose", "offered": list(CHUNK.questions)}
    seen = begun(PROTOCOL, "c1", setup=setup).activity.view("writer", frame("writer"))
    assert not hasattr(seen, "offered_answers")
    assert '"Bob and Carl"' not in msgspec.json.encode(seen).decode()


def test_unanswerable_question_needs_three_entities():
    progress = begun(PROTOCOL, "c1", setup={"setting": "unanswerable"})
    few = Write(question="Why did Bob move the launch at all?")
    with pytest.raises(Refused, match="at least 3"):
        after(progress, ("writer", few))
    enough = Write(question="Why did Bob and Carl not ask Dana first?")
    [turn] = after(progress, ("writer", enough)).activity.turns()
    assert turn.answer.answers == ()


def test_verifier_judges_and_does_not_see_that_a_question_is_planted():
    setup = {"question": QUESTION, "answers": ["Monday"], "trap": True}
    scene = {"setup": setup, "workers": {"verifier": "w2"}, "about_dialog": "d0"}
    progress = begun(PROTOCOL, "c1", "verification", **scene)
    assert (
        "trap"
        not in msgspec.json.encode(progress.activity.view("verifier", frame("verifier"))).decode()
    )
    with pytest.raises(Refused):
        after(progress, ("verifier", Judge(option="D")))
    [made] = after(progress, ("verifier", Judge(option="B"))).activity.annotations()
    assert (made.option, made.trap, made.worker) == ("B", True, "w2")


def test_annotator_answers_again_without_seeing_an_answer():
    setup = {"question": QUESTION, "answers": ["Monday"]}
    scene = {"setup": setup, "workers": {"annotator": "w2"}, "about_dialog": "d0"}
    progress = begun(PROTOCOL, "c1", "validation", **scene)
    seen = progress.activity.view("annotator", frame("annotator"))
    assert '"answers"' not in msgspec.json.encode(seen).decode()
    [made] = after(progress, ("annotator", AnswerChunk(text="Monday"))).activity.annotations()
    assert made.answer.answers == ("Monday",)
