"""Dialogues in files: questions to ask, and turns that were saved, one a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from seminar.answering.records import Record
from seminar.errors import SeminarError
from seminar.io import read_bounded, write_json_lines
from seminar.protocols import PassageStore
from seminar.saved_turns import SavedQuestion, SavedSpan, SavedTurn, decode_saved
from seminar.text import truncate, whole
from seminar.types import Dialogue, Pragmatic, Query, Reply, Span, Turn

SHOWN = 60  # characters of a question in an error
CANDIDATES = 50  # passages that are searched for a saved quotation
LARGEST = 100_000_000  # bytes of a file of turns


def check_question(line: str) -> str:
    """Return the line as a question; a line without a letter or a digit is an error."""
    question = whole(line.strip())
    if not any(character.isalnum() for character in question):
        shown = truncate(question, SHOWN)
        raise SeminarError(f"'{shown}' has no letter or digit: ask in words, as in \"Who is Ada?\"")
    return question


def parse_questions(content: bytes, name: str) -> list[str]:
    """Return the questions of a file: one a line, or those of saved turns."""
    lines = list(_lines(content, name))
    if lines and lines[0][1].startswith("{"):
        saved = (decode_saved(line, SavedQuestion, place) for place, line in lines)
        return [check_question(turn.question) for turn in saved]
    return [check_question(line) for _, line in lines]


def read_turns(file: Path) -> list[SavedTurn]:
    """Read the turns of a file that `Session.save` or `seminar ask --json` wrote."""
    try:
        content = read_bounded(file, LARGEST, follow=True)
    except OSError as error:
        raise _unreadable(file, error) from None
    if content is None:
        raise SeminarError(f"{file}: more than {LARGEST:,} bytes, which no conversation has")
    turns = [decode_saved(line, SavedTurn, place) for place, line in _lines(content, str(file))]
    for turn in turns:
        check_question(turn.question)
    return turns


def read_content(file: Path) -> bytes:
    """Read a file of questions, whole; it may be a pipe."""
    try:
        with file.open("rb") as opened:
            content = opened.read(LARGEST + 1)
    except OSError as error:
        raise _unreadable(file, error) from None
    if len(content) > LARGEST:
        raise SeminarError(f"{file}: more than {LARGEST:,} bytes of questions")
    return content


def _unreadable(file: Path, error: OSError) -> SeminarError:
    return SeminarError(f"{file}: can't be read ({error.strerror})")


def write_turns(file: Path, turns: Sequence[Record]) -> None:
    """Write one turn a line, atomically."""
    try:
        write_json_lines(file, turns)
    except OSError as error:
        raise unwritable(file, error.strerror) from None


def unwritable(file: str | Path, reason: object) -> SeminarError:
    """Return the error for a file to which a conversation can't be saved."""
    return SeminarError(f"{file} can't be written ({reason}); save it under another name")


def restore_dialogue(turns: Sequence[SavedTurn], store: PassageStore) -> tuple[Dialogue, list[str]]:
    """Return the dialogue of saved turns, and the questions that lost a quotation.

    Nothing is asked again: a quotation is restored where a passage of the index holds the same
    words at the same offsets of the same source. A turn that lost them all keeps its question and
    its text.
    """
    dialogue, lost = Dialogue(), []
    for turn in turns:
        reply = _restore_reply(turn, store)
        dialogue = dialogue.add(Turn(turn.question, reply))
        lost += [] if len(reply.literal) == len(turn.literal) else [turn.question]
    return dialogue, lost


def _lines(content: bytes, name: str) -> Iterator[tuple[str, str]]:
    """Yield each line that is not blank with its place, as in `questions.txt:3`."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SeminarError(f"{name}: not UTF-8; save it as UTF-8, one question a line") from None
    for number, line in enumerate(text.split("\n"), start=1):  # no other break ends a JSON record
        if line.strip():
            yield f"{name}:{number}", line.strip()


def _restore_reply(turn: SavedTurn, store: PassageStore) -> Reply:
    extras = [(_locate(saved, store), saved.role) for saved in turn.pragmatic]
    return Reply(
        text=turn.text,
        query=Query(turn.query, question=turn.question),
        answerable=turn.answerable,
        literal=tuple(span for saved in turn.literal if (span := _locate(saved, store))),
        pragmatic=tuple(Pragmatic(span, role) for span, role in extras if span),
        followups=tuple(turn.followups),
        topic=turn.topic,
        switch=turn.switch,
        score=turn.score,
        meta=turn.meta,
    )


def _locate(saved: SavedSpan, store: PassageStore) -> Span | None:
    """Find the saved span in a passage of the index that holds its words at its offsets."""
    words = " ".join((saved.title, saved.section, saved.text))
    [hits] = store.search_text([Query(words)], k=CANDIDATES)
    for passage in (hit.passage for hit in hits):
        start, end = saved.start - passage.start, saved.end - passage.start
        span = Span(passage, start, end)
        if start >= 0 and (span.text, span.source) == (saved.text, saved.source):
            return span
    return None
