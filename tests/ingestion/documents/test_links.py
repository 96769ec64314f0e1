import pytest

from seminar.ingestion.documents.links import resolve


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("times.html", "docs/times.html"),
        ("../a%20b.md#top", "a b.md#top"),
        ("./x/../y.md?v=1", "docs/y.md?v=1"),
        ("#winter", "docs/ferry.html#winter"),
        ("https://example.org/a/../b", "https://example.org/a/../b"),
        ("mailto:a@example.org", "mailto:a@example.org"),
        ("/top.html", "/top.html"),
        ("../../out.md", "../out.md"),
        ("javascript:alert(1)", ""),
        ("#", ""),
        ("  ", ""),
    ],
)
def test_targets_are_relative_to_the_given_folder(href: str, target: str):
    assert resolve(href, "docs/ferry.html") == target
