"""The reader's training data and how they are augmented."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReaderConfig:
    """The reader's data and input; `windows` pairs a number of examples seen with a window size.

    A share is the probability of an augmentation; `repeats` is how often an epoch has the data.
    """

    encoder: str = ""  # a folder or a Hugging Face name of a BERT or MPNet; "" is MiniLM-L6
    layers: int = 0  # the lowest layers of the encoder to keep; 0 is all
    weights: str = ""  # a folder with an exported int8 reader on that encoder to start from
    quantisation_aware: bool = False  # round weights as the int8 export does (quantisation.py)
    teacher: str = ""  # a folder with an exported int8 reader whose outputs are learnt too
    teacher_encoder: str = ""  # as `encoder` and `layers`, of the teacher
    teacher_layers: int = 0
    teacher_share: float = 0.7  # of the loss, the labels have the rest
    batch_size: int = 16
    windows: tuple[tuple[int, int], ...] = ((0, 104), (24_000, 152), (96_000, 264))
    dropout: float = 0.0
    frozen_layers: int = 0
    squad: int = 0  # questions of SQuAD; 0 is all
    unanswerable: int = 0  # unanswerable questions of SQuAD 2.0; 0 is all
    written_repeats: int = 0  # the written dialogues, over right and wrong passages
    verification: int = 0  # examples of each source of entailment and answerability
    quac_repeats: int = 4
    boolq: int = 0  # questions of BoolQ; 0 is all
    boolq_repeats: int = 1
    qaconv_repeats: int = 0  # the shipped reader has not seen QAConv, so it is measured zero-shot
    negatives: int = 16_000
    boolq_negatives: int = 0
    quac_negatives: int = 0
    yes_no_repeats: int = 0  # yes-or-no questions generated from SQuAD (yes_no.py)
    yes_no: int = 0  # how many of them; 0 is all
    coqa_repeats: int = 0
    quac_first_questions: bool = True  # whose answers are a sentence or more
    history_share: float = 0.15  # SQuAD: after other questions
    other_passage_share: float = 0.0  # of these, and of BoolQ: the history is of another passage
    pronoun_share: float = 0.0  # of the other histories: a pronoun replaces a name they have
    introduction_share: float = 0.0  # BoolQ: after a question about the passage's subject
    found_share: float = 0.06  # with other answers as found already
    end_share: float = 0.03  # with all answers as found, so that the type is "end"
    end_negative_share: float = 0.0  # negatives: the same, with the answer of another passage
    no_question_mark_share: float = 0.0
    no_heading_share: float = 0.3
    any_window_share: float = 0.2  # QuAC: a window chosen without regard to the answer
    pseudo_answers: str = ""  # a file in the cache, made by training.reader.pseudo_answers
    squad_sample: int = 1200
    quac_sample: int = 200
    boolq_sample: int = 300
