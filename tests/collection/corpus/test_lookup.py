"""What workers see of a page beside its sections."""

from seminar.collection.corpus.lookup import opening
from seminar.collection.corpus.records import Page
from seminar.types import Section

LEAD = "The tenth century lasted from 901 to 1000."


def page(*lines: str, hidden: str = "") -> Page:
    text = "\n\n".join(lines)
    start = text.index(hidden) if hidden else len(text)
    return Page("p", "Century", text, (Section("Events", start, len(text)),) if hidden else ())


def test_opening_is_the_first_paragraph_not_a_hint_or_a_row_before_it():
    hint, row = "This is about the century", "Millennium: 1st 2nd 3rd 4th"
    assert opening(page("Century", hint, row, LEAD, "More of it came later.")) == LEAD


def test_opening_is_never_of_a_section():
    hidden = "In 911 vikings settled in France."
    assert opening(page("Century", "Events", hidden, hidden=hidden)) == "Events"
    assert opening(page(hidden, hidden=hidden)) == ""
