"""`import seminar`: the names it offers, and the packages it doesn't load."""

import subprocess
import sys
from pathlib import Path

import pytest

import seminar
from seminar.version import package_version

ROOT = Path(__file__).parent.parent
HEAVY = ["numpy", "torch", "onnxruntime", "lancedb", "click", "rich"]


def run_python(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout


def test_import_loads_no_heavy_package():
    code = f"import seminar, sys; print([name for name in {HEAVY} if name in sys.modules])"
    assert run_python(code) == "[]\n"


def test_errors_and_version_load_no_heavy_package():
    code = (
        "import sys; from seminar import SeminarError, __version__; "
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    assert run_python(code) == "[]\n"


@pytest.mark.parametrize("name", seminar.__all__)
def test_every_public_name_is_importable(name: str):
    assert getattr(seminar, name) is not None
    assert name in dir(seminar)


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'seminar' has no attribute 'opne'"):
        _ = seminar.opne


def test_package_that_is_not_installed_has_unknown_version():
    assert package_version("no-such-package") == "0+unknown"


def test_package_is_marked_as_typed():
    assert (ROOT / "seminar" / "py.typed").is_file()


def test_five_lines_print_an_answer_and_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("SEMINAR_HOME", str(tmp_path))
    monkeypatch.chdir(ROOT)
    code = """
import seminar

session = seminar.open("examples/collection")
for question in ["When was the Tide Choir founded?", "Who is the conductor?"]:
    reply = session.ask(question)
    print(reply.text, [span.source for span in reply.literal])
"""
    exec(compile(code, "example", "exec"), {})
    first, second = capsys.readouterr().out.splitlines()
    assert first == "1979 ['choir.md']"
    assert second == "Bram Castellane ['choir.md']"
