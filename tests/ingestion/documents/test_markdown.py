import pytest

from seminar.errors import IngestionError
from seminar.ingestion.documents.markdown import parse
from seminar.types import Document

PAGE = """---
title: "The Ferry"
tags: [boat]
---
# The Ferry

It leaves at **nine**, see [the *times*](../times.md#w) and [fares]
or `code`.  
Daily &amp; <b>always</b>, \\*really\\*. ![a picture](x.png)

[fares]: fares.md

- one
- two

  still two
- three
  1. nested

| Day | Boats |
|-----|-------|
| Mon | [3](m.md) |

## Costs

> Four pounds.

```py
if late:
    refund()
```

<!-- a comment -->
<p align="center">Shown</p>
"""


def anchors(document: Document) -> list[tuple[str, str]]:
    return [(document.text[link.start : link.end], link.target) for link in document.links]


def test_markdown_gives_text_without_markup():
    document = parse(PAGE, "docs/ferry.md")
    assert document.title == "The Ferry"
    assert document.text == (
        "The Ferry\n\nIt leaves at nine, see the times and fares or code.\n"
        "Daily & always, *really*.\n\none\ntwo\n\nstill two\n\nthree\nnested\n"
        "Day | Boats\nDay: Mon; Boats: 3\n\n"
        "Costs\n\nFour pounds.\n\nif late:\n    refund()\n\nShown"
    )
    assert [section.title for section in document.sections] == ["", "Costs"]
    assert anchors(document) == [
        ("the times", "times.md#w"),
        ("fares", "docs/fares.md"),
        ("3", "docs/m.md"),
    ]


def test_title_is_first_heading_or_file_name():
    assert parse("Setext\n======\n\ntext", "a.md").title == "Setext"
    assert parse("only text", "docs/read-me.md").title == "read-me"


def test_headings_give_section_paths():
    document = parse("# T\n\na\n\n## A\n\nb\n\n### B\n\nc\n\n## C\n\nd", "a.md")
    assert [section.title for section in document.sections] == ["", "A", "A > B", "C"]


def test_rule_is_no_front_matter():
    assert parse("text\n\n---\n\ntitle: no\n", "a.md").title == "a"


@pytest.mark.parametrize("mark", ["> ", "- ", "1. ", "* > "])
def test_extreme_nesting_is_refused(mark: str):
    with pytest.raises(IngestionError, match="nested more than 100 deep"):
        parse("before\n\n" + mark * 10_000 + "x\n\nafter", "a.md")


def test_deep_nesting_is_read():
    assert parse("> " * 40 + "x", "a.md").text == "x"


@pytest.mark.parametrize("mark", ["[", "*a ", "`a", "<!-- ", "![[", "<", "\\", "&"])
def test_many_unclosed_marks_are_read(mark: str):
    document = parse("before\n\n" + mark * 2_000 + "\n\nafter", "a.md")
    assert document.text.startswith("before")


def test_page_of_comments_is_refused():
    with pytest.raises(IngestionError, match="empty"):
        parse("<!-- nothing -->", "a.md")
