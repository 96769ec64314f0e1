"""Fusion-in-Decoder: passages are encoded apart and decoded together (Izacard and Grave, 2021).

    X = Cat(Enc(question [SEP] passage 1), ..., Enc(question [SEP] passage m)),  answer = Dec(X)

The encoder's cost therefore grows with the number of passages, not with its square. Encoder and
decoder are those of any T5 or BART checkpoint.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    PretrainedConfig,
    PreTrainedModel,
    T5Config,
    T5ForConditionalGeneration,
)
from transformers.modeling_outputs import BaseModelOutput

from seminar.errors import unknown
from seminar.networks.checkpoints import VOCABULARY_SIZE, backbone
from seminar.networks.papers.fusion.texts import Context

# Ids 1 and 2 are unused entries of MiniLM's vocabulary: its [SEP] parts question and passage here.
TINY_T5 = T5Config(
    vocab_size=VOCABULARY_SIZE,
    d_model=64,
    d_kv=16,
    d_ff=128,
    num_layers=2,
    num_heads=4,
    dropout_rate=0.0,
    pad_token_id=0,
    eos_token_id=1,
    decoder_start_token_id=0,
)
TINY_BART = BartConfig(
    vocab_size=VOCABULARY_SIZE,
    d_model=64,
    encoder_layers=2,
    decoder_layers=2,
    encoder_attention_heads=4,
    decoder_attention_heads=4,
    encoder_ffn_dim=128,
    decoder_ffn_dim=128,
    dropout=0.0,
    pad_token_id=0,
    bos_token_id=1,
    eos_token_id=2,
    decoder_start_token_id=2,
    forced_eos_token_id=None,
)
FAMILIES: dict[str, tuple[type[PreTrainedModel], PretrainedConfig]] = {
    "t5": (T5ForConditionalGeneration, TINY_T5),
    "bart": (BartForConditionalGeneration, TINY_BART),
}


@dataclass(frozen=True, slots=True)
class Encoded:
    """What the decoder attends to: `states` (questions, places, size), `attended` without size."""

    states: Tensor
    attended: Tensor


class FusionInDecoder(nn.Module):
    """A T5 or BART whose decoder attends to all passages of a question at once."""

    def __init__(self, model: PreTrainedModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, context: Context, labels: Tensor) -> Tensor:
        """The mean negative log-likelihood of the labelled tokens."""
        return decoding_loss(self.model, self.encode(context), labels)

    def encode(self, context: Context) -> Encoded:
        """Every passage on its own, then all of a question's in a row."""
        questions, passages, tokens = context.ids.shape
        ids, attended = context.ids.flatten(0, 1), context.attended.flatten(0, 1)
        present = attended.any(dim=-1)  # a question may have fewer passages than another
        read = self.model.get_encoder()(
            input_ids=ids[present], attention_mask=attended[present].long()
        ).last_hidden_state
        states = read.new_zeros((questions * passages, tokens, read.shape[-1]))
        states[present] = read
        return Encoded(
            states.view(questions, passages * tokens, -1),
            attended.view(questions, passages * tokens),
        )


def decoding_loss(model: PreTrainedModel, encoded: Encoded, labels: Tensor) -> Tensor:
    """The decoder's mean negative log-likelihood of the labelled tokens."""
    output = model(
        encoder_outputs=BaseModelOutput(last_hidden_state=encoded.states),
        attention_mask=encoded.attended.long(),
        labels=labels,
        use_cache=False,
    )
    return output.loss


def generate(model: PreTrainedModel, encoded: Encoded, *, tokens: int, **options: object) -> Any:  # noqa: ANN401
    """At most so many new tokens for each question, by transformers' own decoding.

    The sequences, (questions, tokens), or what the options of transformers ask for instead.
    """
    with torch.no_grad():
        return model.generate(
            encoder_outputs=BaseModelOutput(last_hidden_state=encoded.states),
            attention_mask=encoded.attended.long(),
            max_new_tokens=tokens,
            **{"do_sample": False, "num_beams": 1, **options},
        )


def fusion_backbone(name: str, family: str, *, dropout: float = 0.0) -> PreTrainedModel:
    """An encoder-decoder by checkpoint name or folder, or a `tiny` one of the family."""
    if family not in FAMILIES:
        raise unknown("family of encoder-decoders", family, FAMILIES)
    head, tiny = FAMILIES[family]
    option = {"t5": "dropout_rate", "bart": "dropout"}[family]
    return backbone(name, families=(family,), tiny=tiny, head=head, options={option: dropout})
