"""Every folder of weights has a card, and the card's checksums are those of the files."""

import hashlib
import re
from pathlib import Path

import pytest

from seminar.weights import shipped_models, weights_folder

LIMIT = 120 * 10**6
FOLDERS = [weights_folder(name) for name in shipped_models()]
CHECKSUM = re.compile(r"^\| `([^`]+)` \| [\d,]+ \| `([0-9a-f]{64})` \|$", re.MULTILINE)


def checksums(folder: Path) -> dict[str, str]:
    return dict(CHECKSUM.findall((folder / "card.md").read_text(encoding="utf-8")))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_card_names_every_file_with_its_checksum(folder: Path):
    files = {path.name: path for path in folder.iterdir() if path.name != "card.md"}
    actual = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()}
    assert checksums(folder) == actual


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_card_names_the_source_of_its_weights(folder: Path):
    headings = re.findall(r"^## (.+)$", (folder / "card.md").read_text("utf-8"), re.MULTILINE)
    assert headings == ["Files", "Source", "Licence", "Made by", "Data", "Scores", "Limits"]


def test_all_weights_together_stay_small():
    files = [path for folder in FOLDERS for path in folder.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < LIMIT
