from pathlib import Path

import numpy as np
import pytest

from seminar.errors import ConfigurationError
from seminar.questions.cues import cues
from seminar.questions.topic_switches import (
    FEATURES,
    SWITCHES,
    PlainTopics,
    Trail,
    TrainedTopics,
    features,
    likeliest,
    meaning_width,
    trail_of,
)
from seminar.types import Dialogue, Passage, Query, Reply, Span, Turn
from tests.fakes import FakeEncoder


def turn(question: str, answer: str, title: str = "") -> Turn:
    """A turn answered from the document of that title; one without a title got no answer."""
    if not title:
        return Turn(question, Reply("I can't find that.", Query(question)))
    passage = Passage(f"{title}.md", 0, len(answer), answer, title=title)
    span = Span(passage, 0, len(answer))
    return Turn(question, Reply(answer, Query(question), answerable=True, literal=(span,)))


EMPIRE = Dialogue((turn("when was the byzantine empire born?", "In 395", "Byzantine Empire"),))
FALL = EMPIRE.add(turn("who conquered it?", "Sultan Mehmed", "Byzantine Empire"))
MEHMED = FALL.add(turn("what else did he take?", "Anatolia", "Mehmed the Conqueror"))


def switch(dialogue: Dialogue, question: str) -> str:
    [predicted] = PlainTopics().predict([dialogue], [question])
    assert sum(predicted.values()) == pytest.approx(1.0)
    return likeliest(predicted)


def test_the_same_pronoun_stays_with_the_topic():
    assert switch(FALL, "which battle ended it?") == "no-switch"


def test_somebody_new_after_a_name_is_a_new_topic():
    assert switch(FALL, "who was he?") == "switch-to-new"


def test_what_names_the_answer_is_a_new_topic():
    assert switch(MEHMED, "where does anatolia lie?") == "switch-to-new"


def test_what_names_an_old_topic_returns_to_it():
    assert switch(MEHMED, "how big was the byzantine empire?") == "switch-to-old"


def test_there_is_no_return_from_the_only_topic():
    [predicted] = PlainTopics().predict([FALL], ["how big was the byzantine empire?"])
    assert predicted["switch-to-old"] < 0.01


def test_the_trail_knows_the_present_topic_and_the_old_ones():
    assert trail_of(MEHMED) == Trail(
        run=1,
        topics=2,
        title=frozenset({"mehmed", "conque"}),
        old_titles=frozenset({"byzant", "empire"}),
    )
    assert trail_of(FALL).run == 2
    assert trail_of(FALL.add(turn("why?", ""))).lost
    assert trail_of(Dialogue()) == Trail(lost=True)


def test_every_feature_has_its_place():
    found = features(cues("who was he?", (("who won?", "Sultan Mehmed"),)), Trail(run=1, topics=1))
    assert tuple(found) == FEATURES
    assert found["name and new person"] == 1.0
    assert found["one topic"] == 1.0


def test_no_question_no_prediction():
    assert PlainTopics().predict([], []) == []


def test_trained_weights_are_saved_and_found_again(tmp_path: Path):
    encoder = FakeEncoder(dimensions=8)
    weights = np.zeros((len(FEATURES) + meaning_width(encoder), len(SWITCHES)))
    weights[FEATURES.index("bias")] = (0.0, np.log(2.0), np.log(5.0))
    file = tmp_path / "topics.npz"
    TrainedTopics(weights, encoder).save(file)
    [predicted] = TrainedTopics.load(file, encoder).predict([FALL], ["why?"])
    assert predicted == pytest.approx(
        {"no-switch": 1 / 8, "switch-to-old": 2 / 8, "switch-to-new": 5 / 8}
    )


def test_a_predictor_of_another_encoder_is_refused(tmp_path: Path):
    encoder = FakeEncoder(dimensions=8)
    weights = np.zeros((len(FEATURES) + meaning_width(encoder), len(SWITCHES)))
    file = tmp_path / "topics.npz"
    TrainedTopics(weights, encoder).save(file)
    with pytest.raises(ConfigurationError, match="made with encoder 'fake', opened with 'other'"):
        TrainedTopics.load(file, FakeEncoder(name="other", dimensions=8))
    with pytest.raises(ConfigurationError, match="don't fit encoder"):
        TrainedTopics(weights[:5], encoder)


@pytest.mark.parametrize("content", [b"", b"nothing", b"PK\x03\x04cut off"])
def test_a_file_that_is_none_says_how_to_make_one(tmp_path: Path, content: bytes):
    file = tmp_path / "topics.npz"
    file.write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"seminar\.training\.fitting\.topics --out"):
        TrainedTopics.load(file, FakeEncoder())
