"""AmbigPrompt: an answering model that is prompted with the answers found (Sun et al., 2023).

The prompting model is the answering model's own encoder. In layer j it reads the known answers e
beside the context X of the layer below (Eq. 6); what it makes of them stands before the keys and
values of every passage (Eq. 4), and the decoder attends to both (Eq. 7):

    E^j = Layer_j(queries of E^(j-1); keys and values of E^(j-1) and X^(j-1))     (6)
    x^j = Layer_j(queries of x^(j-1); keys and values of E^j and x^(j-1))         (4)
    answer = Dec(Cat(E, X))                                                       (7)

The equations don't say that states become keys and values by the layer's own projections. In
relative positions the prompt stands right before each passage.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn
from transformers import T5ForConditionalGeneration

from seminar.errors import unknown
from seminar.networks.papers.ambigprompt.attention import (
    attend,
    for_each_passage,
    in_a_row,
    keys_and_values,
    prompt_scores,
)
from seminar.networks.papers.fusion.network import Encoded, FusionInDecoder, decoding_loss
from seminar.networks.papers.fusion.texts import Context, KnownAnswers

Prompting = Literal["interleaved", "separate", "learned"]
PROMPTINGS: tuple[Prompting, ...] = ("interleaved", "separate", "learned")


@dataclass(frozen=True, slots=True)
class LearnedPrompts:
    """How many prompts there are, one for each number of known answers, and their length."""

    rounds: int = 10
    length: int = 8


@dataclass(frozen=True, slots=True)
class Activations:
    """A layer's output: `prompt` (questions, places, size), `passages` (all passages, ...)."""

    prompt: Tensor
    passages: Tensor


class AmbigPrompt(nn.Module):
    """Fusion-in-Decoder on T5, prompted with the answers that are known already.

    `prompting` "interleaved" is the paper's model and the others are Table 3's ablations:
    "separate" encodes the known answers without regard to the context, as if they were a passage,
    and "learned" has no prompting model but vectors for each layer and number of known answers.
    """

    def __init__(
        self,
        model: T5ForConditionalGeneration,
        *,
        prompting: Prompting = "interleaved",
        learned: LearnedPrompts | None = None,
    ) -> None:
        super().__init__()
        if prompting not in PROMPTINGS:
            raise unknown("prompting", prompting, PROMPTINGS)
        self.model, self.prompting = model, prompting
        if prompting == "learned":
            shape = learned or LearnedPrompts()
            layers, size = model.config.num_layers, model.config.d_model
            # As long as the states of a T5's first layer, so that a prompt weighs like a word.
            self.prompts = nn.Parameter(torch.randn(shape.rounds, layers, shape.length, size))

    def forward(self, context: Context, known: KnownAnswers, labels: Tensor) -> Tensor:
        """The mean negative log-likelihood of a further answer (Eq. 9 and 10)."""
        return decoding_loss(self.model, self.encode(context, known), labels)

    def encode(self, context: Context, known: KnownAnswers) -> Encoded:
        """Prompt and context as the decoder attends to them (Eq. 7)."""
        if self.prompting == "separate":
            read = FusionInDecoder(self.model).encode(context)
            prompt = self._without_context(known)
            return Encoded(
                torch.cat([prompt, read.states], dim=1),
                torch.cat([known.attended, read.attended], dim=1),
            )
        *_, last = self.activations(context, known)
        questions, encoder = len(context.ids), self.model.encoder
        states = torch.cat(
            [last.prompt, last.passages.unflatten(0, (questions, -1)).flatten(1, 2)], 1
        )
        attended = torch.cat([self._attended(known), context.attended.flatten(1)], dim=1)
        return Encoded(encoder.dropout(encoder.final_layer_norm(states)), attended)

    def activations(self, context: Context, known: KnownAnswers) -> Iterator[Activations]:
        """The embeddings, then every layer's output; the final normalisation is still to come."""
        encoder = self.model.encoder
        passages = encoder.dropout(encoder.embed_tokens(context.ids.flatten(0, 1)))
        prompt = encoder.dropout(encoder.embed_tokens(known.ids))
        attended = self._attended(known)
        scores = prompt_scores(encoder.block[0].layer[0].SelfAttention, context.attended, attended)
        yield Activations(prompt, passages)
        for number, (attention, feed_forward) in enumerate(block.layer for block in encoder.block):
            own = keys_and_values(attention, passages)
            if self.prompting == "learned":
                prompt = self._learned(known, number)
            elif prompt.shape[1]:
                seen = in_a_row(keys_and_values(attention, prompt), own)
                prompt = feed_forward(attend(attention, prompt, seen, scores.of_prompt))  # Eq. 6
            seen = own
            if prompt.shape[1]:
                seen = for_each_passage(keys_and_values(attention, prompt), own)
            passages = feed_forward(attend(attention, passages, seen, scores.of_passages))  # Eq. 4
            yield Activations(prompt, passages)

    def _without_context(self, known: KnownAnswers) -> Tensor:
        """The known answers as the encoder reads them without the context."""
        if not known.ids.shape[1]:
            return self.model.encoder.embed_tokens(known.ids)
        return self.model.encoder(
            input_ids=known.ids, attention_mask=known.attended.long()
        ).last_hidden_state

    def _learned(self, known: KnownAnswers, layer: int) -> Tensor:
        """The trained vectors of a layer for each question's number of known answers."""
        rounds = known.counts.clamp(max=self.prompts.shape[0] - 1)
        return self.prompts[rounds, layer]

    def _attended(self, known: KnownAnswers) -> Tensor:
        if self.prompting != "learned":
            return known.attended
        return known.attended.new_ones((len(known.counts), self.prompts.shape[2]))
