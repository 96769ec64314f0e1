"""Text to text: an encoder-decoder (T5 or BART) that reads one text and writes another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from seminar.networks import checkpoints
from seminar.networks.papers.fusion.decoding import probabilities
from seminar.networks.papers.fusion.network import (
    FAMILIES,
    Encoded,
    decoding_loss,
    fusion_backbone,
    generate,
)
from seminar.networks.papers.fusion.reader import GeneratedText
from seminar.networks.papers.fusion.texts import FusionText, Lengths

BATCH = 16
Kept = Literal["start", "end"]  # which part of a text that is too long is read


class TextToText(nn.Module):
    """Learns to write one text for another: T5's or BART's own likelihood of it."""

    def __init__(self, model: PreTrainedModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, ids: Tensor, attended: Tensor, labels: Tensor) -> Tensor:
        """The mean negative log-likelihood of the labelled tokens; all are (texts, tokens)."""
        return decoding_loss(self.model, self.encode(ids, attended), labels)

    def encode(self, ids: Tensor, attended: Tensor) -> Encoded:
        """What the decoder attends to."""
        read = self.model.get_encoder()(input_ids=ids, attention_mask=attended.long())
        return Encoded(read.last_hidden_state, attended)


Network = TypeVar("Network", bound=TextToText)


@dataclass(frozen=True, slots=True)
class Sizes:
    """The most tokens that are read and written, which end of a long text is read, and beams."""

    source: int = 512
    target: int = 64
    kept: Kept = "start"
    beams: int = 1


class Writer:
    """A network with its tokenizer: texts in, texts out."""

    def __init__(
        self, network: TextToText, tokenizer: PreTrainedTokenizerFast, sizes: Sizes
    ) -> None:
        self.network, self.tokenizer, self.sizes = network, tokenizer, sizes
        lengths = Lengths(passage=sizes.source, answer=sizes.target)
        self._text = FusionText(tokenizer, network.model, lengths)

    def inputs(self, texts: Sequence[str]) -> tuple[Tensor, Tensor]:
        """Ids and what is attended of them, both (texts, tokens)."""
        split = self.tokenizer(list(texts), add_special_tokens=False, verbose=False)["input_ids"]
        rows = [self._row(ids) for ids in split]
        longest = max(map(len, rows), default=1)
        ids = torch.full((len(rows), longest), self._text.pad)
        attended = torch.zeros((len(rows), longest), dtype=torch.bool)
        for at, row in enumerate(rows):
            ids[at, : len(row)] = torch.tensor(row)
            attended[at, : len(row)] = True
        return ids, attended

    def labels(self, texts: Sequence[str]) -> Tensor:
        """What is to be written, (texts, tokens), ignored where there is nothing more."""
        return self._text.labels(texts)

    def write(self, texts: Sequence[str]) -> list[GeneratedText]:
        """What the network writes for each text, and how probable it holds that."""
        starts = range(0, len(texts), BATCH)
        return [one for at in starts for one in self._write(texts[at : at + BATCH])]

    def _write(self, texts: Sequence[str]) -> list[GeneratedText]:
        model = self.network.model.eval()
        ids, attended = (one.to(model.device) for one in self.inputs(texts))
        with torch.no_grad():
            encoded = self.network.encode(ids, attended)
        sizes = self.sizes
        written = generate(model, encoded, tokens=sizes.target, num_beams=sizes.beams)
        likely = probabilities(model, encoded, written).tolist()
        return [
            GeneratedText(*pair) for pair in zip(self._text.texts(written), likely, strict=True)
        ]

    def _row(self, ids: Sequence[int]) -> list[int]:
        room = self.sizes.source - len(self._text.begin) - 1
        kept = ids[:room] if self.sizes.kept == "start" else ids[-room:]
        return [*self._text.begin, *kept, self._text.end]


def save(writer: Writer, folder: Path, settings: Mapping[str, object]) -> None:
    """Write a network for use, with how it reads and writes."""
    sizes = writer.sizes
    own = {
        "family": writer.network.model.config.model_type,
        "source_tokens": sizes.source,
        "target_tokens": sizes.target,
        "kept": sizes.kept,
        "beams": sizes.beams,
    }
    checkpoints.save(writer.network, folder, {**own, **settings}, tokenizer=writer.tokenizer)


def load_writer(folder: Path, kind: type[Network]) -> Writer:
    """The network that `save` wrote; one of another kind is an error."""
    settings = checkpoints.settings_of(folder)
    checkpoints.check_kind(settings, kind, folder)
    head, _ = FAMILIES[settings["family"]]
    network = kind(checkpoints.untrained(folder, head))
    checkpoints.load_weights(network, folder)
    sizes = Sizes(
        settings["source_tokens"], settings["target_tokens"], settings["kept"], settings["beams"]
    )
    return Writer(network.eval(), checkpoints.tokenizer_of(str(folder)), sizes)


def published_writer(checkpoint: str, kind: type[TextToText], sizes: Sizes) -> Writer:
    """What others trained, by its Hugging Face name or folder, as it is."""
    family = checkpoints.family_of(checkpoint, tuple(FAMILIES))
    network = kind(fusion_backbone(checkpoint, family))
    return Writer(network.eval(), checkpoints.tokenizer_of(checkpoint), sizes)
