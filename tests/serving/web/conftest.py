"""Chromium over real servers; every page is watched for errors, violations and foreign requests."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright import sync_api as playwright

from seminar.serving.settings import ServiceSettings
from tests.serving.conftest import ASSISTANT, Service, running
from tests.serving.identity.people import People, people_of, weak
from tests.serving.web.watching import Violations, watch

FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run
    --disable-background-networking --disable-component-update --disable-sync""".split()
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")

NewPage = Callable[..., playwright.Page]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without Chromium, skip the tests of this folder as one, so that one line says so."""
    folder = Path(__file__).parent
    own = [item for item in items if folder in item.path.parents]
    if CHROMIUM is not None or not own:
        return
    first, *others = own
    reason = f"{len(own)} tests of the web chat need Chromium: apt-get install chromium"
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
        settings = {"viewport": {"width": 1280, "height": 800}, "base_url": url, **options}
        context = chromium.new_context(**settings)
        context.set_default_timeout(30_000)
        contexts.append(context)
        page = context.new_page()
        seen.append(watch(page, url))
        return page

    yield make
    for context in contexts:
        context.close()
    assert [one.found for one in seen if one.found] == []


@pytest.fixture
def page(service: Service, new_page: NewPage) -> playwright.Page:
    """A page of the server with the example collection."""
    return new_page(service.url)


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A server at its first start, without collections."""
    settings = ServiceSettings(folder=tmp_path_factory.mktemp("empty"), assistant=ASSISTANT)
    with running(settings) as started:
        yield started


@pytest.fixture(scope="session")
def several(tmp_path_factory: pytest.TempPathFactory) -> Iterator[People]:
    """A server with several users."""
    with people_of(weak(tmp_path_factory.mktemp("several"))) as people:
        yield people


@pytest.fixture
def screenshot() -> Callable[[playwright.Page, str], None]:
    """Keeps a picture of a page in the folder that SEMINAR_SCREENSHOTS names, if it does."""
    folder = os.environ.get("SEMINAR_SCREENSHOTS")

    def take(page: playwright.Page, name: str) -> None:
        if folder:
            page.screenshot(path=Path(folder) / f"{name}.png")

    return take
