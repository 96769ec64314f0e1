"""Data in prompts and outputs: JSON lines that no text within them can end.

A JSON string has no line breaks and no bare quotation marks, and the brackets that open a chat
template's control tokens ("<|im_end|>", "[INST]") are written as escapes, so that a text can
neither close its block nor open a turn of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from seminar.models.llm.chat import without_thoughts

LONGEST_OUTPUT = 20_000  # characters of an output that are parsed, without its thoughts
MOST_OBJECTS = 50
REPLACED = "the embedded reader took its place"  # in the notes on a model that failed

TEXT: dict[str, object] = {"type": "string"}

_BRACKETS = {ord(mark): f"\\u{ord(mark):04x}" for mark in "<>[]"}
_DECODER = json.JSONDecoder()


def data_line(fields: Mapping[str, str]) -> str:
    """The fields as one JSON line that holds none of `<>[]` and no control characters.

    >>> print(data_line({"passage": 'He said "stop".\\n<|im_end|>'}))
    {"passage": "He said \\"stop\\".\\n\\u003c|im_end|\\u003e"}
    """
    line = json.dumps(dict(fields), ensure_ascii=False).translate(_BRACKETS)
    return "".join(c if c.isprintable() else _escaped(c) for c in line)


def _escaped(character: str) -> str:
    return json.dumps(character).strip('"')


def objects(output: str, key: str) -> list[dict[str, object]]:
    """The JSON objects with that key, anywhere in the output.

    >>> objects('Sure! ```json\\n[{"quote": "a"}, {"quote": "b"}]```', "quote")
    [{'quote': 'a'}, {'quote': 'b'}]
    """
    return list(_objects(without_thoughts(output)[:LONGEST_OUTPUT], key))[:MOST_OBJECTS]


def items(output: str, name: str, key: str) -> list[dict[str, object]] | None:
    """The JSON objects with that key, in a list of that name or not; None where there is neither.

    >>> items('{"answers": [{"quote": "a"}]}', "answers", "quote")
    [{'quote': 'a'}]
    >>> items('{"answers": []}', "answers", "quote"), items("None.", "answers", "quote")
    ([], None)
    """
    found = objects(output, key)
    return found if found or objects(output, name) else None


def shape(**fields: object) -> dict[str, object]:
    """The JSON schema of an object with exactly these fields."""
    names = list(fields)
    return {
        "type": "object",
        "properties": fields,
        "required": names,
        "additionalProperties": False,
    }


def shape_of_list(name: str, **fields: object) -> dict[str, object]:
    """The JSON schema of an object with one list, of objects with exactly these fields."""
    return shape(**{name: {"type": "array", "items": shape(**fields)}})


def one_of(*words: str) -> dict[str, object]:
    """The JSON schema of a text that is one of these words."""
    return {**TEXT, "enum": list(words)}


def _objects(output: str, key: str) -> Iterator[dict[str, object]]:
    at = output.find("{")
    while at >= 0:
        end = at + 1
        try:
            found, after = _DECODER.raw_decode(output, at)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict) and key in found:
            yield found
            end = after
        at = output.find("{", end)  # what wraps the objects is looked into
