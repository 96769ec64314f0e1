import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from seminar.models.encoders.registry import load_encoder
from seminar.models.reader.model import Finding, Inquiry
from seminar.reading.iterative import IterativeReader, OnePassReader, distinct_answers
from seminar.reading.readers import load_reader
from seminar.reading.span_reader import FEATURES, Calibration, SpanReader
from seminar.types import Affirmation, Answer, Hit, Passage, Query, Span
from tests.paths import TINY_READER

OLD = Passage("old.md", 0, 42, "Old Hall was opened in 1893. It is of stone.", "Old Hall")
NEW = Passage("new.md", 0, 31, "New Hall opened on 12 May 1968.", "New Hall")
LAWN = Passage("lawn.md", 0, 36, "The lawn was laid in 1902 by a monk.", "Lawn")
HITS = [Hit(OLD, 3.0), Hit(NEW, 2.0), Hit(LAWN, 1.0)]


def answer(passage: Passage, text: str, score: float, says: Affirmation = "neither") -> Answer:
    start = passage.text.index(text)
    return Answer(Span(passage, start, start + len(text)), score, says)


@dataclass
class ScriptedReader:
    """Gives each of its answers a score that depends on the number of answers so far."""

    scores: dict[tuple[str, str], tuple[float, ...]]
    says: Affirmation = "neither"
    calls: list[list[tuple[tuple[str, ...], list[str]]]] = field(default_factory=list)
    ranks: list[list[int]] = field(default_factory=list)

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        pairs = list(zip(queries, hits, strict=True))
        self.ranks.append([hit.rank for ranking in hits for hit in ranking])
        self.calls.append(
            [(query.found, [hit.passage.source for hit in ranking]) for query, ranking in pairs]
        )
        return [self._answers(query, ranking) for query, ranking in pairs]

    def _answers(self, query: Query, hits: Sequence[Hit]) -> list[Answer]:
        passages = {hit.passage.source: hit.passage for hit in hits}
        answers = [
            answer(
                passages[source], text, scores[min(len(query.found), len(scores) - 1)], self.says
            )
            for (source, text), scores in self.scores.items()
            if source in passages
        ]
        return sorted(answers, key=lambda answer: -answer.score)


def texts_and_scores(answers: Sequence[Answer]) -> list[tuple[str, float]]:
    return [(answer.span.text, answer.score) for answer in answers]


def test_iterative_reader_reads_again_until_no_answer_is_probable_enough():
    scripted = ScriptedReader(
        {
            ("old.md", "1893"): (0.8, 0.1),
            ("new.md", "12 May 1968"): (0.3, 0.6),
            ("lawn.md", "1902"): (0.2, 0.1),
        }
    )
    [answers] = IterativeReader(scripted, diversity=0.5).read([Query("When did it open?")], [HITS])
    assert texts_and_scores(answers) == [("1893", 0.8), ("12 May 1968", 0.6)]
    assert scripted.calls == [
        [((), ["old.md", "new.md", "lawn.md"])],
        [(("1893",), ["new.md", "lawn.md"])],
        [(("1893", "12 May 1968"), ["lawn.md"])],
    ]
    assert scripted.ranks == [[0, 0, 0], [2, 3], [3]]


def test_higher_diversity_accepts_less_probable_further_answers():
    scores = {("old.md", "1893"): (0.8, 0.1), ("new.md", "12 May 1968"): (0.3, 0.6)}
    query = Query("When did it open?")
    for diversity, count in ((0.0, 1), (0.2, 1), (0.3, 2), (1.0, 2)):
        [answers] = IterativeReader(ScriptedReader(scores), diversity=diversity).read(
            [query], [HITS]
        )
        assert len(answers) == count


def test_further_answer_is_never_more_probable_than_first():
    scores = {("old.md", "1893"): (0.64, 0.1), ("new.md", "12 May 1968"): (0.36, 0.9)}
    [answers] = IterativeReader(ScriptedReader(scores)).read([Query("When?")], [HITS])
    assert texts_and_scores(answers) == [("1893", 0.64), ("12 May 1968", 0.64)]


def test_equivalent_answers_are_given_once():
    scores = {
        ("old.md", "1893"): (0.8, 0.8),
        ("old.md", "in 1893"): (0.7, 0.7),
        ("new.md", "12 May 1968"): (0.6, 0.6),
        ("new.md", "1968"): (0.5, 0.5),
    }
    [answers] = IterativeReader(ScriptedReader(scores), diversity=1.0).read(
        [Query("When?")], [HITS]
    )
    assert texts_and_scores(answers) == [("1893", 0.8), ("12 May 1968", 0.6)]
    [one_pass] = OnePassReader(ScriptedReader(scores), diversity=1.0).read([Query("When?")], [HITS])
    assert texts_and_scores(one_pass) == texts_and_scores(answers)


