"""QuAC in the browser: a whole dialog, what the student never gets, and the validation."""

import pytest

from tests.collection.exported import exported, score_of_first_answers
from tests.collection.web.corpus import SECRET
from tests.collection.web.relay import relay
from tests.collection.web.steps import ask, choose, drag, find_partner, heard, join, send
from tests.collection.web.traffic import record
from tests.serving.web.steps import accessibility_problems
from tests.serving.web.watching import expect_console


@pytest.fixture
def quac(new_study):
    return new_study("quac", validation={"annotations": 1})


def pair(student, teacher) -> None:
    """Both join, and are paired."""
    join(student)
    find_partner(student, "student")
    student.get_by_role("heading", name="Waiting for a partner").wait_for()
    join(teacher)
    find_partner(teacher, "teacher")
    student.locator(".role-chip", has_text="Student").wait_for()
    teacher.locator(".role-chip", has_text="Teacher").wait_for()


def answer(teacher, words: str, continuation: str = "Follow up", affirmation: str = "") -> None:
    """Answer with words that are selected by the mouse."""
    drag(teacher, words)
    assert teacher.locator(".chosen-words").inner_text() == words
    choose(teacher, continuation, affirmation)
    send(teacher)
    heard(teacher, words)


def hold_dialog(student, teacher) -> None:
    """Three questions, the last of them without an answer, and the end."""
    ask(student, "Who founded it?")
    heard(teacher, "Who founded it?")
    answer(teacher, "founded in 1987 by the composer Ada Holm")
    heard(student, "founded in 1987 by the composer Ada Holm")
    ask(student, "Has it many members?")
    heard(teacher, "Has it many members?")
    answer(teacher, "the choir has forty-two members", "Maybe", "Yes")
    assert "You might ask more about this" in heard(student, "forty-two members").inner_text()
    ask(student, "Is there a website?")
    heard(teacher, "Is there a website?")
    teacher.get_by_label("No answer").check()
    choose(teacher, "Don't follow up")
    send(teacher)
    heard(student, "No answer")


def end(page) -> None:
    page.get_by_role("button", name="End", exact=True).click()
    page.get_by_role("button", name="End it").click()


def test_dialog_is_held_by_clicking_and_the_section_never_reaches_the_student(
    new_page, quac, screenshot, tmp_path
):
    student, teacher = new_page(quac.url), new_page(quac.url, color_scheme="dark")
    traffic = record(student)
    pair(student, teacher)
    hold_dialog(student, teacher)
    screenshot(student, "collection-quac-student")
    screenshot(teacher, "collection-quac-teacher-dark")
    assert accessibility_problems(student) == []
    assert accessibility_problems(teacher) == []
    end(student)
    for page in (student, teacher):
        page.get_by_role("heading", name="The conversation has ended").wait_for()
        assert "$0.30" in page.locator(".ended-panel").inner_text()
    received = traffic.text() + student.content()
    assert "founded in 1987 by the composer Ada Holm" in received
    assert not any(part in received for part in (SECRET, "salt warehouse", "Eleven people sang"))
    student.get_by_role("button", name="Continue").click()
    student.get_by_text("You have done everything that there is for you").wait_for()
    annotate(new_page(quac.url), screenshot)
    first, second, third = exported(quac, "quac", tmp_path / "data")
    assert first.gold.answers == (
        "founded in 1987 by the composer Ada Holm",
        "by the composer Ada Holm",
    )
    assert (second.gold.affirmation, third.gold.answerable) == ("yes", False)
    assert score_of_first_answers("quac", tmp_path / "data") > 60  # others answered otherwise


def annotate(page, screenshot) -> None:
    """Another person answers the same questions, and sees the original answer after each."""
    join(page)
    page.get_by_role("button", name="Begin an annotation").click()
    heard(page, "Who founded it?")
    assert page.locator(".message", has_text="Has it many members?").count() == 0
    assert page.locator(".message", has_text="Ada Holm").count() == 0
    answer(page, "by the composer Ada Holm")
    assert "Original answer" in heard(page, "founded in 1987 by the composer Ada Holm").inner_text()
    heard(page, "Has it many members?")
    screenshot(page, "collection-quac-validation")
    answer(page, "forty-two members", "Maybe", "Yes")
    heard(page, "Is there a website?")
    page.get_by_label("No answer").check()
    choose(page, "Maybe")
    send(page)
    page.get_by_role("heading", name="It is handed in").wait_for()


def test_words_are_selected_with_the_keyboard(new_page, quac):
    student, teacher = new_page(quac.url), new_page(quac.url)
    pair(student, teacher)
    ask(student, "What happened?")
    heard(teacher, "What happened?")
    teacher.locator(".reading-text").focus()
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight"):
        teacher.keyboard.press(key)
    assert teacher.locator(".chosen-words").inner_text() == "choir was founded"
    teacher.keyboard.press("Shift+ArrowDown")
    sentence = teacher.locator(".chosen-words").inner_text()
    assert sentence.startswith("choir was founded in 1987")
    assert sentence.endswith("a year before")
    teacher.keyboard.press("Escape")
    assert "Select the words" in teacher.locator(".chosen-words").inner_text()


def test_a_cut_network_and_reloads_lose_nothing(new_page, quac):
    with relay(quac.url) as network:
        student, teacher = new_page(network.url), new_page(quac.url)
        expect_console(student, "WebSocket")
        expect_console(student, "ERR_")
        pair(student, teacher)
        student.get_by_label("Your question").fill("Who foun")
        teacher.get_by_text("Student is writing").wait_for()
        student.reload()
        assert student.get_by_label("Your question").input_value() == "Who foun"
        network.cut()
        student.get_by_text("Connecting again").wait_for()
        teacher.get_by_text("has lost the connection").wait_for()
        student.get_by_label("Your question").fill("Who founded it?")
        student.keyboard.press("Enter")
        assert teacher.locator(".message").count() == 0
        network.mend()
        heard(teacher, "Who founded it?")
        heard(student, "Who founded it?")
        drag(teacher, "in 1987 by the composer")
        teacher.reload()
        teacher.locator(".chosen-words mark", has_text="in 1987 by the composer").wait_for()
        choose(teacher, "Maybe")
        send(teacher)
        heard(student, "in 1987 by the composer")
        second = student.context.new_page()  # another tab goes on with the same dialog
        second.goto("/")
        heard(second, "in 1987 by the composer")
        ask(second, "Why?")
        heard(student, "Why?")
        assert teacher.locator(".message", has_text="Who founded it?").count() == 1
