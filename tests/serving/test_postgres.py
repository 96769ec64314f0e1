"""The whole service over PostgreSQL."""

import pytest

from seminar.serving.settings import ServiceSettings
from tests.paths import EXAMPLES
from tests.serving.conftest import ASSISTANT, new_database, running
from tests.serving.test_collections import API, create, files, index, upload


def test_a_service_over_postgresql_indexes_asks_and_keeps(request: pytest.FixtureRequest, tmp_path):
    settings = ServiceSettings(
        folder=tmp_path / "state",
        database=new_database(request, tmp_path, "postgresql"),
        paths=(EXAMPLES / "collection" / "halls", EXAMPLES / "collection" / "choir.md"),
        assistant=ASSISTANT,
    )
    with running(settings) as first:
        listed = first.client.get(f"{API}/collections").json()["items"]
        assert {one["name"] for one in listed} == {"halls", "choir.md"}
        made = str(create(first, "Uploads")["id"])
        upload(first, made, "ferry.md", b"# Ferry\n\nThe ferry leaves the pier at noon.\n")
        assert index(first, made)["passages"] == 1
        dialogue = first.client.post(f"{API}/dialogues", json={"collection": made}).json()["id"]
        asked = first.client.post(
            f"{API}/dialogues/{dialogue}/turns", json={"question": "When does the ferry leave?"}
        )
        assert "at noon" in asked.json()["reply"]["text"]
    with running(settings) as second:
        [turn] = second.client.get(f"{API}/dialogues/{dialogue}").json()["turns"]
        assert turn["reply"] == asked.json()["reply"]
        assert files(second, made) == {"ferry.md": (44, 1, None)}
        assert len(second.client.get(f"{API}/collections").json()["items"]) == 3
