"""The formats that can be read, and the choice among them by suffix and by a file's first bytes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from errno import EISDIR
from functools import partial
from pathlib import Path, PurePath

from seminar.errors import IngestionError
from seminar.ingestion import archives
from seminar.ingestion.archives import Bounds
from seminar.ingestion.conversations import (
    chats,
    interviews,
    signal,
    subtitles,
    teams,
    telegram,
    transcripts,
    whatsapp,
)
from seminar.ingestion.conversations.mail import mailboxes, outlook
from seminar.ingestion.conversations.slack import export, xml_export, zip_export
from seminar.ingestion.documents import (
    delimited,
    docx,
    epub,
    html,
    json_paths,
    markdown,
    mediawiki,
    mhtml,
    notebook,
    odp,
    ods,
    odt,
    org,
    pdf,
    plain,
    pptx,
    rst,
    rtf,
    source_code,
    toml_paths,
    wikiextractor,
    xlsx,
    yaml_paths,
)
from seminar.ingestion.read_options import DEFAULT_READING, ReadOptions
from seminar.ingestion.streams.compressed import SUFFIXES as COMPRESSED
from seminar.ingestion.streams.compressed import open_stream
from seminar.ingestion.streams.decoding import Notify, is_binary
from seminar.ingestion.suffixes import SAVE_AS, SOURCE_CODE
from seminar.types import Document, Thread

_HEAD = 1 << 16
ARCHIVE = "archive"

# From path and source to documents or threads, one at a time; guesses and gaps go to notify.
# An IngestionError of a reader gives only the reason: the loader adds the file's name.
Read = Callable[[Path, str, Notify], Iterator[Document | Thread]]


def _always(head: bytes) -> bool:
    return True


def _nothing() -> None:
    """Take no notice."""


def _read_archive(
    path: Path,
    source: str,
    notify: Notify,
    options: ReadOptions = DEFAULT_READING,
    step_done: Callable[[], None] = _nothing,
) -> Iterator[Document | Thread]:
    yield from _Inside(options, step_done, Bounds()).read_archive(path, source, notify)


@dataclass(frozen=True, slots=True)
class _Inside:
    """The formats of files inside an archive, which is read with the user's options."""

    options: ReadOptions
    step_done: Callable[[], None]
    bounds: Bounds

    def format_of(self, path: Path) -> str:
        return choose(path).name

    def read(self, path: Path, source: str, notify: Notify) -> Iterator[Document | Thread]:
        form = choose(path)
        is_archive = form.name == ARCHIVE
        read = self.read_archive if is_archive else form.reader(self.options, self.step_done)
        yield from read(path, source, notify)

    def read_archive(self, path: Path, source: str, notify: Notify) -> Iterator[Document | Thread]:
        return archives.read(path, source, notify, formats=self, bounds=self.bounds)


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: its reader, its suffixes, and a test of a file's first bytes.

    A format that `surveys` looks at the whole file before its first item, and gets time for that.
    `read_by_day` reads messages outside of threads as one conversation a day. A reader that
    `takes_options` knows all options of the user, and calls `step_done` after a slow step.
    """

    name: str
    read: Read
    suffixes: tuple[str, ...]
    recognises: Callable[[bytes], bool] = _always
    compressible: bool = False
    surveys: bool = False
    read_by_day: Read | None = None
    takes_options: bool = False

    def reader(self, options: ReadOptions, step_done: Callable[[], None] = _nothing) -> Read:
        """The reader to use with the user's options; it calls `step_done` after a slow step."""
        if self.takes_options:
            return partial(self.read, options=options, step_done=step_done)  # type: ignore[call-arg]
        return self.read if options.threads or self.read_by_day is None else self.read_by_day


