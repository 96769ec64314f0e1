"""TopiOCQA in the browser: links, back and forward, rationales, what the questioner sees."""

import pytest

from tests.collection.exported import exported, score_of_first_answers
from tests.collection.web.steps import ask, drag, find_partner, heard, join, send, tap
from tests.collection.web.traffic import record
from tests.serving.web.steps import accessibility_problems

PHONE = {"viewport": {"width": 390, "height": 800}, "has_touch": True, "color_scheme": "dark"}


@pytest.fixture
def topiocqa(new_study):
    options = {"own_first_questions": 100, "least_turns": 2, "encouraged_turns": 3}
    return new_study("topiocqa", validation={"annotations": 1}, options=options)


def test_dialog_follows_links_and_the_questioner_sees_titles_alone(
    new_page, topiocqa, screenshot, tmp_path
):
    questioner, answerer = new_page(topiocqa.url), new_page(topiocqa.url)
    traffic = record(questioner)
    join(questioner)
    find_partner(questioner, "questioner")
    join(answerer)
    find_partner(answerer, "answerer")
    ask(questioner, "who founded the tide choir")
    heard(answerer, "who founded the tide choir")
    drag(answerer, "The choir was founded in 1987 by the composer")
    answerer.get_by_label("Your answer").fill("A composer, in 1987")
    screenshot(answerer, "collection-topiocqa-answerer")
    assert accessibility_problems(answerer) == []
    send(answerer)
    heard(questioner, "A composer, in 1987")
    questioner.get_by_label("Your question").fill("what is the origin and repertoire")
    questioner.locator(".live-notes li").first.wait_for()
    screenshot(questioner, "collection-topiocqa-questioner")
    assert accessibility_problems(questioner) == []
    ask(questioner, "when was she born")
    heard(answerer, "when was she born")
    follow(answerer)
    drag(answerer, "She was born in 1950")
    assert answerer.get_by_label("Your answer").input_value() == "She was born in 1950"
    send(answerer)
    heard(questioner, "She was born in 1950")
    questioner.locator(".document", has_text="Ada Holm").get_by_text("Works").wait_for()
    questioner.get_by_role("button", name="End", exact=True).click()
    questioner.get_by_role("button", name="End it").click()
    answerer.get_by_role("heading", name="The conversation has ended").wait_for()
    received = traffic.text() + questioner.content()
    assert not any(part in received for part in ("salt warehouse", "daughter of a pilot"))
    annotate(new_page(topiocqa.url, **PHONE), screenshot)
    first, second = exported(topiocqa, "topiocqa", tmp_path / "data")
    assert first.gold.answers[0] == "A composer, in 1987"
    assert (second.gold.topic, second.gold.section) == ("Ada Holm", "Life")
    assert score_of_first_answers("topiocqa", tmp_path / "data") < 100  # others answered otherwise


def follow(answerer) -> None:
    """To Ada Holm's page, back, forward, and by the list of visited pages."""
    title = answerer.locator(".browser-title")
    text = answerer.locator(".reading-text")
    text.get_by_role("link", name="Ada Holm").first.click()
    title.get_by_text("Ada Holm").wait_for()
    answerer.get_by_role("button", name="Back", exact=True).click()
    title.get_by_text("Tide Choir").wait_for()
    answerer.get_by_role("button", name="Forward", exact=True).click()
    title.get_by_text("Ada Holm").wait_for()
    answerer.get_by_role("button", name="Visited pages").click()
    answerer.get_by_role("menuitemradio", name="Tide Choir").click()
    title.get_by_text("Tide Choir").wait_for()
    answerer.get_by_role("button", name="Visited pages").click()
    answerer.get_by_role("menuitemradio", name="Ada Holm").click()
    title.get_by_text("Ada Holm").wait_for()


def annotate(page, screenshot) -> None:
    """Another person answers again on a phone, and selects by taps."""
    join(page)
    page.get_by_role("button", name="Begin an annotation").click()
    heard(page, "who founded the tide choir")
    tap(page, "composer", "returned")
    chosen = page.locator(".chosen-words").inner_text()
    assert chosen == "composer Ada Holm, who had returned"
    screenshot(page, "collection-topiocqa-phone")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    text, side = (page.locator(part).bounding_box() for part in (".reading-text", ".dialog-side"))
    assert text["y"] + text["height"] <= side["y"]  # the conversation covers nothing of the text
    assert accessibility_problems(page) == []
    send(page)
    heard(page, "when was she born")
    page.get_by_label("Unanswerable").check()
    send(page)
    page.get_by_role("heading", name="It is handed in").wait_for()
