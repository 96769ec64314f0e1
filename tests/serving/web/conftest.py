"""Chromium over real servers of the web chat."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright import sync_api as playwright

from seminar.serving.settings import ServiceSettings
from tests.browser import NewPage, chromium, new_page, screenshot, skip_without_chromium
from tests.serving.conftest import ASSISTANT, Service, running
from tests.serving.identity.people import People, people_of, weak

__all__ = ["chromium", "new_page", "screenshot"]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    skip_without_chromium(Path(__file__).parent, config, items)


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
