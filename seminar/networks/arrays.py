"""What a network computed, as NumPy reads it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from torch import Tensor


def array(tensor: Tensor) -> NDArray[np.float32]:
    """A tensor's numbers, on whatever device and in whatever precision they were computed."""
    numbers: NDArray[np.float32] = tensor.detach().float().cpu().numpy()
    return numbers
