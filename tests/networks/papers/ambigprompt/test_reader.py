import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from seminar.networks.papers.ambigprompt.reader import AmbigPromptReader  # noqa: E402
from seminar.networks.papers.fusion.reader import FusionInput, GeneratedText  # noqa: E402
from seminar.types import Hit, Passage, Query  # noqa: E402
from tests.encoder_decoders import small_ambigprompt, text_of  # noqa: E402


class Scripted(AmbigPromptReader):
    """A reader that says the lines of its script, by how many answers it was told."""

    def __init__(self, *lines: str, **options) -> None:
        network = small_ambigprompt()
        super().__init__(network, text_of(network.model), **options)
        self._lines = lines

    def _next(self, context, told):
        return [GeneratedText(self._lines[len(known)], 0.9 - 0.2 * len(known)) for known in told]


ASKED = [FusionInput("subject1 what1", ("thing1",))]


def texts(found):
    return [[one.text for one in own] for own in found]


def test_it_ends_at_the_end_of_iteration():
    assert texts(Scripted("a", "b", "[EOI]", "c").answers(ASKED)) == [["a", "b"]]
    assert texts(Scripted("[EOI]").answers(ASKED)) == [[]]


def test_it_ends_where_it_repeats_itself():
    assert texts(Scripted("a", "b", "A ", "c").answers(ASKED)) == [["a", "b"]]


def test_it_ends_at_an_improbable_answer_and_after_its_rounds():
    assert texts(Scripted("a", "b", "c", least=0.6).answers(ASKED)) == [["a", "b"]]
    assert texts(Scripted("a", "b", "c", rounds=1).answers(ASKED)) == [["a"]]


def test_answers_of_a_query_are_known_from_the_first_round():
    hits = [[Hit(Passage("p", 0, 5, "a b c"), 1.0)]]
    reader = Scripted("a", "b", "c", "[EOI]")
    [answers] = reader.read([Query("q", found=("a",))], hits)
    assert [(one.text, one.score) for one in answers] == [("b", 0.7), ("c", 0.5)]


def test_the_reader_keeps_its_protocol():
    network = small_ambigprompt()
    reader = AmbigPromptReader(network, text_of(network.model), batch=2, rounds=2)
    assert reader.read([], []) == []
    queries = [Query(f"subject{n} what1") for n in range(3)]
    hits = [[Hit(Passage("a", 0, 6, "thing1"), 1.0)], [], []]
    assert reader.read(queries, hits) == reader.read(queries, hits)
    assert len(reader.read(queries, hits)) == 3
