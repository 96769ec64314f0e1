"""The pages that one central page leads to (PragmatiCQA, section 3.1 and appendix A)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

LEVELS = 3  # links from the central page
LIMIT = 1_000  # pages


def reachable(
    targets: Mapping[str, Iterable[str]],
    central: str,
    *,
    levels: int = LEVELS,
    limit: int = LIMIT,
) -> dict[str, int]:
    """The pages within so many links of the central one, nearest first, each with its level.

    >>> reachable({"a": ["b"], "b": ["c"], "c": ["d"], "d": []}, "a", levels=2)
    {'a': 0, 'b': 1, 'c': 2}
    """
    found = {central: 0}
    edge = [central]
    for level in range(1, levels + 1):
        beyond = []
        for page in edge:
            for target in targets.get(page, ()):
                if len(found) == limit:
                    return found
                if target not in found and target in targets:
                    found[target] = level
                    beyond.append(target)
        edge = beyond
    return found
