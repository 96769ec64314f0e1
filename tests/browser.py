"""Chromium for tests of pages; each page is watched for errors, violations, foreign requests."""

import io
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright import sync_api as playwright

from tests.serving.web.watching import Violations, watch

FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run
    --disable-background-networking --disable-component-update --disable-sync""".split()
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")

NewPage = Callable[..., playwright.Page]


def skip_without_chromium(folder: Path, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without Chromium, skip the tests of a folder as one, so that one line says so."""
    own = [item for item in items if folder in item.path.parents]
    if CHROMIUM is not None or not own:
        return
    first, *others = own
    reason = f"{len(own)} tests of pages need Chromium: apt-get install chromium"
    first.add_marker(pytest.mark.skip(reason=reason))
    items[:] = [item for item in items if item not in others]
    config.hook.pytest_deselected(items=others)


@pytest.fixture(scope="module")  # its event loop must end before other tests begin theirs
def chromium() -> Iterator[playwright.Browser]:
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium: playwright.Browser) -> Iterator[NewPage]:
    """Makes pages, each of a browser of its own; nothing may have gone wrong on any at the end."""
    seen: list[Violations] = []
    contexts: list[playwright.BrowserContext] = []

    def make(url: str, **options: object) -> playwright.Page:
        usual = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
        settings = {**usual, "base_url": url, **options}
        context = chromium.new_context(**settings)
        context.set_default_timeout(30_000)
        contexts.append(context)
        page = context.new_page()
        seen.append(watch(page, url))
        return page

    yield make
    for context in contexts:
        context.close()
    found = [one.found for one in seen if one.found]
    assert not found, found


@pytest.fixture
def screenshot() -> Callable[[playwright.Page, str], None]:
    """Keeps a small picture of a page in the folder that SEMINAR_SCREENSHOTS names, if it does."""
    folder = os.environ.get("SEMINAR_SCREENSHOTS")

    def take(page: playwright.Page, name: str) -> None:
        if folder:
            picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(128)
            picture.save(Path(folder) / f"{name}.png", optimize=True)

    return take
