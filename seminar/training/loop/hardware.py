"""The hardware of a run: one CPU, bit for bit reproducible, or the devices of accelerate."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import fields, is_dataclass, replace
from typing import Any, Protocol, TypeVar

import torch
from torch import Tensor, nn

from seminar.errors import MissingExtraError

Value = TypeVar("Value")
Losses = Callable[[Any], dict[str, Tensor]]


class Hardware(Protocol):
    """Computes losses and updates weights; several processes share each step."""

    rank: int
    processes: int

    def losses(self, batch: object) -> dict[str, Tensor]:
        """The losses of a batch, which is moved to the network's device."""
        ...

    def sharing(self, *, last: bool) -> AbstractContextManager[Any]:
        """Processes share their gradients after the last batch of a step only."""
        ...

    def scoring(self) -> AbstractContextManager[Any]:
        """Evaluation computes in the precision of the training."""
        ...

    def backward(self, loss: Tensor) -> None: ...
    def step(self, clip: float) -> None: ...
    def agreed(self, value: Value) -> Value:
        """The first process's value, so that all decide alike."""
        ...

    def state(self) -> dict[str, Any]: ...
    def restore(self, state: Mapping[str, Any]) -> None: ...


class Plain:
    """One process on the CPU."""

    rank, processes = 0, 1

    def __init__(self, losses: Losses, optimizer: torch.optim.Optimizer) -> None:
        self._losses, self._optimizer = losses, optimizer

    def losses(self, batch: object) -> dict[str, Tensor]:
        return self._losses(batch)

    def sharing(self, *, last: bool) -> AbstractContextManager[Any]:
        return nullcontext()

    def scoring(self) -> AbstractContextManager[Any]:
        return nullcontext()

    def backward(self, loss: Tensor) -> None:
        torch.autograd.backward(loss)

    def step(self, clip: float) -> None:
        nn.utils.clip_grad_norm_(_trained(self._optimizer), clip)
        self._optimizer.step()
        self._optimizer.zero_grad()

    def agreed(self, value: Value) -> Value:
        return value

    def state(self) -> dict[str, Any]:
        return {}

    def restore(self, state: Mapping[str, Any]) -> None:
        """There is no state beyond a step."""


class Accelerated:
    """One or more processes, each with its own device and mixed precision, through accelerate."""

    def __init__(
        self, network: nn.Module, losses: Losses, optimizer: torch.optim.Optimizer, precision: str
    ) -> None:
        try:
            from accelerate import Accelerator, DistributedDataParallelKwargs
        except ImportError as error:
            raise MissingExtraError("training on GPUs or in mixed precision", "train") from error
        # A task need not use every weight in every batch.
        unused = DistributedDataParallelKwargs(find_unused_parameters=True)
        self._accelerator = Accelerator(
            mixed_precision="no" if precision == "fp32" else precision, kwargs_handlers=[unused]
        )
        self.rank = self._accelerator.process_index
        self.processes = self._accelerator.num_processes
        network.register_forward_pre_hook(_place_inputs, with_kwargs=True)
        self._network, self._optimizer = self._accelerator.prepare(
            _Losses(network, losses), optimizer
        )

    def losses(self, batch: object) -> dict[str, Tensor]:
        return self._network(placed(batch, self._accelerator.device))

    def sharing(self, *, last: bool) -> AbstractContextManager[Any]:
        return nullcontext() if last else self._accelerator.no_sync(self._network)

    def scoring(self) -> AbstractContextManager[Any]:
        return self._accelerator.autocast()

    def backward(self, loss: Tensor) -> None:
        self._accelerator.backward(loss)

    def step(self, clip: float) -> None:
        self._accelerator.clip_grad_norm_(_trained(self._optimizer), clip)
        self._optimizer.step()
        self._optimizer.zero_grad()

    def agreed(self, value: Value) -> Value:
        from accelerate.utils import broadcast_object_list

        shared = [value]
        if self.processes > 1:
            broadcast_object_list(shared)
        return shared[0]

    def state(self) -> dict[str, Any]:
        """Each process's random state, and the loss scale of half precision."""
        from accelerate.utils import gather_object

        own = {"cpu": torch.get_rng_state()}
        if torch.cuda.is_available():
            own["cuda"] = torch.cuda.get_rng_state()
        scaler = self._accelerator.scaler
        return {"rngs": gather_object([own]), "scaler": scaler.state_dict() if scaler else {}}

    def restore(self, state: Mapping[str, Any]) -> None:
        rngs = state.get("rngs", ())
        if self.rank < len(rngs):
            torch.set_rng_state(rngs[self.rank]["cpu"])
            if torch.cuda.is_available() and "cuda" in rngs[self.rank]:
                torch.cuda.set_rng_state(rngs[self.rank]["cuda"])
        if self._accelerator.scaler and state.get("scaler"):
            self._accelerator.scaler.load_state_dict(state["scaler"])


class _Losses(nn.Module):
    """A task's losses as a module, so that what wraps it sees every weight and every call."""

    def __init__(self, network: nn.Module, losses: Losses) -> None:
        super().__init__()
        self.network = network
        self._losses = losses

    def forward(self, batch: object) -> dict[str, Tensor]:
        return self._losses(batch)


def hardware_for(
    network: nn.Module,
    losses: Losses,
    optimizer: torch.optim.Optimizer,
    *,
    kind: str,
    precision: str,
) -> Hardware:
    """The plain CPU, unless there is a GPU, or several processes or half precision are wanted."""
    wanted = kind == "accelerate" or precision != "fp32"
    if wanted or (kind == "auto" and (_launched() or torch.cuda.is_available())):
        return Accelerated(network, losses, optimizer, precision)
    return Plain(losses, optimizer)


@contextmanager
def first_process_first() -> Iterator[None]:
    """The other processes wait for the first one, which fills the cache for them."""
    if not _launched():
        yield
        return
    from accelerate import PartialState
    from accelerate.utils import parse_flag_from_env

    # By default accelerate would count several processes on a CPU as one each.
    cpu = parse_flag_from_env("ACCELERATE_USE_CPU") or not torch.cuda.is_available()
    with PartialState(cpu=cpu).main_process_first():
        yield


def placed(value: Any, device: torch.device | str) -> Any:  # noqa: ANN401
    """A batch with every tensor in it on the device; dataclasses, tuples, lists and dicts too."""
    if isinstance(value, Tensor):
        return value.to(device)
    if is_dataclass(value) and not isinstance(value, type):
        parts = {field.name: getattr(value, field.name) for field in fields(value) if field.init}
        return replace(value, **{name: placed(part, device) for name, part in parts.items()})
    if isinstance(value, dict):
        return {name: placed(part, device) for name, part in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(placed(part, device) for part in value))
    if isinstance(value, (tuple, list)):
        return type(value)(placed(part, device) for part in value)
    return value


def _launched() -> bool:
    """Whether `accelerate launch` or its like has started several processes."""
    return int(os.environ.get("WORLD_SIZE", "1")) > 1


def _place_inputs(
    network: nn.Module, inputs: tuple[Any, ...], named: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Move the inputs of a call to the network's device: evaluation makes its own batches."""
    device = next(network.parameters()).device
    return placed(inputs, device), placed(named, device)


def _trained(optimizer: torch.optim.Optimizer) -> list[Tensor]:
    return [weights for group in optimizer.param_groups for weights in group["params"]]
