import json
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
nn = torch.nn

from seminar.errors import ConfigurationError, SeminarError  # noqa: E402
from seminar.training.loop.run import BEST, LAST, LOG, LoopConfig, Position, Run  # noqa: E402

CONFIG = LoopConfig(
    steps=12, learning_rate=0.05, warmup_steps=2, decay_steps=4, log_steps=1, threads=1
)


class Line:
    """A task small enough to follow: with dropout, so that the random state matters."""

    def __init__(
        self,
        *,
        stop_at: int | None = None,
        broken_at: int | None = None,
        scores: Sequence[float] = (1.0,),
        name: str = "score",
        dropout: float = 0.5,
    ) -> None:
        torch.manual_seed(1)
        self._network = nn.Sequential(nn.Linear(3, 8), nn.Dropout(dropout), nn.Linear(8, 1))
        self.stop_at, self.broken_at = stop_at, broken_at
        self.scores, self.name = scores, name
        self.modes: list[bool] = []
        self.evaluations = 0

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
        self.modes.append(self._network.training)
        error = (self._network(inputs).squeeze(1) - inputs.sum(dim=1)).square().mean()
        return {"error": error * float("nan") if batch == self.broken_at else error}

    def evaluate(self) -> dict[str, float]:
        self.modes.append(self._network.training)
        self.evaluations += 1
        return {self.name: self.scores[min(self.evaluations, len(self.scores)) - 1]}


class Counted(Line):
    """The same, with an epoch of eight batches."""

    epoch_batches = 8


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


