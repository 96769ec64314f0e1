"""BC3 (Ulrich et al., 2008): forty mail threads, and people's summaries linked to their sentences.

A summary's sentence that begins with the writer of the one mail it links to ("Wendy asks the group
if ...") is a question of who said it, in words of somebody else: "Who asks the group if ...?".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.utils import parseaddr
from pathlib import Path
from xml.etree import ElementTree

from seminar.datasets.conversations.lines import join_utterances
from seminar.datasets.files import Split, find
from seminar.errors import DatasetError
from seminar.examples import Example, Gold
from seminar.types import Thread

TITLE = "BC3"
SIGNATURE = ("listno", "annotation", "sent")
MAILS, SUMMARIES = "corpus.xml", "annotation.xml"

_QUOTED = re.compile(r"\s*(?:>|&gt;|-{5,})")
_PRONOUN = re.compile(r"(?:he|she)\b", re.IGNORECASE)


def threads(folder: Path) -> Iterator[Thread]:
    """The mail threads, without quoted lines."""
    for thread in _parsed(find(folder, (MAILS,))).iter("thread"):
        name = thread.findtext("listno") or ""
        messages = (
            (f"{name}.{number}", writer(mail), _words(mail))
            for number, mail in enumerate(thread.iter("DOC"), start=1)
        )
        text, utterances = join_utterances(messages, source=name)
        yield Thread(name, thread.findtext("name") or "", text, utterances, channel=name)


def read(path: Path) -> Iterator[Example]:
    """Sentences of summaries as questions of who said it."""
    mails = _parsed(path.with_name(MAILS))
    writers = {
        thread.findtext("listno"): [writer(mail) for mail in thread.iter("DOC")]
        for thread in mails.iter("thread")
    }
    for thread in _parsed(path).iter("thread"):
        name = thread.findtext("listno") or ""
        for number, sentence in enumerate(thread.iterfind("annotation/summary/sent")):
            mail = _only_mail(sentence.get("link", ""))
            if mail is None or mail > len(writers.get(name, ())):
                continue
            said_by = writers[name][mail - 1]
            question = who(sentence.text or "", said_by)
            if question:
                gold = Gold(answers=(said_by,))
                yield Example(f"{name}-{number}", name, question, gold, sources=(name,))


def who(summary: str, writer: str) -> str | None:
    """A summary's sentence as the question of who it speaks of, if that is its first word.

    >>> who("Wendy asks if they agree.", "Wendy A Chisholm")
    'Who asks if they agree?'
    >>> who("The group will meet in Bristol.", "Wendy A Chisholm")
    """
    words = " ".join(summary.split()).rstrip(".")
    begun = _PRONOUN.match(words)
    names = [name for name in writer.split() if words.startswith(f"{name} ")]
    opening = begun.group() if begun else names[0] if names else ""
    if not opening:
        return None
    rest = words[len(opening) :].removeprefix(f" {writer.split()[-1]}")
    return f"Who{rest}?"


def writer(mail: ElementTree.Element) -> str:
    """The name in a mail's sender, or the address where there is none."""
    name, address = parseaddr(mail.findtext("From") or "")
    return name.strip('"') or address


def _only_mail(links: str) -> int | None:
    """The number of the mail that all links ("2.4,2.5") lead to, if it is one."""
    mails = {int(number) for number in re.findall(r"(\d+)\.\d+", links)}
    return mails.pop() if len(mails) == 1 else None


def _words(mail: ElementTree.Element) -> str:
    sentences = (" ".join((sentence.text or "").split()) for sentence in mail.iter("Sent"))
    return " ".join(text for text in sentences if text and not _QUOTED.match(text))


def _parsed(path: Path) -> ElementTree.Element:
    try:
        return ElementTree.parse(path).getroot()
    except ElementTree.ParseError as error:
        raise DatasetError(f"{path}: not XML, or cut off ({error})") from None


SPLITS = {"summaries": Split((SUMMARIES,), read)}
