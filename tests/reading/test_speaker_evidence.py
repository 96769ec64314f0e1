"""Evidence for speakers, with the weights that ship."""

from seminar.reading.attribution import parse_attribution
from seminar.reading.speaker_evidence import (
    FEATURES,
    answer_probability,
    best_sentence_per_speaker,
    shipped_weights,
)
from seminar.types import Hit, Passage, Utterance
from tests.fakes import FakeEncoder


def test_shipped_weights_have_exactly_the_features():
    assert tuple(shipped_weights()) == FEATURES


def test_strong_evidence_is_probable_and_none_is_improbable():
    strong = dict.fromkeys(FEATURES, 1.0) | {"lead": 0.5}
    none = dict.fromkeys(FEATURES, 0.0) | {"bias": 1.0}
    assert answer_probability(tuple(strong.values())) > 0.9
    assert answer_probability(tuple(none.values())) < 0.01


def message(speaker: str, words: str, source: str) -> Passage:
    text = f"{speaker}: {words}"
    utterance = Utterance("1", speaker, words, None, len(speaker) + 2, len(text), source)
    return Passage(source, 0, len(text), text, utterances=(utterance,))


def test_previous_utterance_of_another_thread_is_no_evidence():
    attribution = parse_attribution("Who asked for the pier to be mended?", ["Ada", "Bo"])
    ada = message("Ada", "The pier must be mended.", "a.mbox")
    bo = message("Bo", "Lunch is at noon.", "b.mbox")
    sentences = best_sentence_per_speaker(attribution, [Hit(ada, 2.0), Hit(bo, 1.0)], FakeEncoder())
    coverage = {sentence.speaker: sentence.utterance_coverage for sentence, _ in sentences}
    assert coverage["Ada"] > 0
    assert coverage["Bo"] == 0


def test_hit_rank_takes_precedence_over_position():
    attribution = parse_attribution("Who asked for the pier to be mended?", ["Ada"])
    ada = message("Ada", "The pier must be mended.", "a.mbox")
    [(sentence, _)] = best_sentence_per_speaker(attribution, [Hit(ada, 2.0, rank=4)], FakeEncoder())
    assert sentence.rank == 1 / 4
