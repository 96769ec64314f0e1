"""Stripping quotations, signatures and list footers from a mail's text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seminar.ingestion.paragraphs import unwrap

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
_ATTRIBUTION_LINES = 3
_FOOTER_LINES = 8


def own_words(text: str) -> str:
    """The text that the writer of a mail added, with wrapped lines joined.

    >>> own_words("Yes.\\n\\nOn Monday, Ada wrote:\\n> Shall we?\\n-- \\nBo")
    'Yes.'
    """
    lines = _above_signature(_above_original(text.split("\n")))
    text, _ = unwrap("\n".join(_unquoted(lines)))
    return text


def _above_original(lines: Sequence[str]) -> Sequence[str]:
    """The lines above a whole mail that was left under the answer.

    Without any, the mail below was forwarded and is kept.
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
    """Whether the headers of another mail begin on this line."""
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
    own: list[str] = []
    may_attribute = False  # whether the last own lines were not yet searched for an attribution
    for line in lines:
        if not _QUOTED.match(line):
            own.append(line)
            may_attribute = may_attribute or bool(line.strip())
            continue
        may_attribute = may_attribute and _drop_attribution(own)
        if own and own[-1].strip():
            own.append("")  # the texts before and after a quotation are two paragraphs
    return own


def _drop_attribution(lines: list[str]) -> bool:
    """Remove "On Monday, Ada wrote:" from the end of the lines, and return whether it was there."""
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    for size in range(1, _ATTRIBUTION_LINES + 1):
        start = end - size
        if start < 0 or not lines[start].strip():
            return False
        if _ATTRIBUTION.search(" ".join(lines[start:end])):
            begins = size > 1 or re.match(r"\s*(?:On|Am|Le|El|Il|In|At)\b", lines[start])
            longer = start > 0 and re.match(r"\s*(?:On|Am|Le|El|Il|In|At)\b", lines[start - 1])
            del lines[start - 1 if longer and not begins else start :]
            return True
    return False
