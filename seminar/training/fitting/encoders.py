"""Make the weights of the encoders that Seminar ships.

    python -m seminar.training.fitting.encoders minilm --out DIR
    python -m seminar.training.fitting.encoders static --out DIR

`minilm` is all-MiniLM-L6-v2 as int8 ONNX. `static` is a table with a vector for each token: first
the token's own MiniLM vector, reduced and weighted by rarity (as model2vec does); then fitted so
that the sum over a text points where MiniLM's vector points; then so that a question's sum lies
nearer to its own paragraph than to others.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional as F
from transformers import AutoModel

from seminar.datasets.catalog import documents, load
from seminar.models.encoders.registry import load_encoder
from seminar.networks.checkpoints import encoder_folder
from seminar.training.export import pack, quantise, strip_notes
from seminar.types import Matrix

Tokens = NDArray[np.int64]

DIMENSIONS = 256
RARITY = 1e-3  # a token of this share of the text counts half
SEED = 0


@dataclass(frozen=True)
class DistillationData:
    """Texts to imitate MiniLM's vectors on, and questions with their paragraph."""

    questions: list[str]
    passages: list[str]
    pairs: list[tuple[str, str]]


class _States(nn.Module):
    """A transformer whose only output is its last states, as ONNX wants it."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, ids: Tensor, attended: Tensor) -> Tensor:
        states: Tensor = self.network(input_ids=ids, attention_mask=attended).last_hidden_state
        return states


def make_minilm(out: Path) -> None:
    """Write all-MiniLM-L6-v2 as int8 ONNX, with its tokenizer."""
    network = AutoModel.from_pretrained(encoder_folder(), attn_implementation="eager").eval()
    shape = {0: torch.export.Dim("batch", min=1), 1: torch.export.Dim("tokens", min=2, max=512)}
    # Two tensors: given one twice, the exporter takes the mask for the ids.
    examples = tuple(torch.ones(3, 7, dtype=torch.int64) for _ in range(2))
    with tempfile.TemporaryDirectory() as folder:
        float_path = Path(folder) / "model.onnx"
        torch.onnx.export(
            _States(network),
            examples,
            str(float_path),
            input_names=["input_ids", "attention_mask"],
            output_names=["last_hidden_state"],
            dynamic_shapes=(shape, shape),
            dynamo=True,
            external_data=False,
            verbose=False,
        )
        strip_notes(float_path)
        pack(quantise(float_path, out / "model.onnx"))
    _tokenizer().save(str(out / "tokenizer.json"), pretty=False)


def make_static(out: Path) -> None:
    """Write the static table, distilled from the shipped MiniLM on SQuAD, BoolQ and Wikispeedia."""
    torch.manual_seed(SEED)
    data = distillation_data()
    tokenizer = _tokenizer()
    table, basis = distil(token_counts(tokenizer, [*data.questions, *data.passages]))
    table = fit(table, imitation(tokenizer, data, basis), steps=400, rate=2e-3)
    table = fit(table, contrast(tokenizer, data.pairs), steps=100, rate=1e-3)
    rows = table.numpy()
    scales = np.abs(rows).max(axis=1) / 127 + 1e-12
    whole = np.round(rows / scales[:, None]).astype(np.int8)
    np.savez(out / "tokens.npz", rows=whole, scales=scales.astype(np.float32))


def distillation_data() -> DistillationData:
    """Texts whose licence (CC BY-SA, GFDL) allows derived work to be shared."""
    squad, boolq = list(load("squad/train")), list(load("boolq/combined"))
    articles = documents("wikispeedia")
    return DistillationData(
        questions=_sample({one.question for one in squad}, 20_000)
        + _sample({f"{one.question}?" for one in boolq}, 8_000),
        passages=_sample({one.context for one in squad}, 8_000)
        + _sample({one.context for one in boolq}, 5_000)
        + _sample({block for article in articles for block in _blocks(article.text)}, 5_000),
        pairs=[(one.question, one.context) for one in squad],
    )


def _blocks(text: str) -> Iterator[str]:
    return (line.strip() for line in text.split("\n") if 50 <= len(line.split()) <= 150)


def _sample(texts: set[str], size: int) -> list[str]:
    return random.Random(SEED).sample(sorted(texts), min(size, len(texts)))


def token_counts(tokenizer: Tokenizer, texts: Sequence[str]) -> NDArray[np.float64]:
    """How often each token occurs in the texts, plus one."""
    flat = np.concatenate(_tokenise(tokenizer, texts))
    return np.bincount(flat, minlength=tokenizer.get_vocab_size()).astype(np.float64) + 1


def distil(counts: NDArray[np.float64]) -> tuple[Tensor, Tensor]:
    """Each token's own MiniLM vector on the principal axes, times a/(a + share); and the axes."""
    network = AutoModel.from_pretrained(encoder_folder()).eval()
    start, end = 101, 102  # [CLS] and [SEP]
    blocks = []
    with torch.inference_mode():
        for ids in torch.arange(len(counts)).split(512):
            marks = torch.ones_like(ids)
            framed = torch.stack([start * marks, ids, end * marks], dim=1)  # (tokens, 3)
            blocks.append(network(input_ids=framed).last_hidden_state.mean(dim=1))
    vectors = torch.cat(blocks)
    centred = vectors - vectors.mean(dim=0)
    basis = torch.linalg.svd(centred, full_matrices=False).Vh[:DIMENSIONS].T
    weights = torch.from_numpy(RARITY / (RARITY + counts / counts.sum())).float()
    table = (centred @ basis) * weights[:, None]
    return table * (0.05 / table.abs().mean()), basis