def test_rounds_limit_number_of_answers():
    scores = {("old.md", "1893"): (0.8,), ("new.md", "1968"): (0.7,), ("lawn.md", "1902"): (0.7,)}
    [answers] = IterativeReader(ScriptedReader(scores), rounds=2).read([Query("When?")], [HITS])
    assert [answer.span.text for answer in answers] == ["1893", "1968"]


def test_passage_without_probable_answer_in_first_round_is_not_read_again():
    scores = {("old.md", "1893"): (0.8, 0.1), ("new.md", "12 May 1968"): (0.01, 0.6)}
    scripted = ScriptedReader(scores)
    [answers] = IterativeReader(scripted).read([Query("When?")], [HITS])
    assert texts_and_scores(answers) == [("1893", 0.8)]
    assert len(scripted.calls) == 1


def test_queries_of_one_round_are_read_in_one_call():
    scripted = ScriptedReader({("old.md", "1893"): (0.8,), ("new.md", "12 May 1968"): (0.7,)})
    queries = [Query("When?"), Query("Where?"), Query("Who?")]
    hits = [HITS, HITS[2:], HITS[:1]]
    first, second, third = IterativeReader(scripted).read(queries, hits)
    assert [len(first), len(second), len(third)] == [2, 0, 1]
    assert [len(call) for call in scripted.calls] == [3, 1]


def test_yes_has_no_further_answers():
    scripted = ScriptedReader(
        {("old.md", "It is of stone."): (0.8,), ("new.md", "1968"): (0.8,)}, says="yes"
    )
    [answers] = IterativeReader(scripted, diversity=1.0).read([Query("Is it old?")], [HITS])
    assert [answer.affirmation for answer in answers] == ["yes"]
    assert len(scripted.calls) == 1


def test_distinct_answers_never_combine_affirmation_with_others():
    yes, no = answer(OLD, "It is of stone.", 0.6, "yes"), answer(NEW, "New Hall", 0.55, "no")
    span = answer(LAWN, "1902", 0.58)
    assert distinct_answers([yes, span, no], 0.9) == [yes]
    assert distinct_answers([span, no], 0.9) == [span]
    assert distinct_answers([], 0.9) == []


class YearModel:
    """A reader model that finds the year in each text, and predicts the end if it is known."""

    def read(
        self, inquiries: Sequence[Inquiry], *, longest: int, spans: int
    ) -> list[list[Finding]]:
        return [[self._finding(inquiry)] for inquiry in inquiries]

    def _finding(self, inquiry: Inquiry) -> Finding:
        year = re.search(r"\d{4}", inquiry.text)
        assert year
        known = any(year.group() in answer for answer in inquiry.found)
        return Finding(*year.span(), 1.0, (2.0, -3.0, -3.0, 0.0, 9.0 if known else -9.0))


def test_span_reader_finds_one_year_per_round():
    reader = SpanReader(
        YearModel(),
        load_encoder("static"),
        calibration=replace(
            Calibration.zero(), answer=dict.fromkeys(FEATURES, 0.0) | {"type": 1.0}
        ),
    )
    query = Query("When did the hall open?", "When did the hall open?")
    [answers] = IterativeReader(reader, diversity=0.1).read([query], [HITS])
    assert [answer.span.text for answer in answers] == ["1893", "1968", "1902"]
    assert answers[0] == reader.read([query], [HITS])[0][0]


def test_first_answer_of_trained_reader_is_kept():
    reader = load_reader(str(TINY_READER))
    queries = [Query(question, question) for question in ("When was it opened?", "Who laid it?")]
    several = IterativeReader(reader).read(queries, [HITS] * 2)
    assert [answers[0] for answers in several] == [
        answers[0] for answers in reader.read(queries, [HITS] * 2)
    ]


def test_further_answer_must_be_of_expected_kind_if_first_is():
    scripted = ScriptedReader({("old.md", "1893"): (0.8, 0.8), ("old.md", "of stone"): (0.8, 0.8)})
    [answers] = IterativeReader(scripted).read([Query("When was it opened?")], [HITS])
    assert texts_and_scores(answers) == [("1893", 0.8)]
