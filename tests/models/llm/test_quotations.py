import pytest
from hypothesis import given
from hypothesis import strategies as st

from seminar.models.llm.quotations import locate

HALL = "Dine in “The Great Hall” – at noon. It’s Osgood's; the party was art.\nEntry: 55 minutes."


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("at noon", "at noon"),
        ("  at noon ", "at noon"),
        ("AT NOON", "at noon"),
        ('"the great hall" - at  noon', "“The Great Hall” – at noon"),
        ("it's Osgood", "It’s Osgood"),
        ("art. Entry: 55 minutes", "art.\nEntry: 55 minutes"),
        ("“55 minutes!”", "55 minutes"),
        ("art", "art"),
        ("55", "55"),
    ],
)
def test_words_are_found_whatever_their_typography(quote: str, found: str):
    place = locate(quote, HALL)
    assert place is not None
    assert HALL[slice(*place)] == found


@pytest.mark.parametrize(
    "quote", ["at midnight", "par", "5", "Great ... noon", "", "  ", "“”", "...", "noon at"]
)
def test_what_does_not_stand_there_is_not_found(quote: str):
    assert locate(quote, HALL) is None


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("Visitors can", "Visitors can't swim here."),
        ("Visitors can'", "Visitors can't swim here."),
        ("VISITORS CAN", "Visitors can’t swim here."),
        ("clock", "It opens at 7 o'clock."),
        ("1", "It seats 1,000."),
        ("000", "It seats 1,000."),
        ("3", "3.5 metres"),
        ("12", "at 12:30"),
    ],
)
def test_neither_a_contraction_nor_a_number_is_cut(quote: str, text: str):
    assert locate(quote, text) is None


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("can't swim", "Visitors can't swim here."),
        ("OSGOOD", "OSGOOD'S boat"),
        ("1,000", "It seats 1,000, not more."),
        ("3", "in rooms 1, 2, 3."),
        ("sailors", "the sailors' rest"),
    ],
)
def test_a_mark_that_joins_nothing_ends_a_word(quote: str, text: str):
    place = locate(quote, text)
    assert place is not None
    assert text[slice(*place)] == quote


def test_an_exact_place_comes_before_a_like_one():
    assert locate("ferry", "Ferry and ferry") == (10, 15)


def test_composed_and_decomposed_letters_are_alike():
    decomposed = "the cafe\u0301 opens"
    assert locate("CAFÉ", decomposed) == (4, 9)
    assert locate("cafe", decomposed) is None
    assert locate("cafe\u0301", "the café opens") == (4, 8)


def test_scripts_without_spaces_are_cut_between_characters():
    assert locate("太陽", "猫は太陽の下で眠る。") == (2, 4)


@given(st.text(), st.text())
def test_what_is_found_stands_in_the_text(quote: str, text: str):
    place = locate(quote, text)
    assert place is None or 0 <= place[0] < place[1] <= len(text)


@given(st.lists(st.sampled_from(["Ferry", "“quoted”", "–", "it’s", "ß", "İ", "é"]), min_size=1))
def test_a_text_is_found_in_itself_after_folding(pieces: list[str]):
    text = "  ".join(["start", *pieces, "end"])
    place = locate(" ".join(["START", *pieces, "END"]), text)
    assert place == (0, len(text))
