import pytest

from seminar.collection.corpus.page_names import PageNames

NAMES = PageNames(
    [
        ("wiki/The_Matrix.html", "The Matrix"),
        ("wiki/Neo", "Neo"),
        ("matrix.example.org/wiki/Zion.html", "Zion"),
        ("index.html", "Start"),
        ("guide/index.html", "Guide"),
        ("dump.xml#Agent Smith", "Agent Smith"),
        ("old/index.php?title=Cypher", "Cypher"),
    ]
)


@pytest.mark.parametrize(
    ("target", "page"),
    [
        ("wiki/The_Matrix.html", "wiki/The_Matrix.html"),
        ("wiki/The_Matrix.html#Plot", "wiki/The_Matrix.html"),
        ("/wiki/The_Matrix", "wiki/The_Matrix.html"),
        ("wiki/Neo?action=view", "wiki/Neo"),
        ("https://matrix.example.org/wiki/Neo#Life", "wiki/Neo"),
        ("//matrix.example.org/wiki/Zion", "matrix.example.org/wiki/Zion.html"),
        ("guide", "guide/index.html"),
        ("guide/", "guide/index.html"),
        ("dump.xml#agent_Smith", "dump.xml#Agent Smith"),
        ("dump.xml#Agent Smith#Powers", "dump.xml#Agent Smith"),
        ("old/index.php?title=Cypher", "old/index.php?title=Cypher"),
        ("https://matrix.example.org/old/index.php?title=Cypher", "old/index.php?title=Cypher"),
        ("wiki/Trinity", ""),
        ("mailto:neo@example.org", ""),
        ("", ""),
    ],
)
def test_a_link_finds_its_page(target: str, page: str):
    assert NAMES.find(target) == page


def test_people_name_a_page_by_its_title_too():
    assert NAMES.choose("the matrix") == "wiki/The_Matrix.html"
    assert NAMES.choose("wiki/Neo") == "wiki/Neo"
    assert NAMES.choose("nobody") == ""
