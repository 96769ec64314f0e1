from collections.abc import Iterator

import pytest

from tests.serving.identity.people import People, people_of, weak


@pytest.fixture(scope="session")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[People]:
    """The service with several users that the tests of identity share."""
    with people_of(weak(tmp_path_factory.mktemp("people"))) as started:
        yield started
