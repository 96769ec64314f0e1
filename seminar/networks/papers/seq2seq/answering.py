"""Text-to-text question answering: a question and a passage in, the answer's words out.

UnifiedQA (Khashabi et al., 2020) puts the question first, then `\\n` (a backslash and an n, not a
line's end), then the title in brackets and the passage, all in lower case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from seminar.errors import unknown
from seminar.networks.checkpoints import settings_of
from seminar.networks.papers.fusion.pragmatic_targets import locate
from seminar.networks.papers.fusion.reader import FusionInput, GeneratedText, distinct
from seminar.networks.papers.seq2seq import network as seq2seq
from seminar.networks.papers.seq2seq.network import Sizes, TextToText, Writer
from seminar.types import Answer, Hit, Passage, Query

UNANSWERABLE = "unanswerable"  # QAConv's target where there is no answer
NO_ANSWERS = frozenset({UNANSWERABLE, "<no answer>", "no answer>"})
PASSAGES = 1  # QAConv's full mode reads the best chunk only


class AnsweringNetwork(TextToText):
    """An encoder-decoder that writes answers."""


def _unifiedqa(question: str, passage: str) -> str:
    return f"{question} \\n {passage}".lower()


def _qaconv(question: str, passage: str) -> str:
    """QAConv's own fine-tuning files: the end mark between question and passage, case kept."""
    return f"{question} </s> {passage}"


FORMS: Mapping[str, Callable[[str, str], str]] = {"unifiedqa": _unifiedqa, "qaconv": _qaconv}


def source_of(question: str, passage: str, form: str, *, title: str = "") -> str:
    """A question over a passage as the encoder reads it.

    >>> source_of("Who runs it?", "The Lake Company runs it.", "unifiedqa", title="Ferry")
    'who runs it? \\\\n (ferry) the lake company runs it.'
    """
    if form not in FORMS:
        raise unknown("form of a question", form, FORMS)
    read = f"({title}) {passage}" if title else passage
    return FORMS[form](" ".join(question.split()), " ".join(read.split()))


class Seq2SeqReader:
    """Answers that are generated from each of the best passages, and located there.

    `titled` puts a passage's title before it. The score is the network's own probability.
    """

    def __init__(
        self,
        writer: Writer,
        *,
        form: str = "unifiedqa",
        titled: bool = True,
        passages: int = PASSAGES,
    ) -> None:
        self.writer, self.form = writer, form
        self.titled, self.passages = titled, passages

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        read = [list(found[: self.passages]) for found in hits]
        sources = [
            self._source(query.text, hit.passage)
            for query, found in zip(queries, read, strict=True)
            for hit in found
        ]
        written = iter(self.writer.write(sources))
        return [_ranked([(hit, next(written)) for hit in found]) for found in read]

    def answers(self, inputs: Sequence[FusionInput]) -> list[list[GeneratedText]]:
        """The distinct answers from each question's passages, located or not, best first."""
        sources = [
            source_of(one.question, passage, self.form)
            for one in inputs
            for passage in one.passages[: self.passages]
        ]
        written = iter(self.writer.write(sources))
        texts = [[next(written) for _ in one.passages[: self.passages]] for one in inputs]
        return [
            distinct(sorted(filter(_is_answer, group), key=lambda text: -text.probability))
            for group in texts
        ]

    def _source(self, question: str, passage: Passage) -> str:
        title = passage.title if self.titled else ""
        return source_of(question, passage.text, self.form, title=title)


def _is_answer(text: GeneratedText) -> bool:
    return text.key not in NO_ANSWERS


def _ranked(written: Sequence[tuple[Hit, GeneratedText]]) -> list[Answer]:
    """The answers whose words stand in the passage that they were read from, best first."""
    located = [
        Answer(span, text.probability)
        for hit, text in written
        if _is_answer(text) and (span := locate(text.text, [hit]))
    ]
    return sorted(located, key=lambda answer: -answer.score)


def save(reader: Seq2SeqReader, folder: Path) -> None:
    """Write a reader for use."""
    settings = {"form": reader.form, "titled": reader.titled, "passages": reader.passages}
    seq2seq.save(reader.writer, folder, settings)


def load(folder: Path) -> Seq2SeqReader:
    """The reader that `seminar train text-to-text` wrote."""
    writer, settings = seq2seq.load_writer(folder, AnsweringNetwork), settings_of(folder)
    return Seq2SeqReader(
        writer,
        form=settings["form"],
        titled=settings["titled"],
        passages=settings["passages"],
    )


def published(checkpoint: str, *, form: str = "unifiedqa", titled: bool = False) -> Seq2SeqReader:
    """A reader that others trained, as it is: UnifiedQA in QAConv's zero-shot rows."""
    sizes = Sizes(source=1024, target=128)
    writer = seq2seq.published_writer(checkpoint, AnsweringNetwork, sizes)
    return Seq2SeqReader(writer, form=form, titled=titled)
