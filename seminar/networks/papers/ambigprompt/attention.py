"""Attention of T5's encoder between a prompt and the passages that it prompts.

The modules are transformers' own, so nothing is added to a checkpoint: only which keys and values
a query sees differs.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import pad, scaled_dot_product_attention

# Keys are filled up to a multiple of this with some that none looks at: attention over 176 places
# took 3.1 ms where over 170 it took 4.5.
ALIGNED = 16
KeysAndValues = tuple[Tensor, Tensor]  # each (sequences, heads, places, size of a head)


@dataclass(frozen=True, slots=True)
class Scores:
    """What is added to attention scores: position biases, or the lowest number where none looks.

    `of_prompt` is (questions, heads, prompt, prompt and all passages) and `of_passages` is
    (all passages, heads, tokens, filling, prompt and tokens); without padding one row stands for
    all.
    """

    of_prompt: Tensor
    of_passages: Tensor


def prompt_scores(attention: nn.Module, passages: Tensor, prompt: Tensor) -> Scores:
    """The scores for what is attended: `passages` (questions, passages, tokens), `prompt`.

    `attention` is the one with the relative position biases, the first layer's.
    """
    count, tokens = passages.shape[1:]
    before = prompt.shape[1]
    bias = attention.compute_bias(before + tokens, before + tokens)
    beside = bias[:, :, :before, before:].repeat(1, 1, 1, count)
    to_all = torch.cat([bias[:, :, :before, :before], beside], dim=-1)
    seen_by_prompt = torch.cat([prompt, passages.flatten(1)], dim=1)
    seen_by_passages = torch.cat([prompt.repeat_interleave(count, 0), passages.flatten(0, 1)], 1)
    of_passages = _masked(bias[:, :, before:], seen_by_passages)
    lowest = torch.finfo(bias.dtype).min
    return Scores(
        _masked(to_all, seen_by_prompt),
        pad(of_passages, (_filling(before, tokens), 0), value=lowest).contiguous(),
    )


def _filling(prompt: int, tokens: int) -> int:
    """How many places stand before a prompt, if there is one, that none looks at."""
    return -(prompt + tokens) % ALIGNED if prompt else 0


def _masked(bias: Tensor, seen: Tensor) -> Tensor:
    """The biases, lowest where nothing is seen; one row for all where there is no padding."""
    if bool(seen.all()):
        return bias
    return torch.where(seen[:, None, None], bias, torch.finfo(bias.dtype).min)


def keys_and_values(layer: nn.Module, states: Tensor) -> KeysAndValues:
    """Keys and values of the states that a layer is given."""
    attention, normed = layer.SelfAttention, layer.layer_norm(states)
    return _heads(attention.k(normed), attention), _heads(attention.v(normed), attention)


def in_a_row(prompt: KeysAndValues, passages: KeysAndValues) -> KeysAndValues:
    """The prompt's, then those of all passages of a question: what a prompt sees (Eq. 6)."""
    keys, values = (
        torch.cat([front, back.unflatten(0, (len(front), -1)).transpose(1, 2).flatten(2, 3)], 2)
        for front, back in zip(prompt, passages, strict=True)
    )
    return keys, values


def for_each_passage(prompt: KeysAndValues, passages: KeysAndValues) -> KeysAndValues:
    """The prompt's before those of every passage of its question: what a passage sees (Eq. 4)."""
    filling = _filling(prompt[0].shape[2], passages[0].shape[2])
    keys, values = (
        torch.cat(
            [pad(front, (0, 0, filling, 0)).repeat_interleave(len(back) // len(front), 0), back], 2
        )
        for front, back in zip(prompt, passages, strict=True)
    )
    return keys, values


def attend(layer: nn.Module, states: Tensor, seen: KeysAndValues, scores: Tensor) -> Tensor:
    """A layer's attention with its residual connection, over keys and values of our choice."""
    attention = layer.SelfAttention
    queries = _heads(attention.q(layer.layer_norm(states)), attention)
    dropout = attention.dropout if layer.training else 0.0
    mixed = scaled_dot_product_attention(
        queries,
        *seen,
        attn_mask=scores,
        dropout_p=dropout,
        scale=1.0,  # T5 doesn't scale
    )
    return states + layer.dropout(attention.o(mixed.transpose(1, 2).flatten(2)))


def _heads(states: Tensor, attention: nn.Module) -> Tensor:
    return states.unflatten(-1, (-1, attention.key_value_proj_dim)).transpose(1, 2)
