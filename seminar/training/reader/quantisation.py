"""Quantisation-aware training: weights are rounded as the int8 export rounds them.

Weights recovered from an int8 export lie on its grid. A short training moves most of them by less
than half a step, so that a plain export would round them back to their old values.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

STEPS = 64  # of 7 bits on each side of zero, as `export.quantise` rounds


def quantised_weights(network: nn.Module) -> dict[str, Tensor]:
    """The trained matrices as the export rounds them, with a scale for each output.

    Gradients pass through the rounding unchanged. Embeddings are looked up, not multiplied, and
    are left as they are.
    """
    return {
        f"{name}.weight": _rounded(layer.weight)
        for name, layer in network.named_modules()
        if isinstance(layer, nn.Linear) and layer.weight.requires_grad
    }


def _rounded(weight: Tensor) -> Tensor:
    scale = weight.detach().abs().amax(dim=1).clamp_min(1e-12) / STEPS  # (outputs,)
    zero = torch.zeros_like(scale, dtype=torch.int32)
    rounded: Tensor = torch.fake_quantize_per_channel_affine(weight, scale, zero, 0, -STEPS, STEPS)
    return rounded
