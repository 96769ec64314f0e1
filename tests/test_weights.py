"""Weights are found in the checkout, else in the installed packages that provide them."""

import shutil
from pathlib import Path

import pytest

from seminar.errors import ConfigurationError, MissingWeightsError
from seminar.weights import FOLDER, read_weights, shipped_models, weights_folder


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package `other_weights` that provides the models `tiny` and `minilm`."""
    package = tmp_path / "other_weights"
    for name in ("tiny", "minilm"):
        (package / name).mkdir(parents=True)
    (package / "__init__.py").touch()
    metadata = tmp_path / "other_weights-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: other-weights\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        "[seminar.weights]\ntiny = other_weights\nminilm = other_weights\nlost = other_weights\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    return package


def test_weights_folder_finds_a_model_in_an_installed_package(package: Path):
    assert weights_folder("tiny") == package / "tiny"


def test_weights_folder_prefers_the_checkout(package: Path):
    assert weights_folder("minilm") == FOLDER / "minilm"


def test_shipped_models_include_those_of_installed_packages(package: Path):
    assert {"tiny", "minilm", "reader"} <= set(shipped_models())


@pytest.mark.parametrize("name", ["lost", "unheard-of"])
def test_weights_folder_without_the_package_names_the_pip_line(package: Path, name: str):
    line = "pip install seminar-weights seminar-weights-reader"
    with pytest.raises(MissingWeightsError, match=f"weights of '{name}' are not installed: {line}"):
        weights_folder(name)


def test_weights_that_differ_from_their_card_are_not_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name in ("whole", "damaged"):
        shutil.copytree(FOLDER / "speakers", tmp_path / "checked_weights" / name)
    (tmp_path / "checked_weights" / "__init__.py").touch()
    metadata = tmp_path / "checked_weights-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: c\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        "[seminar.weights]\nwhole = checked_weights\ndamaged = checked_weights\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    weights = weights_folder("damaged") / "weights.json"
    weights.write_bytes(weights.read_bytes().replace(b"1", b"2", 1))
    assert read_weights("whole") == read_weights("speakers")
    with pytest.raises(ConfigurationError, match=r"'damaged' are not as their card says: weights"):
        read_weights("damaged")
