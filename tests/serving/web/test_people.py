"""Several people in the browser: invitations, sharing, public links, tokens, administration."""

import httpx
import pytest

from tests.serving.identity.people import PASSWORD
from tests.serving.web.steps import ROWING, begin, make_collection, text_file
from tests.serving.web.watching import expect_console


@pytest.fixture
def enter(new_page, several):
    """Logs an account in on a page of its own."""

    def log_in(name: str):
        page = new_page(several.service.url)
        page.goto("/")
        page.get_by_label("Name").fill(name)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Log in").click()
        page.get_by_role("heading", name="Collections").wait_for()
        return page

    return log_in


def test_shared_collection_is_asked_by_a_second_account_and_denied_to_a_third(
    enter, several, screenshot
):
    for name in ("Ada", "Ben", "Cleo"):
        several.person(name)
    ada, ben, cleo = enter("Ada"), enter("Ben"), enter("Cleo")
    id = make_collection(ada, "Rowing", [text_file("club.txt", ROWING)])
    ada.get_by_role("button", name="Share").click()
    ada.get_by_label("Name of a person or group").fill("Ben")
    ada.get_by_role("button", name="Add").click()
    ada.locator(".row", has_text="Ben").wait_for()
    screenshot(ada, "share")
    turn = begin(ben, id, "Who founded the Rowing Club?")
    assert "Edith Marlow" in turn.locator(".answer-text").inner_text()
    expect_console(cleo, "404")
    cleo.goto(f"/collections/{id}")
    cleo.get_by_role("alert").wait_for()
    assert "that you may see" in cleo.get_by_role("alert").inner_text()
    cleo.goto(ben.url)
    cleo.get_by_role("alert").wait_for()
    assert "Edith" not in cleo.locator("body").inner_text()


def test_public_link_opens_a_collection_without_an_account(enter, several, new_page):
    several.person("Dora")
    dora = enter("Dora")
    make_collection(dora, "Open", [text_file("club.txt", ROWING)])
    dora.get_by_role("button", name="Share").click()
    dora.get_by_role("button", name="Make a public link").click()
    url = dora.get_by_role("textbox", name="Public links").input_value()
    visitor = new_page(several.service.url)
    visitor.goto(url)
    visitor.get_by_role("heading", name="Ask Open").wait_for()
    visitor.get_by_label("Question", exact=True).fill("How many members does it have?")
    visitor.keyboard.press("Enter")
    visitor.locator(".turn-foot").wait_for()
    assert "84 members" in visitor.locator(".turn").inner_text()


def test_invitation_makes_an_account_and_a_token_works(new_page, several):
    url = several.admin.send("POST", "/invitations", {"purpose": "account"}, 201)["url"]
    page = new_page(several.service.url)
    page.goto(url)
    page.get_by_label("Name").fill("Eve")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    page.get_by_text("Put your files here").wait_for()
    page.goto("/tokens")
    page.get_by_label("Name", exact=True).fill("nightly")
    page.get_by_role("button", name="Make a token").click()
    secret = page.get_by_role("textbox", name="API tokens").input_value()
    headers = {"Authorization": f"Bearer {secret}"}
    with httpx.Client(base_url=several.service.url, headers=headers) as program:
        assert program.get("/api/v1/collections").json()["items"] == []
        page.get_by_role("button", name="Revoke nightly").click()
        page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
        page.get_by_text("You have no tokens.").wait_for()
        assert program.get("/api/v1/collections").status_code == 401


def test_wrong_password_is_said_on_the_page(new_page, several):
    page = new_page(several.service.url)
    expect_console(page, "401")
    page.goto("/login")
    page.get_by_label("Name").fill("root")
    page.get_by_label("Password").fill("not the one")
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("alert").wait_for()
    assert "don't fit" in page.get_by_role("alert").inner_text()
    assert page.get_by_label("Name").input_value() == "root"


def test_admin_invites_deactivates_and_reads_the_audit_log(enter, several):
    several.person("Finn")
    page = enter("root")
    page.goto("/admin")
    page.get_by_role("button", name="Invite a person").click()
    link = page.get_by_role("textbox", name="Invite a person").input_value()
    assert link.startswith(f"{several.service.url}/invitation/")
    page.get_by_role("button", name="Actions for Finn").click()
    page.get_by_role("menuitem", name="Deactivate").click()
    page.locator(".row", has_text="Finn").get_by_text("Deactivated").wait_for()
    page.get_by_role("tab", name="Audit log").click()
    page.get_by_role("cell", name="account.changed").first.wait_for()
    page.get_by_role("tab", name="Groups").click()
    page.get_by_role("button", name="New group").click()
    page.get_by_label("Name", exact=True).fill("Rowers")
    page.get_by_role("button", name="Save").click()
    page.locator(".row", has_text="Rowers").wait_for()


def test_failed_login_at_a_provider_is_explained(new_page, several):
    page = new_page(several.service.url)
    page.goto("/login?failed=stranger")
    assert "may not log in here" in page.get_by_role("alert").inner_text()
    page.goto("/login?failed=constructor")
    assert "Try again" in page.get_by_role("alert").inner_text()
