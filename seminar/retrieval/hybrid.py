"""The default retriever: words and meaning together, weighed as they were measured to help most."""

from __future__ import annotations

from seminar.protocols import Encoder, PassageStore, Retriever
from seminar.retrieval.dense import Dense
from seminar.retrieval.fusion import Fused
from seminar.retrieval.lexical import Lexical

# What a dense rank counts beside a lexical one, and how steeply ranks count, chosen on tuning
# questions (docs/benchmarks.md): the customary constant of 60 lets the weaker list pull down
# what the stronger one has at the top.
DENSE_WEIGHTS = {"static": 0.5, "minilm": 1.0}
RANK_CONSTANT = 5.0


def hybrid(store: PassageStore, encoder: Encoder) -> Fused:
    """BM25 and the encoder's ranking, fused; an encoder that was not measured counts in full."""
    weights = (1.0, DENSE_WEIGHTS.get(encoder.name, 1.0))
    retrievers: list[Retriever] = [Lexical(store), Dense(store, encoder)]
    return Fused(retrievers, weights=weights, constant=RANK_CONSTANT)
