"""The report in Chromium: no console message, no request, no finding of axe, and its controls."""

from collections.abc import Iterator
from pathlib import Path
from shutil import which

import pandas as pd
import pytest

from seminar.analysis.chats import chat_turns
from seminar.analysis.exhibits import Section, Table
from seminar.analysis.frames import turns
from seminar.analysis.report.writing import write_report
from seminar.analysis.sections import chats_section, dataset_section, systems_section
from tests.analysis.corpus import EXAMPLES, FIRST, FRAME, PRAGMATIC, SECOND, turn
from tests.analysis.test_chats import TURNS
from tests.analysis.test_report import ERROR
from tests.paths import ROOT

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = which("chromium") or which("chromium-browser") or which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking",
]  # fmt: skip
AXE = ROOT / "tests" / "vendor" / "axe" / "axe.min.js"
MANY = [turn("d", n, f"Who is number {n}?", ("Ada",), "") for n in range(1, 31)]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("analysis") / "report"
    long = Table("numbers", "Numbers", pd.DataFrame({"name": [f"row {n}" for n in range(20)],
                                                     "value": range(20, 0, -1)}))  # fmt: skip
    sections = [
        dataset_section("quac", FRAME),
        dataset_section("pragmaticqa", turns([PRAGMATIC], split="val")),
        systems_section("quac/val", FRAME, EXAMPLES, {"first": FIRST, "second": SECOND}),
        chats_section(chat_turns([("one", TURNS)])),
        Section("Texts that are no markup", (long,), errors=(ERROR,)),
    ]
    write_report("Analysis", sections, folder)
    return folder / "index.html"


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser, report: Path) -> Iterator[object]:
    opened = browser.new_page(viewport={"width": 1280, "height": 900})
    complaints: list[str] = []
    opened.on("console", lambda message: complaints.append(message.text))
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("request", lambda request: complaints.append(request.url)
              if not request.url.startswith("file:") else None)  # fmt: skip
    opened.goto(report.as_uri())
    yield opened
    assert complaints == []
    opened.close()


def axe_findings(page) -> list[str]:
    """What axe finds; it is loaded by the debugger, since the page's policy forbids scripts."""
    debugger = page.context.new_cdp_session(page)
    debugger.send("Runtime.evaluate", {"expression": AXE.read_text(encoding="utf-8")})
    expression = "axe.run().then(r => r.violations.map(v => v.id + ': ' + v.nodes[0].html))"
    answer = debugger.send(
        "Runtime.evaluate",
        {"expression": expression, "awaitPromise": True, "returnByValue": True},
    )
    return answer["result"]["value"]


def test_the_report_has_no_finding_of_axe(page):
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    assert axe_findings(page) == []


def test_the_report_fits_a_narrow_window(page):
    page.set_viewport_size({"width": 360, "height": 800})
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_mark_shows_its_tip(page):
    mark = page.locator("#topic-run-lengths-0")
    mark.scroll_into_view_if_needed()
    mark.hover()
    assert page.locator("#tip").text_content() == "runs of 1: 4, with 66.7 % of the turns"
    page.keyboard.press("Escape")
    assert page.locator("#tip").is_hidden()


def test_a_table_is_sorted_and_filtered(page):
    table = page.locator("#numbers table")
    table.get_by_role("button", name="value").click()
    assert table.locator("tbody tr").first.text_content() == "row 191"
    page.locator("#numbers input").fill("row 7")
    assert table.locator("tbody tr:visible").count() == 1


def test_errors_are_searched_filtered_and_linked_to(page):
    errors = page.locator("[data-errors='3']")
    assert errors.get_by_role("status").text_content() == "1–5 of 5 questions"
    errors.get_by_label("Show").select_option("second > first")
    assert errors.locator("h4").all_text_contents() == ["Did it burn down?", "In which year?"]
    errors.get_by_label("Search").fill("burn")
    assert errors.locator(".error").count() == 1
    link = errors.get_by_role("link").get_attribute("href")
    page.goto("about:blank")
    page.go_back()
    address = page.url.partition("#")[0]
    page.goto("about:blank")
    page.goto(address + link)
    chosen = page.locator(".error.chosen")
    assert chosen.locator("h4").text_content() == "Did it burn down?"
    assert page.locator("[data-errors='3']").get_by_label("Search").input_value() == "burn"


def test_texts_stay_texts(page):
    shown = page.locator("[data-errors='5'] h4").text_content()
    assert shown == ERROR["question"]
    assert page.locator("img").count() == 0


def test_errors_are_paged(browser, tmp_path: Path):
    given = [type(FIRST[0])(one.id, "", 0.0) for one in MANY]
    section = systems_section("x", turns(MANY), MANY, {"one": given})
    write_report("x", [section], tmp_path / "report")
    opened = browser.new_page()
    opened.goto((tmp_path / "report" / "index.html").as_uri())
    assert opened.get_by_role("status").text_content() == "1–20 of 30 questions"
    opened.get_by_role("button", name="Next").click()
    assert opened.get_by_role("status").text_content() == "21–30 of 30 questions"
    opened.close()
