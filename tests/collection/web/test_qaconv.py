"""QAConv in the browser: writing, answering an offered question, verification, further answers."""

import pytest

from tests.collection.exported import exported, score_of_first_answers
from tests.collection.web.steps import drag, join
from tests.serving.web.steps import accessibility_problems

OFFERED = "Which company delivers the new engine in March?"


@pytest.fixture
def qaconv(new_study):
    options = {"choosing": 100, "unanswerable": 0, "verify": "all", "traps": 0}
    validation = {"annotations": 1}
    return new_study("qaconv", quotas={"per_subject": 5}, options=options, validation=validation)


def hand_in(page) -> None:
    page.get_by_role("button", name="Hand in").click()
    page.get_by_role("heading", name="It is handed in").wait_for()


def test_offered_question_is_answered_verified_and_answered_again(
    new_page, qaconv, screenshot, tmp_path
):
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
    question.fill(OFFERED)
    drag(writer, "Akzo")
    assert writer.get_by_label("Answer", exact=True).input_value() == "Akzo"
    hand_in(writer)
    verify(new_page(qaconv.url, color_scheme="dark"), screenshot)
    for text in ("the new engine", "Akzo"):  # the second differs, so that a third is asked for
        answer_again(new_page(qaconv.url), text)
    [example] = exported(qaconv, "qaconv", tmp_path / "data")
    assert (example.question, example.gold.answers) == (OFFERED, ("Akzo", "Akzo Ltd"))
    assert score_of_first_answers("qaconv", tmp_path / "data") == 100


def verify(page, screenshot) -> None:
    """Judge the question, and prefer another answer."""
    join(page)
    page.get_by_role("button", name="Begin a check").click()
    page.get_by_text(OFFERED).wait_for()
    page.get_by_label("D) The answer is right").check()
    page.get_by_label("The answer that you prefer").fill("Akzo Ltd")
    screenshot(page, "collection-qaconv-verifier")
    assert accessibility_problems(page) == []
    hand_in(page)


def answer_again(page, text: str) -> None:
    """Answer as a further annotator, who sees the question alone."""
    join(page)
    page.get_by_role("button", name="Begin an annotation").click()
    page.get_by_text(OFFERED).wait_for()
    assert page.locator(".dialog-side", has_text="Akzo").count() == 0
    page.get_by_label("Answer", exact=True).fill(text)
    assert accessibility_problems(page) == []
    hand_in(page)
