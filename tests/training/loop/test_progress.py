from io import StringIO
from types import SimpleNamespace

import pytest

pytest.importorskip("torch")

from rich.console import Console

from seminar.training.loop.progress import progress_of

RUN = SimpleNamespace(
    config=SimpleNamespace(steps=9), step=4, best=-2.5, hardware=SimpleNamespace(rank=0)
)


def shown(*, terminal: bool) -> str:
    console = Console(file=StringIO(), force_terminal=terminal, width=100, color_system=None)
    with progress_of(RUN, console) as watch:
        watch(RUN, {"loss": 0.25})
    return console.file.getvalue()


def test_a_terminal_shows_steps_loss_and_best_score():
    told = shown(terminal=True)
    assert "step 4/9" in told
    assert "loss 0.250, best 2.50" in told


def test_elsewhere_nothing_is_shown():
    assert shown(terminal=False).strip() == ""
