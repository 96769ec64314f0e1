"""Which reader reads which file: by suffix, and by how the file begins where a suffix is shared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from errno import EISDIR
from functools import partial
from pathlib import Path, PurePath

from seminar.errors import IngestionError
from seminar.ingestion.conversations import chats, interviews, subtitles, transcripts
from seminar.ingestion.conversations.mail import mailboxes as mail
from seminar.ingestion.conversations.slack import export as slack
from seminar.ingestion.conversations.slack import xml_export as slack_xml
from seminar.ingestion.conversations.slack import zip_export as slack_zip
from seminar.ingestion.documents import html, markdown, mediawiki, pdf, plain, wikiextractor
from seminar.ingestion.streams.compressed import SUFFIXES as COMPRESSED
from seminar.ingestion.streams.compressed import open_stream
from seminar.ingestion.streams.decoding import Notify
from seminar.types import Document, Thread

_HEAD = 1 << 16

# Path and source in, documents or threads out as they are read; guesses and gaps are notified.
# An IngestionError raised by a reader says only the reason: the front adds the file's name.
Read = Callable[[Path, str, Notify], Iterator[Document | Thread]]


def _always(head: bytes) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file: its suffixes, how it begins, and who reads it.

    One that `surveys` looks at all of a file before its first item, which takes its time.
    """

    name: str
    read: Read
    suffixes: tuple[str, ...]
    recognises: Callable[[bytes], bool] = _always
    compressible: bool = False
    surveys: bool = False


# Where several formats share a suffix, the first that recognises the file's beginning reads it.
FORMATS = (
    Format("html", html.read, (".html", ".htm", ".xhtml")),
    Format("markdown", markdown.read, (".md", ".markdown", ".mdown", ".mkd")),
    Format("pdf", pdf.read, (".pdf",)),
    Format("slack xml", slack_xml.read, (".xml",), slack_xml.recognises, compressible=True),
    Format("mediawiki", mediawiki.read, (".xml",), compressible=True),
    Format(
        "wikiextractor",
        wikiextractor.read,
        ("", ".txt", ".jsonl"),
        recognises=wikiextractor.recognises,
        compressible=True,
    ),
    Format("discord", chats.read_discord, (".json",), recognises=chats.recognises_discord),
    Format(
        "mattermost",
        chats.read_mattermost,
        (".jsonl", ".json"),
        recognises=chats.recognises_mattermost,
    ),
    Format(
        "json lines",
        chats.read_lines,
        (".jsonl", ".ndjson"),
        recognises=chats.recognises_lines,
        compressible=True,
    ),
    Format("eml", mail.read_eml, (".eml",)),
    Format(
        "mbox", mail.read_mbox, (".mbox", ".mbx", "", ".txt"), mail.recognises_mbox, surveys=True
    ),
    Format("subtitles", subtitles.read, (".vtt", ".srt")),
    Format(
        "radio",
        interviews.read_radio,
        (".json",),
        recognises=interviews.recognises_radio,
        compressible=True,
    ),
    Format(
        "named conversations",
        interviews.read_named,
        (".json",),
        recognises=interviews.recognises_named,
        compressible=True,
    ),
    Format(
        "court",
        transcripts.read_court,
        ("", ".txt"),
        recognises=transcripts.recognises_court,
        compressible=True,
    ),
    Format(
        "transcript", transcripts.read, ("", ".txt", ".text"), recognises=transcripts.recognises
    ),
    Format("slack zip", slack_zip.read, (".zip",), slack_zip.recognises, surveys=True),
    Format("text", plain.read, ("", ".txt", ".text"), surveys=True),
)
# Folders that are read as one.
FOLDERS = (
    Format("slack folder", slack.read_folder, (), surveys=True),
    Format("mail folder", mail.read_folder, (), surveys=True),
)
_FORMS = {form.name: form for form in (*FORMATS, *FOLDERS)}
_BY_DAY: dict[str, Read] = {
    "slack folder": partial(slack.read_folder, by_day=True),
    "slack zip": partial(slack_zip.read, by_day=True),
    "slack xml": partial(slack_xml.read, by_day=True),
    "discord": partial(chats.read_discord, by_day=True),
    "mattermost": partial(chats.read_mattermost, by_day=True),
    "json lines": partial(chats.read_lines, by_day=True),
}
# The readers that make one conversation a day of messages outside of threads, by the usual names.
BY_DAY = {
    name: replace(_FORMS[name], name=f"{name} by day", read=read) for name, read in _BY_DAY.items()
}
BY_NAME = {**_FORMS, **{form.name: form for form in BY_DAY.values()}}
EXPORTS = frozenset({".json", ".zip"})  # suffixes that few but exports of conversations are read of
BY_SUFFIX: defaultdict[str, list[Format]] = defaultdict(list)
for _form in FORMATS:
    for _suffix in _form.suffixes:
        BY_SUFFIX[_suffix].append(_form)


def choose(path: Path) -> Format:
    """The format of a file; what has no known suffix is tried as text."""
    if path.is_dir():
        return _choose_folder(path)
    compressed = path.suffix.lower() in COMPRESSED
    suffix = PurePath(path.stem if compressed else path.name).suffix.lower()
    candidates = BY_SUFFIX.get(suffix) or BY_SUFFIX[""]
    with open_stream(path) as stream:
        head = stream.read(_HEAD)
    for form in candidates:
        if form.recognises(head) and (form.compressible or not compressed):
            return form
    if compressed:
        raise IngestionError("compressed, and no wiki dump; unpack it first")
    raise IngestionError(f"no reader knows this kind of {suffix} file")


def _choose_folder(path: Path) -> Format:
    if slack.is_channel(path):
        return BY_NAME["slack folder"]
    if mail.is_maildir(path) or mail.eml_files(path):
        return BY_NAME["mail folder"]
    raise IsADirectoryError(EISDIR, "Is a directory", str(path))


def is_export(path: Path) -> bool:
    """Whether a file of a suffix that is seldom read is an export of conversations."""
    if path.suffix.lower() not in EXPORTS:
        return False
    try:
        choose(path)
    except (IngestionError, OSError):
        return False
    return True
