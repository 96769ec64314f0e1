"""Parsing a mail: its writer, time, subject, own text, and the names of its attachments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parseaddr, parsedate_to_datetime

from selectolax.lexbor import LexborHTMLParser

from seminar.errors import IngestionError
from seminar.ingestion.conversations.mail.quote_stripping import own_words
from seminar.ingestion.conversations.messages import name, with_attachments, words
from seminar.ingestion.documents import html
from seminar.ingestion.streams.decoding import decode

PARTS_LIMIT = 200
HTML_LIMIT = 5_000_000
KEY_LENGTH = 250
# What the email package raises on invalid headers.
_INVALID = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
_ID = re.compile(r"<([^<>\s]{1,998})>")
_REPLY = re.compile(
    r"\s*(?:(?:re|aw|sv|antw|fwd?|wg|tr)(?:\[\d+\])?\s*:\s*|\[[^\]]{1,40}\]\s*)", re.I
)
_ANSWER = re.compile(r"\s*(?:\[[^\]]{1,40}\]\s*)?(?:re|aw|sv|antw)(?:\[\d+\])?\s*:", re.I)
# The first pass over a large mailbox must be fast: the email package takes ten times as long.
_LINKING = re.compile(
    rb"^(message-id|references|in-reply-to|subject)[ \t]*:(.*(?:\n[ \t].*)*)",
    re.IGNORECASE | re.MULTILINE,
)
_MULTIPART = re.compile(rb"content-type:\s*multipart/", re.IGNORECASE)
_QUOTES = (
    "blockquote, .gmail_quote, .gmail_signature, .moz-cite-prefix, .moz-signature, .yahoo_quoted,"
    "#divRplyFwdMsg, #appendonsend, .gmail_attr"
)


@dataclass(frozen=True, slots=True)
class Mail:
    """A parsed mail; `text` are the writer's own words."""

    key: str
    speaker: str
    subject: str
    time: datetime | None
    text: str


@dataclass(frozen=True, slots=True)
class Links:
    """The headers that link a mail to a thread: its id, the ids it answers, its subject."""

    key: str
    answers: tuple[str, ...]
    subject: str
    is_reply: bool


def links(headers: bytes) -> Links:
    """The links of a mail, from its headers with line ends as \\n."""
    fields: dict[bytes, str] = {}
    for field, value in _LINKING.findall(headers):
        fields.setdefault(field.lower(), value.decode("utf-8", "replace"))
    answers = ids(fields.get(b"references", "")) + ids(fields.get(b"in-reply-to", ""))
    subject = " ".join(_decoded(fields.get(b"subject", "")).split())
    keys = ids(fields.get(b"message-id", ""))
    is_reply = _ANSWER.match(subject) is not None
    return Links(keys[0] if keys else "", tuple(answers), strip_reply(subject), is_reply)


def ids(text: str) -> list[str]:
    """The well-formed message ids in a header.

    >>> ids("<a@b> junk <c@d>")
    ['a@b', 'c@d']
    """
    return [key[:KEY_LENGTH] for key in _ID.findall(text[:100_000])]


def strip_reply(subject: str) -> str:
    """A subject without the prefixes of replies and mailing lists.

    >>> strip_reply("Re: [list] AW: The budget")
    'The budget'
    """
    bare = subject
    while match := _REPLY.match(bare):
        bare = bare[match.end() :]
    return " ".join(bare.split())


def parse(content: bytes) -> Mail:
    """Parse the bytes of a mail; raises IngestionError where they can't be parsed."""
    if len(_MULTIPART.findall(content)) > PARTS_LIMIT:
        raise IngestionError(f"more than {PARTS_LIMIT} multiparts within each other")
    try:
        return _mail(message_from_bytes(content))
    except RecursionError:
        raise IngestionError("its parts or addresses are nested too deeply") from None
    except _INVALID:
        raise IngestionError("its parts have names or encodings that can't be decoded") from None


def _mail(message: Message) -> Mail:
    text, files = _body(message)
    keys = ids(_header(message, "Message-ID"))
    shown, address = parseaddr(_header(message, "From"))  # a decoded name may hold a comma
    return Mail(
        key=keys[0] if keys else "",
        speaker=name(_decoded(shown) or address),
        subject=name(strip_reply(_decoded(_header(message, "Subject")))),
        time=_time(_header(message, "Date")),
        text=with_attachments(text, files),
    )


def _header(message: Message, field: str) -> str:
    """A header as text, whatever its bytes are."""
    value = message.get(field, "")
    return str(value)[:100_000].encode(errors="replace").decode()


def _decoded(header: str) -> str:
    if "=?" not in header:
        return header
    try:
        return str(make_header(decode_header(header)))
    except (HeaderParseError, LookupError, ValueError):
        return header


def _time(header: str) -> datetime | None:
    try:
        time = parsedate_to_datetime(header)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _body(message: Message) -> tuple[str, list[str]]:
    """The own words of all visible parts, and the names of the attached ones."""
    texts: list[str] = []
    files: list[str] = []
    pending = [message]
    while pending:
        part = pending.pop()
        kind = part.get_content_type()
        filename = part.get_filename()
        if kind == "message/rfc822":
            files.append(filename or _enclosed(part))
        elif part.is_multipart():
            pending += reversed(_shown_parts(part, kind))
        elif filename or part.get_content_disposition() == "attachment":
            files.append(_decoded(filename or "unnamed"))
        elif kind in _READERS:
            texts.append(_READERS[kind](_part_text(part)))
    return "\n\n".join(text for text in texts if text), files[:PARTS_LIMIT]


def _enclosed(part: Message) -> str:
    inner = part.get_payload()
    first = inner[0] if isinstance(inner, list) and inner else None
    return _decoded(_header(first, "Subject")) if isinstance(first, Message) else "a mail"


def _shown_parts(part: Message, kind: str) -> list[Message]:
    """The parts to read: of alternatives the plain one, or else the first other one."""
    inner = [child for child in part.get_payload() if isinstance(child, Message)][:PARTS_LIMIT]
    if kind != "multipart/alternative":
        return inner
    plain = [child for child in inner if child.get_content_type() == "text/plain"]
    other = [child for child in inner if child.get_content_type() != "text/plain"]
    return ([child for child in plain if _has_text(child)] or other)[:1]


def _has_text(part: Message) -> bool:
    payload = part.get_payload(decode=True)
    return isinstance(payload, bytes) and bool(payload.strip())


def _part_text(part: Message) -> str:
    payload = part.get_payload(decode=True)
    content = payload if isinstance(payload, bytes) else b""
    try:
        declared = part.get_content_charset()
        return content.decode(declared or "utf-8")
    except (LookupError, ValueError):
        pass
    try:
        return decode(content, lambda _: None)
    except IngestionError:
        return content.decode("latin-1")


def _from_plain(text: str) -> str:
    return own_words(words(text))


def _from_html(text: str) -> str:
    """The own words of an HTML part, without what mail programs mark as quoted."""
    if len(text) > HTML_LIMIT:
        return ""
    try:
        html.check_depth(text.encode(errors="replace"))
        tree = LexborHTMLParser(text)
        for node in tree.css(_QUOTES):
            if "Forwarded message" not in node.text(deep=True)[:200]:
                node.decompose()
        return own_words(words(html.parse(tree.html or "", "").text))
    except IngestionError:
        return ""


_READERS = {"text/plain": _from_plain, "text/html": _from_html}
