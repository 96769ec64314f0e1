"""The sentence most like the question: QuAC's InferSent row, with any encoder."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from seminar.baselines.sections import pick, section_text, sentences_of
from seminar.examples import Example
from seminar.metrics.official.quac import QuacPrediction
from seminar.protocols import Encoder


class SentenceSimilarity:
    """Answers with the sentence whose vector has the highest cosine with the question's.

    It never says that there is no answer, as in the paper.
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    def predict(self, examples: Iterable[Example]) -> list[QuacPrediction]:
        """One answer for each question; a section is encoded once for its dialog."""
        return [
            prediction
            for _, dialog in groupby(examples, key=section_text)
            for prediction in self._predict_dialog(list(dialog))
        ]

    def _predict_dialog(self, dialog: list[Example]) -> list[QuacPrediction]:
        candidates = sentences_of(dialog[0])
        if not candidates:
            return [pick(candidates, None) for _ in dialog]
        sentences = self._encoder.encode(candidates)
        questions = self._encoder.encode([example.question for example in dialog])
        scores = questions @ sentences.T  # (questions, sentences), cosines of unit vectors
        return [pick(candidates, int(row.argmax())) for row in scores]
