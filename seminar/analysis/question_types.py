"""Types of questions by their first words, as the papers count them."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

import pandas as pd

# PragmatiCQA, appendix D, in its order.
WH_WORDS = frozenset("what when where who whom which whose why how".split())
AUXILIARIES = frozenset("is are was were did do does".split())
# Further auxiliaries with which a question for yes or no begins; the papers count them elsewhere.
MODALS = frozenset("can could will would should shall may might must has have had am".split())
OTHER = "OTHER"
REST = "…"  # the word of rare prefixes
# What "can you ..." asks to do, so that it is no question for yes or no.
REQUESTS = frozenset(
    "tell name explain describe give list talk share elaborate provide mention say help show"
    " brief quote state".split()
)
OPENING = 4  # words among which a question for yes or no has its auxiliary
DEPTH = 3  # words to the right of the word that gives the type

_WORD = re.compile(r"[\w]+(?:['’-]\w+)*")


def question_words(question: str) -> list[str]:
    """The words of a question in small letters, without punctuation.

    >>> question_words("What's Daffy's origin?")
    ["what's", "daffy's", 'origin']
    """
    return [match.group().lower().replace("’", "'") for match in _WORD.finditer(question)]


def first_word(question: str) -> str:
    """The word that a question begins with, its type in QAConv's table 3.

    >>> first_word("In which year did it open?")
    'in'
    """
    words = question.split()
    return words[0].lower() if words else ""


@lru_cache(maxsize=1 << 17)  # several figures and tables count the types of the same questions
def prefix(question: str) -> tuple[str, ...]:
    """The type by PragmatiCQA's appendix D, with up to three words to its right.

    The first WH-word is looked for anywhere in the question, then the first of seven auxiliaries.

    >>> prefix("OK, so what is the Matrix about?")
    ('what', 'is', 'the', 'matrix')
    >>> prefix("Tell me more.")
    ('OTHER',)
    """
    words = question_words(question)
    for kinds in (WH_WORDS, AUXILIARIES):
        for place, word in enumerate(words):
            head, mark, rest = word.partition("'")
            if head in kinds:
                after = ([mark + rest] if mark else []) + words[place + 1 :]
                return (head, *after[:DEPTH])
    return (OTHER,)


def is_polar(question: str) -> bool:
    """Whether a question asks for yes or no, by its form: an auxiliary comes before any WH-word.

    Choices ("red or blue?") and requests ("can you name one?") ask for something else.

    >>> is_polar("So, did he win?"), is_polar("What did he win?"), is_polar("Can you name one?")
    (True, False, False)
    """
    words = question_words(question)
    for place, word in enumerate(words[:OPENING]):
        head = word.partition("'")[0]
        if head in WH_WORDS:
            return False
        if {word, head, head.removesuffix("n")} & (AUXILIARIES | MODALS):
            asks_to = words[place + 1 : place + 2] == ["you"] and REQUESTS & set(
                words[place + 2 :][:3]
            )
            return "or" not in words[place:] and not asks_to
    return False


def first_word_shares(questions: pd.Series, top: int = 10) -> pd.DataFrame:
    """The most frequent first words with their share in percent, the rest as "Other"."""
    counts = questions.map(first_word).value_counts()
    shares = 100 * counts / max(1, counts.sum())
    rows = [(word, int(counts[word]), float(shares[word])) for word in counts.index[:top]]
    rest = counts.iloc[top:]
    if len(rest):
        rows.append(("Other", int(rest.sum()), float(shares.iloc[top:].sum())))
    return pd.DataFrame(rows, columns=["first word", "questions", "share %"])


def prefix_counts(questions: pd.Series, *, depth: int = 2, least: float = 0.004) -> pd.DataFrame:
    """Questions by type and the words after it, down to a depth.

    `least` is the share of all questions below which a prefix has no row of its own: it is counted
    under the prefix that is one word shorter, with "…" for the word.
    """
    total = max(1, len(questions))
    counts: Counter[tuple[str, ...]] = Counter()
    for words, number in questions.map(prefix).value_counts().items():
        head: tuple[str, ...] = tuple(words)[:depth]  # type: ignore[arg-type]
        counts[head + ("",) * (depth - len(head))] += int(number)
    for length in range(depth, 1, -1):
        for words in [words for words in counts if words[length - 1] not in ("", REST)]:
            whole = words[length:] == ("",) * (depth - length) or words[length] == REST
            if whole and counts[words] < least * total:
                counts[(*words[: length - 1], REST, *("",) * (depth - length))] += counts.pop(words)
    columns = [f"word {place}" for place in range(1, depth + 1)]
    rows = [(*words, number) for words, number in counts.items()]
    frame = pd.DataFrame(rows, columns=[*columns, "questions"])
    frame["share %"] = 100 * frame["questions"] / total
    heads = frame.groupby("word 1")["questions"].transform("sum")
    order = frame.assign(head=heads).sort_values(
        ["head", "questions", *columns], ascending=[False, False, *[True] * depth], kind="stable"
    )
    return order.drop(columns="head").reset_index(drop=True)
