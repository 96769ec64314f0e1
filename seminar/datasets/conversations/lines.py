"""Recorded conversations as one text with a line for each message."""

from __future__ import annotations

from collections.abc import Iterable

from seminar.types import Utterance


def join_utterances(
    messages: Iterable[tuple[str, str, str]], *, source: str = ""
) -> tuple[str, tuple[Utterance, ...]]:
    """The text of (key, speaker, words) messages, and the messages with their offsets in it.

    >>> join_utterances([("1", "Ada", "Hello"), ("2", "Bo", "Hi")])[0]
    'Ada: Hello\\nBo: Hi'
    """
    lines: list[str] = []
    utterances: list[Utterance] = []
    start = 0
    for key, speaker, words in messages:
        line = f"{speaker}: {words}"
        end = start + len(line)
        utterances.append(
            Utterance(key=key, speaker=speaker, text=words, start=start, end=end, source=source)
        )
        lines.append(line)
        start = end + 1
    return "\n".join(lines), tuple(utterances)
