"""A span gives the line of the source file that holds its first word."""

import json
import re
from pathlib import Path

import pytest

from seminar.ingestion.formats import choose
from seminar.ingestion.read_options import ReadOptions
from seminar.ingestion.segments import split_item
from seminar.types import Span
from tests.ingestion.text_samples import SAMPLES

PLAIN = """
HARBOUR w01

The night boat w02 sails from the north pier, and in summer
it calls at the w03 island, where the old lighthouse stands,
and w04 returns.

- w05 first item
- w06 second item

Opening times w07
=================
On Mondays w08.
"""

MARKDOWN = """---
title: Harbour
---
# The w01 harbour

The *night* boat w02 sails
from the w03 **pier**,  
where w04 [the
w05 lighthouse](a.md) stands.

> A w06 quotation
> of w07 two lines.

- item w08
  goes on w09

| day | a |
|-----|---|
| w10 | b |
| w11 | c |

```
code w12

more w13
```

    indented w14

<div>w15</div>

Setext w16
----------
Plain w17
and w18
"""

HTML = """<!doctype html>
<html><head><title>x</title>
<script>var a = ">The w02 harbour<";</script></head>
<body><nav><a href="#a">The w02 harbour</a>
<a>Further sections</a></nav>
<h1>The w02 harbour</h1>
<p
 class="a">Night boats w03 sail &amp; return
 from the <b>north w04 pier</b>&nbsp;today,
 and w05 stay.</p>
<p>“Fähren w06” &eacute;t&eacute; w07</p>
<div hidden>
<p>Opening times in winter</p>
</div>
<h2>Opening times in winter w08</h2>
<ul><li>w09</li>
<li>w10</li></ul>
<pre>
code w11
  more w12
</pre>
<table><tr><td>w13</td>
<td>w14</td></tr></table>
</body></html>
"""

TRANSCRIPT = """Harbour meeting w01

CHAIR: Shall we w02 keep the late boat that leaves from the pier
every evening in the w03 summer?

ADA KOWAL: I would w04 keep it.

CHAIR:
Very w05 well.

ADA KOWAL: Thank you w06.
"""

VTT = """WEBVTT

00:01.000 --> 00:02.000
<v Ada>Shall w01 we
keep the w02 boat?

00:03.000 --> 00:04.000
It is w03 late.

00:05.000 --> 00:06.000
<v Bo>Yes w04.
<v Ada>Good w05.
"""

MBOX = """From ada@x Wed May  1 10:00:00 2024
From: Ada <ada@x>
Subject: Boat
Message-ID: <1@x>

When?

From bo@x Wed May  1 11:00:00 2024
From: Bo <bo@x>
Subject: Re: Boat
Message-ID: <2@x>
In-Reply-To: <1@x>

At nine.
"""


def line_of(path: Path, word: str) -> int | None:
    """The line of the span of a word in the passages of a file."""
    reader = choose(path).reader(ReadOptions())
    for item in reader(path, path.name, pytest.fail):
        for passage in split_item(item):
            if (start := passage.text.rfind(word)) >= 0:
                return Span(passage, start, start + len(word)).line
    return pytest.fail(f"{word} is in no passage")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", PLAIN),
        ("a.md", MARKDOWN),
        ("a.html", HTML),
        ("panel.txt", TRANSCRIPT),
        ("a.vtt", VTT),
        ("crlf.md", MARKDOWN.replace("\n", "\r\n")),
        ("feeds.txt", PLAIN.replace("w04", "w04\f")),
        *SAMPLES,
        ("wiki_00", '<doc id="1" title="T">\nT\n\nThe w01 pier.\n<h2>w02</h2>\nA w03.\n</doc>\n'),
    ],
)
def test_line_of_span_is_that_of_its_first_word_in_the_file(
    tmp_path: Path, name: str, content: str
):
    (tmp_path / name).write_text(content, newline="")
    lines = content.replace("\r\n", "\n").split("\n")
    words = sorted(set(re.findall(r"w\d\d", content)))
    expected = {
        word: max(number for number, line in enumerate(lines, start=1) if word in line)
        for word in words
    }
    assert {word: line_of(tmp_path / name, word) for word in words} == expected


def test_line_of_mail_is_that_on_which_it_begins(tmp_path: Path):
    (tmp_path / "a.mbox").write_text(MBOX)
    assert line_of(tmp_path / "a.mbox", "When") == 1
    assert line_of(tmp_path / "a.mbox", "nine") == 8


def test_line_of_json_message_is_that_of_its_record(tmp_path: Path):
    records = [{"speaker": "Ada", "text": "When?"}, {"speaker": "Bo", "text": "At\nnine."}]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, records)))
    assert line_of(tmp_path / "a.jsonl", "nine") == 2


def test_line_is_none_where_the_source_has_no_lines(tmp_path: Path):
    (tmp_path / "a.xml").write_text(
        "<mediawiki><page><title>T</title><ns>0</ns><revision><text>At nine.</text></revision>"
        "</page></mediawiki>"
    )
    assert line_of(tmp_path / "a.xml", "nine") is None


def test_piece_of_a_long_utterance_keeps_its_lines(tmp_path: Path):
    speech = "\n".join(
        f"This is sentence number w{number:04} of the speech." for number in range(900)
    )
    turns = f"ADA: Go on.\n\nBO: {speech}\n\nADA: Thank you.\n\nBO: Welcome."
    (tmp_path / "a.txt").write_text(turns)
    assert line_of(tmp_path / "a.txt", "w0000") == 3
    assert line_of(tmp_path / "a.txt", "w0777") == 780


def test_search_for_lines_in_html_gives_up_within_linear_time(tmp_path: Path):
    unfindable = "<p>&#84;&#104;&#101;&#32;&#98;oats&#32;leave</p>\n" * 20_000
    (tmp_path / "a.html").write_text(f"<p>First w01</p>\n{unfindable}")
    assert line_of(tmp_path / "a.html", "w01") == 1
