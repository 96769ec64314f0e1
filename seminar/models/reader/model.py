"""The trained reader in ONNX form: a question about a text to its best span and the answer's type.

A folder holds model.onnx or model.onnx.gz, tokenizer.json, calibration.json and card.md.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path

from seminar.models.reader.layout import (
    ANSWER_TYPES,
    MARKED_TURNS,
    UNANSWERED,
    Layout,
    Logits,
    PassageSide,
    QuestionSide,
    best_spans,
    lay_out,
    through,
    windows,
)
from seminar.models.runtime import load_session, marked_sequence
from seminar.models.word_pieces import PassagePieces, WordPieces

WINDOW, STRIDE = 320, 160  # with the longest question side a window stays below 512 tokens
KEPT_TURNS = 4
LONGEST_ANSWER = 24

SPAN, YES, NO, NO_ANSWER, END = range(len(ANSWER_TYPES))


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question about a text; `history` pairs earlier questions with answers, "" for none."""

    question: str
    text: str
    heading: str = ""
    history: tuple[tuple[str, str], ...] = ()
    found: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """The best span of a text, characters start:end, and what the reader says of it.

    `span` is how far the span stands above "not in this text" (log odds); `types` are the logits
    of the answer's type, in the order of `ANSWER_TYPES`.
    """

    start: int
    end: int
    span: float
    types: tuple[float, ...]

    @property
    def margin(self) -> float:
        """Log odds that the text answers with a span, read from both sides."""
        return self.span + self.types[SPAN] - self.types[NO_ANSWER]

    @property
    def is_yes_no(self) -> bool:
        """Whether yes or no is likelier than a span."""
        return max(self.types[YES], self.types[NO]) > self.types[SPAN]

    @property
    def yes(self) -> float:
        """Log odds of yes against no."""
        return self.types[YES] - self.types[NO]


@dataclass(frozen=True, slots=True)
class _Window:
    """One window of one inquiry, `shift` from its tokens to the passage's."""

    inquiry: int
    layout: Layout
    shift: int


class ReaderModel:
    """Reads questions about texts; the findings of one never depend on the others of a call.

    Each window is a run of its own, spread over `threads`: int8 models scale activations per run,
    so windows that share a batch would change each other, and nothing is spent on padding.
    """

    def __init__(self, folder: Path, *, threads: int = 2) -> None:
        self._pieces = WordPieces(folder)
        self._session = load_session(folder)
        self._threads = threads
        self._turns, self._marks = KEPT_TURNS, MARKED_TURNS
        self.read([Inquiry("Ready?", "Ready.")])  # warm up: the first run is slow

    def with_history(self, *, turns: int = KEPT_TURNS, marks: int = MARKED_TURNS) -> ReaderModel:
        """The same reader with so many turns in its input and so many marked in the passage."""
        other = copy(self)
        other._turns, other._marks = turns, marks
        return other

    def read(
        self, inquiries: Sequence[Inquiry], *, longest: int = LONGEST_ANSWER, spans: int = 1
    ) -> list[list[Finding]]:
        """The best findings of each inquiry over all windows of its text, best first.

        A finding has at most `longest` word pieces and shares none with a better one; a text with
        words has at least one, however poor, and at most `spans`.
        """
        passages = self._pieces.passages(
            [one.text for one in inquiries], [one.heading for one in inquiries]
        )
        asked = self._asked(inquiries)
        seen = [
            window
            for number, inquiry in enumerate(inquiries)
            for window in self._windows(number, inquiry, asked[number], passages[number])
        ]
        found: list[list[Finding]] = [[] for _ in inquiries]
        for window, logits in zip(seen, self._run_all(seen), strict=True):
            passage = passages[window.inquiry]
            found[window.inquiry] += self._findings(window, logits, passage, longest, spans)
        return [
            [_with_marks(one, inquiry.text) for one in _apart(findings)[:spans]]
            for inquiry, findings in zip(inquiries, found, strict=True)
        ]

    def _findings(
        self,
        window: _Window,
        logits: Sequence[Logits],
        passage: PassagePieces,
        longest: int,
        spans: int,
    ) -> list[Finding]:
        start, end, types = logits
        nothing, kinds = float(start[0] + end[0]), tuple(float(one) for one in types)
        within = (window.layout.passage_start, len(window.layout.ids) - 1)
        lines = passage.lines(within[0] + window.shift, within[1] + window.shift)
        best = best_spans(start, end, within, longest=longest, count=spans, lines=lines)
        findings = []
        for first, last, score in best:
            words = (first + window.shift, last + 1 + window.shift)
            left, right = self._pieces.whole_words(passage, words)
            characters = (passage.offsets[left][0], passage.offsets[right - 1][1])
            findings.append(Finding(*characters, score - nothing, kinds))
        return findings

    def _asked(self, inquiries: Sequence[Inquiry]) -> list[QuestionSide]:
        """The question sides; inquiries of one ranking share a question, which is split once."""
        sides: dict[Inquiry, QuestionSide] = {}
        split = self._pieces.split
        questions = []
        for one in inquiries:
            turns = one.history[len(one.history) - min(self._turns, len(one.history)) :]
            key = Inquiry(one.question, "", "", turns, one.found)
            if key not in sides:
                history = tuple((split(q), split(a or UNANSWERED)) for q, a in turns)
                sides[key] = QuestionSide(
                    split(one.question), history, tuple(map(split, one.found))
                )
            questions.append(sides[key])
        return questions

    def _windows(
        self, number: int, inquiry: Inquiry, asked: QuestionSide, passage: PassagePieces
    ) -> list[_Window]:
        newest = [answer for _, answer in reversed(inquiry.history)][: self._marks]
        given = tuple(passage.find(answer) for answer in newest)
        read = PassageSide(passage.ids, passage.heading, given)
        views = []
        for left, right in windows(len(passage.ids), WINDOW, STRIDE):
            layout = lay_out(asked, through(read, (left, right)))
            views.append(_Window(number, layout, left - layout.passage_start))
        return views

    def _run_all(self, seen: Sequence[_Window]) -> list[list[Logits]]:
        """Start, end and type logits of each window; the longest run first."""
        if self._threads == 1 or len(seen) <= 1:
            return [self._run(window) for window in seen]
        order = sorted(range(len(seen)), key=lambda at: -len(seen[at].layout.ids))
        with ThreadPoolExecutor(self._threads) as pool:
            runs = dict(zip(order, pool.map(self._run, [seen[at] for at in order]), strict=True))
        return [runs[at] for at in range(len(seen))]

    def _run(self, window: _Window) -> list[Logits]:
        layout = window.layout
        feed = marked_sequence(layout.ids, layout.segments, layout.marks)
        return [output[0] for output in self._session.run(["start", "end", "type"], feed)]


def _with_marks(finding: Finding, text: str) -> Finding:
    """The finding with the accents that follow its last letter: a tokenizer drops them."""
    end = finding.end
    while end < len(text) and unicodedata.category(text[end]) == "Mn":
        end += 1
    return replace(finding, end=end)


def _apart(findings: Sequence[Finding]) -> list[Finding]:
    """The findings best first, without those that overlap a better one: windows overlap too."""
    kept: list[Finding] = []
    for one in sorted(findings, key=lambda one: -one.margin):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return kept
