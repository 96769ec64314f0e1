"""The conversation in the browser: answers, sources, forks, feedback, keyboard."""

import re

import pytest
from playwright.sync_api import expect

from tests.serving.web.steps import ask, begin, is_within
from tests.serving.web.watching import expect_console

NIGHTS = "When are the public nights at the observatory?"


MESSAGE = "When does the technician for the library lift come?"


@pytest.fixture(scope="module")
def answered(service):
    """A conversation with one answered question, which tests copy."""
    api = service.client
    new = {"collection": service.collection}
    dialogue = api.post("/api/v1/dialogues", json=new).json()["id"]
    api.post(f"/api/v1/dialogues/{dialogue}/turns", json={"question": NIGHTS})
    return dialogue


@pytest.fixture
def talk(page, service, answered):
    """The page of a conversation with one answered question."""
    fork = service.client.post(f"/api/v1/dialogues/{answered}/fork", json={"number": 2}).json()
    page.goto(f"/dialogues/{fork['id']}")
    page.locator(".turn-foot").wait_for()
    return page


def test_answer_is_the_exact_words_marked_in_their_sentence(talk, screenshot):
    turn = talk.locator(".turn")
    assert turn.locator(".answer-text").inner_text() == "every Friday from October to March"
    assert (
        turn.locator(".quotation mark").first.inner_text() == "every Friday from October to March"
    )
    assert "Public nights are held" in turn.locator(".quotation").first.inner_text()
    assert "Whitlow Observatory › Public nights" in turn.locator(".citation").first.inner_text()
    screenshot(talk, "conversation")


def test_source_opens_beside_the_answer_with_the_words_on_screen(talk, screenshot):
    talk.locator(".citation").first.click()
    mark = talk.locator(".source mark")
    mark.wait_for()
    assert mark.inner_text() == "every Friday from October to March"
    assert is_within(talk, mark, talk.locator(".source-body"))
    screenshot(talk, "source")
    talk.keyboard.press("Escape")
    expect(talk.locator(".source")).to_have_count(0)
    expect(talk.locator(".citation").first).to_be_focused()


def test_page_of_a_pdf_is_shown_as_it_looks(page, service, screenshot):
    turn = begin(page, service.collection, "How much is the guided tour of the college?")
    assert "page 3" in turn.locator(".citation").first.inner_text()
    turn.locator(".citation").first.click()
    image = page.locator(".page-image img")
    image.wait_for()
    page.wait_for_function("() => document.querySelector('.page-image img').naturalWidth > 400")
    assert "Page 3 of Visitors' Handbook 2025" in image.get_attribute("alt")
    screenshot(page, "page")
    page.get_by_role("button", name="As text").click()
    assert page.locator(".source mark").first.inner_text() == "7 crowns"


def test_message_is_shown_in_its_thread_with_speaker_and_time(page, service):
    turn = begin(page, service.collection, MESSAGE)
    turn.locator(".citation").first.click()
    message = page.locator(".message:has(mark)")
    message.wait_for()
    assert message.locator("strong").inner_text() == "Harriet Osgood"
    assert message.locator("time").get_attribute("datetime").startswith("2025-02-11T16:30")
    assert page.locator(".message").count() > 1


def test_alternatives_stand_beside_each_other_with_their_readings(page, service, screenshot):
    turn = begin(page, service.collection, "When did Brennan Hall open?")
    assert turn.locator(".answer-text").inner_text() == "12 May 1968"
    other = turn.locator(".alternative")
    assert other.locator(".alternative-text").inner_text() == "2 October 1893"
    assert other.locator(".reading").inner_text() == "If you mean Old Brennan Hall"
    screenshot(page, "alternatives")


def test_yes_or_no_is_said_first(page, service):
    turn = begin(page, service.collection, "Are candles allowed in student rooms?")
    assert turn.locator(".verdict").inner_text() == "No"
    assert turn.locator(".answer-text").inner_text().startswith("Candles are forbidden everywhere")


def test_question_without_an_answer_is_refused_with_the_nearest_sentence(page, service):
    turn = begin(page, service.collection, "What is the boiling point of tungsten?")
    assert turn.locator(".verdict").inner_text() == "Not here"
    assert turn.locator(".headline").inner_text().endswith("I can't find that in these files.")


def test_followup_topic_trail_and_reasons(talk):
    turn = ask(talk, "How much is the guided tour of the college?")
    topics = talk.locator(".trail-topic").all_inner_texts()
    assert topics == ["Whitlow Observatory", "Visitors' Handbook 2025"]
    turn.get_by_role("button", name=re.compile("^Why")).click()
    expect(turn.locator(".hit.cited")).to_have_count(1)
    expect(turn.locator("meter")).to_have_count(1)
    turn.get_by_role("button", name="What was searched").click()
    assert "guided tour" in turn.locator(".searched-text").inner_text()


def test_suggested_question_is_asked_by_a_click(page, service):
    begin(page, service.collection, "Who conducts the Tide Choir?")
    chip = page.locator(".chip").first
    question = chip.inner_text()
    chip.click()
    page.locator(".turn-foot").nth(1).wait_for()
    assert page.locator(".turn h2").nth(1).inner_text() == question


