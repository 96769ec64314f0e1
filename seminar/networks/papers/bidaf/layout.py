"""The input of BiDAF++: words, the no-answer word, marks of earlier answers, turn numbers."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import torch
from torch import Tensor
from transformers import PreTrainedTokenizerFast

from seminar.datasets.dialogues.quac import AFFIRMATIONS, CANNOT_ANSWER, CONTINUATIONS
from seminar.examples import Example

WORD = re.compile(r"\w+|[^\w\s]")
WordSpan = tuple[int, int]  # first and last word

IGNORED = -100
TURNS = 12  # QuAC's dialogs end after twelve questions; later turns count as the twelfth

# Bytes of a word, one more than their value, between two marks; 0 pads up to a fixed width, so
# that what stands beside a word in a batch never reaches it.
LONGEST_WORD, WORD_BEGINS, WORD_ENDS, BYTES = 16, 260, 261, 262

AFFIRMATION = tuple(AFFIRMATIONS.values())
CONTINUATION = tuple(CONTINUATIONS.values())


@dataclass(frozen=True, slots=True)
class Section:
    """A text in words with the characters that each stands for; the last word says "no answer"."""

    text: str
    words: tuple[str, ...]
    offsets: tuple[tuple[int, int], ...]

    @property
    def no_answer(self) -> WordSpan:
        return len(self.words) - 1, len(self.words) - 1

    def span(self, start: int, end: int) -> WordSpan | None:
        """The words that cover characters start:end, without the no-answer word."""
        first = bisect_right(self.offsets, start, hi=len(self.words) - 1, key=lambda one: one[1])
        last = bisect_left(self.offsets, end, hi=len(self.words) - 1, key=lambda one: one[0]) - 1
        return (first, last) if first <= last else None

    def find(self, answer: str) -> WordSpan | None:
        """The words of an earlier answer; an unanswered question was answered by the last word."""
        if answer in ("", CANNOT_ANSWER):
            return self.no_answer
        start = self.text.find(answer)
        return None if start < 0 else self.span(start, start + len(answer))


@dataclass(frozen=True, slots=True)
class Question:
    """One turn: its words and number, and where the answers before it stood, newest first.

    `spans` are the right answers as people gave them; acts without a label are IGNORED.
    """

    id: str
    words: tuple[str, ...]
    turn: int = 1
    given: tuple[WordSpan | None, ...] = ()
    spans: tuple[WordSpan, ...] = ()
    affirmation: int = IGNORED
    continuation: int = IGNORED


@dataclass(frozen=True, slots=True)
class Dialog:
    """Questions about one section."""

    section: Section
    questions: tuple[Question, ...]


def section_of(text: str, limit: int | None = None) -> Section:
    """The first words of a text; QuAC's own CANNOTANSWER gives way to the no-answer word."""
    text = text.removesuffix(CANNOT_ANSWER).rstrip()
    found = [match.span() for match in WORD.finditer(text)][:limit]
    words = [text[start:end] for start, end in found]
    return Section(text, (*words, CANNOT_ANSWER), (*found, (len(text), len(text))))


def dialog_of(examples: Sequence[Example], limit: int | None = None) -> Dialog:
    """The turns of one dialog, which share their context; `limit` bounds the section's words."""
    section = section_of(examples[0].context, limit)
    return Dialog(section, tuple(_question(one, section) for one in examples))


def _question(example: Example, section: Section) -> Question:
    gold = example.gold
    found = [section.span(start, end) for start, end in gold.spans]
    return Question(
        id=example.id,
        words=words_of(example.question),
        turn=example.turn,
        given=given_in(section, example.history),
        spans=tuple(one for one in found if one) if gold.answerable else (section.no_answer,),
        affirmation=AFFIRMATION.index(gold.affirmation) if gold.affirmation else IGNORED,
        continuation=CONTINUATION.index(gold.continuation) if gold.continuation else IGNORED,
    )


def given_in(section: Section, history: Sequence[tuple[str, str]]) -> tuple[WordSpan | None, ...]:
    """Where the answers of a history stand in a section, newest first."""
    return tuple(section.find(answer) for _, answer in reversed(history))


def words_of(text: str) -> tuple[str, ...]:
    """A question in words; one without any still needs something to attend to."""
    return tuple(WORD.findall(text)) or ("?",)


@dataclass(frozen=True, slots=True)
class BidafBatch:
    """Questions with their sections as numbers; every word of the batch is described once.

    Rows of `section` and `question` number the words, 0 where they are padded.
    """

    pieces: Tensor  # (words, pieces), -1 where padded
    characters: Tensor  # (words, width)
    section: Tensor  # (sections, length)
    question: Tensor  # (questions, length)
    section_of: Tensor  # (questions,)
    marks: Tensor  # (questions, contexts, length)
    turn: Tensor  # (questions,), from 0


class BidafLayout:
    """Dialogs to batches, with the word pieces of one tokenizer and so many marked answers."""

    def __init__(self, tokenizer: PreTrainedTokenizerFast, contexts: int) -> None:
        self.tokenizer = tokenizer
        self._contexts = contexts

    def batch(self, dialogs: Sequence[Dialog]) -> BidafBatch:
        """One batch of every question of these dialogs."""
        asked = [(at, one) for at, dialog in enumerate(dialogs) for one in dialog.questions]
        texts = [*(one.section.words for one in dialogs), *(one.words for _, one in asked)]
        number = {word: at for at, word in enumerate(dict.fromkeys(chain(*texts)), start=1)}
        length = max(len(one.section.words) for one in dialogs)
        marks = [
            [_marks(one, distance, length) for distance in range(1, self._contexts + 1)]
            for _, one in asked
        ]
        return BidafBatch(
            pieces=self._pieces(number),
            characters=torch.tensor([[0] * (LONGEST_WORD + 2), *map(_characters, number)]),
            section=_padded([number[word] for word in one.section.words] for one in dialogs),
            question=_padded([number[word] for word in one.words] for _, one in asked),
            section_of=torch.tensor([at for at, _ in asked]),
            marks=torch.tensor(marks).reshape(len(asked), self._contexts, length),
            turn=torch.tensor([min(one.turn, TURNS) - 1 for _, one in asked]),
        )

    def _pieces(self, words: Iterable[str]) -> Tensor:
        split = self.tokenizer(list(words), add_special_tokens=False)["input_ids"]
        unknown = self.tokenizer.unk_token_id
        return _padded([[], *(one or [unknown] for one in split)], padding=-1)


def _characters(word: str) -> list[int]:
    codes = [byte + 1 for byte in word.encode("utf-8", "replace")[:LONGEST_WORD]]
    return [WORD_BEGINS, *codes, WORD_ENDS, *[0] * (LONGEST_WORD - len(codes))]


def _marks(question: Question, distance: int, length: int) -> list[int]:
    """Of each word, its part in the answer given so many turns ago: 0 none, then four kinds.

    Kinds are numbered anew for each distance: begins, within, ends, the whole answer.
    """
    row = [0] * length
    span = question.given[distance - 1] if distance <= len(question.given) else None
    if span is None:
        return row
    kind = 4 * (distance - 1)
    first, last = span
    row[first : last + 1] = [kind + 2] * (last + 1 - first)
    row[first], row[last] = kind + 1, kind + 3
    if first == last:
        row[first] = kind + 4
    return row


def _padded(rows: Iterable[Sequence[int]], padding: int = 0) -> Tensor:
    listed = list(rows)
    longest = max(len(row) for row in listed)
    return torch.tensor([[*row, *[padding] * (longest - len(row))] for row in listed])
