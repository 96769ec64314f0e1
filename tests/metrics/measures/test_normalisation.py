import re
import string

from hypothesis import given
from hypothesis import strategies as st

from seminar.metrics.measures.normalisation import normalise, normalise_marks, tokens


def step_by_step(text: str) -> str:
    bare = "".join(sign for sign in text.lower() if sign not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


@given(st.text())
def test_the_short_cut_equals_the_four_steps(text: str):
    assert normalise(text) == step_by_step(text)


@given(st.text(alphabet="athen \t\u00a0\u2013\u0301\u200b.-_²'\x01é"))
def test_the_short_cut_equals_the_four_steps_around_articles(text: str):
    assert normalise(text) == step_by_step(text)


@given(st.text())
def test_normalising_twice_changes_nothing_that_isnt_an_article(text: str):
    # Taking a word away can't make new punctuation; it can leave nothing but spaces.
    assert tokens(normalise(text)) == tokens(step_by_step(text))


def test_punctuation_is_deleted_not_parted():
    assert normalise("well-known snake_case 1,000 2.5") == "wellknown snakecase 1000 25"


def test_initials_that_spell_an_article_vanish():
    assert normalise("A.N. Other and T.H.E. rest") == "other and rest"


def test_articles_inside_a_word_stay():
    assert normalise("a-the-an theatre") == "athean theatre"


def test_only_ascii_punctuation_is_deleted():
    assert normalise("“so” – he said…") == "“so” – he said…"


def test_an_article_beside_a_dash_is_a_word():
    assert normalise("a–z the—end") == "–z —end"


def test_no_break_spaces_part_words_and_zero_width_ones_dont():
    assert tokens("new\u00a0york\u200bcity") == ["new", "york\u200bcity"]


def test_a_decomposed_accent_costs_the_letter_in_one_reading_only():
    assert normalise("a\u0301 la carte") == "\u0301 la carte"
    assert normalise_marks("a\u0301 la carte") == "a\u0301 la carte"


def test_a_superscript_is_a_word_character_in_one_reading_only():
    assert normalise("a²") == "a²"
    assert normalise_marks("a²") == "²"


def test_lower_casing_is_unicodes():
    assert normalise("İSTANBUL ΟΔΟΣ") == "i̇stanbul οδος"
