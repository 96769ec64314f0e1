"""Exports hold everything that was said, and nothing of it is active."""

import json

from selectolax.lexbor import LexborHTMLParser as HTMLParser

from seminar.dialogue_exports import as_html, as_json, as_markdown

HOSTILE = '<script>alert(1)</script>"><img src=x onerror=alert(1)>\u202e[a](javascript:alert(1))'
SPAN = {
    "text": HOSTILE,
    "source": f"{HOSTILE}.html",
    "start": 0,
    "end": 3,
    "title": HOSTILE,
    "section": HOSTILE,
    "page": 2,
    "line": None,
    "speaker": HOSTILE,
    "time": None,
    "before": "</blockquote>",
    "after": "<style>*{display:none}</style>",
}
REPLY = {
    "text": HOSTILE,
    "affirmation": "yes",
    "literal": [SPAN],
    "alternatives": [{"text": HOSTILE, "reading": HOSTILE, "span": SPAN}],
    "pragmatic": [SPAN],
    "nearest": None,
}
DIALOGUE = {
    "title": HOSTILE,
    "turns": [{"number": 1, "question": HOSTILE, "reply": REPLY, "feedback": None}],
}


def test_html_shows_hostile_text_as_text():
    page = HTMLParser(as_html(DIALOGUE))
    assert page.css("script, img, a, iframe, link, object") == []
    assert len(page.css("style")) == 1
    assert [node.attributes for node in page.css("body *") if "onerror" in node.attributes] == []
    shown = HOSTILE.replace("\u202e", "\ufffd")
    assert page.css_first("h1").text() == shown
    assert page.css_first("mark").text() == shown
    assert page.css_first("section p").text() == f"Yes. {shown}"
    assert "</blockquote>" in page.css_first("blockquote").text()


def test_markdown_shows_hostile_text_as_text():
    from markdown_it import MarkdownIt

    page = HTMLParser(MarkdownIt("commonmark").render(as_markdown(DIALOGUE)))
    assert page.css("script, img, a, style") == []
    assert page.css_first("h1").text() == HOSTILE.replace("\u202e", "\ufffd")


SIDED = {"spans": [SPAN], "score": 1.0, "role": None}
COMPARED = {
    **REPLY,
    "meta": True,
    "prose": {
        "text": HOSTILE,
        "segments": [
            {**SIDED, "text": f"{HOSTILE} | one", "side": HOSTILE},
            {**SIDED, "text": "Buses run.", "side": "the bus"},
            {**SIDED, "text": "Boats float.", "side": "the bus"},
            {**SIDED, "text": "Both cross.", "side": "", "role": "lead"},
        ],
        "clarification": "Which do you mean: A, or B?",
        "left_out": 0,
        "tokens": {"read": 1, "written": 1},
    },
}
COMPARISON = {**DIALOGUE, "turns": [{**DIALOGUE["turns"][0], "reply": COMPARED}]}


def cells(page: HTMLParser) -> list[list[str]]:
    return [[cell.text() for cell in row.css("th, td")] for row in page.css("table tr")]


def test_a_comparison_is_a_table():
    from markdown_it import MarkdownIt

    shown = HOSTILE.replace("\u202e", "\ufffd")
    rows = [
        [shown, "the bus"],
        [f"{shown} | one [1]", "Buses run. [1]"],
        ["", "Boats float. [1]"],
    ]
    page = HTMLParser(as_html(COMPARISON))
    markdown = MarkdownIt("commonmark").enable("table").render(as_markdown(COMPARISON))
    for found in (page, HTMLParser(markdown)):
        assert found.css("script, img, a") == []
        assert cells(found) == rows
        assert "Also: Both cross. [1] Which do you mean: A, or B?" in found.body.text()
        assert found.body.text().count("Buses run.") == 1


def test_json_has_everything():
    record = json.loads(as_json(DIALOGUE))
    assert {key: record[key] for key in DIALOGUE} == DIALOGUE
