from seminar.ingestion.documents.html_links import links

PAGE = "https://example.org/docs/a.html"


def test_navigation_counts_and_each_link_once():
    text = "<nav><a href='b.html'>B</a></nav><a href='b.html'>B</a><a href='/c'>C</a><a>none</a>"
    assert links(text, PAGE) == ["https://example.org/docs/b.html", "https://example.org/c"]


def test_links_that_ask_not_to_be_followed_are_left_out():
    assert links("<a rel='nofollow ugc' href=b>B</a><a href=c>C</a>", PAGE) == [
        "https://example.org/docs/c"
    ]
    assert links("<meta name=ROBOTS content='noindex, NoFollow'><a href=c>C</a>", PAGE) == []


def test_broken_addresses_are_left_out():
    assert (
        links(f"<base href='http://['><a href='http://['>x</a><a href='{'y' * 3000}'>", PAGE) == []
    )
