"""What workers and the admin do on the pages of a study, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

PLACE = """(words) => {
    for (const block of document.querySelectorAll('.reading-text [data-start]')) {
        const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const at = node.data.indexOf(words);
            if (at < 0) continue;
            block.scrollIntoView({block: 'center'});
            const edge = (offset) => {
                const range = document.createRange();
                range.setStart(node, offset);
                range.setEnd(node, offset + 1);
                return range.getBoundingClientRect();
            };
            const [first, last] = [edge(at), edge(at + words.length - 1)];
            const middle = (box) => box.top + box.height / 2;
            return [first.left + 1, middle(first), last.right - 1, middle(last)];
        }
    }
    return null;
}"""


def join(page: Page, address: str = "/") -> None:
    """Take part and agree."""
    page.goto(address)
    page.get_by_role("button", name="Take part").click()
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Agree and continue").click()
    page.get_by_role("heading", name="Consent").wait_for(state="detached")


def find_partner(page: Page, role: str = "") -> None:
    """Wait in the lobby for a partner."""
    name = f"Find a partner, as {role}" if role else "Find a partner"
    page.get_by_role("button", name=name, exact=True).click()


def ask(page: Page, question: str) -> None:
    """Ask, and wait until the question stands in the dialog."""
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")
    page.locator(".transcript .message.own", has_text=question).wait_for()


def drag(page: Page, words: str) -> None:
    """Select words of the text with the mouse."""
    page.locator(".reading-text").wait_for()
    place = page.evaluate(PLACE, words)
    assert place is not None, f"{words!r} isn't in one piece on the page"
    page.mouse.move(place[0], place[1])
    page.mouse.down()
    page.mouse.move(place[2], place[3], steps=3)
    page.mouse.up()


def tap(page: Page, first: str, last: str) -> None:
    """Select words by a tap on the first and one on the last."""
    page.locator(".reading-text").wait_for()
    for word in (first, last):
        place = page.evaluate(PLACE, word)
        page.touchscreen.tap(place[0] + 2, place[1])


def heard(page: Page, text: str) -> Locator:
    """Wait until a text stands in the dialog."""
    message = page.locator(".transcript .message", has_text=text).last
    message.wait_for()
    return message


def send(page: Page) -> None:
    page.get_by_role("button", name="Send", exact=True).click()


def choose(page: Page, *labels: str) -> None:
    """Choose options of the form by their labels."""
    for label in filter(None, labels):
        page.locator(".acting").get_by_label(label, exact=True).check()
