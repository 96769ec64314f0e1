from pathlib import Path

import pytest

from seminar.collection.corpus.articles import (
    SectionBounds,
    choose_sections,
    fits,
    read_kinds,
)
from seminar.collection.corpus.records import Page
from seminar.errors import ConfigurationError
from seminar.types import Section

LIFE = "She was born in Oslo in a small red house. She sang in the choir of the town."
TEXT = f"Ann Berg\n\nAnn Berg is a singer.\n\nLife\n\nEarly years\n\n{LIFE}\n\nDeath\n\nShe died."
SECTIONS = (
    Section("", 0, TEXT.index("Life")),
    Section("Life > Early years", TEXT.index("Life"), TEXT.index("Death")),
    Section("Death", TEXT.index("Death"), len(TEXT)),
)
BOUNDS = SectionBounds(paragraphs=(1, 2), words=(5, 50), words_per_sentence=(5, 20))


def page(incoming: int = 100, kind: str = "person") -> Page:
    return Page("ann", "Ann Berg", TEXT, SECTIONS, kind=kind, incoming=incoming)


def test_sections_begin_after_their_headings():
    [chosen] = choose_sections([page()], bounds=BOUNDS)
    [section] = chosen.sections
    assert section.title == "Life > Early years"
    assert chosen.text[section.start : section.end] == LIFE


def test_articles_that_few_link_to_are_left_out():
    assert list(choose_sections([page(incoming=99)], bounds=BOUNDS)) == []
    assert len(list(choose_sections([page(incoming=3)], least_links=3, bounds=BOUNDS))) == 1


def test_articles_of_other_kinds_are_left_out():
    kinds = {"person"}
    pages = [page(), page(kind="place"), page(kind="")]
    assert list(choose_sections(pages, kinds=kinds, bounds=BOUNDS)) == list(
        choose_sections(pages[:1], bounds=BOUNDS)
    )


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        (BOUNDS, True),  # one paragraph, 18 words, 9 a sentence
        (SectionBounds(paragraphs=(2, 3), words=(5, 50), words_per_sentence=(5, 20)), False),
        (SectionBounds(paragraphs=(1, 2), words=(19, 50), words_per_sentence=(5, 20)), False),
        (SectionBounds(paragraphs=(1, 2), words=(5, 17), words_per_sentence=(5, 20)), False),
        (SectionBounds(paragraphs=(1, 2), words=(18, 18), words_per_sentence=(9, 9)), True),
        (SectionBounds(paragraphs=(1, 2), words=(5, 50), words_per_sentence=(9.1, 20)), False),
    ],
)
def test_bounds_of_a_section(bounds: SectionBounds, expected: bool):
    assert fits(LIFE, bounds) == expected


def test_kinds_from_a_file(tmp_path: Path):
    file = tmp_path / "kinds.tsv"
    file.write_text("Ann Berg\tperson\nOslo\tplace\n")
    assert read_kinds(file) == {"ann berg": "person", "oslo": "place"}
    file.write_text("Ann Berg\tperson\nOslo\n")
    with pytest.raises(ConfigurationError, match=r"kinds\.tsv:2: 1 columns"):
        read_kinds(file)
