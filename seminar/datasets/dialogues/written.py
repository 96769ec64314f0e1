"""Written dialogues: questions over invented pages, chats, mail and transcripts (CC0)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from seminar.datasets.files import Split, read_json_lines
from seminar.datasets.records import Record
from seminar.examples import Evidence, Example, Gold, Reading
from seminar.types import Affirmation

TITLE = "written dialogues"
SIGNATURE = ("dialogues", "rewrite", "near")
DOCUMENT_KINDS = ("page", "chat", "mail", "transcript")


@dataclass(frozen=True, slots=True)
class WrittenDocument:
    """A document of a set; a chat or transcript has one utterance a line."""

    id: str
    kind: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a document with their offsets, and the reading of the question they answer."""

    document: str
    start: int
    end: int
    text: str
    reading: str = ""


@dataclass(frozen=True, slots=True)
class WrittenTurn:
    """A question as typed, its self-contained rewrite, and the quotes that answer it.

    Any of `answers` is right. `near` are the most tempting wrong quotes where there is none.
    """

    question: str
    rewrite: str
    kind: str
    answers: tuple[Quote, ...]
    alternatives: tuple[Quote, ...]
    near: tuple[Quote, ...]
    affirmation: Affirmation
    speaker: str

    @property
    def answerable(self) -> bool:
        return bool(self.answers)

    @property
    def reply(self) -> str:
        """The answer in the history of later turns, empty where there is none."""
        return self.answers[0].text if self.answers else ""


@dataclass(frozen=True, slots=True)
class WrittenSet:
    """Documents about one subject and the dialogues about them."""

    id: str
    domain: str
    documents: tuple[WrittenDocument, ...]
    dialogues: tuple[tuple[WrittenTurn, ...], ...]

    def document(self, name: str) -> WrittenDocument:
        return next(document for document in self.documents if document.id == name)


def read_sets(path: Path) -> Iterator[WrittenSet]:
    """The sets of a file, one a line."""
    for record in read_json_lines(path):
        yield WrittenSet(
            record.text("id"),
            record.text("domain"),
            tuple(map(_document, record.items("documents"))),
            tuple(
                tuple(map(_turn, dialogue.items("turns"))) for dialogue in record.items("dialogues")
            ),
        )


def read(path: Path) -> Iterator[Example]:
    """Every turn with its own document as context, which the offsets of its gold refer to."""
    for group in read_sets(path):
        for number, turns in enumerate(group.dialogues, start=1):
            history: tuple[tuple[str, str], ...] = ()
            for place, turn in enumerate(turns, start=1):
                yield _example(group, turn, f"{group.id}-{number}", place, history)
                history = (*history, (turn.question, turn.reply))


def _example(
    group: WrittenSet,
    turn: WrittenTurn,
    dialogue: str,
    place: int,
    history: tuple[tuple[str, str], ...],
) -> Example:
    quotes = (*turn.answers, *turn.near)
    document = group.document(quotes[0].document) if quotes else group.documents[0]
    own = tuple(quote for quote in turn.answers if quote.document == document.id)
    gold = Gold(
        answers=tuple(quote.text for quote in own),
        answerable=turn.answerable,
        spans=tuple((quote.start, quote.end) for quote in own),
        affirmation=turn.affirmation,
        rewrites=(turn.rewrite,),
        evidence=tuple(Evidence(quote.text, quote.document) for quote in turn.answers),
        annotations=_readings(turn),
    )
    return Example(
        id=f"{dialogue}-{place}",
        dialogue_id=dialogue,
        question=turn.question,
        gold=gold,
        history=history,
        context=document.text,
        title=document.title,
        domain=f"{turn.kind}/{document.kind}",
        sources=(f"{group.id}/{document.id}",),
        turn=place,
    )


def _readings(turn: WrittenTurn) -> tuple[tuple[Reading, ...], ...]:
    if not turn.alternatives:
        return ()
    first = Reading(tuple(quote.text for quote in turn.answers))
    return ((first, *(Reading((quote.text,), quote.reading) for quote in turn.alternatives)),)


def _document(record: Record) -> WrittenDocument:
    kind = record.text("kind")
    if kind not in DOCUMENT_KINDS:
        raise record["kind"].expected(f"one of {', '.join(DOCUMENT_KINDS)}")
    return WrittenDocument(record.text("id"), kind, record.text("title"), record.text("text"))


def _turn(record: Record) -> WrittenTurn:
    return WrittenTurn(
        question=record.text("question"),
        rewrite=record.text("rewrite"),
        kind=record.text("kind"),
        answers=_quotes(record, "answers"),
        alternatives=_quotes(record, "alternatives"),
        near=_quotes(record, "near"),
        affirmation=_affirmation(record["affirmation"]),
        speaker=record.text_or_empty("speaker"),
    )


def _affirmation(record: Record) -> Affirmation:
    for known in ("yes", "no", "neither"):
        if record.value == known:
            return known
    raise record.expected("yes, no or neither")


def _quotes(record: Record, key: str) -> tuple[Quote, ...]:
    return tuple(
        Quote(
            quote.text("document"),
            quote.integer("start"),
            quote.integer("end"),
            quote.text("text"),
            quote.text_or_empty("reading"),
        )
        for quote in record.items(key)
    )


SPLITS = {
    "train": Split(("train.jsonl",), read),
    "dev": Split(("dev.jsonl",), read),
}
