"""What workers see of a page beside its sections."""

from seminar.collection.corpus.lookup import opening
from seminar.collection.corpus.records import Page
from seminar.types import Section

LEAD = "The tenth century lasted from 901 to 1000."


HIDDEN = "In 911 vikings settled in France."


def shown(*lines: str) -> str:
    """What is shown of a page whose last line is the hidden section."""
    text = "\n\n".join((*lines, HIDDEN))
    start = text.index(HIDDEN)
    return opening(Page("p", "Century", text), Section("Events", start, len(text)))


def test_opening_is_the_first_paragraph_not_a_hint_or_a_row_before_it():
    hint, row = "This is about the century", "Millennium: 1st 2nd 3rd 4th"
    assert shown("Century", hint, row, LEAD, "More of it came later.", "Events") == LEAD


def test_opening_is_nothing_of_the_hidden_section():
    assert shown("Century", "Events") == "Events"
    assert shown() == ""
