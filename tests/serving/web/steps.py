"""What people do on the pages, step by step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

AXE = Path(__file__).parents[2] / "vendor" / "axe" / "axe.min.js"
ROWING = "The Rowing Club was founded in 1907 by Edith Marlow. It has 84 members and six boats.\n"


def ask(page: Page, question: str) -> Locator:
    """Ask a question and return its turn, once nothing more comes."""
    before = page.locator(".turn").count()
    page.get_by_label("Question", exact=True).fill(question)
    page.keyboard.press("Enter")
    page.locator(".turn-foot").nth(before).wait_for()
    return page.locator(".turn").nth(before)


def begin(page: Page, collection: str, question: str) -> Locator:
    """Ask the first question of a new conversation."""
    page.goto(f"/ask/{collection}")
    page.get_by_label("Question", exact=True).fill(question)
    page.keyboard.press("Enter")
    page.locator(".turn-foot").wait_for()
    return page.locator(".turn")


def make_collection(page: Page, name: str, files: list[dict[str, object]]) -> str:
    """Make a collection of files as one drops them, wait for its index, and return its id."""
    page.goto("/")
    page.locator('input[type="file"]').first.set_input_files(files)
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="Create").click()
    page.wait_for_url("**/collections/*")
    wait_for_index(page)
    return page.url.rpartition("/")[2]


def wait_for_index(page: Page) -> None:
    """Wait until the head tells passages and no progress is shown."""
    page.wait_for_function(
        "() => /[1-9]\\d* passages?/.test(document.querySelector('.page-title')?.innerText ?? '')"
        " && !document.querySelector('.job progress')"
    )


def text_file(name: str, text: str) -> dict[str, object]:
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def is_within(page: Page, inner: Locator, outer: Locator) -> bool:
    """Whether an element is on the screen, inside of the part that another one shows."""
    inside, around = inner.bounding_box(), outer.bounding_box()
    assert inside is not None
    assert around is not None
    height = page.viewport_size["height"]
    top, bottom = max(0, around["y"]), min(height, around["y"] + around["height"])
    return bool(inside["y"] >= top and inside["y"] + inside["height"] <= bottom)


def accessibility_problems(page: Page) -> list[str]:
    """The rules of axe-core that a page breaks, each with the first element that does."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE.read_text(encoding="utf-8") + "; 0")
    page.wait_for_function("document.getAnimations().every((one) => one.playState !== 'running')")
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [f"{one['id']}: {one['nodes'][0]['html'][:160]}" for one in found["violations"]]
