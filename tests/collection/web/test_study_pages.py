"""Consent, pay, withdrawal and the admin's dashboard in the browser."""

import pytest

from tests.collection.web.steps import ask, find_partner, heard
from tests.collection.web.test_quac import end, hold_dialog, pair
from tests.serving.web.steps import accessibility_problems
from tests.serving.web.watching import expect_console


@pytest.fixture
def quac(new_study):
    return new_study("quac", assistant={"practice": ["student"]})


def test_who_does_not_agree_is_not_kept(new_page, quac, screenshot):
    page = new_page(quac.url, color_scheme="dark")
    page.goto("/")
    page.get_by_role("heading", name="Talks about Port Varn").wait_for()
    assert page.locator("strong", has_text="two people").count() == 1
    assert page.locator("script[src*='evil']").count() == 0
    assert accessibility_problems(page) == []
    page.get_by_role("button", name="Take part").click()
    agree = page.get_by_role("button", name="Agree and continue")
    assert agree.is_disabled()
    screenshot(page, "collection-consent")
    assert accessibility_problems(page) == []
    page.get_by_role("button", name="I do not agree").click()
    page.get_by_role("button", name="Take part").wait_for()
    page.reload()
    page.get_by_role("button", name="Take part").wait_for()
    assert page.evaluate("localStorage.getItem('worker:token')") is None


def test_pay_statement_messages_and_withdrawal(new_page, quac, admin_of, screenshot):
    student, teacher = new_page(quac.url), new_page(quac.url)
    pair(student, teacher)
    hold_dialog(student, teacher)
    end(student)
    student.get_by_role("heading", name="The conversation has ended").wait_for()
    student.get_by_role("button", name="Menu of the study").click()
    student.get_by_role("menuitem", name="Your pay").click()
    dialog = student.get_by_role("dialog", name="Your pay")
    dialog.locator("tfoot", has_text="$0.30").wait_for()
    screenshot(student, "collection-pay")
    assert accessibility_problems(student) == []
    with student.expect_download() as saved:
        dialog.get_by_role("button", name="Save as CSV").click()
    assert "0.30" in saved.value.path().read_text()
    dialog.get_by_role("button", name="Close").click()
    admin = admin_of(quac)
    admin.get_by_label("Text of the message").fill("Please ask longer questions.")
    admin.get_by_role("button", name="Send the message").click()
    student.get_by_text("Please ask longer questions.").wait_for()
    student.get_by_role("button", name="Understood").click()
    student.get_by_role("button", name="Menu of the study").click()
    student.get_by_role("menuitem", name="Withdraw from the study").click()
    student.get_by_role("button", name="Withdraw and delete").click()
    student.get_by_role("button", name="Take part").wait_for()
    admin.get_by_role("tab", name="Dialogs").click()
    admin.get_by_text("There are no dialogs.").wait_for()


def test_dashboard_follows_approves_pauses_and_exports(new_page, quac, admin_of, screenshot):
    student, teacher = new_page(quac.url), new_page(quac.url)
    pair(student, teacher)
    ask(student, "Who founded it?")
    heard(teacher, "Who founded it?")
    admin = admin_of(quac)
    row = admin.locator(".admin-table tbody tr", has_text="Tide Choir: Origin")
    row.get_by_text("live").wait_for()
    assert row.locator(".presence.here").count() == 2
    screenshot(admin, "collection-admin")
    assert accessibility_problems(admin) == []
    row.get_by_role("button", name="Show").click()
    admin.locator(".action-list").get_by_text("Who founded it?").wait_for()
    admin.get_by_role("button", name="End it now").click()
    student.get_by_text("The researchers ended it.").wait_for()
    admin.get_by_role("dialog").get_by_role("button", name="Approve").click()
    admin.get_by_role("dialog").get_by_text("approved").first.wait_for()
    admin.get_by_role("dialog").get_by_role("button", name="Close").click()
    admin.get_by_role("button", name="Pause the study").click()
    admin.get_by_role("button", name="Open the study").wait_for()
    admin.get_by_role("tab", name="Workers").click()
    admin.locator(".admin-table tbody tr").nth(1).wait_for()
    screenshot(admin, "collection-admin-workers")
    assert accessibility_problems(admin) == []
    admin.get_by_role("tab", name="Overview").click()
    exports = admin.locator("section", has_text="Exports").get_by_role("button")
    with admin.expect_download() as saved:
        exports.first.click()
    assert saved.value.path().stat().st_size > 0


def test_dashboard_without_the_link_says_so(new_page, quac):
    page = new_page(quac.url)
    expect_console(page, "401")
    page.goto("/admin")
    page.get_by_text("Open the admin's link").wait_for()


def test_reported_partner_is_flagged(new_page, quac, admin_of):
    student, teacher = new_page(quac.url), new_page(quac.url)
    pair(student, teacher)
    teacher.get_by_role("button", name="Leave or report").click()
    teacher.get_by_role("menuitem", name="Report the partner").click()
    teacher.get_by_label("rude or offensive").check()
    teacher.get_by_label("Details").fill("Shouts at me.")
    teacher.get_by_role("button", name="Report", exact=True).click()
    student.get_by_role("heading", name="The conversation has ended").wait_for()
    student.get_by_role("button", name="Continue").click()
    find_partner(student, "student")
    admin = admin_of(quac)
    admin.locator(".row", has_text="Shouts at me.").get_by_role("button", name="Looked at").click()
    admin.get_by_text("There is nothing to look at.").wait_for()
