"""What the reader is trained on, and how it is shown."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReaderConfig:
    """The reader's data and input; `windows` pairs a number of examples seen with a window size.

    Each share is the probability that an example is shown so.
    """

    encoder: str = ""  # a folder or a hub's checkpoint, BERT's or MPNet's; "" is MiniLM-L6
    layers: int = 0  # so many of its lowest layers; 0 is all
    weights: str = ""  # a folder with an exported int8 reader on that encoder, to train it on
    rounded: bool = False  # trained in the grid of the int8 export (training.quantisation)
    batch_size: int = 16
    windows: tuple[tuple[int, int], ...] = ((0, 104), (24_000, 152), (96_000, 264))
    dropout: float = 0.0
    frozen_layers: int = 0
    squad: int = 0  # so many of SQuAD's questions; 0 is all
    unanswerable: int = 0  # so many of SQuAD 2.0's without an answer; 0 is all
    written_repeats: int = 0  # the written dialogues, in right and wrong passages
    verification: int = 0  # so many examples of each source of entailment and answerability
    quac_repeats: int = 4
    boolq_repeats: int = 1
    qaconv_repeats: int = 0  # the shipped reader has not seen QAConv, so it is measured zero-shot
    negatives: int = 16_000
    boolq_negatives: int = 0
    quac_negatives: int = 0
    polar_repeats: int = 0  # questions for yes or no that are made of SQuAD's (training.polar)
    polar: int = 0  # so many of them; 0 is all
    coqa_repeats: int = 0
    quac_openings: bool = True  # first questions, whose answers are a sentence or more
    history_share: float = 0.15  # SQuAD: after other questions
    elsewhere_share: float = 0.0  # of those: about another passage; of BoolQ: after such
    pronoun_share: float = 0.0  # of the others: with a pronoun for what was named before
    introduced_share: float = 0.0  # BoolQ: after a question of what the passage is about
    found_share: float = 0.06  # told answers that were found
    end_share: float = 0.03  # told that all were found
    end_elsewhere_share: float = 0.0  # told so over a passage that a search found beside the right
    unmarked_share: float = 0.0  # without its question mark
    bare_share: float = 0.3  # without a heading
    away_share: float = 0.2  # QuAC: through a window that the answer isn't in
    pseudo_answers: str = ""  # a file in the cache, made by training.pseudo_answers
    squad_sample: int = 1200
    quac_sample: int = 200
    boolq_sample: int = 300
