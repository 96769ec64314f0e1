"""Every golden vector of the official programs, through the public functions.

SEMINAR_GOLDEN names a folder of vectors; without it, the ones beside this file are run. A file or
an operation without an adapter fails.
"""

import json
import math
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from seminar.errors import SeminarError
from tests.golden import answers, rankings

Json = dict[str, Any]
FOLDER = Path(os.environ.get("SEMINAR_GOLDEN") or Path(__file__).parent / "vectors")
TOLERANCES = {"bartscore": 1e-5}


ADAPTERS: dict[tuple[str, str], Callable[[Json, bool], Json]] = {
    **answers.ADAPTERS,
    **rankings.ADAPTERS,
}
NEEDS_JAVA = {("ambigqa", "eval_qg")}


def vectors() -> Iterator[Any]:
    for path in sorted(FOLDER.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        for case in document["cases"]:
            name = f"{path.stem}-{case['input']['op']}-{case['name']}"
            yield pytest.param(document["scorer"], case["input"], case["expected"], id=name)


VECTORS = list(vectors())


def adapter_of(scorer: str, case: Json) -> Callable[[Json, bool], Json]:
    operation = (scorer, case["op"])
    if operation in NEEDS_JAVA:
        pytest.skip("starts before the official Java tokenizer")
    if operation not in ADAPTERS:
        pytest.fail(f"no adapter for {operation}")
    return ADAPTERS[operation]


def differences(actual: object, expected: object, tolerance: float, where: str = "") -> list[str]:
    if isinstance(expected, dict) and isinstance(actual, dict):
        if actual.keys() != expected.keys():
            return [f"{where}: keys {list(actual)}, expected {list(expected)}"]
        pairs = [(f"{where}.{key}", actual[key], expected[key]) for key in expected]
        return [line for at, a, b in pairs for line in differences(a, b, tolerance, at)]
    if isinstance(expected, list) and isinstance(actual, list):
        if len(actual) != len(expected):
            return [f"{where}: {len(actual)} items, expected {len(expected)}"]
        pairs = [
            (f"{where}[{i}]", *both) for i, both in enumerate(zip(actual, expected, strict=True))
        ]
        return [line for at, a, b in pairs for line in differences(a, b, tolerance, at)]
    return [] if same(actual, expected, tolerance) else [f"{where}: {actual!r} for {expected!r}"]


def same(actual: object, expected: object, tolerance: float) -> bool:
    if expected == "NaN":
        return isinstance(actual, float) and math.isnan(actual)
    if isinstance(actual, float) and isinstance(expected, int | float):
        return abs(actual - expected) <= tolerance
    return bool(actual == expected and isinstance(actual, bool) == isinstance(expected, bool))


def test_there_are_vectors():
    assert VECTORS, f"no vectors in {FOLDER}"


@pytest.mark.parametrize(("scorer", "case", "expected"), VECTORS)
def test_vector(scorer: str, case: Json, expected: Json):
    adapter = adapter_of(scorer, case)
    if "error" in expected:
        with pytest.raises(BaseException) as caught:  # noqa: PT011 - the class is checked below
            adapter(case, True)
        assert type(caught.value).__name__ == expected["error"]
    else:
        found = differences(adapter(case, True), expected, TOLERANCES.get(scorer, 1e-9))
        assert not found, "\n".join(found)


FAULTS = [vector for vector in VECTORS if "error" in vector.values[2]]


@pytest.mark.parametrize(("scorer", "case", "expected"), FAULTS)
def test_where_the_official_program_stops_the_default_gives_a_value_or_helps(
    scorer: str, case: Json, expected: Json
):
    adapter = adapter_of(scorer, case)
    try:
        assert adapter(case, False) is not None
    except SeminarError as error:
        assert len(str(error)) > 10  # noqa: PT017 - either outcome will do
