import json
import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
nn = torch.nn

from seminar.errors import ConfigurationError, SeminarError  # noqa: E402
from seminar.training.loop import BEST, LAST, LOG, LoopConfig, Position, Run  # noqa: E402

CONFIG = LoopConfig(
    steps=12, learning_rate=0.05, warmup_steps=2, decay_steps=4, log_steps=1, threads=1
)


class Line:
    """A task small enough to follow: with dropout, so that the random state matters."""

    def __init__(self, *, stop_at: int | None = None, broken_at: int | None = None) -> None:
        torch.manual_seed(1)
        self._network = nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.5), nn.Linear(8, 1))
        self.stop_at, self.broken_at = stop_at, broken_at

    @property
    def network(self):
        return self._network

    def batches(self, position: Position) -> Iterator[tuple[int, Position]]:
        number = position.batch
        while True:
            number += 1
            yield number, Position(0, number, 4 * number)

    def losses(self, batch: int):
        if batch == self.stop_at:
            os.kill(os.getpid(), signal.SIGTERM)
        inputs = torch.randn(4, 3, generator=torch.Generator().manual_seed(batch))
        error = (self._network(inputs).squeeze(1) - inputs.sum(dim=1)).square().mean()
        return {"error": error * float("nan") if batch == self.broken_at else error}

    def evaluate(self) -> dict[str, float]:
        return {"score": 1.0}


def weights(run: Run) -> list:
    return [value.clone() for value in run.task.network.state_dict().values()]


def same(left: list, right: list) -> bool:
    return all(torch.equal(one, other) for one, other in zip(left, right, strict=True))


def entries(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / LOG).read_text().splitlines()]


def test_a_resumed_run_ends_bit_for_bit_where_an_uninterrupted_one_does(tmp_path):
    whole = Run(Line(), CONFIG, tmp_path / "whole")
    whole.train()

    stopped = Run(Line(stop_at=5), CONFIG, tmp_path / "cut")
    stopped.train()
    assert (stopped.step, stopped.position) == (5, Position(0, 5, 20))
    resumed = Run(Line(), CONFIG, tmp_path / "cut")
    resumed.resume(tmp_path / "cut" / LAST)
    resumed.train()

    assert (resumed.step, whole.step) == (12, 12)
    assert same(weights(whole), weights(resumed))
    losses = [
        [one["loss"] for one in entries(tmp_path / name) if "loss" in one]
        for name in ("whole", "cut")
    ]
    assert losses[0] == losses[1]


def test_a_signal_to_stop_writes_a_checkpoint_and_gives_the_signal_back(tmp_path):
    before = signal.getsignal(signal.SIGTERM)
    Run(Line(stop_at=3), CONFIG, tmp_path).train()
    assert torch.load(tmp_path / LAST, weights_only=True)["step"] == 3
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_loss_that_is_no_number_stops_and_keeps_the_last_good_checkpoint(tmp_path):
    run = Run(Line(broken_at=4), replace(CONFIG, checkpoint_minutes=0.0), tmp_path)
    with pytest.raises(SeminarError, match=r"the loss became nan at step 3 \(error nan\)"):
        run.train()
    state = torch.load(tmp_path / LAST, weights_only=True)
    assert state["step"] == 3
    assert all(bool(torch.isfinite(value).all()) for value in state["network"].values())


def test_a_crash_while_writing_leaves_the_checkpoint_before_it(tmp_path, monkeypatch):
    run = Run(Line(), CONFIG, tmp_path)
    run.save()
    before = (tmp_path / LAST).read_bytes()

    def full_disk(descriptor: int) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(OSError, match="no space left"):
        run.save()
    assert (tmp_path / LAST).read_bytes() == before


def test_the_stable_schedule_warms_up_holds_and_decays():
    rates = [round(CONFIG.rate(step), 4) for step in (0, 1, 2, 7, 8, 9, 11)]
    assert rates == [0.025, 0.05, 0.05, 0.05, 0.05, 0.0375, 0.0125]


def test_the_linear_schedule_decays_from_the_end_of_the_warm_up():
    linear = replace(CONFIG, schedule="linear")
    assert [round(linear.rate(step), 4) for step in (0, 2, 7, 11)] == [0.025, 0.05, 0.025, 0.005]


def test_an_unknown_schedule_is_named():
    with pytest.raises(ConfigurationError, match="unknown schedule 'cosine'"):
        LoopConfig(steps=1, schedule="cosine")


def test_the_log_holds_losses_rates_and_scores(tmp_path):
    Run(Line(), replace(CONFIG, steps=2), tmp_path).train()
    logged = entries(tmp_path)
    assert [sorted(entry) for entry in logged] == [
        ["error", "examples", "loss", "rate", "seconds", "step"],
        ["error", "examples", "loss", "rate", "seconds", "step"],
        ["examples", "scores", "seconds", "step"],
    ]
    assert logged[2]["scores"] == {"score": 1.0}
    assert torch.load(tmp_path / BEST, weights_only=True)["scores"] == {"score": 1.0}


def test_frozen_weights_stay_as_they_were(tmp_path):
    task = Line()
    task.network[0].requires_grad_(False)
    frozen, trained = task.network[0].weight.clone(), task.network[2].weight.clone()
    Run(task, CONFIG, tmp_path).train()
    assert torch.equal(task.network[0].weight, frozen)
    assert not torch.equal(task.network[2].weight, trained)