def test_edited_question_begins_a_conversation_with_the_turns_before_it(talk):
    ask(talk, "How much is admission?")
    first = talk.url
    second = talk.locator(".turn").nth(1)
    second.hover()
    second.get_by_role("button", name="Edit the question").click()
    second.get_by_role("textbox", name="Edit the question").fill("Where is the telescope?")
    talk.keyboard.press("Control+Enter")
    talk.wait_for_function("url => location.href !== url", arg=first)
    talk.locator(".turn-foot").nth(1).wait_for()
    questions = talk.locator(".turn h2").all_inner_texts()
    assert questions == [NIGHTS, "Where is the telescope?"]
    talk.goto(first)
    talk.locator(".turn").nth(1).wait_for()
    assert talk.locator(".turn h2").nth(1).inner_text() == "How much is admission?"


def test_reload_keeps_the_turns_and_what_was_typed(talk):
    talk.get_by_label("Question", exact=True).fill("half a quest")
    talk.reload()
    talk.locator(".turn").wait_for()
    assert talk.locator(".answer-text").inner_text() == "every Friday from October to March"
    assert talk.get_by_label("Question", exact=True).input_value() == "half a quest"


def test_question_that_failed_is_kept_and_asked_again(talk):
    expect_console(talk, "Failed to load resource")
    talk.route("**/turns", lambda route: route.abort())
    talk.get_by_label("Question", exact=True).fill("How much is admission?")
    talk.keyboard.press("Enter")
    talk.get_by_text("No answer came.").wait_for()
    talk.unroute("**/turns")
    talk.reload()  # what was asked survives, and is asked by itself
    talk.locator(".turn-foot").nth(1).wait_for()
    assert talk.locator(".turn h2").nth(1).inner_text() == "How much is admission?"


def test_right_words_are_selected_in_the_source_and_kept(talk, service):
    talk.get_by_role("button", name="This is wrong").click()
    talk.get_by_role("button", name="Select them in the source").click()
    talk.locator(".source mark").wait_for()
    talk.evaluate(
        """() => {
          const text = [...document.querySelectorAll('.source [data-block]')]
            .find((one) => one.textContent.includes('Admission is 6 crowns'));
          const node = [...text.childNodes].find((one) => one.textContent.includes('6 crowns'));
          const at = node.textContent.indexOf('6 crowns');
          getSelection().setBaseAndExtent(node, at, node, at + 8);
        }"""
    )
    talk.get_by_role("button", name="Use these words").click()
    assert talk.locator(".chosen mark").inner_text() == "6 crowns"
    talk.get_by_role("button", name="Send").click()
    talk.get_by_text("Noted.").wait_for()
    dialogue = talk.url.rpartition("/")[2]
    [turn] = service.client.get(f"/api/v1/dialogues/{dialogue}").json()["turns"]
    span = turn["feedback"]["span"]
    assert (turn["feedback"]["right"], span["text"]) == (False, "6 crowns")
    place = {"path": span["source"], "start": span["start"], "end": span["end"]}
    answer = service.client.get(f"/api/v1/collections/{service.collection}/source", params=place)
    block = next(
        one for one in answer.json()["blocks"] if one["start"] <= span["start"] < one["end"]
    )
    offset = span["start"] - block["start"]
    assert block["text"][offset : offset + 8] == "6 crowns"


def test_keys_reach_the_question_the_turns_and_the_help(talk):
    talk.locator(".turn").focus()
    talk.keyboard.press("/")
    expect(talk.locator("#question")).to_be_focused()
    talk.locator(".turn").focus()
    talk.keyboard.press("o")
    talk.locator(".source mark").wait_for()
    talk.keyboard.press("Escape")
    expect(talk.locator(".source")).to_have_count(0)
    talk.locator(".turn").focus()
    talk.keyboard.press("?")
    expect(talk.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    talk.keyboard.press("Escape")
    expect(talk.get_by_role("dialog")).to_have_count(0)


def test_conversations_are_found_by_their_words_renamed_and_deleted(talk):
    talk.keyboard.press("Control+k")
    talk.keyboard.type("observatory")
    talk.locator(".side-item").first.wait_for()
    assert talk.locator(".side-item", has_text="observatory").count() >= 1
    talk.keyboard.press("Control+a")
    talk.keyboard.type("zzzz")
    talk.get_by_text("No conversation matches.").wait_for()
    talk.get_by_label("Search your conversations").fill("")
    current = talk.locator(".side-item:has([aria-current])")
    current.hover()
    current.locator(".icon-button").click()
    talk.get_by_role("menuitem", name="Rename").click()
    talk.get_by_label("Name", exact=True).fill("Starry evenings")
    talk.get_by_role("button", name="Save").click()
    talk.locator("h1", has_text="Starry evenings").wait_for()
    current.hover()
    current.locator(".icon-button").click()
    talk.get_by_role("menuitem", name="Delete").click()
    talk.get_by_role("button", name="Delete").click()
    talk.wait_for_url("**/ask/*")
    talk.locator(".side-item", has_text="Starry evenings").wait_for(state="detached")


def test_nothing_moves_while_an_answer_comes(talk):
    talk.evaluate(
        """() => { window.shift = 0; new PerformanceObserver((list) => {
          for (const one of list.getEntries()) if (!one.hadRecentInput) window.shift += one.value;
        }).observe({type: 'layout-shift'}); }"""
    )
    ask(talk, "How much is admission?")
    assert talk.evaluate("window.shift") < 0.1  # what Web Vitals call good


def test_export_is_a_file(talk):
    talk.locator(".talk-head .menu button").click()
    with talk.expect_download() as download:
        talk.get_by_role("menuitem", name="Export: Markdown").click()
    assert download.value.suggested_filename.endswith(".md")
