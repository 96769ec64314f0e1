"""How likely somebody is to have said it, by the weights that come with Seminar."""

from seminar.reading.attribution import attribute
from seminar.reading.speaker_evidence import FEATURES, chance, shipped_weights, voices
from seminar.types import Hit, Passage, Utterance
from tests.fakes import FakeEncoder


def test_the_shipped_weights_weigh_exactly_the_evidence():
    assert tuple(shipped_weights()) == FEATURES


def test_a_sentence_that_says_what_is_asked_is_likely_and_one_that_shares_nothing_is_not():
    says_it = dict.fromkeys(FEATURES, 1.0) | {"lead": 0.5}
    shares_nothing = dict.fromkeys(FEATURES, 0.0) | {"bias": 1.0}
    assert chance(tuple(says_it.values())) > 0.9
    assert chance(tuple(shares_nothing.values())) < 0.01


def message(speaker: str, words: str, source: str) -> Passage:
    text = f"{speaker}: {words}"
    said = Utterance("1", speaker, words, None, len(speaker) + 2, len(text), source)
    return Passage(source, 0, len(text), text, utterances=(said,))


def test_what_another_thread_says_is_no_evidence_for_the_message_after_it():
    of = attribute("Who asked for the pier to be mended?", ["Ada", "Bo"])
    ada = message("Ada", "The pier must be mended.", "a.mbox")
    bo = message("Bo", "Lunch is at noon.", "b.mbox")
    found = voices(of, [Hit(ada, 2.0), Hit(bo, 1.0)], FakeEncoder())
    coverage = {one.speaker: one.utterance for one, _ in found}
    assert coverage["Ada"] > 0
    assert coverage["Bo"] == 0


def test_a_passage_keeps_its_rank_where_only_some_are_read():
    of = attribute("Who asked for the pier to be mended?", ["Ada"])
    ada = message("Ada", "The pier must be mended.", "a.mbox")
    [(sentence, _)] = voices(of, [Hit(ada, 2.0, rank=4)], FakeEncoder())
    assert sentence.rank == 1 / 4
