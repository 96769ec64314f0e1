from collections.abc import Sequence
from dataclasses import replace

from seminar.ingestion.segments import split
from seminar.reading.iterative import IterativeReader
from seminar.reading.speakers import SpeakerReader
from seminar.text import sentences, terms
from seminar.types import Answer, Hit, Passage, Query, Span, Thread, Utterance
from tests.fakes import FakeEncoder

PANEL = (
    ("CHAIR", "Welcome. The budget is 4,000 crowns. The budget must last until June."),
    ("Ada Berg", "Could we have a survey of the meadow? The budget allows it."),
    ("Bo Lind", "I would rather mend the pier. The budget is too small."),
    ("CHAIR", "We will see."),
)


class OverlapReader:
    """Scores every sentence by the terms that it shares with the question."""

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        return [
            sorted(
                (
                    Answer(
                        Span(hit.passage, start, end), self._score(query, hit.passage, start, end)
                    )
                    for hit in ranking
                    for start, end in sentences(hit.passage.text)
                ),
                key=lambda answer: -answer.score,
            )
            for query, ranking in zip(queries, hits, strict=True)
        ]

    def _score(self, query: Query, passage: Passage, start: int, end: int) -> float:
        query_terms = terms(query.text)
        shared = query_terms & terms(passage.text[start:end])
        return len(shared) / (len(query_terms) + 1)


def thread(*messages: tuple[str, str]) -> Passage:
    lines, utterances, at = [], [], 0
    for number, (speaker, words) in enumerate(messages):
        line = f"{speaker}: {words}"
        start = at + len(speaker) + 2
        utterances.append(
            Utterance(str(number), speaker, words, None, start, start + len(words), "panel.txt")
        )
        lines.append(line)
        at += len(line) + 1
    [passage] = split(
        Thread("panel.txt", "Panel", "\n".join(lines), tuple(utterances), "panel.txt")
    )
    return passage


def ask(question: str, *passages: Passage) -> list[Answer]:
    reader = SpeakerReader(OverlapReader(), FakeEncoder())
    [answers] = reader.read(
        [Query(question, question)], [[Hit(passage, 1.0) for passage in passages]]
    )
    return answers


def test_question_for_speaker_gets_name_and_words():
    best, *_ = ask("Who asked for a survey of the meadow?", thread(*PANEL))
    assert best.text == "Ada Berg"
    assert best.span.names_speaker
    assert [span.text for span in best.spans] == [
        "Ada Berg",
        "Could we have a survey of the meadow?",
    ]
    assert [span.source for span in best.spans] == ["panel.txt#1", "panel.txt#1"]


def test_statements_of_one_speaker_are_joined():
    best, *_ = ask("What did the chair say about the budget?", thread(*PANEL))
    assert best.text == "The budget is 4,000 crowns. … The budget must last until June."
    assert {span.utterance.speaker for span in best.spans if span.utterance} == {"CHAIR"}


def test_only_the_named_speaker_is_quoted():
    best, *_ = ask("What did Bo say about the budget?", thread(*PANEL))
    assert best.text == "The budget is too small."
    assert best.span.source == "panel.txt#2"


def test_spans_are_in_retrieved_passage():
    passage = thread(*PANEL)
    for question in ("What did Ada think of the budget?", "Who said that the budget is too small?"):
        for answer in ask(question, passage):
            assert all(span.passage == passage for span in answer.spans)


def test_answer_of_another_speaker_is_less_probable():
    passage = thread(("Ada", "The boat leaves at nine."), ("Bo", "The boat leaves at ten."))
    best, *_ = ask("When did Bo say the boat leaves?", passage)
    assert best.span.utterance is not None
    assert best.span.utterance.speaker == "Bo"


def test_without_a_known_speaker_there_is_no_answer():
    assert ask("Who asked for a survey?", thread(("", "Could we have a survey?"))) == []


def test_question_for_speaker_is_answered_from_documents_too():
    page = Passage("clock.md", 0, 34, "Calloway proposed to mend the clock", title="Clock")
    best, *_ = ask("Who proposed to mend the clock?", page)
    assert best.span.passage == page


def test_other_question_gets_answers_of_wrapped_reader():
    query, hits = Query("How large is the budget?"), [Hit(thread(*PANEL), 1.0)]
    assert SpeakerReader(OverlapReader(), FakeEncoder()).read(
        [query], [hits]
    ) == OverlapReader().read([query], [hits])


def test_no_hits_give_no_answers():
    assert ask("Who asked for the survey?") == []
    assert SpeakerReader(OverlapReader(), FakeEncoder()).read([], []) == []


def test_passage_without_speaker_label_answers_by_its_words():
    words = " ".join(f"The survey number {n} was asked for in spring." for n in range(80))
    utterance = Utterance("1", "Ada", words, None, 5, 5 + len(words), "a.txt")
    pieces = split(Thread("a.txt", "A", f"Ada: {words}", (utterance,), "a.txt"))
    best, *_ = ask("Who mentioned survey number 79?", pieces[-1])
    assert best.text == "The survey number 79 was asked for in spring."
    assert best.span.utterance is not None
    assert best.span.utterance.speaker == "Ada"


def test_iterative_reader_keeps_probabilities_of_speakers():
    ada = thread(("Ada Berg", "I propose a new roof for the boathouse."))
    bo = replace(thread(("Bo Lind", "I like the boathouse as it is.")), source="mail.txt")
    query = Query("Who proposed a new roof for the boathouse?")
    hits = [Hit(ada, 2.0), Hit(bo, 1.0)]
    reader = SpeakerReader(OverlapReader(), FakeEncoder())
    [[first, second]] = reader.read([query], [hits])
    assert (first.text, second.text) == ("Ada Berg", "Bo Lind")
    for diversity, expected in ((0.2, [first]), (1.0, [first, second])):
        assert IterativeReader(reader, diversity=diversity).read([query], [hits]) == [expected]
