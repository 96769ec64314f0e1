"""Line marks: which line of the source file each part of a text comes from."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from seminar.types import LineMark

Marks = tuple[LineMark, ...]


def shift(marks: Sequence[LineMark], by: int) -> Marks:
    """The marks of a text that begins `by` characters later in another one.

    >>> shift([LineMark(0, 3), LineMark(9, 4)], -2)
    (LineMark(start=0, line=3), LineMark(start=7, line=4))
    """
    if not by or not marks:
        return tuple(marks)
    shifted = [LineMark(start + by, line) for start, line in marks]
    if shifted[0].start < 0:
        shifted = [LineMark(max(start, 0), line) for start, line in shifted]
    return tuple(shifted)


def cut(marks: Sequence[LineMark], start: int, end: int) -> Marks:
    """The marks of start:end, with offsets into it.

    >>> cut([LineMark(0, 3), LineMark(9, 4), LineMark(20, 5)], 12, 20)
    (LineMark(start=0, line=4),)
    """
    first = max(bisect_left(marks, (start + 1, 0)) - 1, 0)
    last = bisect_left(marks, (end, 0))
    return shift(marks[first:last], -start)
