"""Trained networks as ONNX files: float, or int8 with weights quantised per channel.

python -m seminar.training.export CHECKPOINT --out FOLDER
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import torch
from torch import Tensor, nn

from seminar.errors import MissingExtraError
from seminar.networks.reader import ReaderNetwork, pretrained
from seminar.training.runs import encoder_folder

INPUTS = ("ids", "attended", "segments", "marks")
OUTPUTS = ("start", "end", "type", "continuation")


class _Flat(nn.Module):
    """A reader whose outputs are a tuple, as ONNX wants them."""

    def __init__(self, network: ReaderNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(
        self, ids: Tensor, attended: Tensor, segments: Tensor, marks: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        output = self.network(ids, attended, segments, marks)
        return output.start, output.end, output.type, output.continuation


def export_reader(network: ReaderNetwork, path: Path) -> Path:
    """Write a reader as float ONNX, for any number of sequences of any length."""
    batch, tokens = torch.export.Dim("batch", min=1), torch.export.Dim("tokens", min=4)
    # The example must differ from the bounds, or the exporter takes its sizes for constants.
    example = tuple(torch.ones(3, 7, dtype=torch.int64) for _ in INPUTS)
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        _Flat(network).eval(),
        example,
        str(path),
        input_names=list(INPUTS),
        output_names=list(OUTPUTS),
        dynamic_shapes=tuple({0: batch, 1: tokens} for _ in INPUTS),
        dynamo=True,
        external_data=False,
        verbose=False,
    )
    strip_notes(path)
    return path


def strip_notes(path: Path) -> None:
    """Take out what the exporter notes on each node: stack traces, with paths of this machine."""
    import onnx

    model = onnx.load(path)
    for noted in (model, model.graph, *model.graph.node, *model.graph.value_info):
        del noted.metadata_props[:]
        noted.doc_string = ""
    onnx.save(model, path)


def load_reader(checkpoint: Path, encoder: Path) -> ReaderNetwork:
    """A trained reader from a run's `last.pt` or `best.pt`, on the encoder it was begun from."""
    network = pretrained(encoder, dropout=0.0)
    network.load_state_dict(torch.load(checkpoint, weights_only=True)["network"])
    return network.eval()


def export_checkpoint(checkpoint: Path, encoder: Path, folder: Path) -> tuple[Path, Path]:
    """Write a trained reader as two folders ready to run, `float` and `int8`, and name them."""
    network = load_reader(checkpoint, encoder)
    whole, small = folder / "float", folder / "int8"
    exported = export_reader(network, whole / "model.onnx")
    small.mkdir(parents=True, exist_ok=True)
    quantise(exported, small / "model.onnx")
    for each in (whole, small):
        shutil.copyfile(encoder / "tokenizer.json", each / "tokenizer.json")
    return whole, small


def quantise(float_path: Path, path: Path) -> Path:
    """Write an int8 form of a float ONNX file, quantised dynamically.

    Weights keep 7 bits, since without VNNI two products of 8 bits overflow their 16-bit sum.
    """
    try:
        import onnx
        from onnxruntime.quantization import QuantType, quantize_dynamic
    except ImportError as error:
        raise MissingExtraError("quantising a network", "train") from error
    model = onnx.load(float_path)
    # The exporter's notes on shapes go stale where it folds a transposed weight; they are inferred
    # anew from the graph itself.
    del model.graph.value_info[:]
    quantize_dynamic(model, path, per_channel=True, reduce_range=True, weight_type=QuantType.QInt8)
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path, help="a run's last.pt or best.pt")
    parser.add_argument("--out", type=Path, required=True, help="gets the folders float and int8")
    options = parser.parse_args()
    export_checkpoint(options.checkpoint, encoder_folder(), options.out)


if __name__ == "__main__":
    main()
