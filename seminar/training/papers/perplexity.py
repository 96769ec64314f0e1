"""Perplexity of target texts under a network that is trained on their likelihood."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

from torch import Tensor


class Labelled(Protocol):
    """A batch with labels (texts, tokens), negative where a token is not to be predicted."""

    @property
    def labels(self) -> Tensor: ...


Batch = TypeVar("Batch", bound=Labelled)


def perplexity(batches: Iterable[Batch], loss_of: Callable[[Batch], Tensor]) -> float:
    """exp of the mean negative log-likelihood of a labelled token, over all batches.

    `loss_of` gives the mean over the tokens of one batch.
    """
    total = tokens = 0.0
    for batch in batches:
        count = float((batch.labels >= 0).sum())
        total, tokens = total + count * loss_of(batch).item(), tokens + count
    return math.exp(total / tokens)
