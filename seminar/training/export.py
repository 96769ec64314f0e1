"""Trained networks as ONNX files: float, or int8 with weights quantised per channel, and packed.

python -m seminar.training.export encoder|reader|rewriter CHECKPOINT --out FOLDER
"""

from __future__ import annotations

import argparse
import gzip
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from seminar.errors import MissingExtraError
from seminar.models.rewriter.model import OUTPUTS as REWRITER_OUTPUTS
from seminar.networks import question_encoder, reader, rewriter
from seminar.networks.checkpoints import VOCABULARY, encoder_folder

INPUTS = ("ids", "attended", "segments", "marks")
ENCODER_INPUTS = ("input_ids", "attention_mask")
READER_OUTPUTS = ("start", "end", "type", "continuation")

State = dict[str, Tensor]


class _Flat(nn.Module):
    """A network whose outputs are a tuple, as ONNX wants them."""

    def __init__(self, network: nn.Module, outputs: tuple[str, ...]) -> None:
        super().__init__()
        self.network, self.outputs = network, outputs

    def forward(
        self, ids: Tensor, attended: Tensor, segments: Tensor, marks: Tensor
    ) -> tuple[Tensor, ...]:
        output = self.network(ids, attended, segments, marks)
        return tuple(getattr(output, name) for name in self.outputs)


def export_network(network: nn.Module, path: Path, outputs: tuple[str, ...]) -> Path:
    """Write a reader or a rewriter as float ONNX, for any number of sequences of any length."""
    return _export(_Flat(network, outputs), path, INPUTS, outputs)


def export_encoder(network: nn.Module, path: Path) -> Path:
    """Write a question encoder as float ONNX, with the names that encoders go by."""
    return _export(network, path, ENCODER_INPUTS, ("vector",))


def _export(
    network: nn.Module, path: Path, inputs: tuple[str, ...], outputs: tuple[str, ...]
) -> Path:
    batch, tokens = torch.export.Dim("batch", min=1), torch.export.Dim("tokens", min=4)
    # The example must differ from the bounds, or the exporter takes its sizes for constants.
    example = tuple(torch.ones(3, 7, dtype=torch.int64) for _ in inputs)
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        network.eval(),
        example,
        str(path),
        input_names=list(inputs),
        output_names=list(outputs),
        dynamic_shapes=tuple({0: batch, 1: tokens} for _ in inputs),
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


def load_reader(checkpoint: Path, encoder: str) -> nn.Module:
    """A trained reader from a run's `last.pt` or `best.pt`, on the encoder it was begun from."""
    state = _state(checkpoint)
    layers = {name.split(".")[3] for name in state if name.startswith("encoder.encoder.layer.")}
    return _filled(reader.pretrained(encoder, dropout=0.0, layers=len(layers)), state)


def load_rewriter(checkpoint: Path, encoder: str) -> nn.Module:
    """A trained rewriter; its weights tell how many joining phrases it chooses from."""
    state = _state(checkpoint)
    phrases = state["before.bias"].shape[0]
    return _filled(rewriter.pretrained(Path(encoder), phrases, dropout=0.0), state)


def _state(checkpoint: Path) -> State:
    state: State = torch.load(checkpoint, weights_only=True)["network"]
    return state


def _filled(network: nn.Module, state: State) -> nn.Module:
    network.load_state_dict(state)
    return network.eval()


def load_question_encoder(checkpoint: Path, encoder: str) -> nn.Module:
    """A trained question encoder."""
    return _filled(question_encoder.pretrained(Path(encoder)), _state(checkpoint))


# How each network's checkpoint is written as ONNX: checkpoint, its encoder's name, path.
EXPORTED: dict[str, Callable[[Path, str, Path], Path]] = {
    "encoder": lambda checkpoint, encoder, path: export_encoder(
        load_question_encoder(checkpoint, encoder), path
    ),
    "reader": lambda checkpoint, encoder, path: export_network(
        load_reader(checkpoint, encoder), path, READER_OUTPUTS
    ),
    "rewriter": lambda checkpoint, encoder, path: export_network(
        load_rewriter(checkpoint, encoder), path, REWRITER_OUTPUTS
    ),
}


def export_checkpoint(
    kind: str, checkpoint: Path, *, encoder: str, folder: Path, beside: Sequence[Path]
) -> tuple[Path, Path]:
    """Write a trained network as two folders ready to run, `float` and `int8`, and name them.

    `beside` are the other files that its runtime reads, its tokenizer.json first.
    """
    whole, small = folder / "float", folder / "int8"
    exported = EXPORTED[kind](checkpoint, encoder, whole / "model.onnx")
    small.mkdir(parents=True, exist_ok=True)
    pack(quantise(exported, small / "model.onnx"))
    for each in (whole, small):
        for file in beside:
            shutil.copyfile(file, each / file.name)
    return whole, small


def pack(path: Path) -> Path:
    """Put a packed form in a file's place: quantised weights carry fewer than 8 bits each."""
    packed = path.with_name(f"{path.name}.gz")
    packed.write_bytes(gzip.compress(path.read_bytes(), compresslevel=9, mtime=0))
    path.unlink()
    return packed


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
    parser.add_argument("network", choices=sorted(EXPORTED))
    parser.add_argument("checkpoint", type=Path, help="a run's last.pt or best.pt")
    parser.add_argument("--out", type=Path, required=True, help="gets the folders float and int8")
    parser.add_argument(
        "--encoder", help="what the training began from: a folder or a hub's name; else MiniLM-L6"
    )
    parser.add_argument(
        "--beside",
        type=Path,
        nargs="*",
        default=[],
        help="files that the runtime reads too: phrases.json from a rewriter's cache",
    )
    options = parser.parse_args()
    export_checkpoint(
        options.network,
        options.checkpoint,
        encoder=options.encoder or str(encoder_folder()),
        folder=options.out,
        beside=[VOCABULARY, *options.beside],
    )


if __name__ == "__main__":
    main()
