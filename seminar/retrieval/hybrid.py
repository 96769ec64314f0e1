"""The default retriever: lexical and dense rankings fused with measured weights."""

from __future__ import annotations

from seminar.protocols import Encoder, PassageStore, Retriever
from seminar.retrieval.dense import Dense
from seminar.retrieval.fusion import Fused
from seminar.retrieval.lexical import Lexical

# The weight of the dense ranking beside the lexical one, and the rank constant, chosen on tuning
# questions (docs/benchmarks.md): with the usual constant of 60 the weaker ranking displaces the
# top hits of the stronger one.
DENSE_WEIGHTS = {"static": 0.5, "minilm": 1.0}
RANK_CONSTANT = 5.0


def hybrid(store: PassageStore, encoder: Encoder) -> Fused:
    """BM25 and the encoder's ranking, fused; an encoder that was not measured has weight 1."""
    weights = (1.0, DENSE_WEIGHTS.get(encoder.name, 1.0))
    retrievers: list[Retriever] = [Lexical(store), Dense(store, encoder)]
    return Fused(retrievers, weights=weights, constant=RANK_CONSTANT)
