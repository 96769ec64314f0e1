from seminar.models.rewriter.edits import Edit, apply, text_of, words_of

HISTORY = words_of("Who did the Colts play? They beat the New York Giants.")


def rewritten(question: str, *edits: Edit) -> str:
    return text_of(apply(words_of(question), HISTORY, edits))


def test_text_survives_being_cut_into_words():
    for text in ("Who's he?", 'What is "A (B) - C", in 1,000 words?', "naïve café"):
        assert text_of(words_of(text)) == text


def test_a_pronoun_gives_way_to_a_span_of_the_history():
    assert rewritten("Why did they leave?", Edit(2, 3, copied=(2, 4))) == (
        "Why did the Colts leave?"
    )


def test_ellipsis_is_filled_with_joining_words_and_a_span():
    edit = Edit(3, 3, before=("against",), copied=(8, 11))
    assert rewritten("Did they win?", edit) == "Did they win against the New York?"


def test_a_possessive_clings_to_the_copied_name():
    edit = Edit(2, 3, copied=(3, 4), after=("'", "s"))
    assert rewritten("Who was their coach?", edit) == "Who was Colts's coach?"


def test_several_edits_are_made_from_left_to_right():
    edits = (Edit(1, 2, copied=(2, 4)), Edit(3, 4, copied=(8, 12)))
    assert rewritten("Did they beat them?", *edits) == "Did the Colts beat the New York Giants?"


def test_no_edits_leave_the_question_as_it_is():
    assert rewritten("Why?") == "Why?"
