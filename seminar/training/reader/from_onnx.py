"""Recover trained weights from an exported int8 model, to continue training without a checkpoint.

The weights are those that the export rounded to 7 bits; the first steps of training make up for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from seminar.errors import ConfigurationError, MissingExtraError
from seminar.models.runtime import model_file, unpacked
from seminar.training.loop.checkpoint import fill

if TYPE_CHECKING:
    from onnx import GraphProto

NETWORK = "network."  # what the exporter puts before each name
QUANTISED, SCALE, ZERO = "_quantized", "_scale", "_zero_point"
# Readers never train these, so those of the encoder that they began from are exact.
WORDS = "encoder.embeddings.word_embeddings.weight"
Arrays = dict[str, NDArray[np.float32]]


def recover(network: nn.Module, folder: Path) -> None:
    """Fill a reader with the weights of an int8 export on the same encoder.

    The continuation head, which no export has, stays as it is.
    """
    path = model_file(folder)
    state, exported = dict(network.state_dict()), _exported(path)
    exported.pop(WORDS, None)
    fill(
        network,
        state | {name: _shaped(values, state.get(name)) for name, values in exported.items()},
        path,
    )


def _exported(path: Path) -> Arrays:
    """The named weights of a quantised model; a product's are named by the bias added to it."""
    try:
        import onnx
        from onnx import numpy_helper
    except ImportError as error:
        raise MissingExtraError("training from exported weights", "train") from error
    model = unpacked(path) if path.suffix == ".gz" else path.read_bytes()
    graph = onnx.load_from_string(model).graph
    arrays = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    named = {
        name.removeprefix(NETWORK): values
        for name, values in arrays.items()
        if name.startswith(NETWORK)
        and not name.endswith((QUANTISED, SCALE, ZERO))
        and values.dtype == np.float32  # positions are numbers, not weights
    }
    if not any(name.endswith(QUANTISED) for name in arrays):
        raise ConfigurationError(
            f"{path} is no int8 export: it has no quantised weights to recover"
        )
    for product, name in _products(graph):
        named[name.removeprefix(NETWORK)] = _dequantised(arrays, product).T
    for full in arrays:
        name = full.removesuffix(QUANTISED)
        if full.startswith(NETWORK) and name != full:
            named[name.removeprefix(NETWORK)] = _dequantised(arrays, name)
    return named


def _products(graph: GraphProto) -> Iterator[tuple[str, str]]:
    """The name of each product's matrix in the graph, and of the weight that it is."""
    users = {source: node for node in reversed(graph.node) for source in node.input}
    for node in graph.node:
        if node.op_type != "MatMulInteger" or node.input[1].startswith(NETWORK):
            continue
        after = users[node.output[0]]
        while after.op_type in ("Cast", "Mul"):
            after = users[after.output[0]]
        bias = next(name for name in after.input if name.endswith(".bias"))
        yield node.input[1].removesuffix(QUANTISED), bias.removesuffix("bias") + "weight"


def _dequantised(arrays: Arrays, name: str) -> NDArray[np.float32]:
    values = arrays[name + QUANTISED].astype(np.float32) - arrays[name + ZERO].astype(np.float32)
    return values * arrays[name + SCALE]  # (inputs, outputs), a scale for each output


def _shaped(values: NDArray[np.float32], like: Tensor | None) -> Tensor:
    """A head's matrix as PyTorch has it: ONNX multiplies by the transposed one."""
    turned = like is not None and values.T.shape == like.shape != values.shape
    return torch.tensor(np.ascontiguousarray(values.T if turned else values))
