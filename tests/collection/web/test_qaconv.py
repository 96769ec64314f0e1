"""QAConv in the browser: writing, answering an offered question, verification."""

import pytest

from tests.collection.web.steps import drag, join
from tests.serving.web.steps import accessibility_problems


@pytest.fixture
def qaconv(new_study):
    options = {"choosing": 100, "unanswerable": 0, "verify": "all", "traps": 0}
    return new_study("qaconv", quotas={"per_subject": 5}, options=options)


def test_writer_answers_an_offered_question_and_a_verifier_judges_it(new_page, qaconv, screenshot):
    writer = new_page(qaconv.url)
    join(writer)
    writer.get_by_role("button", name="Begin a task").click()
    question = writer.get_by_label("Question", exact=True)
    offered = writer.get_by_role("group", name="Questions to choose from")
    offered.get_by_label("Which company delivers the new engine").check()
    assert question.input_value().startswith("Which company delivers")
    question.fill("Which company delivers it to you")
    writer.locator(".live-notes li").first.wait_for()
    screenshot(writer, "collection-qaconv-writer")
    assert accessibility_problems(writer) == []
    question.fill("Which company delivers the new engine in March?")
    drag(writer, "Akzo")
    assert writer.get_by_label("Answer", exact=True).input_value() == "Akzo"
    writer.get_by_role("button", name="Hand in").click()
    writer.get_by_role("heading", name="The conversation has ended").wait_for()
    verifier = new_page(qaconv.url, color_scheme="dark")
    join(verifier)
    verifier.get_by_role("button", name="Begin a check").click()
    verifier.get_by_text("Which company delivers the new engine in March?").wait_for()
    verifier.get_by_label("D) The answer is right").check()
    verifier.get_by_label("The answer that you prefer").fill("Akzo")
    screenshot(verifier, "collection-qaconv-verifier")
    assert accessibility_problems(verifier) == []
    verifier.get_by_role("button", name="Hand in").click()
    verifier.get_by_role("heading", name="The conversation has ended").wait_for()
