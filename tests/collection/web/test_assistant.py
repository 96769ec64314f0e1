"""The assistant in the browser: a partner to practise with, and drafts that the teacher edits."""

import pytest

from tests.collection.web.steps import ask, choose, heard, join, send
from tests.collection.web.test_quac import pair


@pytest.fixture
def quac(new_study):
    return new_study("quac", assistant={"practice": ["student"], "drafts": True})


def test_practice_with_the_assistant_and_drafts_for_a_teacher(new_page, quac):
    page = new_page(quac.url)
    join(page)
    page.get_by_role("button", name="Practice as student").click()
    ask(page, "Who founded the choir?")
    page.locator(".transcript .message:not(.own)").wait_for()
    assert page.locator(".console-bar .tag", has_text="Practice").count() == 1
    student, teacher = new_page(quac.url), new_page(quac.url)
    pair(student, teacher)
    ask(student, "When was the choir founded?")
    draft = teacher.locator(".draft-box")
    draft.get_by_text("The assistant proposes").wait_for()
    proposed = draft.locator("bdi").inner_text()
    draft.get_by_role("button", name="Use it, then edit").click()
    assert teacher.locator(".chosen-words").inner_text() == proposed
    choose(teacher, "Maybe")
    send(teacher)
    heard(student, proposed)
    assert "The assistant" not in student.locator("body").inner_text()
