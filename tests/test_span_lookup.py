"""Spans found by the names that answers print, over a real index."""

import pytest

from seminar.citations.names import citation, span_id
from seminar.errors import SeminarError
from seminar.session import Session, open_session
from seminar.span_lookup import find_span, surroundings
from seminar.types import Span
from tests.ingestion.office_files import make_xlsx

PANEL = "ADA: The late boat sails at nine.\n\nBO: Could we have a survey of the pier?\n\n"


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    folder = tmp_path_factory.mktemp("files")
    (folder / "ferry.md").write_text(
        "# The ferry\n\n## Crossing\n\nThe crossing takes 55 minutes.\n\nDogs travel free.\n"
    )
    (folder / "odd#1-2.txt").write_text("The gate opens at four.\n")
    (folder / "panel.txt").write_text(PANEL + "ADA: In May.\n\nBO: Good.\n\nADA: So it is.\n")
    make_xlsx(folder / "fares.xlsx")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEMINAR_HOME", str(tmp_path_factory.mktemp("home")))
        return open_session(folder, encoder="static")


def spans(session: Session) -> list[Span]:
    index = session.opened.index
    every = [
        passage for file in index.files() for passage in index.file_passages(file, limit=1_000)
    ]
    return [Span(passage, 0, len(passage.text)) for passage in every]


def test_every_span_is_found_by_its_id(session: Session):
    found = [find_span(session.opened.index, span_id(span)) for span in spans(session)]
    assert found == spans(session)
    assert len(found) >= 4


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ferry.md:5", "The crossing takes 55 minutes."),
        ("ferry.md:5:14", "The crossing takes 55 minutes."),
        ("ferry.md:6", "The crossing takes 55 minutes."),
        ("ferry.md:7", "Dogs travel free."),
        (" ferry.md:7 ", "Dogs travel free."),
        ("odd#1-2.txt:1", "The gate opens at four."),
        ("odd#1-2.txt", "The gate opens at four."),
        ("panel.txt:3#2", "Could we have a survey of the pier?"),
        ("panel.txt#2", "Could we have a survey of the pier?"),
    ],
)
def test_citation_leads_to_its_words(session: Session, name: str, words: str):
    assert find_span(session.opened.index, name).text == words


def test_cells_are_found_by_their_citation(session: Session):
    index = session.opened.index
    [first, *_] = index.file_passages("fares.xlsx", limit=10)
    place = first.places[1]
    span = Span(first, place.start, place.end)
    assert find_span(index, citation(span)) == span


@pytest.mark.parametrize(
    "name", ["nowhere.md:3", "ferry.md#900-901", "ferry.md#page=2", "", "ferry", "panel.txt#99"]
)
def test_unknown_name_is_an_error_that_shows_the_forms(session: Session, name: str):
    with pytest.raises(SeminarError, match=r"is not in these files\. Name a place as answers do"):
        find_span(session.opened.index, name)


def test_surroundings_are_the_text_of_the_document_around_the_span(session: Session):
    index = session.opened.index
    span = find_span(index, "ferry.md:7")
    before, after = surroundings(index, span, 400)
    assert before.rstrip().endswith("The crossing takes 55 minutes.")
    assert after.strip() == ""
    cut, _ = surroundings(index, span, 12)
    assert cut.strip() == "…minutes."
