import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("accelerate")
nn = torch.nn

from accelerate.state import AcceleratorState  # noqa: E402

from seminar.errors import MissingExtraError  # noqa: E402
from seminar.training.loop.config import LoopConfig  # noqa: E402
from seminar.training.loop.hardware import (  # noqa: E402
    Accelerated,
    Plain,
    first_process_first,
    placed,
)
from seminar.training.loop.run import LAST, LOG, Position, Run  # noqa: E402

CONFIG = LoopConfig(
    steps=6, learning_rate=0.05, warmup_steps=0, schedule="constant", log_steps=1, threads=1
)


@dataclass(frozen=True)
class Numbers:
    values: torch.Tensor
    names: tuple[str, ...] = ("a",)


class Sum:
    """Learns to add three numbers; half of its first layer is left unused."""

    def __init__(self, dropout: float = 0.0) -> None:
        torch.manual_seed(1)
        self._network = nn.Sequential(nn.Linear(3, 8), nn.Dropout(dropout), nn.Linear(8, 1))
        self.spare = self._network.register_parameter("spare", nn.Parameter(torch.ones(2)))

    @property
    def network(self):
        return self._network

    def batches(self, position: Position) -> Iterator[tuple[Numbers, Position]]:
        number = position.batch
        while True:
            number += 1
            values = torch.randn(4, 3, generator=torch.Generator().manual_seed(number))
            yield Numbers(values), Position(0, number, 4 * number)

    def losses(self, batch: Numbers):
        wrong = self._network(batch.values).squeeze(1) - batch.values.sum(dim=1)
        return {"error": wrong.square().mean()}

    def evaluate(self) -> dict[str, float]:
        return {"loss": float(self.losses(next(self.batches(Position()))[0])["error"])}


@pytest.fixture(autouse=True)
def fresh_accelerate() -> Iterator[None]:
    """Accelerate remembers its first precision for as long as the process lives."""
    AcceleratorState._reset_state(True)
    yield
    AcceleratorState._reset_state(True)


def weights(run: Run) -> list:
    return [value.clone() for value in run.task.network.state_dict().values()]


def config(**changes) -> LoopConfig:
    return LoopConfig(**{**{name: getattr(CONFIG, name) for name in CONFIG.__slots__}, **changes})


def test_the_plain_cpu_is_chosen_where_nothing_else_is_there_or_wanted(tmp_path):
    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    assert isinstance(Run(Sum(), config(), tmp_path).hardware, Plain)
    assert isinstance(Run(Sum(), config(hardware="cpu"), tmp_path).hardware, Plain)
    assert isinstance(Run(Sum(), config(precision="bf16"), tmp_path).hardware, Accelerated)


def test_accelerate_learns_what_the_plain_cpu_learns(tmp_path):
    plain = Run(Sum(), config(hardware="cpu"), tmp_path / "plain")
    plain.train()
    accelerated = Run(Sum(), config(hardware="accelerate"), tmp_path / "accelerated")
    accelerated.train()
    for one, other in zip(weights(plain), weights(accelerated), strict=True):
        assert torch.allclose(one, other.cpu(), atol=1e-6)


def test_half_precision_learns_and_keeps_whole_weights(tmp_path):
    run = Run(Sum(), config(precision="bf16", steps=40), tmp_path)
    run.score()
    before = run.best
    run.train()
    assert -run.best < -before / 2
    assert {value.dtype for value in weights(run)} == {torch.float32}


def test_scores_are_computed_in_the_precision_of_the_training(tmp_path):
    class Seen(Sum):
        def evaluate(self) -> dict[str, float]:
            said = self.network(next(self.batches(Position()))[0].values)
            return {"bits": 8.0 * said.itemsize}

    scores = []
    for precision in ("fp32", "bf16"):
        AcceleratorState._reset_state(True)
        run = Run(Seen(), config(hardware="accelerate", precision=precision), tmp_path / precision)
        run.score()
        scores.append(json.loads((tmp_path / precision / LOG).read_text())["scores"])
    assert scores == [{"bits": 32.0}, {"bits": 16.0}]


def test_an_accelerated_run_resumes_exactly_with_dropout(tmp_path):
    whole = Run(Sum(dropout=0.5), config(hardware="accelerate"), tmp_path / "whole")
    whole.train()
    cut = Run(Sum(dropout=0.5), config(hardware="accelerate", steps=3), tmp_path / "cut")
    cut.train()
    resumed = Run(Sum(dropout=0.5), config(hardware="accelerate"), tmp_path / "cut")
    resumed.resume(tmp_path / "cut" / LAST)
    resumed.train()
    for one, other in zip(weights(whole), weights(resumed), strict=True):
        assert torch.equal(one, other)


def _train_a_share(folder: Path) -> None:
    torch.set_num_threads(1)
    with first_process_first():
        folder.mkdir(exist_ok=True)
        found = (folder / "prepared").exists()
        (folder / "prepared").touch()
        (folder / f"found-{found}").touch()
    Run(Sum(), config(steps=3), folder).train()


def test_two_processes_learn_what_one_does_from_two_batches_a_step(tmp_path, monkeypatch):
    from accelerate import debug_launcher

    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    debug_launcher(_train_a_share, (tmp_path / "two",), num_processes=2)
    assert {path.name for path in (tmp_path / "two").glob("found-*")} == {
        "found-False",
        "found-True",
    }
    one = Run(Sum(), config(steps=3, accumulate=2, hardware="cpu"), tmp_path / "one")
    one.train()
    state = torch.load(tmp_path / "two" / LAST, weights_only=True)
    assert (state["position"], len(state["rngs"])) == ((0, 6, 24), 2)
    for name, value in one.task.network.state_dict().items():
        assert torch.allclose(value, state["network"][name], atol=1e-6)


def test_a_batch_is_placed_whatever_holds_its_tensors():
    tensor = torch.zeros(2)
    batch = {"one": Numbers(tensor), "two": [tensor, (3, tensor)]}
    moved = placed(batch, "meta")
    assert moved["one"].values.device.type == "meta"
    assert moved["one"].names == ("a",)
    assert [moved["two"][0].device.type, moved["two"][1][1].device.type] == ["meta", "meta"]
    assert moved["two"][1][0] == 3


def test_without_accelerate_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "accelerate", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'seminar\[train\]'"):
        Run(Sum(), config(precision="bf16"), tmp_path)
