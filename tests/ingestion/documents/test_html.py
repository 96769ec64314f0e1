from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.documents.html import check_depth, parse, read
from seminar.types import Document

PAGE = """<!doctype html><html><head><title>Ferry | Harbour</title><style>p {}</style></head><body>
<header>Harbour Company</header><nav><ul><li><a href="/">Home</a></li></ul></nav>
<main><article><header><h1>The  Ferry</h1></header>
<p>It leaves at <b>nine</b>; see <a href="../times.html#w"> the times </a>.<br>
Daily.</p>
<h2>Costs</h2>
<ul><li>Adults: &pound;4</li><li>Children: <a href="https://e.org/">free</a></li></ul>
<table><tr><th>Day</th><th>Boats</th></tr><tr><td>Monday</td><td>3</td></tr></table>
<h3>Refunds</h3><pre>
if late:
    refund()</pre>
<p hidden>secret</p><p style="display: none">secret</p><div aria-hidden="true">secret</div>
<aside>Buy a hat</aside><script>secret()</script><noscript>secret</noscript>
</article></main><footer>Company no. 1</footer></body></html>"""


def anchors(document: Document) -> list[tuple[str, str]]:
    return [(document.text[link.start : link.end], link.target) for link in document.links]


def sections(document: Document) -> list[tuple[str, str]]:
    return [
        (section.title, document.text[section.start : section.end].strip())
        for section in document.sections
    ]


def test_page_gives_its_visible_text():
    document = parse(PAGE, "docs/a/ferry.html")
    assert document.title == "The Ferry"
    assert sections(document) == [
        ("", "The Ferry\n\nIt leaves at nine; see the times .\nDaily."),
        ("Costs", "Costs\n\nAdults: £4\nChildren: free\nDay | Boats\nDay: Monday; Boats: 3"),
        ("Costs > Refunds", "Refunds\n\nif late:\n    refund()"),
    ]
    assert anchors(document) == [
        ("the times", "docs/times.html#w"),
        ("free", "https://e.org/"),
    ]


def test_block_keys_survive_edits_elsewhere():
    def keys(html: str) -> dict[str, str]:
        document = parse(html, "a.html")
        return {
            document.text[element.start : element.end]: element.key for element in document.elements
        }

    before = keys("<h1>T</h1><p>One.</p><p>Two.</p>")
    after = keys("<h1>Title</h1><p>New.</p><div><p id=x>Two.</p></div><p>One.</p>")
    assert after["One."] == before["One."]
    assert after["Two."] == before["Two."]


def test_equal_blocks_have_different_keys():
    document = parse("<p>Same.</p><p>Same.</p><p>Same.</p>", "a.html")
    keys = [element.key for element in document.elements]
    assert len(set(keys)) == 3
    assert keys[1] == f"{keys[0]}-2"


def test_title_falls_back_to_title_element_and_file_name():
    assert parse("<title>Tab</title><h1>A</h1><h1>B</h1>x", "n.html").title == "Tab"
    assert parse("<p>x</p>", "docs/name.html").title == "name"


def test_site_name_is_not_the_title_of_its_pages():
    page = "<title>Fares</title><header><h1>Harbour</h1></header><h2>Adults</h2><p>Four pounds."
    assert parse(page, "n.html").title == "Fares"


def test_edit_links_and_footnote_marks_of_wikis_are_dropped():
    page = "<h1>A<span class=mw-editsection>[edit]</span></h1><p>B<sup class='reference'>[1]</sup>."
    assert parse(page, "n.html").text == "A\n\nB."


def test_long_heading_is_truncated_in_sections():
    document = parse(f"<h1>{'long ' * 1000}</h1><p>x", "n.html")
    assert len(document.title) <= 200
    assert len(document.text) > 4_000