@contextmanager
def no_room_beyond(size: int) -> Iterator[None]:
    """No file may grow beyond so many bytes: what a full disk does to a writer."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_leaves_the_checkpoint_before_it(tmp_path):
    run = Run(Line(), CONFIG, tmp_path)
    run.save()
    before = (tmp_path / LAST).read_bytes()
    run.step = 7
    with (
        no_room_beyond(1024),
        pytest.raises(SeminarError, match=r"can't be written .*the one before it is whole"),
    ):
        run.save()
    assert (tmp_path / LAST).read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [LAST]


def test_a_full_disk_while_logging_names_the_log(tmp_path):
    run = Run(Line(), CONFIG, tmp_path)
    with no_room_beyond(0), pytest.raises(SeminarError, match=r"log.jsonl can't be written"):
        run.log({"loss": 1.0})


def test_a_crash_while_writing_leaves_the_checkpoint_before_it(tmp_path, monkeypatch):
    run = Run(Line(), CONFIG, tmp_path)
    run.save()
    before = (tmp_path / LAST).read_bytes()

    def full_disk(descriptor: int) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(SeminarError, match="no space left"):
        run.save()
    assert (tmp_path / LAST).read_bytes() == before


def test_a_checkpoint_from_before_halving_and_patience_is_resumed(tmp_path):
    run = Run(Line(stop_at=5), CONFIG, tmp_path)
    run.train()
    state = torch.load(tmp_path / LAST, weights_only=True)
    older = ("network", "optimizer", "rng", "step", "best", "seconds", "position")
    torch.save({name: state[name] for name in older}, tmp_path / "older.pt")
    resumed = Run(Line(), CONFIG, tmp_path)
    resumed.resume(tmp_path / "older.pt")
    assert (resumed.step, resumed.scale, resumed.stale) == (5, 1.0, 0)
    assert same(weights(run), weights(resumed))


def test_a_checkpoint_of_another_network_or_none_is_named(tmp_path):
    Run(Line(), replace(CONFIG, steps=1), tmp_path).train()
    wide = Line()
    wide.network[2] = nn.Linear(8, 2)
    other = Run(wide, CONFIG, tmp_path / "other")
    with pytest.raises(ConfigurationError, match=r"another network than Sequential.*2.weight is"):
        other.resume(tmp_path / LAST)
    with pytest.raises(ConfigurationError, match=r"best.pt holds weights only: resume from a last"):
        Run(Line(), CONFIG, tmp_path / "third").resume(tmp_path / BEST)
    (tmp_path / "cut.pt").write_bytes((tmp_path / LAST).read_bytes()[:500])
    for name in ("cut.pt", "none.pt"):
        with pytest.raises(ConfigurationError, match=rf"{name} can't be read as a checkpoint"):
            other.resume(tmp_path / name)


def test_the_stable_schedule_warms_up_holds_and_decays():
    rates = [round(CONFIG.rate(step), 4) for step in (0, 1, 2, 7, 8, 9, 11)]
    assert rates == [0.025, 0.05, 0.05, 0.05, 0.05, 0.0375, 0.0125]


def test_the_linear_schedule_decays_from_the_end_of_the_warm_up():
    linear = replace(CONFIG, schedule="linear")
    assert [round(linear.rate(step), 4) for step in (0, 2, 7, 11)] == [0.025, 0.05, 0.025, 0.005]


def test_the_constant_schedule_never_decays():
    constant = replace(CONFIG, schedule="constant")
    assert [constant.rate(step) for step in (0, 2, 11)] == [0.025, 0.05, 0.05]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"schedule": "cosine"}, "unknown schedule 'cosine'"),
        ({"precision": "int8"}, "unknown precision 'int8'"),
        ({"hardware": "tpu"}, "unknown hardware 'tpu'"),
        ({"hardware": "cpu", "precision": "bf16"}, "needs hardware 'auto'"),
        ({"accumulate": 0}, "a step needs a batch"),
        ({"steps": 0}, "no 'steps' and no 'epochs'"),
    ],
)
def test_a_setting_that_cannot_be_is_named(wrong, message):
    with pytest.raises(ConfigurationError, match=message):
        replace(CONFIG, **wrong)


def test_two_batches_accumulated_are_one_of_twice_the_size(tmp_path):
    class Twice(Line):
        def losses(self, batch: int):
            halves = [super().losses(2 * batch - 1), super().losses(2 * batch)]
            return {"error": (halves[0]["error"] + halves[1]["error"]) / 2}

    config = replace(CONFIG, steps=3)
    accumulated = Run(Line(dropout=0.0), replace(config, accumulate=2), tmp_path / "two")
    accumulated.train()
    whole = Run(Twice(dropout=0.0), config, tmp_path / "one")
    whole.train()
    assert accumulated.position == Position(0, 6, 24)
    for one, other in zip(weights(accumulated), weights(whole), strict=True):
        assert torch.allclose(one, other, atol=1e-6)


def test_the_rate_is_halved_when_a_score_is_no_better(tmp_path):
    config = replace(CONFIG, steps=5, schedule="constant", evaluate_steps=1, halve=True)
    Run(Line(scores=(1, 2, 2, 1, 3)), config, tmp_path).train()
    rates = [one["rate"] for one in entries(tmp_path) if "rate" in one]
    assert rates == [0.025, 0.05, 0.05, 0.025, 0.0125]


def test_a_run_that_stops_improving_ends_and_keeps_its_best(tmp_path):
    config = replace(CONFIG, evaluate_steps=2, patience=2)
    run = Run(Line(scores=(9, 7, 8, 7.5), name="perplexity"), config, tmp_path)
    run.train()
    assert (run.step, run.best, run.stale) == (8, -7, 2)
    best = torch.load(tmp_path / BEST, weights_only=True)
    assert (best["scores"], best["step"]) == ({"perplexity": 7}, 4)


def test_halving_and_patience_resume_where_they_stood(tmp_path):
    scores = (3, 2, 4, 1, 1, 1)
    config = replace(CONFIG, evaluate_steps=2, patience=3, halve=True)
    whole = Run(Line(scores=scores), config, tmp_path / "whole")
    whole.train()
    cut = Run(Line(scores=scores, stop_at=9), config, tmp_path / "cut")
    cut.train()
    assert (cut.step, cut.scale, cut.stale) == (9, 0.25, 1)
    resumed = Run(Line(scores=scores[4:]), config, tmp_path / "cut")
    resumed.resume(tmp_path / "cut" / LAST)
    resumed.train()
    assert (resumed.step, resumed.scale, resumed.stale) == (whole.step, whole.scale, whole.stale)
    assert same(weights(whole), weights(resumed))


def test_epochs_are_counted_in_the_tasks_batches(tmp_path):
    config = replace(CONFIG, steps=0, epochs=1.5, evaluate_epochs=0.25, accumulate=2)
    task = Counted()
    run = Run(task, config, tmp_path)
    run.train()
    assert (run.step, task.evaluations) == (6, 6)
    with pytest.raises(ConfigurationError, match="Line doesn't know how long an epoch is"):
        Run(Line(), config, tmp_path / "line")


def test_dropout_works_in_training_and_rests_in_evaluation(tmp_path):
    task = Line()
    Run(task, replace(CONFIG, steps=2, evaluate_steps=1), tmp_path).train()
    assert task.modes == [True, False, True, False]


def test_the_best_weights_are_exported_where_the_task_knows_how(tmp_path):
    class Exporting(Line):
        def export(self, folder: Path) -> None:
            self.exported = (folder.name, weights(run))

    task = Exporting(scores=(2, 1))
    run = Run(task, replace(CONFIG, evaluate_steps=6), tmp_path)
    run.train()
    run.export(tmp_path / "model")
    name, exported = task.exported
    best = torch.load(tmp_path / BEST, weights_only=True)
    assert (name, best["step"]) == ("model", 6)
    assert same(exported, list(best["network"].values()))


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
