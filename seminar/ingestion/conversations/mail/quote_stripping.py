"""What the writer of a mail wrote himself: without quotations, signatures and list footers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seminar.ingestion.documents.plain import is_wrapped

_QUOTED = re.compile(r"\s{0,3}(?:[A-Z]{1,3}>(?:\s|>|$)|>)")
_ATTRIBUTION = re.compile(
    r"\b(?:wrote|writes|said|schrieb|écrit|escribió|scrisse|escreveu|schreef|skrev)\b.{0,200}:\s*$",
    re.IGNORECASE,
)
_ORIGINAL = re.compile(
    r"\s*-{2,}\s*(?:original message|ursprüngliche nachricht|message d'origine)\s*-{2,}\s*",
    re.IGNORECASE,
)
_FORWARDED = re.compile(r"\s*-{2,}\s*(?:forwarded|begin forwarded)\b.*", re.IGNORECASE)
_HEADER = re.compile(r"\s*\*?(?:From|Sent|Date|To|Cc|Subject|Von|Gesendet|An|Betreff):\*?\s")
_SIGNATURE = re.compile(r"--\s?")
_RULE = re.compile(r"\s*[_=-]{20,}\s*")
_FOOTER = re.compile(r"mailing list|unsubscribe|mailman|listinfo", re.IGNORECASE)
_DEVICE = re.compile(r"(?:sent|get) (?:from|outlook for) (?:my )?\w[\w ]{0,40}\.?", re.IGNORECASE)
_PARAGRAPHS = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
_ATTRIBUTION_LINES = 3
_FOOTER_LINES = 8


def own_words(text: str) -> str:
    """The writer's own words; wrapped lines are joined, else nothing is changed.

    >>> own_words("Yes.\\n\\nOn Monday, Ada wrote:\\n> Shall we?\\n-- \\nBo")
    'Yes.'
    """
    lines = _above_signature(_above_original(text.split("\n")))
    return unwrap("\n".join(_unquoted(lines)))


def unwrap(text: str) -> str:
    """Paragraphs whose lines were wrapped as one line each."""
    paragraphs = [
        [line.rstrip() for line in paragraph.split("\n") if line.strip()]
        for paragraph in _PARAGRAPHS.split(text.strip())
    ]
    return "\n\n".join(map(_joined, filter(None, paragraphs)))


def _joined(lines: list[str]) -> str:
    if is_wrapped(lines):
        return " ".join(line.strip() for line in lines)
    return "\n".join(lines)


def _above_original(lines: Sequence[str]) -> Sequence[str]:
    """What stands above a whole mail that was left under the answer.

    Where nothing does, the mail below is forwarded, and stays.
    """
    for number, line in enumerate(lines):
        if _FORWARDED.fullmatch(line):
            return lines
        is_original = _ORIGINAL.fullmatch(line) or _is_header_block(lines, number)
        if is_original and any(above.strip() for above in lines[:number]):
            end = number - 1 if _RULE.fullmatch(lines[number - 1]) else number
            return lines[:end]
    return lines


def _is_header_block(lines: Sequence[str], number: int) -> bool:
    """Whether the headers of another mail begin here."""
    if not _HEADER.match(lines[number]):
        return False
    following = lines[number : number + 6]
    return sum(1 for line in following if _HEADER.match(line)) >= 3


def _above_signature(lines: Sequence[str]) -> Sequence[str]:
    end = len(lines)
    for number, line in enumerate(lines):
        if _SIGNATURE.fullmatch(line):
            end = number
            break
        tail = lines[number + 1 : number + 1 + _FOOTER_LINES]
        is_last = len(lines) - number <= _FOOTER_LINES
        if is_last and _RULE.fullmatch(line) and any(map(_FOOTER.search, tail)):
            end = number
            break
    while end and (not lines[end - 1].strip() or _DEVICE.fullmatch(lines[end - 1].strip())):
        end -= 1
    return lines[:end]


def _unquoted(lines: Sequence[str]) -> list[str]:
    kept: list[str] = []
    may_attribute = False  # whether what was kept last was not yet looked at
    for line in lines:
        if not _QUOTED.match(line):
            kept.append(line)
            may_attribute = may_attribute or bool(line.strip())
            continue
        may_attribute = may_attribute and _drop_attribution(kept)
        if kept and kept[-1].strip():
            kept.append("")  # what stood around a quotation are two paragraphs
    return kept


def _drop_attribution(kept: list[str]) -> bool:
    """Take away "On Monday, Ada wrote:" where it ends what came before a quotation, if it does."""
    end = len(kept)
    while end and not kept[end - 1].strip():
        end -= 1
    for size in range(1, _ATTRIBUTION_LINES + 1):
        start = end - size
        if start < 0 or not kept[start].strip():
            return False
        if _ATTRIBUTION.search(" ".join(kept[start:end])):
            begins = size > 1 or re.match(r"\s*(?:On|Am|Le|El|Il|In|At)\b", kept[start])
            longer = start > 0 and re.match(r"\s*(?:On|Am|Le|El|Il|In|At)\b", kept[start - 1])
            del kept[start - 1 if longer and not begins else start :]
            return True
    return False
