"""Recognise polar questions, which ask for yes or no, by their form."""

from __future__ import annotations

import re

POLAR = re.compile(
    r"\s*(?:(?:and|but|so|then|well|or|ok|okay|now)\b,?\s+)*"
    r"(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|"
    r"must|need)(?:n['’]t)?\b",
    re.IGNORECASE,
)
OPEN = re.compile(r"\b(?:what|when|where|which|who|whom|whose|why|how)\b", re.IGNORECASE)

# A request in the form of a polar question, which a yes alone does not answer.
_REQUEST = re.compile(
    r"\s+(?:you\s+(?:please\s+|also\s+)*(?:tell|give|show|explain|list|name|describe|say|know|"
    r"remind|summari[sz]e|find|help|share|provide)|(?:i|we)\s+(?:ask|know))\b",
    re.IGNORECASE,
)


def asks_yes_or_no(question: str) -> bool:
    """Whether a question asks for yes or no, judged by its form.

    >>> asks_yes_or_no("And isn't there a lift?")
    True
    >>> asks_yes_or_no("Can you tell me when it opens?")
    False
    >>> asks_yes_or_no("Is it red or blue?")
    False
    >>> asks_yes_or_no("Could you tell me the fare?")
    False
    """
    opening = POLAR.match(question)
    if opening is None or _REQUEST.match(question, opening.end()):
        return False
    return not OPEN.search(question) and " or " not in question
