"""A dialogue as a file: JSON with everything, Markdown and HTML to read.

Everything in it comes from users and files, so that HTML and Markdown escape all of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from seminar.citations.html import escaped, quotation, visible

Record = dict[str, Any]  # a dialogue with its turns, spans with `before` and `after`

_MARKS = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~&:@/])")
_STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
blockquote { margin: .5rem 0; padding-left: 1rem; border-left: 3px solid #999 }
th, td { text-align: left; vertical-align: top; padding: .25rem .5rem; border: 1px solid #999 }
mark { background: #fd6 }
.place, .note { color: #555; font-size: .875rem }
"""


@dataclass(frozen=True, slots=True)
class Export:
    """A format: its media type, the suffix of its files, and the function that writes it."""

    media_type: str
    suffix: str
    write: Callable[[Record], str]


def as_json(dialogue: Record) -> str:
    """The dialogue as the API shows it."""
    return json.dumps({"format": "seminar-dialogue", **dialogue}, ensure_ascii=False, indent=1)


def as_markdown(dialogue: Record) -> str:
    """Questions as headings, answers with their quotations and places."""
    parts = [f"# {_marked_off(_title(dialogue))}"]
    for turn in dialogue["turns"]:
        reply = turn["reply"]
        parts += [f"## {_marked_off(turn['question'])}"]
        parts += [_marked_off(_answer(reply))] if not _is_written(reply) else []
        parts += _markdown_comparison(reply)
        parts += [_marked_off(text) for text in [_prose(reply)] if text]
        for span in _cited(reply):
            parts.append(f"> {_marked_off(span['text'])}  \n> {_marked_off(_place(span))}")
        for span in _quotations(reply):
            parts.append(f"> {_quoted(span)}  \n> {_marked_off(_place(span))}")
        parts += [f"- {_marked_off(line)}" for line in _others(reply)]
    return "\n\n".join(parts) + "\n"


def _quoted(span: Record) -> str:
    """The sentence of a span with its words in bold."""
    before, words, after = _sentence(span)
    left = f"{_marked_off(before)} " if before[-1:].isspace() else _marked_off(before)
    right = f" {_marked_off(after)}" if after[:1].isspace() else _marked_off(after)
    return f"{left}**{_marked_off(words)}**{right}"


def as_html(dialogue: Record) -> str:
    """A page of its own, without scripts and without anything from elsewhere."""
    title = escaped(_title(dialogue))
    body = "\n".join(_html_turn(turn) for turn in dialogue["turns"])
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n<h1>{title}</h1>\n{body}\n</body>\n</html>\n"
    )


def _html_turn(turn: Record) -> str:
    reply = turn["reply"]
    answer = escaped(_answer(reply)).replace("\n", "<br>")
    answer = f"<p>{answer}</p>\n" if not _is_written(reply) else ""
    quotes = "\n".join(_html_quote(span) for span in _quotations(reply))
    prose = escaped(_prose(reply))
    cited = "\n".join(_html_quote(span) for span in _cited(reply))
    compared = _html_comparison(reply)
    quotes += "\n" + compared + (f"<p>{prose}</p>\n" if prose else "") + cited
    others = "\n".join(f'<p class="note">{escaped(line)}</p>' for line in _others(reply))
    question = escaped(turn["question"])
    return f"<section>\n<h2>{question}</h2>\n{answer}{quotes}\n{others}\n</section>"


def _html_quote(span: Record) -> str:
    return quotation(*_sentence(span), _place(span))


def _title(dialogue: Record) -> str:
    return dialogue["title"] or "Dialogue"


def _answer(reply: Record) -> str:
    text = str(reply["text"])
    said = {"yes": "Yes.", "no": "No."}.get(reply["affirmation"], "")
    return text if text.startswith(said) else f"{said} {text}"


def _prose(reply: Record) -> str:
    """What a language model wrote, but for what is in the table of a comparison."""
    compared = _sides(reply)
    texts = [
        _numbered(reply, one) for one in _segments(reply) if not (compared and one.get("side"))
    ]
    prose = reply.get("prose")
    asked = [prose["clarification"]] if prose and prose.get("clarification") else []
    return " ".join(texts + asked)


