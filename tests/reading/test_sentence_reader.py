from seminar.models.encoders.registry import load_encoder
from seminar.reading.sentence_reader import FEATURES, SentenceReader
from seminar.types import Answer, Hit, Passage, Query

FERRY = Passage(
    "ferry.md",
    0,
    119,
    "The crossing takes 55 minutes in summer. Dogs travel free. The café on the upper deck sells "
    "soup and the day's newspapers.",
    title="The ferry",
)
TOWER = Passage(
    "tower.md", 0, 47, "The tower was finished in 1911 by Edda Thornquist.", title="Tower"
)
HITS = [Hit(FERRY, 2.0), Hit(TOWER, 1.0)]


def read(*questions: str) -> list[list[Answer]]:
    queries = [Query(text=question, question=question) for question in questions]
    return SentenceReader(load_encoder("minilm")).read(queries, [HITS] * len(questions))


def test_the_sentence_that_tells_comes_first():
    [crossing, tower] = read("How long is the crossing?", "Who finished the tower?")
    assert crossing[0].span.text == "The crossing takes 55 minutes in summer."
    assert tower[0].span.text == "The tower was finished in 1911 by Edda Thornquist."


def test_what_is_not_there_is_less_likely_than_what_is():
    [there, absent] = read("How long is the crossing?", "What is the capital of Mongolia?")
    assert there[0].score > 0.5 > absent[0].score


def test_scores_are_probabilities_best_first():
    [answers] = read("Do dogs pay?")
    scores = [answer.score for answer in answers]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score < 1 for score in scores)


def test_nothing_in_nothing_out():
    reader = SentenceReader(load_encoder("minilm"))
    assert reader.read([], []) == []
    assert reader.read([Query("Who?")], [[]]) == [[]]


def test_the_typed_question_is_read_not_the_searched_history():
    reader = SentenceReader(load_encoder("minilm"))
    plain = Query(text="Do dogs pay?", question="Do dogs pay?")
    searched = Query(text="Who finished the tower? [SEP] Do dogs pay?", question="Do dogs pay?")
    assert reader.read([plain], [HITS]) == reader.read([searched], [HITS])


def test_only_the_most_promising_sentences_are_encoded():
    reader = SentenceReader(load_encoder("minilm"), shortlist=2)
    [answers] = reader.read([Query("How long is the crossing?")], [HITS])
    assert len(answers) == 2


def test_evidence_has_its_names():
    reader = SentenceReader(load_encoder("minilm"))
    [first, *_] = reader.candidates(Query("How long is the crossing?"), HITS)
    assert len(first.features) == len(FEATURES)
    assert first.features[0] == 1.0