def test_link_around_blocks_is_a_link_in_each():
    document = parse("<a href=x.html><h2>A</h2><div>B</div></a><p>C</p>", "a.html")
    assert anchors(document) == [("A", "x.html"), ("B", "x.html")]


def test_links_without_text_or_target_are_dropped():
    document = parse("<p>a <a href=x><img src=y></a><a>b</a><a href='javascript:x'>c</a>", "a.html")
    assert document.text == "a bc"
    assert document.links == ()


def test_page_with_empty_main_element_is_read_whole():
    assert parse("<main></main><div>Text</div>", "a.html").text == "Text"


def test_broken_html_is_read_as_a_browser_would():
    document = parse("<p>One<p>Two <b>bold<i>both</b></i><li>item</p></table>&lt;end&unknown;", "a")
    assert document.text.split() == ["One", "Two", "boldboth", "item", "<end&unknown;"]


def test_page_without_visible_text_is_refused():
    with pytest.raises(IngestionError, match="shows no text"):
        parse("<script>x</script><nav>menu</nav>", "a.html")


@pytest.mark.parametrize("tag", ["div", "span", "b", "ul><li", "table><tr><td", "blockquote"])
def test_extreme_nesting_is_refused(tmp_path: Path, tag: str):
    path = tmp_path / "a.html"
    path.write_text(f"<{tag}>" * 100_000 + "x")
    with pytest.raises(IngestionError, match=r"nested more than 2,000 deep"):
        list(read(path, "a.html", lambda notice: None))


def test_unclosed_paragraphs_and_items_are_no_nesting(tmp_path: Path):
    path = tmp_path / "a.html"
    path.write_text("<ul>" + "<li>x<p>y" * 5_000)
    [document] = read(path, "a.html", lambda notice: None)
    assert len(document.elements) == 10_000


def test_declared_charset_is_used(tmp_path: Path):
    path = tmp_path / "a.html"
    path.write_bytes("<meta charset='koi8-r'><p>Привет".encode("koi8-r"))
    [document] = read(path, "a.html", lambda notice: None)
    assert document.text == "Привет"


@pytest.mark.parametrize(
    "piece", [b"<div></x>", b"<x><div></x></div>", b"<div><table></div></table>", b"<DIV></X>"]
)
def test_unmatched_closing_tag_does_not_hide_the_depth(piece: bytes):
    with pytest.raises(IngestionError, match=r"nested more than 2,000 deep"):
        check_depth(piece * 3_000)


@pytest.mark.parametrize(
    "piece", [b"<div><span>x</div>", b"<b><i>x</b></i>", b"</x>", b"<svg><path/><g/></svg>"]
)
def test_page_with_many_unclosed_tags_is_read(piece: bytes):
    check_depth(b"<main>" + piece * 3_000 + b"</main>")


def test_rows_of_a_table_have_the_names_of_their_columns():
    document = parse(
        "<table><tr><th rowspan=2>Ticket<th colspan=2>Price<th><p>Notes</p></tr>"
        "<tr><th>Summer<th>Winter<th></tr>"
        "<tr><td rowspan=2><p>Child</p><p>(4 to 15)</p><td>£4<td>£3<td></tr>"
        "<tr><td>£5<td><a href='w.html'>£2</a></tr></table>"
        "<table><tr><td>left<td>right</tr></table>",
        "fares.html",
    )
    rows = document.text.split("\n")
    assert rows[0] == "Ticket | Price | Notes"
    assert rows[2:4] == [
        "Ticket: Child (4 to 15); Price Summer: £4; Price Winter: £3",
        "Price Summer: £5; Price Winter: £2",
    ]
    assert rows[-1] == "left | right"
    [link] = document.links
    assert document.text[link.start : link.end] == "£2"


def test_cells_of_a_layout_table_stay_blocks():
    document = parse("<table><tr><td><h2>A</h2><p>One.</p><td><p>Two.</p></tr></table>", "a.html")
    assert document.text == "A\n\nOne.\n\nTwo."
