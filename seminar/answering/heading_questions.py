"""A question that a section answers, in the words of its heading where its form allows it."""

from __future__ import annotations

import re

from seminar.answering.names import names

# A heading that is a thing one can ask about, not a sentence or code.
_THING = re.compile(r"(?:The )?[A-Za-z][a-z’'-]*(?: [A-Za-z][a-z’'-]*){0,3}")
_QUESTION = re.compile(r"(?:How|What|When|Where|Which|Who|Why|Can|Do|Does|Is|Are) [^?]{4,80}\?")
_HOLLOW = frozenset(
    """
    introduction overview summary background notes note references contents see also external links
    appendix miscellaneous other general about more further conclusion how what why when where who
    usage example examples limits details results related reading history description
    """.split()
)
_PREPOSITIONS = frozenset(
    "from to at in on by for with after before until since near under over between and".split()
)
_NOT_THINGS = re.compile(r".*(?:ing|ed|ly|tion|ment|ness|ity|ance|ence|ism)")
_PLURAL = re.compile(r".*[^\Wsui]s")


def question_for_heading(heading: str, text: str) -> str | None:
    """The question that a section of that heading answers, or None; `text` shows how it is written.

    A word that the text has in lower case is no name.

    >>> question_for_heading("Opening hours", "The opening hours change in winter.")
    'What about opening hours?'
    >>> question_for_heading("How do I get a card?", "")
    'How do I get a card?'
    >>> question_for_heading("The Tarrant Reflector", "It was bought second-hand.")
    'Tell me about the Tarrant Reflector.'
    >>> question_for_heading("Using CORSMiddleware", "")
    """
    if _QUESTION.fullmatch(heading):
        return heading
    if not _THING.fullmatch(heading):
        return None
    thing = heading.removeprefix("The ")
    words = thing.lower().split()
    if "and" in words or "or" in words:  # two things
        return None
    if _HOLLOW.intersection(words) or words[0] in _PREPOSITIONS or _NOT_THINGS.fullmatch(words[-1]):
        return None
    if " " in thing and names(f"to {thing}") == [thing]:
        return f"Tell me about {'the ' if thing != heading else ''}{thing}."
    if not re.search(rf"\b{re.escape(words[0])}\b", text):  # never in lower case
        return None
    thing = thing[0].lower() + thing[1:]
    if _PLURAL.fullmatch(thing) and not _PREPOSITIONS.intersection(words):
        return f"What about {thing}?"
    activity = words[0].endswith("ing")
    return f"Tell me about the {thing}." if " " in thing and not activity else None
