"""Mails of Outlook: saved ones (.msg) and whole archives (.pst, .ost), read as internet mails."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.header import Header
from email.parser import HeaderParser
from email.utils import format_datetime, formataddr, parseaddr
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seminar.errors import IngestionError, MissingExtraError
from seminar.ingestion.conversations.mail.mailboxes import Place, read_mails
from seminar.ingestion.documents import rtf
from seminar.ingestion.documents.office import reading
from seminar.ingestion.streams.decoding import Notify, read_content
from seminar.regular_files import open_regular
from seminar.types import Thread

if TYPE_CHECKING:
    import pypff

EXTRA = "outlook"
MAILS_LIMIT = 1_000_000
FOLDERS_LIMIT = 10_000
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ARCHIVE = b"!BDN"
_KEPT = ("Message-ID", "In-Reply-To", "References", "From", "Date")
_BOUNDARY = "=_attached_to_a_mail_of_outlook"
_FILE_NAMES = (0x3707, 0x3704)  # PidTagAttachLongFilename, PidTagAttachFilename
_SENDERS = (0x0C1A, 0x0042)  # PidTagSenderName, PidTagSentRepresentingName
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f]+")


@dataclass(frozen=True, slots=True)
class OutlookMail:
    """The properties of a mail that are read; `headers` are those that it was received with."""

    subject: str = ""
    sender: str = ""
    time: datetime | None = None
    headers: str = ""
    text: str = ""
    html: str = ""
    attachments: tuple[str, ...] = ()

    def as_bytes(self) -> bytes:
        """The mail as it would be sent, with the names of attachments and without their content."""
        received = HeaderParser().parsestr(self.headers[:1_000_000].lstrip())
        fields = {name: _one_line(str(received.get(name, ""))) for name in _KEPT}
        if not any(parseaddr(fields["From"])):
            fields["From"] = formataddr((_one_line(self.sender), ""), "utf-8")
        if not fields["Date"] and self.time:
            fields["Date"] = format_datetime(self.time)
        fields["Subject"] = _one_line(self.subject)
        lines = [f"{name}: {_encoded(value)}\n" for name, value in fields.items() if value]
        kind, body = ("plain", self.text) if self.text.strip() else ("html", self.html)
        part = (
            f"Content-Type: text/{kind}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{body}\n"
        )
        if self.attachments:
            part = _with_attachments(part, self.attachments)
        return ("".join(lines) + part).encode(errors="replace")


def _with_attachments(part: str, names: Sequence[str]) -> str:
    opened = f'Content-Type: multipart/mixed; boundary="{_BOUNDARY}"\n\n--{_BOUNDARY}\n{part}'
    files = [
        f"--{_BOUNDARY}\nContent-Disposition: attachment\n"
        f'Content-Type: application/octet-stream; name="{_encoded(_one_line(name))}"\n\n\n'
        for name in (name.replace('"', "") for name in names)
    ]
    return f"{opened}\n{''.join(files)}--{_BOUNDARY}--\n"


def _one_line(text: str) -> str:
    return " ".join(_UNPRINTABLE.sub(" ", text).split())


def _encoded(value: str) -> str:
    return value if value.isascii() else Header(value, "utf-8", maxlinelen=10**6).encode()


def read_msg(path: Path, source: str, notify: Notify) -> Iterator[Thread]:
    """The mail of a .msg file."""
    content = read_content(path)
    if not content.startswith(_COMPOUND):
        raise IngestionError("damaged, or no mail that Outlook saved")
    mail = _parse_msg(content).as_bytes()
    yield from read_mails(
        1, lambda _, size: mail[:size], lambda _: Place(source), source=source, notify=notify
    )


def _parse_msg(content: bytes) -> OutlookMail:
    with _needing_extra(), reading("mail of Outlook"):
        from oxmsg import Message

        message = Message.load(content)
        headers = message.message_headers
        text = message.body or ""
        mail = OutlookMail(
            subject=message.subject,
            sender=next(filter(None, map(message.properties.str_prop_value, _SENDERS)), ""),
            time=message.sent_date,
            headers="".join(f"{name}: {_one_line(value)}\n" for name, value in headers.items()),
            text=text,
            html="" if text.strip() else message.html_body or "",
            attachments=tuple(one.file_name or "unnamed" for one in message.attachments),
        )
    if not (mail.text.strip() or mail.html.strip()):
        raise IngestionError("it has no plain text and no HTML; save it as .eml")
    return mail


@contextmanager
def _needing_extra() -> Iterator[None]:
    try:
        yield
    except (ModuleNotFoundError, MissingExtraError):
        raise MissingExtraError("reading files of Outlook", EXTRA) from None


def read_archive(path: Path, source: str, notify: Notify) -> Iterator[Thread]:
    """The threads of an archive; messages are cited as file#message-id."""
    with _needing_extra():
        import pypff
    archive = pypff.file()
    with open_regular(path) as content:
        if content.read(len(_ARCHIVE)) != _ARCHIVE:
            raise IngestionError("damaged, or no archive of Outlook")
        try:
            archive.open_file_object(content)
            mails = _mails(archive)
        except (OSError, ValueError, MemoryError):
            raise IngestionError("damaged, or an archive of Outlook that can't be read") from None
        unread: set[int] = set()

        def fetch(number: int, size: int) -> bytes:
            folder, at = mails[number]
            try:
                return _parse_item(folder.get_sub_message(at)).as_bytes()[:size]
            except (IngestionError, OSError, ValueError, MemoryError):
                if number not in unread:  # each mail is fetched twice
                    notify(f"mail {number + 1} is damaged; left out")
                unread.add(number)
                return b""

        def locate(number: int) -> Place:
            return Place(source)

        yield from read_mails(len(mails), fetch, locate, source=source, notify=notify)


