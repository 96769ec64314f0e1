"""The outline of Python code: which lines are prose, and where classes and functions begin."""

from __future__ import annotations

import ast
import io
import tokenize
import warnings
from collections.abc import Iterator
from typing import Literal, NamedTuple

Kind = Literal["code", "prose", "docstring", "in heading"]

_Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
_Documented = ast.Module | _Definition


class Heading(NamedTuple):
    """The line of a class or function, its nesting from 1, and where its body begins and ends."""

    line: int
    level: int
    body: int
    last: int


class Outline(NamedTuple):
    """The kind of each line, and the headings among them."""

    kinds: list[Kind]
    headings: list[Heading]


def outline(text: str) -> Outline | None:
    """The outline of a module, or None where it is not valid Python of this version."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes
            tree = ast.parse(text)
        comments = _comment_lines(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return None
    kinds: list[Kind] = ["code"] * (text.count("\n") + 1)
    for number in comments:
        kinds[number - 1] = "prose"
    headings: list[Heading] = []
    for node, level in _documented(tree):
        if not isinstance(node, ast.Module):
            body = max(_first_line(node.body[0]), node.lineno + 1)
            headings.append(Heading(node.lineno, level, body, node.end_lineno or body))
            kinds[node.lineno : body - 1] = ["in heading"] * (body - 1 - node.lineno)
        if ast.get_docstring(node, clean=False) is not None:
            first, last = node.body[0].lineno, node.body[0].end_lineno or 0
            if isinstance(node, ast.Module) or first > node.lineno:
                kinds[first - 1 : last] = ["docstring"] * (last - first + 1)
    return Outline(kinds, sorted(headings))


def _documented(tree: ast.Module) -> Iterator[tuple[_Documented, int]]:
    """The module, its classes and functions and what is defined in those classes."""
    pending: list[tuple[_Documented, int]] = [(tree, 0)]
    while pending:
        node, level = pending.pop()
        yield node, level
        if isinstance(node, ast.Module | ast.ClassDef):
            pending += [(inner, level + 1) for inner in node.body if isinstance(inner, _Definition)]


def _first_line(node: ast.stmt) -> int:
    """The line on which a statement begins, with its decorators."""
    decorators = node.decorator_list if isinstance(node, _Definition) else []
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _comment_lines(text: str) -> list[int]:
    """The lines that hold nothing but a comment."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [
        token.start[0]
        for token in tokens
        if token.type == tokenize.COMMENT
        and token.line[: token.start[1]].isspace() | (token.start[1] == 0)
        and not token.string.startswith("#!")
    ]
