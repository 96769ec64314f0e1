"""The examples of docs/integrations.md run as they are printed."""

import re

import pytest

from tests.paths import ROOT

PAGE = (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
PRINTED = ["", "1979\n", "choir.md:", "choir.md:"]


@pytest.mark.parametrize(("code", "printed"), list(zip(EXAMPLES, PRINTED, strict=True)))
def test_example_runs(
    code: str,
    printed: str,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.setenv("SEMINAR_HOME", str(tmp_path_factory.getbasetemp() / "examples-home"))
    monkeypatch.chdir(ROOT)
    exec(compile(code, "example", "exec"), {"__name__": "example"})
    assert capsys.readouterr().out.startswith(printed)
