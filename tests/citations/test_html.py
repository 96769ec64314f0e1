from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from seminar.citations.html import INVISIBLE, quotation, visible


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
