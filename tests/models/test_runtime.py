import os
import subprocess
import sys
from pathlib import Path

LOAD = "from seminar.models.encoders import load_encoder; load_encoder('minilm').encode(['x'])"


def test_a_model_leaves_nothing_in_the_home(tmp_path: Path):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("XDG_")}
    environment.pop("ORT_DISABLE_TELEMETRY", None)
    subprocess.run(
        [sys.executable, "-c", LOAD], env={**environment, "HOME": str(tmp_path)}, check=True
    )
    assert list(tmp_path.iterdir()) == []
