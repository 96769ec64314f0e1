import json
from pathlib import Path

import pytest

from seminar.ingestion.discover import SourceFile
from seminar.ingestion.loader import read_passages
from seminar.types import Passage

SAID = [
    (
        "CHAIR",
        "Welcome to the forum. The budget for next year will be 9.4 million crowns. "
        "I think that the survey should run for four weeks in term.",
    ),
    (
        "RASK",
        "Thank you. Every crossing burns 310 litres of fuel. "
        "The late boat was asked for on 14 April.",
    ),
    ("CHAIR", "You may say so. The steamer will be replaced in August, when nobody has to eat."),
]


@pytest.fixture
def panel(tmp_path: Path) -> Path:
    path = tmp_path / "panel.jsonl"
    lines = [json.dumps({"speaker": who, "text": text, "thread": "1"}) for who, text in SAID]
    path.write_text("\n".join(lines))
    return path


@pytest.fixture
def chunk(panel: Path) -> Passage:
    [passage] = read_passages(SourceFile(panel, panel.name), print)
    return passage
