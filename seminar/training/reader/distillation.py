"""Distillation: a small reader learns from the outputs of a larger one (Hinton et al., 2015)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from seminar.networks.reader import ReaderNetwork, ReaderOutput, pretrained
from seminar.training.reader.from_onnx import recover

HEADS = ("start", "end", "type")


@dataclass(frozen=True, slots=True)
class Teacher:
    """A trained reader whose outputs are the targets; it reads in evaluation mode."""

    network: ReaderNetwork

    @classmethod
    def load(cls, folder: Path, encoder: str, layers: int) -> Teacher:
        """The reader of an int8 export on the lowest layers of an encoder."""
        network = pretrained(encoder, dropout=0.0, layers=layers)
        recover(network, folder)
        return cls(network.eval().requires_grad_(False))

    def read(self, run: Callable[[nn.Module], ReaderOutput]) -> ReaderOutput:
        """The teacher's output for what `run` feeds to a network."""
        with torch.no_grad():
            return run(self.network)


def distillation_loss(student: ReaderOutput, teacher: ReaderOutput) -> Tensor:
    """Cross-entropy to the teacher's distributions, the mean of start and end plus the type's.

    Above the teacher's own entropy, so that equal outputs have no loss.
    """
    start, end, kind = (
        _divergence(getattr(student, head), getattr(teacher, head)) for head in HEADS
    )
    return (start + end) / 2 + kind


def _divergence(student: Tensor, teacher: Tensor) -> Tensor:
    """Kullback-Leibler divergence of the student's distribution from the teacher's."""
    log_softmax = nn.functional.log_softmax
    return nn.functional.kl_div(
        log_softmax(student.float(), dim=-1),
        log_softmax(teacher.float(), dim=-1),
        reduction="batchmean",
        log_target=True,
    )