def _is_written(reply: Record) -> bool:
    """Whether the prose is all there is: a summary or a comparison, whose text it is."""
    return bool(reply.get("meta") and _segments(reply))


def _quotations(reply: Record) -> list[Record]:
    return [] if _is_written(reply) else list(reply["literal"])


def _numbered(reply: Record, segment: Record) -> str:
    """A sentence with the numbers of the words that bear it out."""
    numbers = {_key(span): number for number, span in enumerate(_cited(reply), start=1)}
    marks = sorted({numbers[_key(span)] for span in segment["spans"]})
    told = "".join(f" [{number}]" for number in marks) or " (not borne out)"
    return f"{'Also: ' if segment.get('role') else ''}{segment['text']}{told}"


def _segments(reply: Record) -> list[Record]:
    prose = reply.get("prose")  # turns stored by older versions have none
    return list(prose["segments"]) if prose else []


def _sides(reply: Record) -> list[str]:
    """The compared things, where two at least have sentences of their own."""
    found = list(dict.fromkeys(one["side"] for one in _segments(reply) if one.get("side")))
    return found if len(found) > 1 else []


def _rows(reply: Record) -> Iterator[tuple[str, ...]]:
    """The sentences on each compared thing, side by side."""
    columns = [
        [_numbered(reply, one) for one in _segments(reply) if one.get("side") == side]
        for side in _sides(reply)
    ]
    return zip_longest(*columns, fillvalue="")


def _markdown_comparison(reply: Record) -> list[str]:
    sides = _sides(reply)
    rows = [sides, ["---"] * len(sides), *_rows(reply)]
    lines = [f"| {' | '.join(cells)} |" for cells in ([_cell(one) for one in row] for row in rows)]
    return ["\n".join(lines)] if sides else []


def _cell(text: str) -> str:
    return text if text == "---" else _marked_off(text)


def _html_comparison(reply: Record) -> str:
    sides = _sides(reply)
    heads = "".join(f'<th scope="col">{escaped(side)}</th>' for side in sides)
    rows = ["".join(f"<td>{escaped(cell)}</td>" for cell in row) for row in _rows(reply)]
    body = "\n".join(f"<tr>{row}</tr>" for row in [heads, *rows])
    return f"<table>\n{body}\n</table>\n" if sides else ""


def _cited(reply: Record) -> list[Record]:
    """The words that bear a language model's sentences out, each once."""
    spans = [span for one in _segments(reply) for span in one["spans"]]
    return list({_key(span): span for span in spans}.values())


def _key(span: Record) -> tuple[str, int, int]:
    return span["source"], span["start"], span["end"]


def _sentence(span: Record) -> tuple[str, str, str]:
    return span["before"], span["text"], span["after"]


def _place(span: Record) -> str:
    """Where a span stands, in one line."""
    parts = [span["source"]]
    # Turns stored by older versions have no places.
    page = f"page {span['page']}" if span["page"] else ""
    parts += [part for part in [span.get("place") or page] if part]
    parts += [f"line {span['line']}"] if span["line"] else []
    parts += [str(span[key]) for key in ("section", "speaker", "time") if span[key]]
    return " · ".join(parts)


def _others(reply: Record) -> Iterator[str]:
    """The alternatives and the extras, one a line."""
    for one in reply["alternatives"]:
        reading = f" ({one['reading']})" if one["reading"] else ""
        yield f"or{reading}: {one['text']} · {_place(one['span'])}"
    for one in () if any(one.get("role") for one in _segments(reply)) else reply["pragmatic"]:
        yield f"also: {one['text']} · {_place(one)}"
    if reply["nearest"]:
        yield f"nearest: {reply['nearest']['text']} · {_place(reply['nearest'])}"


def _marked_off(text: str) -> str:
    """Text on one line in which nothing is Markdown or HTML."""
    return _MARKS.sub(r"\\\1", visible(" ".join(text.split())))


EXPORTS = {
    "json": Export("application/json", "json", as_json),
    "markdown": Export("text/markdown; charset=utf-8", "md", as_markdown),
    "html": Export("text/html; charset=utf-8", "html", as_html),
}
