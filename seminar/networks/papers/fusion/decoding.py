"""Ways to get several answers out of one encoding (AmbigPrompt, Figure 5 and appendix B).

Each takes a model, what it encoded and the most tokens, and gives what it drew, one for each
answer. A question's answers are what remains of them once repetitions are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor
from transformers import LogitsProcessor, LogitsProcessorList, PreTrainedModel
from transformers.modeling_outputs import BaseModelOutput

from seminar.networks.papers.fusion.network import Encoded, generate

SAMPLES = 3  # the paper's beam size; it doesn't give the number of samples
TEMPERATURE, NUCLEUS, TOP_K, DIVERSITY = 0.8, 0.8, 40, 0.5


@dataclass(frozen=True, slots=True)
class Drawn:
    """Sequences (questions, tokens), and how probable each is, however it was drawn."""

    sequences: Tensor
    probabilities: Tensor

    def every(self, count: int) -> list[Drawn]:
        """The first of each question's `count`, the second, and so on."""
        rows = [range(at, len(self.sequences), count) for at in range(count)]
        return [Drawn(self.sequences[list(row)], self.probabilities[list(row)]) for row in rows]


Decoding = Callable[[PreTrainedModel, Encoded, int], list[Drawn]]


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


def draw(model: PreTrainedModel, encoded: Encoded, tokens: int, **options: object) -> Drawn:
    """Sequences by transformers' own decoding, with the probabilities of whole texts."""
    found = generate(
        model, encoded, tokens=tokens, return_dict_in_generate=True, output_logits=True, **options
    )
    logits = torch.stack(found.logits, dim=1)  # as the network gave them: (rows, tokens, words)
    end = model.config.eos_token_id
    return Drawn(found.sequences, products(logits, found.sequences, end=end))


def probabilities(model: PreTrainedModel, encoded: Encoded, sequences: Tensor) -> Tensor:
    """The probabilities of sequences found by beam search, computed anew."""
    with torch.no_grad():
        logits = model(
            encoder_outputs=BaseModelOutput(last_hidden_state=encoded.states),
            attention_mask=encoded.attended.long(),
            decoder_input_ids=sequences[:, :-1],
            use_cache=False,
        ).logits
    return products(logits, sequences, end=model.config.eos_token_id)


def products(logits: Tensor, sequences: Tensor, *, end: int) -> Tensor:
    """The product of the probabilities of a sequence's tokens, up to its end."""
    generated = sequences[:, 1:]  # the first token only starts the decoder
    ends = (generated == end).long()
    counted = (ends.cumsum(dim=1) - ends) == 0
    scores = torch.log_softmax(logits, dim=-1).gather(-1, generated.unsqueeze(-1)).squeeze(-1)
    return scores.masked_fill(~counted, 0.0).sum(dim=1).exp()


def greedy(model: PreTrainedModel, encoded: Encoded, tokens: int) -> list[Drawn]:
    """The most probable token at every place: one answer."""
    return [draw(model, encoded, tokens)]


def sample(model: PreTrainedModel, encoded: Encoded, tokens: int) -> list[Drawn]:
    """One answer drawn from the network's own distribution."""
    return [draw(model, encoded, tokens, do_sample=True, top_k=0)]


def nucleus(model: PreTrainedModel, encoded: Encoded, tokens: int) -> list[Drawn]:
    """Samples from the most probable tokens that together have a probability of 0.8."""
    return _samples(model, encoded, tokens, {"top_p": NUCLEUS, "top_k": 0})


def top_k(model: PreTrainedModel, encoded: Encoded, tokens: int) -> list[Drawn]:
    """Samples from the 40 most probable tokens."""
    return _samples(model, encoded, tokens, {"top_k": TOP_K})


def diverse_beams(model: PreTrainedModel, encoded: Encoded, tokens: int) -> list[Drawn]:
    """Beams that are penalised for each other's tokens."""
    beams: list[Drawn] = []
    for _ in range(SAMPLES):
        others = [beam.sequences for beam in beams]
        unlike = UnlikeOthers(others, penalty=DIVERSITY, temperature=TEMPERATURE)
        rules = LogitsProcessorList([unlike])
        beams = [*beams, draw(model, encoded, tokens, logits_processor=rules)]
    return beams


def fewer_ends(penalty: float) -> Decoding:
    """Greedy, with the end's logit lowered by the penalty."""

    def decode(model: PreTrainedModel, encoded: Encoded, tokens: int) -> list[Drawn]:
        rules = LogitsProcessorList([FewerEnds(model.config.eos_token_id, penalty)])
        return [draw(model, encoded, tokens, logits_processor=rules)]

    return decode


DECODINGS: Mapping[str, Decoding] = {
    "greedy": greedy,
    "nucleus": nucleus,
    "top-k": top_k,
    "diverse-beam": diverse_beams,
}


def _samples(
    model: PreTrainedModel, encoded: Encoded, tokens: int, options: Mapping[str, object]
) -> list[Drawn]:
    drawn = draw(
        model,
        encoded,
        tokens,
        do_sample=True,
        temperature=TEMPERATURE,
        num_return_sequences=SAMPLES,
        **options,
    )
    return drawn.every(SAMPLES)
