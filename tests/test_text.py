from hypothesis import given
from hypothesis import strategies as st

from seminar.text import count_words, sentences, strip, terms, truncate, whole, words


def pieces(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


def test_abbreviations_and_initials_do_not_end_sentences():
    text = "Dr. J. Smith met Mrs. Lee in the U.S. in 1990. They left at 3 p.m. on Friday. Why?"
    assert pieces(text) == [
        "Dr. J. Smith met Mrs. Lee in the U.S. in 1990.",
        "They left at 3 p.m. on Friday.",
        "Why?",
    ]


def test_a_line_break_ends_a_sentence():
    assert pieces("A heading\n\nOne. Two\nthree") == ["A heading", "One.", "Two", "three"]


def test_a_bracket_left_over_belongs_to_the_sentence_before():
    text = 'He asked (meaning "is there anybody out there?"). Nobody was.'
    assert pieces(text) == ['He asked (meaning "is there anybody out there?").', "Nobody was."]


def test_ideographic_stops_end_sentences():
    assert pieces("東京は首都です。大阪は西にある。") == ["東京は首都です。", "大阪は西にある。"]


def test_a_long_line_is_looked_at_in_windows():
    assert sentences("!" * 10_000) == [(0, 4_000), (4_000, 8_000), (8_000, 10_000)]
    assert pieces("Why? " + "word " * 1_000 + ".") == [
        "Why?",
        " ".join(["word"] * 799),
        " ".join(["word"] * 201) + " .",
    ]


def test_a_sentence_at_the_end_of_a_window_stays_whole():
    assert pieces("Mr. Lee left at nine. " * 1_000) == ["Mr. Lee left at nine."] * 1_000
    assert pieces("東京は首都です。" * 2_000) == ["東京は首都です。"] * 2_000


def test_nothing_has_no_sentences():
    assert sentences("") == []
    assert sentences(" \n\t\n ") == []


@given(st.text(alphabet="aB. !?\n\t。é'\"", max_size=200))
def test_sentences_are_in_order_and_leave_out_only_space(text: str):
    spans = sentences(text)
    ends = [0] + [end for _, end in spans]
    assert all(text[start].strip() and text[end - 1].strip() for start, end in spans)
    assert all(start < end for start, end in spans)
    gaps = [text[end:start] for end, (start, _) in zip(ends, spans, strict=False)]
    assert not "".join(gaps).strip()
    assert not text[ends[-1] :].strip()


def test_words_are_letters_and_digits_with_apostrophes_inside():
    text = "Don't pay €3.50 for O’Neill's café_au-lait!"
    assert [text[start:end] for start, end in words(text)] == [
        "Don't",
        "pay",
        "3",
        "50",
        "for",
        "O’Neill's",
        "café",
        "au",
        "lait",
    ]


def test_every_character_of_an_unspaced_script_is_a_word():
    assert words("Tokyo東京") == [(0, 5), (5, 6), (6, 7)]
    assert count_words("Tokyo 東京 tower") == 4


def test_strip_of_nothing_but_space_is_empty():
    assert strip("a   b", 1, 4) == (4, 4)


def test_truncate_cuts_between_words_and_says_so():
    assert truncate("short", 5) == "short"
    assert truncate("the quick brown fox", 10) == "the quick…"
    assert truncate("unbreakable", 5) == "unbr…"
    assert truncate("anything", 0) == ""


@given(st.text(max_size=50), st.integers(min_value=0, max_value=60))
def test_truncate_never_exceeds_its_limit(text: str, limit: int):
    assert len(truncate(text, limit)) <= limit


def test_terms_are_content_words_without_their_endings():
    assert terms("Who founded the Observatories, and when?") == {"founde", "observ"}


@given(st.text(st.characters(exclude_categories=())))
def test_whole_text_can_be_written_and_is_as_long(text: str):
    made = whole(text)
    assert made.encode().decode() == made
    assert len(made) == len(text)