Loss = Callable[[Tensor, np.random.Generator], Tensor]


def fit(table: Tensor, loss_of: Loss, *, steps: int, rate: float) -> Tensor:
    """Adam on the whole table, with a rate that falls to zero."""
    table = table.clone().requires_grad_()
    optimiser = torch.optim.Adam([table], lr=rate)
    falling = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: 1 - step / steps)
    draw = np.random.default_rng(SEED)
    for _ in track(range(steps), description="fit", console=Console(stderr=True)):
        optimiser.zero_grad()
        loss_of(table, draw).backward()
        optimiser.step()
        falling.step()
    return table.detach()


def imitation(tokenizer: Tokenizer, data: DistillationData, basis: Tensor) -> Loss:
    """1 - cosine between a text's sum and its MiniLM vector on the principal axes."""
    groups = [
        (
            _tokenise(tokenizer, texts),
            F.normalize(torch.from_numpy(_minilm_vectors(texts)) @ basis, dim=1),
        )
        for texts in (data.questions, data.passages)
    ]

    def loss(table: Tensor, draw: np.random.Generator) -> Tensor:
        parts = []
        for (tokens, targets), size in zip(groups, (512, 256), strict=True):
            chosen = draw.choice(len(tokens), size, replace=False)
            sums = _sum(table, [tokens[i] for i in chosen])
            parts.append(1 - (sums * targets[chosen]).sum(dim=1))
        return torch.cat(parts).mean()

    return loss


def contrast(tokenizer: Tokenizer, pairs: Sequence[tuple[str, str]], size: int = 512) -> Loss:
    """Cross entropy of a question's own paragraph among those of the batch, and the reverse."""
    paragraphs = sorted({paragraph for _, paragraph in pairs})
    place = {paragraph: number for number, paragraph in enumerate(paragraphs)}
    gold = np.array([place[paragraph] for _, paragraph in pairs])
    asked = _tokenise(tokenizer, [question for question, _ in pairs])
    tokens = _tokenise(tokenizer, paragraphs)

    def loss(table: Tensor, draw: np.random.Generator) -> Tensor:
        chosen = draw.choice(len(asked), size, replace=False)
        own = torch.from_numpy(gold[chosen])
        questions = _sum(table, [asked[i] for i in chosen])
        answers = _sum(table, [tokens[i] for i in gold[chosen]])
        scores = questions @ answers.T / 0.05  # (questions, paragraphs)
        twin = (own[:, None] == own[None, :]) & ~torch.eye(size, dtype=torch.bool)
        scores = scores.masked_fill(twin, -1e4)
        right = torch.arange(size)
        return (F.cross_entropy(scores, right) + F.cross_entropy(scores.T, right)) / 2

    return loss


def _minilm_vectors(texts: list[str]) -> Matrix:
    starts = track(range(0, len(texts), 256), description="encode", console=Console(stderr=True))
    return np.concatenate([load_encoder("minilm").encode(texts[at : at + 256]) for at in starts])


def _tokenise(tokenizer: Tokenizer, texts: Sequence[str]) -> list[Tokens]:
    encodings = tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
    return [np.array(encoding.ids, dtype=np.int64) for encoding in encodings]


def _sum(table: Tensor, tokens: Sequence[Tokens]) -> Tensor:
    """The unit vector of each text's sum."""
    lengths = np.array([len(one) for one in tokens])
    starts = torch.from_numpy(np.cumsum(lengths) - lengths)
    sums = F.embedding_bag(torch.from_numpy(np.concatenate(tokens)), table, starts, mode="sum")
    return F.normalize(sums, dim=1)


def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(encoder_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


MAKERS: dict[str, Callable[[Path], None]] = {"minilm": make_minilm, "static": make_static}


@click.command()
@click.argument("encoder", type=click.Choice(sorted(MAKERS)))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="A folder.")
def command(encoder: str, out: Path) -> None:
    """Make the weights of ENCODER."""
    out.mkdir(parents=True, exist_ok=True)
    MAKERS[encoder](out)


if __name__ == "__main__":
    command()
