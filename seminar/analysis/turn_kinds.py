"""Kinds of questions in a conversation after TopiOCQA: generic, specific and further ones.

The paper's labels were given by hand and are not published: these rules stand in for them, and
docs/analysis.md says what they get.
"""

from __future__ import annotations

import re

GENERIC, SPECIFIC, FURTHER = "ask-generic", "ask-specific", "ask-further"

_OPENINGS = re.compile(
    r"(?:(?:ok|okay|and|so|well|please|can you|could you|i want to|i would like to),? )*"
    r"(?:tell|talk|explain|describe|introduce|elaborate|know|give (?:me )?(?:an? )?"
    r"(?:overview|summary|introduction)|what about|how about|what do you know|what is meant by)\b"
)
_IDENTITY = re.compile(
    r"(?:who|what)(?:'s| is| are| was| were) (?!the |this |that |his |her |its |their |one |some )"
    r"(?:(?:a|an) )?(?:[\w'’.-]+ ?){1,4}$"
)
_ATTRIBUTE = re.compile(r" (?:of|in|for|by|with|from|on|at|as|about|name|called|known)\b|'s ")
_FURTHER = re.compile(
    r"\b(?:else|more|another|other|others|further|additional(?:ly)?|apart from|besides|that|those"
    r"|such)\b"
)
_BARE = re.compile(
    r"(?:and )?(?:to|from|with|by|for|in|at|on|since|until)? ?"
    r"(?:why|when|where|who|whom|which|how|what|how many|how much|how long|how so)"
    r"(?: so| not| ones?)?$"
)


def question_kind(question: str, *, first: bool = False) -> str:
    """Whether a question asks for anything, for one thing, or for more of what was told before.

    The examples are those of the paper's table 4.

    >>> question_kind("who is mariah carey?", first=True)
    'ask-generic'
    >>> question_kind("name one of her famous songs."), question_kind("how was it received?")
    ('ask-specific', 'ask-specific')
    >>> question_kind("is she married?"), question_kind("to whom?")
    ('ask-specific', 'ask-further')
    """
    text = " ".join(question.lower().split()).rstrip(" ?.!")
    if not first and (_BARE.match(text) or _FURTHER.search(text)):
        return FURTHER
    if _OPENINGS.match(text):
        return GENERIC
    if _IDENTITY.match(text) and not _ATTRIBUTE.search(text):
        return GENERIC
    return SPECIFIC
