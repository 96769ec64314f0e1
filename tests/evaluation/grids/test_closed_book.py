from seminar.evaluation.grids.closed_book import ClosedBook
from seminar.examples import Example, Gold
from tests.completions import Scripted

EXAMPLE = Example(
    "1_2", "1", "when", Gold(("1871",)), history=(("who built it", "Mira <Holt>"),), turn=2
)


def test_the_model_sees_the_conversation_and_nothing_else():
    model = Scripted(lambda prompt: '{"answer": " 1871 "}')
    [predictions] = ClosedBook(model, "UNANSWERABLE").predict([EXAMPLE])
    assert (predictions.id, predictions.answer) == ("1_2", "1871")
    shown = model.prompts[0].partition("\nBEGIN\n")[2].partition("\nEND\n")[0].splitlines()
    assert shown == [
        '{"question": "who built it", "answer": "Mira \\u003cHolt\\u003e"}',
        '{"question": "when"}',
    ]


def test_an_empty_or_unusable_answer_is_none():
    for output in ('{"answer": ""}', "I would rather not say", '{"answer": 7}'):
        model = Scripted(lambda prompt, output=output: output)
        [predictions] = ClosedBook(model, "UNANSWERABLE").predict([EXAMPLE])
        assert predictions.answer == "UNANSWERABLE"