# Where several formats share a suffix, the first that recognises the file's beginning reads it.
FORMATS = (
    Format("html", html.read, (".html", ".htm", ".xhtml")),
    Format("mhtml", mhtml.read, (".mhtml", ".mht")),
    Format(
        "chat log",
        whatsapp.read,
        (".txt", "", ".text", ".md"),
        recognises=whatsapp.recognises,
        surveys=True,
        read_by_day=partial(whatsapp.read, by_day=True),
    ),
    Format("markdown", markdown.read, (".md", ".markdown", ".mdown", ".mkd")),
    Format("rst", rst.read, (".rst", ".rest")),
    Format("org", org.read, (".org",)),
    Format("notebook", notebook.read, (".ipynb",)),
    Format("yaml", yaml_paths.read, (".yaml", ".yml")),
    Format("toml", toml_paths.read, (".toml",)),
    Format("source code", source_code.read, SOURCE_CODE),
    Format("pdf", pdf.read, (".pdf",), takes_options=True),
    Format("docx", docx.read, (".docx",)),
    Format("pptx", pptx.read, (".pptx", ".pptm")),
    Format("xlsx", xlsx.read, (".xlsx", ".xlsm")),
    Format("rtf", rtf.read, (".rtf",), surveys=True),
    # What programs write as .doc and .xls is often one of these.
    Format("rtf", rtf.read, (".doc",), recognises=rtf.recognises, surveys=True),
    Format("html", html.read, (".doc", ".xls"), recognises=html.recognises),
    Format("epub", epub.read, (".epub",)),
    Format("odt", odt.read, (".odt", ".ott")),
    Format("ods", ods.read, (".ods", ".ots")),
    Format("odp", odp.read, (".odp", ".otp")),
    Format("delimited", delimited.read, (".csv", ".tsv", ".tab")),
    Format(
        "slack xml",
        xml_export.read,
        (".xml",),
        recognises=xml_export.recognises,
        compressible=True,
        read_by_day=partial(xml_export.read, by_day=True),
    ),
    Format("mediawiki", mediawiki.read, (".xml",), compressible=True),
    Format(
        "wikiextractor",
        wikiextractor.read,
        ("", ".txt", ".jsonl"),
        recognises=wikiextractor.recognises,
        compressible=True,
    ),
    Format(
        "discord",
        chats.read_discord,
        (".json",),
        recognises=chats.recognises_discord,
        read_by_day=partial(chats.read_discord, by_day=True),
    ),
    Format(
        "telegram",
        telegram.read,
        (".json",),
        recognises=telegram.recognises,
        read_by_day=partial(telegram.read, by_day=True),
    ),
    Format(
        "teams",
        teams.read,
        (".json",),
        recognises=teams.recognises,
        read_by_day=partial(teams.read, by_day=True),
    ),
    Format(
        "signal",
        signal.read,
        (".jsonl",),
        recognises=signal.recognises,
        read_by_day=partial(signal.read, by_day=True),
    ),
    Format(
        "mattermost",
        chats.read_mattermost,
        (".jsonl", ".json"),
        recognises=chats.recognises_mattermost,
        read_by_day=partial(chats.read_mattermost, by_day=True),
    ),
    Format(
        "json lines",
        chats.read_lines,
        (".jsonl", ".ndjson", ".json"),
        recognises=chats.recognises_lines,
        compressible=True,
        read_by_day=partial(chats.read_lines, by_day=True),
    ),
    Format("eml", mailboxes.read_eml, (".eml",)),
    Format("msg", outlook.read_msg, (".msg",)),
    Format("outlook archive", outlook.read_archive, (".pst", ".ost"), surveys=True),
    Format(
        "mbox",
        mailboxes.read_mbox,
        (".mbox", ".mbx", "", ".txt"),
        mailboxes.recognises_mbox,
        surveys=True,
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
    Format("json", json_paths.read, (".json",)),
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
    Format(
        "slack zip",
        zip_export.read,
        (".zip",),
        recognises=zip_export.recognises,
        surveys=True,
        read_by_day=partial(zip_export.read, by_day=True),
    ),
    Format(
        ARCHIVE,
        _read_archive,
        (".zip", ".tar", ".tgz", ".tbz2", ".txz", ".xz"),
        compressible=True,
        surveys=True,
        takes_options=True,
    ),
    Format("text", plain.read, ("", ".txt", ".text", ".doc", ".xls"), surveys=True),
)
# Folders that are read as one file.
SLACK_FOLDER = Format(
    "slack folder",
    export.read_folder,
    (),
    surveys=True,
    read_by_day=partial(export.read_folder, by_day=True),
)
MAIL_FOLDER = Format("mail folder", mailboxes.read_folder, (), surveys=True)
BY_SUFFIX: defaultdict[str, list[Format]] = defaultdict(list)
for _form in FORMATS:
    for _suffix in _form.suffixes:
        BY_SUFFIX[_suffix].append(_form)


def choose(path: Path) -> Format:
    """The format of a file; one without a known suffix is tried as text."""
    if path.is_dir():
        return _choose_folder(path)
    compressed = path.suffix.lower() in COMPRESSED
    suffix = PurePath(path.stem if compressed else path.name).suffix.lower()
    candidates = BY_SUFFIX.get(suffix) or BY_SUFFIX[""]
    if candidates[0].name == ARCHIVE:  # of a damaged one the beginning may still be read
        return candidates[0]
    with open_stream(path) as stream:
        head = stream.read(_HEAD)
    if suffix in SAVE_AS and not compressed and (is_binary(head) or head.startswith(b"<?xml")):
        raise IngestionError(f"{suffix} files are not read; save it as {SAVE_AS[suffix]}")
    for form in candidates:
        if form.recognises(head) and (form.compressible or not compressed):
            return form
    if compressed:
        raise IngestionError("compressed, and neither a wiki dump nor a tar; unpack it first")
    raise IngestionError(f"no reader knows this kind of {suffix} file")


def _choose_folder(path: Path) -> Format:
    if export.is_channel(path):
        return SLACK_FOLDER
    if mailboxes.is_maildir(path) or mailboxes.eml_files(path):
        return MAIL_FOLDER
    raise IsADirectoryError(EISDIR, "Is a directory", str(path))
