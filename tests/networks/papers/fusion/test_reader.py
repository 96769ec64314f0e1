import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from seminar.networks.papers.fusion.reader import (  # noqa: E402
    FusionInput,
    FusionReader,
    GeneratedText,
    PragmaticResponder,
    distinct,
    located,
    question_with_history,
)
from seminar.types import Dialogue, Hit, Passage, Query  # noqa: E402
from tests.encoder_decoders import small_reader  # noqa: E402


class Parrot(FusionReader):
    """A reader that generates what it is told to."""

    def __init__(self, *texts: str) -> None:
        known = small_reader()
        super().__init__(known.network, known.text)
        self._texts = texts

    def generate(self, asked):
        return [[GeneratedText(text, 0.5) for text in self._texts] for _ in asked]


MARS = Hit(Passage("mars", 0, 30, "Water was found as ice on Mars."), 1.0)


def test_answers_are_those_that_a_passage_holds():
    reader = Parrot("ICE [SEP] the moon [SEP] mars", "ice")
    [answers] = reader.read([Query("what?")], [[MARS]])
    assert [(one.text, one.score) for one in answers] == [("ice", 0.5), ("Mars", 0.5)]


def test_the_reader_keeps_its_protocol():
    reader = small_reader()
    assert reader.read([], []) == []
    queries = [Query("subject1 what1"), Query("subject2 what2")]
    hits = [[Hit(Passage("a", 0, 6, "thing1"), 1.0)], []]
    first, second = reader.read(queries, hits), reader.read(queries, hits)
    assert first == second
    assert first[1] == []


def test_a_batch_is_answered_like_single_questions():
    reader = small_reader()
    asked = [
        FusionInput("subject1 what1", ("thing1 thing2", "thing3")),
        FusionInput("subject2 what2", ()),
    ]
    together = reader.generate(asked)
    for one, found in zip(asked, together, strict=True):
        [[alone]] = reader.generate([one])
        assert found[0].text == alone.text
        assert found[0].probability == pytest.approx(alone.probability, rel=1e-4)


def test_texts_that_differ_by_case_or_space_are_one():
    said = [
        GeneratedText("Ice", 0.9),
        GeneratedText("ice ", 0.5),
        GeneratedText(" ", 0.4),
        GeneratedText("Mars", 0.3),
    ]
    assert [one.text for one in distinct(said)] == ["Ice", "Mars"]


def test_scores_never_grow():
    said = [GeneratedText("ice", 0.2), GeneratedText("Mars", 0.9)]
    assert [one.score for one in located(said, [MARS])] == [0.2, 0.2]


def test_a_reply_is_read_from_what_is_generated():
    responder = PragmaticResponder(Parrot("ice </lit> on Mars </prag> Yes, as ice."))
    [reply] = responder.respond([Dialogue()], [Query("water?")], [[MARS]], [[]])
    assert reply.text == "Yes, as ice."
    assert [span.text for span in reply.literal] == ["ice"]
    assert [one.span.text for one in reply.pragmatic] == ["on Mars"]


def test_a_conversation_has_the_oldest_turn_first():
    query = Query("searched", "And where?", history=(("Is there water?", "Yes"), ("Ice?", "")))
    assert question_with_history(query) == "Is there water? [SEP] Yes [SEP] Ice? [SEP] And where?"
