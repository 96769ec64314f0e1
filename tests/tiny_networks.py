"""Tiny BERTs, and reading examples with a closed vocabulary, for tests of what is built on them."""

from __future__ import annotations

import random

from transformers import BertConfig

from seminar.models.word_pieces import PassagePieces
from seminar.training.reader.examples import ReaderExample

VOCABULARY = 200  # word pieces 110 to 199 are free, below are BERT's marks


def bert_config(**changes: object) -> BertConfig:
    """A BERT of two layers with 32 dimensions, without dropout unless it is asked for."""
    shape: dict[str, object] = {
        "vocab_size": VOCABULARY,
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 64,
        "max_position_embeddings": 96,
        "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0,
    }
    return BertConfig(**(shape | changes))


def reader_examples(count: int = 32) -> list[ReaderExample]:
    """Questions that name a word of their passage; the answer is the word after it."""
    draw, examples = random.Random(7), []
    for number in range(count):
        ids = tuple(draw.sample(range(110, VOCABULARY), 12))
        passage = PassagePieces("x" * 12, ids, tuple((at, at + 1) for at in range(12)), (199,))
        at = draw.randrange(10)
        if number % 4 == 3:
            absent = next(word for word in range(110, VOCABULARY) if word not in ids)
            examples.append(ReaderExample(str(number), (absent,), passage, "no answer"))
        else:
            span = (at + 1, at + 2)
            examples.append(
                ReaderExample(str(number), (ids[at],), passage, "span", span, source="squad")
            )
    return examples
