"""From a question and its rewrite to the edits that lead from one to the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from seminar.models.rewriter.edits import Edit, Word

STOP_WORDS = frozenset(
    "a an the of in on at to for by with from and or but as is are was were be been do does did "
    "has have had he she it they him her them his its their that this these those other any some "
    "what who when where why how which there than else not about into ' s , . ? ! - \" ( )".split()
)


def edits_of(
    question: Sequence[Word],
    rewrite: Sequence[Word],
    history: Sequence[Word],
    joining: frozenset[tuple[str, ...]],
) -> list[Edit]:
    """The edits that bring the question nearest to its rewrite.

    A new phrase is cut into joining words, the longest span that the history holds, and joining
    words; a part that is neither in the history nor among the joining phrases is left out.
    """
    edits = []
    for start, end, phrase in differences(question, rewrite):
        edit = _explained(phrase, history, joining)
        if edit is None:
            continue
        edits.append(Edit(start, end, edit.before, edit.copied, edit.after))
    return edits


def differences(
    question: Sequence[Word], rewrite: Sequence[Word]
) -> list[tuple[int, int, list[Word]]]:
    """The stretches of the question that differ, and what the rewrite has in their place."""
    matcher = SequenceMatcher(
        None, [word.key for word in question], [word.key for word in rewrite], autojunk=False
    )
    return [
        (start, end, list(rewrite[left:right]))
        for kind, start, end, left, right in matcher.get_opcodes()
        if kind != "equal"
    ]


def _explained(
    phrase: Sequence[Word], history: Sequence[Word], joining: frozenset[tuple[str, ...]]
) -> Edit | None:
    keys = tuple(word.key for word in phrase)
    if not keys or keys in joining:
        return Edit(0, 0, before=keys)
    length, left, copied = longest_copy(keys, [word.key for word in history])
    if not length:
        return None
    before, after = keys[:left], keys[left + length :]
    return Edit(
        0,
        0,
        before if before in joining else (),
        (copied, copied + length),
        after if after in joining else (),
    )


def longest_copy(phrase: Sequence[str], history: Sequence[str]) -> tuple[int, int, int]:
    """Length, place in the phrase and latest place in the history of their longest common span.

    A span of stop words alone is no copy.
    """
    best = (0, 0, 0)
    for left in range(len(phrase)):
        for at in range(len(history)):
            length = _run(phrase, left, history, at)
            span = phrase[left : left + length]
            if length and (length, at) >= (best[0], best[2]) and not STOP_WORDS.issuperset(span):
                best = (length, left, at)
    return best


def _run(phrase: Sequence[str], left: int, history: Sequence[str], at: int) -> int:
    length = 0
    while (
        left + length < len(phrase)
        and at + length < len(history)
        and phrase[left + length] == history[at + length]
    ):
        length += 1
    return length


def joining_phrases(
    pairs: Iterable[tuple[Sequence[Word], Sequence[Word], Sequence[Word]]], count: int
) -> list[tuple[str, ...]]:
    """The phrases most often added around or instead of a copied span, commonest first."""
    seen: Counter[tuple[str, ...]] = Counter()
    for question, rewrite, history in pairs:
        keys = [word.key for word in history]
        for _, _, phrase in differences(question, rewrite):
            wanted = tuple(word.key for word in phrase)
            length, left, _ = longest_copy(wanted, keys)
            parts = (wanted[:left], wanted[left + length :]) if length else (wanted,)
            seen.update(
                part for part in parts if 0 < len(part) <= 3 and STOP_WORDS.issuperset(part)
            )
    return [phrase for phrase, _ in seen.most_common(count)]
