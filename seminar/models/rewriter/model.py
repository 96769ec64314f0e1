"""The trained rewriter in ONNX form: a question in its dialogue to one that stands alone.

A folder holds model.onnx or model.onnx.gz, tokenizer.json, phrases.json and card.md.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from seminar.errors import ConfigurationError
from seminar.models.rewriter.edits import apply, text_of, words_of
from seminar.models.rewriter.layout import (
    EditLayout,
    EditLogits,
    decode,
    history_words,
    lay_out_edits,
)
from seminar.models.runtime import load_session, marked_sequence
from seminar.models.word_pieces import WordPieces

OUTPUTS = ("drop", "insert", "before", "after", "start", "end")
QUESTION_WORDS = 60  # a longer question is left alone: it says enough
MOST_TOKENS = 512  # that the network has places for; hashes and Chinese make many of a word


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A question after others; `title` and `section` are where the last answer was found."""

    question: str
    turns: tuple[tuple[str, str], ...] = ()
    title: str = ""
    section: str = ""


class RewriterModel:
    """Rewrites questions by edits; a question with nothing before it stays as it is."""

    def __init__(self, folder: Path) -> None:
        self._pieces = WordPieces(folder)
        self._session = load_session(folder)
        self._phrases = _phrases(folder / "phrases.json")

    def rewrite(self, questions: Sequence[FollowUp]) -> list[str]:
        """Each question as it would stand alone."""
        return [self._rewrite(one) for one in questions]

    def _rewrite(self, asked: FollowUp) -> str:
        history = history_words(asked.title, asked.section, asked.turns)
        question = words_of(asked.question)
        if not history.words or not 0 < len(question) <= QUESTION_WORDS:
            return asked.question
        layout = lay_out_edits(history, question, self._pieces.split)
        if len(layout.ids) > MOST_TOKENS:
            return asked.question
        edits = decode(self._run(layout), layout, self._phrases)
        return text_of(apply(question, history.words, edits)) if edits else asked.question

    def _run(self, layout: EditLayout) -> EditLogits:
        feed = marked_sequence(layout.ids, layout.segments, layout.marks)
        return EditLogits(*(output[0] for output in self._session.run(list(OUTPUTS), feed)))


def _phrases(path: Path) -> list[tuple[str, ...]]:
    """The joining phrases, in the order that the weights count on."""
    if not path.is_file():
        raise ConfigurationError(f"{path.parent}: a rewriter's folder needs a phrases.json")
    return [tuple(phrase) for phrase in json.loads(path.read_text(encoding="utf-8"))]
