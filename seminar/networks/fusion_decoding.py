"""Ways to get several answers out of one encoding (AmbigPrompt, Figure 5 and appendix B).

Each takes a model and what it encoded and gives sequences (questions, tokens), one tensor for each
answer. A question's answers are what remains of them once repetitions are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import torch
from torch import Tensor
from transformers import LogitsProcessor, LogitsProcessorList, PreTrainedModel
from transformers.modeling_outputs import BaseModelOutput

from seminar.networks.fusion import Encoded, generate

SAMPLES = 3  # the paper's beam; how many samples it draws is not said
TEMPERATURE, NUCLEUS, TOP_K, DIVERSITY = 0.8, 0.8, 40, 0.5

Decoding = Callable[[PreTrainedModel, Encoded, int], list[Tensor]]


class FewerEnds(LogitsProcessor):
    """Makes the end of a sequence less probable, so that more answers are listed (FiD-multi)."""

    def __init__(self, end: int, penalty: float) -> None:
        self._end, self._penalty = end, penalty

    def __call__(self, ids: Tensor, logits: Tensor) -> Tensor:
        lowered = logits.clone()
        lowered[:, self._end] -= self._penalty
        return lowered


class UnlikeOthers(LogitsProcessor):
    """Diverse beam search's Hamming penalty: against what other beams chose at the same place.

    One beam a group (Vijayakumar et al., 2018): the beams can run one after another, since a beam
    depends only on those before it.
    """

    def __init__(self, others: list[Tensor], *, penalty: float, temperature: float) -> None:
        self._others, self._penalty, self._temperature = others, penalty, temperature

    def __call__(self, ids: Tensor, logits: Tensor) -> Tensor:
        scores = torch.log_softmax(logits / self._temperature, dim=-1)
        place = ids.shape[1]
        for beam in self._others:
            if place < beam.shape[1]:
                taken = beam[:, place : place + 1]
                against = torch.full_like(scores[:, :1], -self._penalty)
                scores = scores.scatter_add(1, taken, against)
        return scores


def greedy(model: PreTrainedModel, encoded: Encoded, tokens: int) -> list[Tensor]:
    """The most probable token at every place: one answer."""
    return [generate(model, encoded, tokens=tokens)]


def sample(model: PreTrainedModel, encoded: Encoded, tokens: int) -> list[Tensor]:
    """One answer drawn from the network's own distribution."""
    return [generate(model, encoded, tokens=tokens, do_sample=True, top_k=0)]


def nucleus(model: PreTrainedModel, encoded: Encoded, tokens: int) -> list[Tensor]:
    """Samples from the most probable tokens that together have a probability of 0.8."""
    return _samples(model, encoded, tokens, {"top_p": NUCLEUS, "top_k": 0})


def top_k(model: PreTrainedModel, encoded: Encoded, tokens: int) -> list[Tensor]:
    """Samples from the 40 most probable tokens."""
    return _samples(model, encoded, tokens, {"top_k": TOP_K})


def diverse_beams(model: PreTrainedModel, encoded: Encoded, tokens: int) -> list[Tensor]:
    """Beams that shun each other's tokens."""
    beams: list[Tensor] = []
    for _ in range(SAMPLES):
        unlike = UnlikeOthers(beams, penalty=DIVERSITY, temperature=TEMPERATURE)
        options = {"logits_processor": LogitsProcessorList([unlike])}
        beams = [*beams, generate(model, encoded, tokens=tokens, **options)]
    return beams


def fewer_ends(penalty: float) -> Decoding:
    """Greedy, with the end's logit lowered by the penalty."""

    def decode(model: PreTrainedModel, encoded: Encoded, tokens: int) -> list[Tensor]:
        rule = FewerEnds(model.config.eos_token_id, penalty)
        options = {"logits_processor": LogitsProcessorList([rule])}
        return [generate(model, encoded, tokens=tokens, **options)]

    return decode


DECODINGS: Mapping[str, Decoding] = {
    "greedy": greedy,
    "nucleus": nucleus,
    "top-k": top_k,
    "diverse-beam": diverse_beams,
}


def _samples(
    model: PreTrainedModel, encoded: Encoded, tokens: int, options: Mapping[str, object]
) -> list[Tensor]:
    drawn = generate(
        model,
        encoded,
        tokens=tokens,
        do_sample=True,
        temperature=TEMPERATURE,
        num_return_sequences=SAMPLES,
        **options,
    )
    return list(drawn.unflatten(0, (-1, SAMPLES)).unbind(dim=1))


def probabilities(model: PreTrainedModel, encoded: Encoded, sequences: Tensor) -> Tensor:
    """How probable each generated sequence is, up to its end, undistorted by how it was drawn."""
    said = sequences[:, 1:]  # the first token only starts the decoder
    over = (said == model.config.eos_token_id).cumsum(dim=1)
    counted = (over - (said == model.config.eos_token_id).long()) == 0
    with torch.no_grad():
        logits = model(
            encoder_outputs=BaseModelOutput(last_hidden_state=encoded.states),
            attention_mask=encoded.attended.long(),
            decoder_input_ids=sequences[:, :-1],
            use_cache=False,
        ).logits
    scores = torch.log_softmax(logits, dim=-1).gather(-1, said.unsqueeze(-1)).squeeze(-1)
    return (scores * counted).sum(dim=1).exp()
