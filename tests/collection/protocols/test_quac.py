import msgspec
import pytest

from seminar.collection.messages.actions import AnswerSpan, Ask, ChosenSpan, End, Leave, Report
from seminar.collection.messages.views import QuacStudent, QuacTeacher
from seminar.collection.protocols.activity import Refused
from seminar.collection.protocols.progress import Away, Progress
from seminar.collection.protocols.quac import PROTOCOL, subjects
from tests.collection.small_corpus import INDEX, SECRET, START, TIDE, after, begun, frame, span

FOUNDED = AnswerSpan(
    span=span(TIDE, "founded in 1987"), continuation="follow up", affirmation="neither"
)
NOTHING = AnswerSpan(span=None, continuation="don't", affirmation="neither")


def asked(question: str = "When?") -> tuple[str, Ask]:
    return "student", Ask(question=question)


def turns(progress: Progress, *answers: AnswerSpan) -> Progress:
    for answer in answers:
        progress = after(progress, asked(), ("teacher", answer))
    return progress


def test_student_asks_and_teacher_answers_with_a_span_and_acts():
    progress = turns(begun(PROTOCOL, "tide#0"), FOUNDED)
    [turn] = progress.activity.turns()
    assert turn.answer.span.text == "founded in 1987"
    assert (turn.answer.span.start_key, turn.answer.continuation) == ("e2", "follow up")
    assert (turn.asked - START).seconds == 1
    assert (turn.answered - START).seconds == 2


def test_view_of_the_student_never_has_the_section():
    progress = after(turns(begun(PROTOCOL, "tide#0"), FOUNDED), asked("Where?"))
    seen = progress.activity.view("student", frame("student"))
    assert isinstance(seen, QuacStudent)
    assert SECRET not in msgspec.json.encode(seen).decode()
    assert (seen.title, seen.section_title) == ("Tide Choir", "History")
    assert seen.background == "The Tide Choir is a choir of Port Varn."
    assert [turn.answer for turn in seen.turns] == ["founded in 1987", ""]


def test_view_of_the_teacher_has_the_section_at_its_offset():
    seen = begun(PROTOCOL, "tide#0").activity.view("teacher", frame("teacher"))
    assert isinstance(seen, QuacTeacher)
    assert seen.section.text == TIDE.text[seen.section.start :][: len(seen.section.text)]
    assert SECRET in seen.section.text


@pytest.mark.parametrize(
    ("start", "end"), [(0, 5), (TIDE.text.index("Repertoire"), len(TIDE.text)), (70, 70), (80, 70)]
)
def test_span_outside_of_the_section_is_refused(start: int, end: int):
    answer = AnswerSpan(
        span=ChosenSpan("tide", start, end), continuation="maybe", affirmation="yes"
    )
    with pytest.raises(Refused) as refused:
        after(begun(PROTOCOL, "tide#0"), asked(), ("teacher", answer))
    assert refused.value.code == "span"


def test_nobody_acts_out_of_turn():
    first = begun(PROTOCOL, "tide#0")
    for progress, act in [
        (first, ("teacher", FOUNDED)),
        (first, ("teacher", Ask(question="a"))),
        (after(first, asked()), asked()),
    ]:
        with pytest.raises(Refused) as refused:
            after(progress, act)
        assert refused.value.code == "turn"


def test_dialog_ends_after_twelve_questions():
    progress = turns(begun(PROTOCOL, "tide#0"), *[FOUNDED] * 11)
    assert progress.closing is None
    assert turns(progress, FOUNDED).closing.reason == "limit"


def test_dialog_ends_after_more_than_two_unanswerable_questions():
    progress = turns(begun(PROTOCOL, "tide#0"), NOTHING, FOUNDED, NOTHING)
    assert progress.closing is None
    assert turns(progress, NOTHING).closing.reason == "unanswerable"


def test_either_partner_ends_a_dialog_that_will_be_kept():
    progress = turns(begun(PROTOCOL, "tide#0"), FOUNDED, FOUNDED)
    with pytest.raises(Refused) as refused:
        after(progress, ("teacher", End()))
    assert refused.value.code == "early"
    progress = turns(progress, FOUNDED)
    for role in ("student", "teacher"):
        assert after(progress, (role, End())).closing.ending_for("student") == "completed"


def test_partner_who_leaves_gets_the_turns_alone():
    progress = after(turns(begun(PROTOCOL, "tide#0"), FOUNDED), ("teacher", Leave()))
    assert progress.closing.ending_for("teacher") == "left"
    assert progress.closing.ending_for("student") == "partner left"
    assert progress.closing.reason_for("student") == "partner left"
    with pytest.raises(Refused) as refused:
        after(progress, asked())
    assert refused.value.code == "ended"


def test_reported_partner_is_not_judged_yet():
    progress = after(begun(PROTOCOL, "tide#0"), ("student", Report(problem="rude")))
    assert progress.closing.ending_for("teacher") == "partner left"


def test_role_that_stays_away_has_left():
    progress = after(begun(PROTOCOL, "tide#0"), ("server", Away(role="student")))
    assert progress.closing.ending_for("student") == "left"
    assert progress.closing.ending_for("teacher") == "partner left"


def test_annotator_sees_the_original_answer_after_giving_one():
    about = turns(begun(PROTOCOL, "tide#0"), FOUNDED, NOTHING).activity.turns()
    scene = {"about": about, "workers": {"annotator": "w3"}, "about_dialog": "d0"}
    progress = begun(PROTOCOL, "tide#0", "validation", **scene)
    seen = progress.activity.view("annotator", frame("annotator"))
    assert [turn.answered for turn in seen.turns] == [False]
    progress = after(progress, ("annotator", NOTHING))
    seen = progress.activity.view("annotator", frame("annotator"))
    assert [turn.answer for turn in seen.turns] == ["founded in 1987", ""]
    progress = after(progress, ("annotator", FOUNDED))
    assert progress.closing.reason == "completed"
    first, second = progress.activity.annotations()
    assert (first.dialog, first.number, first.worker, first.answer.span) == ("d0", 1, "w3", None)
    assert second.answer.span.text == "founded in 1987"


def test_subjects_are_sections_with_a_title():
    assert subjects(INDEX, {}) == ["tide#0", "tide#1", "holm#0"]
