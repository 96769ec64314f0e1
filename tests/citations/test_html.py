from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from seminar.citations.html import INVISIBLE, quotation, visible
from seminar.types import Passage, Query, Reply, Span


@given(before=st.text(), words=st.text(), after=st.text(), place=st.text())
def test_quotation_has_no_markup_but_its_own(before: str, words: str, after: str, place: str):
    page = HTMLParser(quotation(before, words, after, place))
    assert [node.tag for node in page.css("body *")] == ["blockquote", "mark", "div"]
    assert not INVISIBLE.search(page.html or "")


def test_words_are_highlighted_in_their_sentence():
    page = HTMLParser(quotation("It takes ", "<55> minutes", ".", "a.md:3"))
    assert page.css_first("mark").text() == "<55> minutes"
    assert page.css_first("blockquote").text() == "It takes <55> minutes.a.md:3"


def test_controls_are_replaced_and_lines_are_kept():
    assert visible("a\x1b[2J\x9b\u202eb\n\tc") == "a\ufffd[2J\ufffd\ufffdb\n\tc"


def test_reply_in_a_notebook_highlights_the_words_and_escapes_all():
    hostile = "It <b>takes</b> 55 & more\x1b[2J minutes."
    passage = Passage("<a>.md", 0, len(hostile), f"First line.\n{hostile}\nLast.", "The ferry")
    start = passage.text.index("55 & more")
    reply = Reply(
        "55 & more",
        Query("How long?"),
        answerable=True,
        literal=(Span(passage, start, start + 9),),
        notes=("<i>slow</i>",),
    )
    page = HTMLParser(reply._repr_html_())
    assert page.css("b, i, a") == []
    assert page.css_first("mark").text() == "55 & more"
    assert page.css_first("blockquote").text() == (
        "It <b>takes</b> 55 & more\ufffd[2J minutes.<a>.md, The ferry"
    )
    assert page.css_first("em").text() == "<i>slow</i>"


def test_long_lines_are_cut_between_words():
    words = "word " * 200
    passage = Passage("a.md", 0, 2_003, f"{words}55 {words}")
    shown = HTMLParser(
        Reply("55", Query("?"), literal=(Span(passage, 1_000, 1_002),))._repr_html_()
    )
    text = shown.css_first("blockquote").text()
    assert text.startswith("…word ")
    assert len(text) < 420
