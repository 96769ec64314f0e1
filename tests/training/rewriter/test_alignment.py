from seminar.models.rewriter.edits import Edit, apply, text_of, words_of
from seminar.training.rewriter.alignment import differences, edits_of, joining_phrases, longest_copy

HISTORY = words_of("Johnny Unitas . Career . Who did the Colts play? the Giants")
NONE: frozenset[tuple[str, ...]] = frozenset()


def test_differences_are_what_the_rewrite_has_in_place():
    [(start, end, phrase)] = differences(
        words_of("why did they go"), words_of("why did the Colts go")
    )
    assert (start, end, text_of(phrase)) == (2, 3, "the Colts")


def test_an_added_name_becomes_a_copy_from_the_history():
    edits = edits_of(words_of("why did they go"), words_of("Why did the Colts go"), HISTORY, NONE)
    assert edits == [Edit(2, 3, copied=(7, 9))]


def test_joining_words_count_only_if_they_are_on_the_list():
    question, rewrite = words_of("did he win"), words_of("did Johnny Unitas ever win")
    assert text_of(apply(question, HISTORY, edits_of(question, rewrite, HISTORY, NONE))) == (
        "did Johnny Unitas win"
    )
    known = frozenset({("ever",)})
    edits = edits_of(question, rewrite, HISTORY, known)
    assert edits == [Edit(1, 2, copied=(0, 2), after=("ever",))]


def test_words_that_neither_history_nor_list_has_are_left_out():
    question = words_of("what did he say")
    assert edits_of(question, words_of("what did Barack say"), HISTORY, NONE) == []


def test_the_latest_of_equal_spans_is_copied_and_stop_words_by_themselves_are_not():
    assert longest_copy(["b"], ["b", "x", "b"]) == (1, 0, 2)
    assert longest_copy(["the", "of"], ["the", "of"]) == (0, 0, 0)


def test_joining_phrases_are_mined_from_what_stands_around_copies():
    pairs = [
        (words_of("who was his coach"), words_of("who was Johnny Unitas's coach"), HISTORY),
        (words_of("did he win"), words_of("did Johnny Unitas win"), HISTORY),
    ]
    assert joining_phrases(pairs, 5) == [("'", "s")]
