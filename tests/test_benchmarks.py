"""Benchmarks are run by hand, so a test imports each of them."""

from importlib import import_module

import pytest

from tests.paths import ROOT

NAMES = sorted(path.stem for path in (ROOT / "benchmarks").glob("*.py"))


@pytest.mark.parametrize("name", NAMES)
def test_benchmark_is_importable(name: str):
    pytest.importorskip("torch")
    assert import_module(f"benchmarks.{name}").__doc__
