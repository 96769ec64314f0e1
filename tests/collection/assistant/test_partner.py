"""The assistant in the seats of the other protocols, with a real reader."""

import pytest

from seminar.collection.assistant.page_reading import PageReader, open_page_reader
from seminar.collection.assistant.partner import draft, next_action
from seminar.collection.messages.actions import Ask
from seminar.collection.protocols import pragmaticqa, topiocqa
from seminar.collection.protocols.progress import Progress
from tests.collection.small_corpus import HOLM, INDEX, after, begun, frame


@pytest.fixture(scope="module")
def reader() -> PageReader:
    return open_page_reader("sentence")


def step(progress: Progress, role: str, reader: PageReader) -> Progress:
    """The state after the assistant's next action in a role."""
    activity = progress.activity
    seen = frame(role)
    view = activity.view(role, type(seen)(**{**_fields(seen), "allowed": progress.allowed(role)}))
    action = next_action(view, reader, INDEX)
    assert action is not None
    return after(progress, (role, action))


def _fields(seen: object) -> dict[str, object]:
    return {name: getattr(seen, name) for name in seen.__struct_fields__}


def test_answerer_opens_the_page_that_answers_before_it_answers(reader: PageReader):
    ask = ("questioner", Ask(question="When was the composer Ada Holm born in Port Varn?"))
    progress = after(begun(topiocqa.PROTOCOL, "tide"), ask)
    progress = step(progress, "answerer", reader)
    assert progress.activity.navigation.page == "holm"
    progress = step(progress, "answerer", reader)
    [turn] = progress.activity.turns()
    assert "1950" in turn.answer.text
    assert turn.answer.rationale.page == HOLM.id


def test_teacher_of_pragmaticqa_goes_through_its_three_steps(reader: PageReader):
    ask = ("student", Ask(question="Where does the choir rehearse?"))
    progress = after(begun(pragmaticqa.PROTOCOL, "music"), ask)
    for _ in range(3):
        progress = step(progress, "teacher", reader)
    [turn] = progress.activity.turns()
    assert "warehouse" in turn.answer.literal[0].text
    assert turn.answer.literal[0].text.strip() in turn.answer.text


def test_students_ask_and_rate(reader: PageReader):
    progress = begun(pragmaticqa.PROTOCOL, "music")
    progress = step(progress, "student", reader)
    for _ in range(3):
        progress = step(progress, "teacher", reader)
    progress = step(progress, "student", reader)
    progress = step(progress, "student", reader)
    assert progress.activity.turns()[0].ratings["natural"] == 3


def test_question_without_an_answer_is_said_to_be_unanswerable(reader: PageReader):
    ask = ("questioner", Ask(question="Which football team won the cup in Brazil?"))
    progress = after(begun(topiocqa.PROTOCOL, "tide"), ask)
    view = progress.activity.view("answerer", frame("answerer"))
    assert draft(view, reader, INDEX).spans == ()
