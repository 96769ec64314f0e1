import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

from seminar.errors import ConfigurationError
from seminar.models.runtime import load_session
from seminar.weights import weights_folder

LOAD = (
    "from seminar.models.encoders.registry import load_encoder\n"
    "load_encoder('minilm').encode(['x'])"
)


def test_a_model_leaves_nothing_in_the_home(tmp_path: Path):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("XDG_")}
    environment.pop("ORT_DISABLE_TELEMETRY", None)
    subprocess.run(
        [sys.executable, "-c", LOAD], env={**environment, "HOME": str(tmp_path)}, check=True
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kept", [5, 50_000])
def test_a_truncated_packed_model_is_named_by_its_path(tmp_path: Path, kept: int):
    whole = gzip.compress((weights_folder("minilm") / "tokenizer.json").read_bytes())
    (tmp_path / "model.onnx.gz").write_bytes(whole[:kept])
    with pytest.raises(ConfigurationError, match=r"model\.onnx\.gz can't be unpacked"):
        load_session(tmp_path)
