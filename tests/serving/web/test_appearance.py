"""How the pages look and are reached: themes, small screens, accessibility."""

import pytest

from tests.serving.web.steps import accessibility_problems, ask, begin, is_within
from tests.serving.web.watching import expect_console

BRENNAN = "When did Brennan Hall open?"


@pytest.fixture(scope="module")
def answered(service):
    """A conversation with an answer, alternatives, an extra, and a refusal."""
    api = service.client
    new = {"collection": service.collection}
    dialogue = api.post("/api/v1/dialogues", json=new).json()["id"]
    for question in (BRENNAN, "What is the boiling point of tungsten?"):
        api.post(f"/api/v1/dialogues/{dialogue}/turns", json={"question": question})
    return dialogue


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_of_one_user_break_no_rule_of_accessibility(new_page, service, answered, theme):
    page = new_page(service.url, color_scheme=theme)
    problems = {}
    for address in ("/", f"/collections/{service.collection}", "/tokens"):
        page.goto(address)
        page.locator("h1").wait_for()
        page.wait_for_function("() => !document.querySelector('.waiting')")
        problems[address] = accessibility_problems(page)
    page.goto(f"/ask/{service.collection}")
    page.locator("h1").wait_for()
    problems["ask"] = accessibility_problems(page)
    page.goto(f"/dialogues/{answered}#turn-1")
    page.locator(".turn").nth(1).wait_for()
    page.get_by_role("button", name="Why").first.click()
    page.locator(".citation").first.click()
    page.locator(".source mark").wait_for()
    problems["conversation"] = accessibility_problems(page)
    page.get_by_title("Ask only a part").click()
    page.locator(".scope-row").nth(2).wait_for()
    problems["scopes"] = accessibility_problems(page)
    page.keyboard.press("Escape")
    page.locator(".question h2").first.click()
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    problems["help"] = accessibility_problems(page)
    assert {name: found for name, found in problems.items() if found} == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_of_several_users_break_no_rule_of_accessibility(new_page, several, theme):
    page = new_page(several.service.url, color_scheme=theme)
    page.goto("/login")
    page.locator("h1").wait_for()
    problems = {"login": accessibility_problems(page)}
    invitation = several.admin.send("POST", "/invitations", {"purpose": "account"}, 201)["url"]
    page.goto(invitation)
    page.get_by_label("Name").wait_for()
    problems["invitation"] = accessibility_problems(page)
    cookies = several.admin.browser.cookies.jar
    page.context.add_cookies(
        [{"name": one.name, "value": one.value, "url": several.service.url} for one in cookies]
    )
    page.goto("/admin")
    page.locator(".row").first.wait_for()
    problems["accounts"] = accessibility_problems(page)
    page.get_by_role("tab", name="Audit log").click()
    page.locator("tbody tr").first.wait_for()
    problems["audit"] = accessibility_problems(page)
    page.goto("/")
    page.locator("h1").wait_for()
    page.wait_for_function("() => !document.querySelector('.waiting')")
    problems["start"] = accessibility_problems(page)
    assert {name: found for name, found in problems.items() if found} == {}


def test_chosen_theme_is_kept_over_a_reload(page):
    page.goto("/")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator(".side-foot button").click()
    page.get_by_role("menuitemradio", name="Theme: Dark").click()
    page.wait_for_function(
        "light => getComputedStyle(document.body).backgroundColor != light", arg=light
    )
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.reload()
    page.locator("h1").wait_for()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark


def test_everything_fits_a_screen_of_360_pixels(new_page, service, answered, screenshot):
    page = new_page(service.url, viewport={"width": 360, "height": 740}, has_touch=True)
    fits = "() => document.documentElement.scrollWidth <= 360"
    for address in ("/", f"/collections/{service.collection}", f"/dialogues/{answered}#turn-1"):
        page.goto(address)
        page.locator("h1").wait_for()
        assert page.evaluate(fits), address
    page.locator(".turn").first.wait_for()
    screenshot(page, "phone")
    page.get_by_role("button", name="Open the navigation").click()
    page.get_by_label("Search your conversations").wait_for()
    page.keyboard.press("Escape")
    page.locator(".citation").first.click()
    page.locator(".source mark").wait_for()
    assert is_within(page, page.locator(".source mark"), page.locator(".source-body"))
    assert page.locator(".source").bounding_box()["width"] == 360
    assert page.evaluate(fits)
    assert accessibility_problems(page) == []


def test_dark_conversation_with_its_source(new_page, service, screenshot):
    page = new_page(service.url, color_scheme="dark", viewport={"width": 1400, "height": 800})
    turn = begin(page, service.collection, "How much is the guided tour of the college?")
    ask(page, "Does it include the observatory?")
    turn.first.locator(".citation").first.click()
    page.wait_for_function("() => document.querySelector('.page-image img')?.naturalWidth > 400")
    screenshot(page, "dark")
    assert accessibility_problems(page) == []


@pytest.mark.parametrize("address", ["/nothing", "/tokens/more", "/constructor", "/dialogues/a/b"])
def test_unknown_address_shows_that_nothing_is_there(page, address):
    expect_console(page, "404")
    page.goto(address)
    page.get_by_role("heading", name="There is nothing at this address.").wait_for()
    page.get_by_role("link", name="Go to the collections").click()
    page.get_by_role("heading", name="Collections").wait_for()
