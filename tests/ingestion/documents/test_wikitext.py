import pytest

from seminar.ingestion.documents.wikitext import DROPPED_NAMESPACES, parse
from seminar.types import Document

ARTICLE = """{{Infobox ship|name={{lc:X}}|image=[[File:a.jpg]]
| x = |}}
'''Ferry''' is a [[boat]] that [[Water transport|''goes'']].<ref name="x">cite [[y]]</ref>
<ref name=x />It is [https://e.org/a here]&nbsp;ok. <nowiki>''[[raw]]''</nowiki><!-- hidden -->

== History ==
[[File:x.jpg|thumb|A caption with [[link]]]]
Text {{cn|date=May}}one.<br>Two.

* item [[ship]]s
** sub item
{| class="wikitable"
|-
| cell || {| nested
|}
|}
=== Sub ===
[[Foo#Bar|foo]] [[#Here]] [[:Category:Seen|seen]] __NOTOC__
== References ==
<references />
[[Category:Boats]] [[fr:Bac]]
"""


def read(text: str) -> Document:
    document = parse(text, "d.xml#Ferry", file="d.xml", dropped=DROPPED_NAMESPACES)
    assert document is not None
    return document


def test_article_keeps_its_prose():
    document = read(ARTICLE)
    assert document.title == "Ferry"
    assert document.text == (
        "Ferry is a boat that goes. It is here ok. ''[[raw]]''\n\n"
        "History\n\nText one.\nTwo.\n\nitem ships\nsub item\n\n"
        "Sub\n\nfoo Here seen"
    )
    assert [section.title for section in document.sections] == ["", "History", "History > Sub"]
    assert [(document.text[link.start : link.end], link.target) for link in document.links] == [
        ("boat", "d.xml#Boat"),
        ("goes", "d.xml#Water transport"),
        ("here", "https://e.org/a"),
        ("ship", "d.xml#Ship"),
        ("foo", "d.xml#Foo"),
        ("seen", "d.xml#Category:Seen"),
    ]


def test_unpaired_marks_are_text():
    assert read("A {{b [[c d]} e").text == "A {{b [[c d]} e"
    assert read("A }} b {{c|}} d").text == "A }} b d"


@pytest.mark.parametrize(
    "mark", ["{{", "[[a|", "<ref>", "{|\n|", "=a", "{{{", "[[{{<b>", "[http://a ", "<a b='", "]]"]
)
def test_many_unpaired_marks_take_linear_time(mark: str):
    document = read("before\n\n" + mark * (200_000 // len(mark)))
    assert document.text.startswith("before")


def test_article_of_templates_gives_no_document():
    assert parse("{{x}}", "d#T", file="d", dropped=DROPPED_NAMESPACES) is None
