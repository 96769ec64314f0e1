"""A dialogue over the example collection: follow-up, change of topic, return."""

from __future__ import annotations

from pathlib import Path

import pytest

from seminar.assembly import Opened, open_files
from seminar.settings import Settings
from seminar.types import Dialogue, Hit, Query, Reply, Span, Turn

COLLECTION = Path(__file__).parent.parent / "examples" / "collection"

# Question, document of its answer, words of its answer, how the topic moves.
TURNS = (
    ("How long does the crossing by ferry take?", "ferry.html", "55 minutes", "first"),
    ("Why is it slower in winter?", "ferry.html", "northern channel", "follow-up"),
    ("Who is she named after?", "ferry.html", "Maud Brennan", "follow-up"),
    ("What did she discover?", "people/maud-brennan.md", "Doto larkholmensis", "move"),
    ("Did she ever become principal?", "people/maud-brennan.md", "declined it", "follow-up"),
    ("When did the observatory open?", "observatory.html", "", "change of subject"),
    ("And the boat, what happens if I miss it?", "ferry.html", "", "return"),
)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEMINAR_HOME", str(tmp_path_factory.mktemp("home")))
        return open_files([COLLECTION], Settings())


def found(opened: Opened, dialogue: Dialogue, question: str) -> list[Hit]:
    queries = opened.assistant.rewriter.rewrite([dialogue], [question])
    [hits] = opened.assistant.retriever.search(queries, 10)
    return hits


def answered(question: str, hits: list[Hit], source: str, words: str) -> Turn:
    """The turn with the words that the document answers with."""
    told = [hit.passage for hit in hits if hit.passage.source == source]
    passage = next(one for one in told if words in one.text)
    start = passage.text.index(words)
    span = Span(passage, start, start + len(words))
    return Turn(question, Reply(words, Query(question), answerable=True, literal=(span,)))


def test_every_later_turn_finds_its_document_among_the_first_five(opened: Opened):
    dialogue = Dialogue()
    ranks = {}
    for question, source, words, _ in TURNS:
        hits = found(opened, dialogue, question)
        sources = [hit.passage.source for hit in hits]
        ranks[question] = sources.index(source) + 1 if source in sources else 99
        if words:  # the next question may lean on it
            dialogue = dialogue.add(answered(question, hits, source, words))
    later = {question: ranks[question] for question, _, _, move in TURNS if move != "first"}
    assert {question: rank for question, rank in later.items() if rank > 5} == {}


def test_a_change_of_subject_is_not_dragged_back(opened: Opened):
    hits = found(opened, Dialogue(), TURNS[0][0])
    ferry = Dialogue((answered(TURNS[0][0], hits, "ferry.html", "55 minutes"),))
    question = "How many species of eelgrass does the marine station study?"
    after = found(opened, ferry, question)
    before = found(opened, Dialogue(), question)
    assert after[0].passage.source == before[0].passage.source
