"""Small encoder-decoders with a closed vocabulary, for tests of what stands on them."""

from __future__ import annotations

import torch
from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    PreTrainedModel,
    T5Config,
    T5ForConditionalGeneration,
)

from seminar.networks.papers.ambigprompt.network import AmbigPrompt, Prompting
from seminar.networks.papers.fusion.network import FusionInDecoder
from seminar.networks.papers.fusion.reader import FusionReader
from seminar.networks.papers.fusion.texts import FusionText, Lengths
from seminar.training.papers.fusion.synthetic import World, vocabulary

torch.set_num_threads(1)  # more would only wait for each other at this size

WORLD = World()
LENGTHS = Lengths(passage=16, answer=16)
SIZE = 32


def small_t5(seed: int = 0) -> T5ForConditionalGeneration:
    torch.manual_seed(seed)
    shape = T5Config(
        vocab_size=len(vocabulary(WORLD)),
        d_model=SIZE,
        d_kv=8,
        d_ff=64,
        num_layers=3,
        num_heads=4,
        dropout_rate=0.0,
        pad_token_id=0,
        eos_token_id=1,
        decoder_start_token_id=0,
    )
    return T5ForConditionalGeneration(shape)


def small_bart(seed: int = 0) -> BartForConditionalGeneration:
    torch.manual_seed(seed)
    shape = BartConfig(
        vocab_size=len(vocabulary(WORLD)),
        d_model=SIZE,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        max_position_embeddings=64,
        init_std=0.2,  # so that a small model tells words apart
        dropout=0.0,
        pad_token_id=0,
        bos_token_id=2,
        eos_token_id=1,
        decoder_start_token_id=1,
        forced_eos_token_id=None,
    )
    return BartForConditionalGeneration(shape)


SMALL = {"t5": small_t5, "bart": small_bart}


def text_of(model: PreTrainedModel) -> FusionText:
    return FusionText(vocabulary(WORLD), model, LENGTHS)


def small_reader(family: str = "t5") -> FusionReader:
    model = SMALL[family]()
    return FusionReader(FusionInDecoder(model), text_of(model), passages=10, batch=32)


def small_ambigprompt(prompting: Prompting = "interleaved") -> AmbigPrompt:
    return AmbigPrompt(small_t5(), prompting=prompting).eval()
