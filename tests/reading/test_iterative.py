import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from seminar.models.encoders.registry import load_encoder
from seminar.models.reader.model import Finding, Inquiry
from seminar.reading.iterative import IterativeReader, OnePassReader, distinct
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
class Halls:
    """A reader that gives each of its answers a score for every number of answers found so far."""

    scores: dict[tuple[str, str], tuple[float, ...]]
    says: Affirmation = "neither"
    asked: list[list[tuple[tuple[str, ...], list[str]]]] = field(default_factory=list)
    ranks: list[list[int]] = field(default_factory=list)

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        pairs = list(zip(queries, hits, strict=True))
        self.ranks.append([hit.rank for ranking in hits for hit in ranking])
        self.asked.append(
            [(q.found, [hit.passage.source for hit in ranking]) for q, ranking in pairs]
        )
        return [self._answers(query, ranking) for query, ranking in pairs]

    def _answers(self, query: Query, hits: Sequence[Hit]) -> list[Answer]:
        seen = {hit.passage.source: hit.passage for hit in hits}
        told = [
            answer(seen[source], text, scores[min(len(query.found), len(scores) - 1)], self.says)
            for (source, text), scores in self.scores.items()
            if source in seen
        ]
        return sorted(told, key=lambda one: -one.score)


def told(answers: Sequence[Answer]) -> list[tuple[str, float]]:
    return [(one.span.text, one.score) for one in answers]


def test_it_asks_again_told_what_was_found_until_the_end():
    halls = Halls(
        {
            ("old.md", "1893"): (0.8, 0.1),
            ("new.md", "12 May 1968"): (0.3, 0.6),
            ("lawn.md", "1902"): (0.2, 0.1),
        }
    )
    [answers] = IterativeReader(halls, diversity=0.5).read([Query("When did it open?")], [HITS])
    assert told(answers) == [("1893", 0.8), ("12 May 1968", 0.6)]
    assert halls.asked == [
        [((), ["old.md", "new.md", "lawn.md"])],
        [(("1893",), ["new.md", "lawn.md"])],
        [(("1893", "12 May 1968"), ["lawn.md"])],
    ]
    assert halls.ranks == [[0, 0, 0], [2, 3], [3]]


def test_diversity_sets_how_much_weaker_a_further_answer_may_be():
    scores = {("old.md", "1893"): (0.8, 0.1), ("new.md", "12 May 1968"): (0.3, 0.6)}
    query = Query("When did it open?")
    for diversity, count in ((0.0, 1), (0.2, 1), (0.3, 2), (1.0, 2)):
        [answers] = IterativeReader(Halls(scores), diversity=diversity).read([query], [HITS])
        assert len(answers) == count


def test_no_further_answer_is_more_probable_than_the_first():
    scores = {("old.md", "1893"): (0.64, 0.1), ("new.md", "12 May 1968"): (0.36, 0.9)}
    [answers] = IterativeReader(Halls(scores)).read([Query("When?")], [HITS])
    assert told(answers) == [("1893", 0.64), ("12 May 1968", 0.64)]


def test_equivalent_answers_are_told_once():
    scores = {
        ("old.md", "1893"): (0.8, 0.8),
        ("old.md", "in 1893"): (0.7, 0.7),
        ("new.md", "12 May 1968"): (0.6, 0.6),
        ("new.md", "1968"): (0.5, 0.5),
    }
    [answers] = IterativeReader(Halls(scores), diversity=1.0).read([Query("When?")], [HITS])
    assert told(answers) == [("1893", 0.8), ("12 May 1968", 0.6)]
    [at_once] = OnePassReader(Halls(scores), diversity=1.0).read([Query("When?")], [HITS])
    assert told(at_once) == told(answers)


def test_rounds_are_bounded():
    scores = {("old.md", "1893"): (0.8,), ("new.md", "1968"): (0.7,), ("lawn.md", "1902"): (0.7,)}
    [answers] = IterativeReader(Halls(scores), rounds=2).read([Query("When?")], [HITS])
    assert [one.span.text for one in answers] == ["1893", "1968"]


def test_passages_without_hope_are_not_read_again():
    scores = {("old.md", "1893"): (0.8, 0.1), ("new.md", "12 May 1968"): (0.01, 0.6)}
    halls = Halls(scores)
    [answers] = IterativeReader(halls).read([Query("When?")], [HITS])
    assert told(answers) == [("1893", 0.8)]
    assert len(halls.asked) == 1


def test_all_queries_of_a_round_are_read_in_one_call():
    halls = Halls({("old.md", "1893"): (0.8,), ("new.md", "12 May 1968"): (0.7,)})
    queries = [Query("When?"), Query("Where?"), Query("Who?")]
    hits = [HITS, HITS[2:], HITS[:1]]
    first, second, third = IterativeReader(halls).read(queries, hits)
    assert [len(first), len(second), len(third)] == [2, 0, 1]
    assert [len(calls) for calls in halls.asked] == [3, 1]


def test_a_yes_has_no_alternatives():
    halls = Halls({("old.md", "It is of stone."): (0.8,), ("new.md", "1968"): (0.8,)}, says="yes")
    [answers] = IterativeReader(halls, diversity=1.0).read([Query("Is it old?")], [HITS])
    assert [one.affirmation for one in answers] == ["yes"]
    assert len(halls.asked) == 1


def test_in_one_pass_too_a_yes_stands_alone_and_is_no_further_answer():
    yes, no = answer(OLD, "It is of stone.", 0.6, "yes"), answer(NEW, "New Hall", 0.55, "no")
    span = answer(LAWN, "1902", 0.58)
    assert distinct([yes, span, no], 0.9) == [yes]
    assert distinct([span, no], 0.9) == [span]
    assert distinct([], 0.9) == []


class Years:
    """A reader model that finds each text's year, unless it is told: then it says that is all."""

    def read(
        self, inquiries: Sequence[Inquiry], *, longest: int, spans: int
    ) -> list[list[Finding]]:
        return [[self._finding(one)] for one in inquiries]

    def _finding(self, inquiry: Inquiry) -> Finding:
        year = re.search(r"\d{4}", inquiry.text)
        assert year
        known = any(year.group() in one for one in inquiry.found)
        return Finding(*year.span(), 1.0, (2.0, -3.0, -3.0, 0.0, 9.0 if known else -9.0))


def test_the_span_reader_finds_one_year_after_another():
    plain = SpanReader(
        Years(),
        load_encoder("static"),
        calibration=replace(
            Calibration.zero(), answer=dict.fromkeys(FEATURES, 0.0) | {"type": 1.0}
        ),
    )
    query = Query("When did the hall open?", "When did the hall open?")
    [answers] = IterativeReader(plain, diversity=0.1).read([query], [HITS])
    assert [one.span.text for one in answers] == ["1893", "1968", "1902"]
    assert answers[0] == plain.read([query], [HITS])[0][0]


def test_the_trained_reader_is_asked_like_any_other():
    reader = load_reader(str(TINY_READER))
    queries = [Query(question, question) for question in ("When was it opened?", "Who laid it?")]
    several = IterativeReader(reader).read(queries, [HITS] * 2)
    assert [answers[0] for answers in several] == [
        answers[0] for answers in reader.read(queries, [HITS] * 2)
    ]


def test_a_further_answer_is_of_the_kind_that_the_first_is():
    halls = Halls({("old.md", "1893"): (0.8, 0.8), ("old.md", "of stone"): (0.8, 0.8)})
    [found] = IterativeReader(halls).read([Query("When was it opened?")], [HITS])
    assert told(found) == [("1893", 0.8)]
