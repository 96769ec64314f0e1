"""DPR's retriever: two BERTs whose [CLS] states meet in a dot product (Karpukhin et al., 2020)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from transformers import (
    AutoConfig,
    BertConfig,
    BertModel,
    DPRContextEncoder,
    DPRQuestionEncoder,
    PreTrainedModel,
)

from seminar.errors import ConfigurationError
from seminar.networks.arrays import array
from seminar.networks.checkpoints import (
    SETTINGS,
    TINY,
    TINY_BERT,
    backbone,
    check_kind,
    load_weights,
    save,
    settings_of,
    tokenizer_of,
)
from seminar.networks.papers.dpr.inputs import DprInputs, Ids
from seminar.types import Matrix, Passage

FAMILIES = ("bert", "dpr")
MINUS_INFINITY = -1e9


class BiEncoder(nn.Module):
    """Questions and passages to vectors, each side by a BERT of its own.

    With `questions_only` the passage side is fixed, so that an index stays valid (PragmatiCQA
    tunes DPR so): it has no gradients and no dropout.
    """

    def __init__(
        self, question: BertModel, passage: BertModel, *, questions_only: bool = False
    ) -> None:
        super().__init__()
        self.question, self.passage = question, passage
        self.questions_only = questions_only
        if questions_only:
            passage.requires_grad_(False)

    def train(self, mode: bool = True) -> BiEncoder:
        super().train(mode)
        if self.questions_only:
            self.passage.eval()
        return self

    def forward(self, questions: tuple[Tensor, Tensor], passages: tuple[Tensor, Tensor]) -> Tensor:
        """Scores (questions, passages); each side is ids and attention (rows, tokens)."""
        return first_state(self.question, *questions) @ first_state(self.passage, *passages).T


def first_state(encoder: BertModel, ids: Tensor, attended: Tensor) -> Tensor:
    """The last layer's state of [CLS], (rows, size)."""
    states: Tensor = encoder(input_ids=ids, attention_mask=attended).last_hidden_state
    return states[:, 0]


def in_batch_loss(scores: Tensor, positive: Tensor, rivals: Tensor) -> Tensor:
    """Mean of -log exp(q.p+) / sum over rivals of exp(q.p), DPR's Eq. 2.

    `positive` is the column of each question's own passage; `rivals` (questions, passages) says
    what it is compared with: its own passage and all others, but no second copy of its own.
    """
    masked = scores.float().masked_fill(~rivals, MINUS_INFINITY)
    return nn.functional.cross_entropy(masked, positive)


def ranks(scores: Tensor, positive: Tensor) -> Tensor:
    """How many passages score above each question's own; 0 is the best rank."""
    own = scores.gather(1, positive.unsqueeze(1))
    return (scores > own).sum(dim=1)


def pretrained(
    checkpoint: str, passage_checkpoint: str = "", *, dropout: float, questions_only: bool
) -> BiEncoder:
    """A bi-encoder on BERT or on DPR's own checkpoints; one name serves both sides.

    A folder that was trained here is one too, to be trained on.
    """
    if (Path(checkpoint) / SETTINGS).is_file():
        return load_network(Path(checkpoint), questions_only=questions_only)
    options = {"hidden_dropout_prob": dropout, "attention_probs_dropout_prob": dropout}
    both = (
        _side(checkpoint, DPRQuestionEncoder, options),
        _side(passage_checkpoint or checkpoint, DPRContextEncoder, options),
    )
    sizes = [side.config.hidden_size for side in both]
    if sizes[0] != sizes[1]:
        raise ConfigurationError(
            f"{checkpoint} has {sizes[0]} dimensions and {passage_checkpoint} {sizes[1]}: "
            "a dot product needs as many on both sides"
        )
    return BiEncoder(*both, questions_only=questions_only)


def _side(name: str, published: type, options: Mapping[str, object]) -> BertModel:
    """One BERT; of a DPR checkpoint, the one inside."""
    if name != TINY and _is_dpr(name):
        model = backbone(name, families=FAMILIES, tiny=TINY_BERT, head=published, options=options)
        return bert_inside(model)
    own = {**options, "add_pooling_layer": False}
    model = backbone(name, families=FAMILIES, tiny=TINY_BERT, head=BertModel, options=own)
    return bert_inside(model)


