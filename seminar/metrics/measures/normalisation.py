"""SQuAD answer normalisation, once, with both readings of what a word character is.

Lower-case, delete ASCII punctuation, drop the words a, an and the, squeeze white space. Where a
word ends differs: Python's `re` holds letters, digits and underscore for word characters, the
package `regex` also combining marks. SQuAD, QuAC, CoQA, TopiOCQA, QAConv, AmbigQA, QReCC and
NQ-open use the first reading; the readers of DPR and FiD, and KILT matching, the second.
"""

from __future__ import annotations

import re
import string

from seminar.metrics.extras import require

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = frozenset({"a", "an", "the"})
_ARTICLE = r"\b(?:a|an|the)\b"
_ARTICLE_RE = re.compile(_ARTICLE)


def tokens(text: str) -> list[str]:
    """The words of a text that count, in `re`'s reading.

    >>> tokens("The well-known A.N. Other, in 1,000 words")
    ['wellknown', 'other', 'in', '1000', 'words']
    """
    bare = text.lower().translate(_PUNCTUATION)
    words = bare.split()
    # Where every character is a word character, only white space ends a word: no pattern needed.
    if "".join(words).isalnum():
        return [word for word in words if word not in _ARTICLES]
    return _ARTICLE_RE.sub(" ", bare).split()


def normalise(text: str) -> str:
    """A text as the SQuAD family compares it, in `re`'s reading."""
    return " ".join(tokens(text))


def normalise_marks(text: str) -> str:
    """A text as DPR and FiD compare it: combining marks belong to the word (`regex`'s reading)."""
    bare = text.lower().translate(_PUNCTUATION)
    without_articles: str = require("regex").sub(_ARTICLE, " ", bare)
    return " ".join(without_articles.split())
