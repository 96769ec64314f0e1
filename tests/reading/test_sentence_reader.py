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


def test_sentence_that_answers_comes_first():
    [crossing, tower] = read("How long is the crossing?", "Who finished the tower?")
    assert crossing[0].span.text == "The crossing takes 55 minutes in summer."
    assert tower[0].span.text == "The tower was finished in 1911 by Edda Thornquist."


def test_question_without_answer_gets_low_probability():
    [present, absent] = read("How long is the crossing?", "What is the capital of Mongolia?")
    assert present[0].score > 0.5 > absent[0].score


def test_typed_question_is_read_instead_of_searched_history():
    reader = SentenceReader(load_encoder("minilm"))
    plain = Query(text="Do dogs pay?", question="Do dogs pay?")
    searched = Query(text="Who finished the tower? [SEP] Do dogs pay?", question="Do dogs pay?")
    assert reader.read([plain], [HITS]) == reader.read([searched], [HITS])


def test_shortlist_limits_number_of_answers():
    reader = SentenceReader(load_encoder("minilm"), shortlist=2)
    [answers] = reader.read([Query("How long is the crossing?")], [HITS])
    assert len(answers) == 2


def test_candidate_has_one_value_per_feature():
    reader = SentenceReader(load_encoder("minilm"))
    [first, *_] = reader.candidates(Query("How long is the crossing?"), HITS)
    assert len(first.features) == len(FEATURES)
    assert first.features[0] == 1.0
