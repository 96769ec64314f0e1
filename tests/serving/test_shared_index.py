"""Collections that are an index on object storage, which others write."""

from pathlib import Path

import pytest

pytest.importorskip("moto")

from seminar.assembly import index_files
from seminar.errors import ConfigurationError
from seminar.models.encoders.registry import load_encoder
from seminar.serving.collections.places import check_places
from seminar.serving.settings import ServiceSettings
from tests.s3_server import storage
from tests.serving.conftest import ASSISTANT, running
from tests.serving.test_collections import API, files, index


def test_index_at_a_url_is_asked_and_looked_at_again(tmp_path: Path):
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "ferry.md").write_text("# Ferry\n\nThe ferry leaves the pier at noon.\n")
    encoder = load_encoder("static")
    with storage() as server:
        place = server.new_place()
        with pytest.raises(ConfigurationError, match="no index; make one with"):
            check_places((), (place,))
        index_files([notes], place, encoder)
        settings = ServiceSettings(folder=tmp_path / "s", indexes=(place,), assistant=ASSISTANT)
        with running(settings) as service:
            [listed] = service.client.get(f"{API}/collections").json()["items"]
            made = str(listed["id"])
            service.wait_for_index(made)
            assert listed["name"] == place.name
            assert list(files(service, made)) == ["ferry.md"]
            dialogue = service.client.post(f"{API}/dialogues", json={"collection": made}).json()
            turns = f"{API}/dialogues/{dialogue['id']}/turns"
            asked = service.client.post(turns, json={"question": "When does the ferry leave?"})
            assert "at noon" in asked.json()["reply"]["text"]
            (notes / "mill.md").write_text("# Mill\n\nThe mill was built in 1803 by Ada Holm.\n")
            index_files([notes], place, encoder)
            assert index(service, made)["passages"] == 2
            asked = service.client.post(turns, json={"question": "When was the mill built?"})
            assert "1803" in asked.json()["reply"]["text"]
