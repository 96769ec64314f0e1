"""Statements as yes-or-no questions, and what the reader says of them beside some evidence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from seminar.models.reader.model import Inquiry, ReaderModel
from seminar.reading.candidates import answered_odds, clipped

_STATED = re.compile(
    r"(?P<subject>(?:(?:The|A|An|Some|Two|Three|His|Her|Their|My|Our|This|That|These|It|He|She|They"
    r"|We|You|I|There|People) ?|[A-Z])[\w' -]{0,40}?) "
    r"(?P<aux>is|are|was|were|can|could|will|would|should|must|has|have|had|did|does|do) "
    r"(?P<not>not |never |n't )?(?P<rest>[^?]+)"
)
_COMMON = re.compile(
    r"(?:The|A|An|It|He|She|They|We|You|There|His|Her|Its|Their|My|Our|This|That|These|Some|Most"
    r"|All|Two|Three|People)\b"
)
_OPENING = re.compile(r"(?:Yes|No|Oh|Well|If|When|While|As|In|On|At|For|And|But)\b")


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement beside the words that are to bear it out, and their heading."""

    statement: str
    evidence: str
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Support:
    """What the reader says of a claim, as log odds: yes against no, and any answer against none."""

    yes: float
    answered: float


def supports(model: ReaderModel, claims: Sequence[Claim]) -> list[Support]:
    """Read each statement, as a question, in its evidence."""
    inquiries = [
        Inquiry(as_question(claim.statement), claim.evidence, claim.heading) for claim in claims
    ]
    return [
        Support(clipped(finding.yes), answered_odds(finding)) if finding else Support(0.0, 0.0)
        for finding in (next(iter(found), None) for found in model.read(inquiries))
    ]


def as_question(statement: str) -> str:
    """A statement as a yes-or-no question.

    >>> as_question("The ferry is late.")
    'Is the ferry late?'
    >>> as_question("Sailors like the ferry.")
    'Is it true that sailors like the ferry?'
    """
    text = statement.strip().rstrip(".! ")
    stated = _STATED.fullmatch(text)
    if stated and not _OPENING.match(text) and not stated["not"]:
        subject = stated["subject"]
        if _COMMON.match(subject):
            subject = subject[0].lower() + subject[1:]
        return f"{stated['aux'].capitalize()} {subject} {stated['rest']}?"
    clause = text if text[:2].isupper() or text[:2] == "I " else text[:1].lower() + text[1:]
    return f"Is it true that {clause}?"
