"""PragmatiCQA in the browser: survey, background test, three steps, ratings, exit survey."""

import pytest

from tests.collection.exported import exported, score_of_first_answers
from tests.collection.web.corpus import PAGES
from tests.collection.web.steps import ask, drag, find_partner, heard, join, send
from tests.collection.web.traffic import record
from tests.serving.web.steps import accessibility_problems

SURVEY = [
    {"name": "liked", "text": "Did you like the topic?", "kind": "scale"},
    {"name": "comment", "text": "Anything else?", "kind": "text", "required": False},
]
LEVELS = {"student": "Really want to learn", "teacher": "Really want to teach"}


@pytest.fixture
def pragmaticqa(new_study):
    options = {"least_turns": 2, "incentives": False}
    pay = {"base": "0.50", "turn": "0.10", "extra": "0.05", "growth": "0.02"}
    return new_study("pragmaticqa", survey=SURVEY, pay=pay, options=options)


def survey(page, role: str) -> None:
    """Join, and want to talk about one of two topics."""
    join(page)
    page.get_by_role("heading", name="What would you like to talk about?").wait_for()
    page.get_by_label(f"Music of Port Varn: {LEVELS[role]}").check()
    page.get_by_label("Crafts of the Hollow Valley: Not interested").check()


def reply(teacher, literal: str, pragmatic: str, text: str, screenshot=None) -> None:
    """The three steps of the teacher."""
    drag(teacher, literal)
    teacher.get_by_role("button", name="Add the selected words").click()
    teacher.locator(".span-list", has_text=literal).wait_for()
    if screenshot:
        screenshot(teacher, "collection-pragmaticqa-teacher")
        assert accessibility_problems(teacher) == []
    teacher.get_by_role("button", name="Next step").click()
    teacher.locator(".step-list .current", has_text="Further information").wait_for()
    drag(teacher, pragmatic)
    teacher.get_by_role("button", name="Add the selected words").click()
    teacher.get_by_role("button", name="Next step").click()
    teacher.get_by_label("Your reply").fill(text)
    send(teacher)
    heard(teacher, text)


def pass_background_test(teacher, screenshot) -> None:
    """Sort the titles of pages, all but one rightly; a reload keeps what was sorted."""
    teacher.get_by_role("heading", name="What do you know of Music of Port Varn?").wait_for()
    music = {page.title for page in PAGES if page.topic == "music"}
    first, *others = teacher.locator(".survey-table tbody tr").all()
    first.get_by_label("I don't know").check()
    for row in others:
        is_music = row.locator("th").inner_text() in music
        row.get_by_label(": Related" if is_music else ": Unrelated").check()
    screenshot(teacher, "collection-background")
    assert accessibility_problems(teacher) == []
    teacher.reload()
    teacher.get_by_role("button", name="Hand in").click()
    teacher.locator(".role-chip", has_text="Teacher").wait_for()


def test_dialog_in_three_steps_with_ratings(new_page, pragmaticqa, screenshot, tmp_path):
    student, teacher = new_page(pragmaticqa.url, color_scheme="dark"), new_page(pragmaticqa.url)
    traffic = record(student)
    for page, role in ((student, "student"), (teacher, "teacher")):
        survey(page, role)
        if role == "teacher":
            screenshot(page, "collection-inclinations")
            assert accessibility_problems(page) == []
        page.get_by_role("button", name="Continue").click()
        find_partner(page)
    pass_background_test(teacher, screenshot)
    ask(student, "What is the Tide Choir?")
    heard(teacher, "What is the Tide Choir?")
    reply(teacher, "mixed choir", "sings at the harbour", "A choir by the sea!", screenshot)
    heard(student, "A choir by the sea!")
    assert "sings at the harbour" not in traffic.text()
    ask(student, "Who leads it?")
    form = student.get_by_role("form", name="Rate the reply before")
    form.get_by_text("sings at the harbour").wait_for()
    for scale in form.get_by_role("group").all():
        scale.get_by_role("radio").nth(3).check()
    screenshot(student, "collection-pragmaticqa-student")
    assert accessibility_problems(student) == []
    student.reload()  # the ratings are kept
    form.get_by_role("button", name="Send the rating").click()
    form.wait_for(state="detached")
    heard(teacher, "Who leads it?")
    teacher.get_by_label("I don't know").check()
    teacher.get_by_role("button", name="Next step").click()
    teacher.locator(".step-list .current", has_text="Further information").wait_for()
    teacher.get_by_role("button", name="Next step").click()
    teacher.get_by_label("Your reply").fill("I can't find that.")
    send(teacher)
    heard(student, "I can't find that.")
    teacher.get_by_role("button", name="End", exact=True).click()
    teacher.get_by_role("button", name="End it").click()
    for page in (student, teacher):
        page.get_by_role("button", name="To the survey").click()
        page.get_by_role("heading", name="How was it?").wait_for()
        assert accessibility_problems(page) == []
        page.get_by_role("group", name="Did you like the topic?").get_by_label("5").check()
        page.get_by_role("button", name="Hand in").click()
        page.get_by_role("heading", name="How was it?").wait_for(state="detached")
    first, second = exported(pragmaticqa, "pragmaticqa", tmp_path / "data")
    assert first.gold.ratings == (2,) * 5  # the fourth of five; there 1 is best
    assert [span.text for span in first.gold.pragmatic] == ["sings at the harbour"]
    assert second.gold.answers == ("I can't find that.",)
    assert score_of_first_answers("pragmaticqa", tmp_path / "data") == 100
