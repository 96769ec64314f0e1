"""A run's checkpoint files: written whole or not at all, read with errors that help."""

from __future__ import annotations

import os
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import nn

from seminar.errors import ConfigurationError, SeminarError
from seminar.networks.checkpoints import mismatches


def write(state: Mapping[str, object], path: Path) -> None:
    """Write a file so that it is always either the old one or the new one."""
    beside = path.with_suffix(".partial")
    try:
        with beside.open("wb") as file:
            torch.save(dict(state), file)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except (OSError, RuntimeError) as error:
        beside.unlink(missing_ok=True)
        # PyTorch's own error for a full disk hides the system's, which is its cause.
        reason = error.__context__ if isinstance(error.__context__, OSError) else error
        previous = "the one before it is whole" if path.exists() else "there is none before it"
        raise SeminarError(
            f"{path}: the checkpoint can't be written ({reason}); {previous}. "
            f"Make room, then continue with --resume"
        ) from error


def read(path: Path) -> dict[str, Any]:
    """The state that a checkpoint holds."""
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, EOFError, pickle.UnpicklingError) as error:
        reason = str(error).strip().splitlines()[0]
        raise ConfigurationError(f"{path} can't be read as a checkpoint: {reason}") from error
    if not isinstance(state, dict) or "network" not in state:
        raise ConfigurationError(f"{path} is no checkpoint of a training run: it has no 'network'")
    return state


def fill(network: nn.Module, weights: Mapping[str, Any], path: Path) -> None:
    """Fill a network with a checkpoint's weights; those of another network are an error."""
    wrong = mismatches(network, weights)
    if wrong:
        raise ConfigurationError(
            f"{path} is a checkpoint of another network than {type(network).__name__}, "
            f"or of another configuration: {'; '.join(wrong[:3])}"
        )
    network.load_state_dict(weights)