def bert_inside(model: PreTrainedModel) -> BertModel:
    """The BERT within a model."""
    return next(part for part in model.modules() if isinstance(part, BertModel))


def _is_dpr(name: str) -> bool:
    try:
        config = AutoConfig.from_pretrained(name, local_files_only=Path(name).is_dir())
    except (OSError, ValueError):
        return False  # `backbone` tells what is wrong
    return bool(config.model_type == "dpr")


@dataclass(frozen=True, slots=True)
class Side:
    """One side as an `Encoder`; both sides have one name, for they share one space.

    Vectors are not of unit length: DPR's scores are plain dot products.
    """

    encoder: BertModel
    inputs: DprInputs
    name: str
    longest: int
    passages: bool
    batch: int = 32

    @property
    def dimensions(self) -> int:
        return int(self.encoder.config.hidden_size)

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Questions as they are searched, or passages as `Passage.searched` gives them."""
        return self.vectors(self._ids(texts))

    def vectors(self, rows: Sequence[Ids]) -> Matrix:
        """The vectors of token ids, encoded by length so that little is padded."""
        vectors = np.zeros((len(rows), self.dimensions), dtype=np.float32)
        order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
        with torch.inference_mode():
            for at in range(0, len(order), self.batch):
                places = order[at : at + self.batch]
                ids, attended = self.inputs.padded([rows[place] for place in places])
                states = first_state(self.encoder, *self._moved(ids, attended))
                vectors[places] = array(states)
        return vectors

    def _ids(self, texts: Sequence[str]) -> list[Ids]:
        if not self.passages:
            return [self.inputs.question(text, self.longest) for text in texts]
        return self.inputs.passages([_passage(text) for text in texts], self.longest)

    def _moved(self, *tensors: Tensor) -> Iterator[Tensor]:
        return (tensor.to(self.encoder.device) for tensor in tensors)


def _passage(searched: str) -> Passage:
    heading, _, text = searched.partition("\n")
    return Passage("", 0, len(text), text, title=heading)


@dataclass(frozen=True, slots=True)
class Sides:
    """A trained bi-encoder ready to encode: an encoder for questions, one for passages."""

    questions: Side
    passages: Side


def sides(network: BiEncoder, inputs: DprInputs, *, name: str, lengths: tuple[int, int]) -> Sides:
    """Both encoders of a network; `lengths` are the most tokens of a question and a passage."""
    network.eval()
    return Sides(
        Side(network.question, inputs, name, lengths[0], passages=False),
        Side(network.passage, inputs, name, lengths[1], passages=True),
    )


def export(
    network: BiEncoder, folder: Path, *, inputs: DprInputs, lengths: tuple[int, int]
) -> None:
    """Write a trained bi-encoder for `load`.

    Its id is of the passage side alone, so that an index outlives a tuning of the question side.
    """
    settings = {
        "id": _fingerprint(network.passage, lengths[1]),
        "question_length": lengths[0],
        "passage_length": lengths[1],
    }
    save(network, folder, settings, tokenizer=inputs.tokenizer)


def _fingerprint(encoder: BertModel, length: int) -> str:
    digest = hashlib.sha256(str(length).encode())
    for name, weights in sorted(encoder.state_dict().items()):
        digest.update(name.encode())
        digest.update(weights.detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()[:12]


def load_network(folder: Path, *, questions_only: bool = False) -> BiEncoder:
    """The network that a folder holds."""
    check_kind(settings_of(folder), BiEncoder, folder)
    config = BertConfig.from_pretrained(folder, local_files_only=True)
    network = BiEncoder(
        BertModel(config, add_pooling_layer=False),
        BertModel(config, add_pooling_layer=False),
        questions_only=questions_only,
    )
    load_weights(network, folder)
    return network.eval()


def load(folder: Path) -> Sides:
    """The trained bi-encoder of a folder, to encode a corpus and to search it."""
    network, settings = load_network(folder), settings_of(folder)
    inputs = DprInputs(tokenizer_of(str(folder)))
    lengths = (int(settings["question_length"]), int(settings["passage_length"]))
    return sides(network, inputs, name=f"bi-encoder {settings['id']}", lengths=lengths)