def _mails(archive: pypff.file) -> list[tuple[Any, int]]:
    """The folder of each mail, and its number there."""
    found: list[tuple[Any, int]] = []
    pending = [archive.root_folder]
    seen: set[int] = set()
    while pending and len(seen) < FOLDERS_LIMIT:
        folder = pending.pop()
        if folder is None or folder.identifier in seen:
            continue
        seen.add(folder.identifier)
        count = min(folder.number_of_sub_messages, MAILS_LIMIT - len(found))
        found += [(folder, number) for number in range(count)]
        pending += [folder.get_sub_folder(at) for at in range(folder.number_of_sub_folders)]
    return found


def _parse_item(item: Any) -> OutlookMail:  # noqa: ANN401 - the library has no types
    text = _decoded(item.plain_text_body)
    html = "" if text.strip() else _decoded(item.html_body)
    if not (text.strip() or html.strip()) and item.rtf_body:
        text = _rich_text(item.rtf_body)
    return OutlookMail(
        subject=item.subject or "",
        sender=item.sender_name or "",
        time=item.delivery_time and item.delivery_time.replace(tzinfo=UTC),
        headers=item.transport_headers or "",
        text=text,
        html=html,
        attachments=_attached(item),
    )


def _rich_text(content: bytes) -> str:
    """The text of a mail that has no other form, as entries of a calendar."""
    try:
        with reading("mail of Outlook"):
            return rtf.parse(content.decode("cp1252", errors="replace"), "").text
    except IngestionError:
        return ""


def _attached(item: Any) -> tuple[str, ...]:  # noqa: ANN401 - the library has no types
    try:
        every = [item.get_attachment(at) for at in range(min(item.number_of_attachments, 100))]
        return tuple(_file_name(one) for one in every)
    except (OSError, ValueError):
        return ()


def _file_name(attachment: Any) -> str:  # noqa: ANN401 - the library has no types
    names = {
        entry.entry_type: entry.get_data_as_string()
        for records in attachment.record_sets
        for entry in records.entries
        if entry.entry_type in _FILE_NAMES
    }
    return next((names[kind] for kind in _FILE_NAMES if names.get(kind)), "unnamed")


def _decoded(content: bytes | None) -> str:
    content = content or b""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")
