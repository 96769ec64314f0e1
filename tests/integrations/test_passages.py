from pathlib import Path

from seminar.integrations.passages import passage_metadata
from seminar.session import open_session


def test_metadata_has_only_what_is_known(folder: Path):
    session = open_session(folder, encoder="static")
    hit = session.search("Who finished the tower?", 1)[0]
    assert passage_metadata(session, hit) == {
        "id": hit.passage.id,
        "source": "tower.txt",
        "document": "tower.txt",
        "start": 0,
        "end": 50,
        "title": hit.passage.title,
        "line": 1,
        "column": 1,
        "citation": "tower.txt:1:1",
        "file": str(folder / "tower.txt"),
        "score": hit.score,
    }
