import random
from datetime import UTC, datetime, timedelta

import numpy as np

from seminar.datasets.conversations.disentanglement import Channel
from seminar.ingestion.conversations.disentangling.reply_features import FEATURES
from seminar.training.fitting.disentangling import choices, fit, slowed, thinned
from seminar.types import Utterance

BEGIN = datetime(2024, 5, 1, tzinfo=UTC)


def interleaved(turns: int) -> Channel:
    """Two pairs of people who take turns; each message calls the one that it answers."""
    names = ["ada", "cy", "bo", "di"]
    messages = tuple(
        Utterance(str(n), names[n % 4], f"{names[(n + 2) % 4]}: word{n}", BEGIN + timedelta(0, n))
        for n in range(turns)
    )
    links = tuple((n, max(n - 2, n % 2)) for n in range(turns))
    return Channel("c", messages, tuple(str(n % 2) for n in range(turns)), links)


def test_choices_mark_what_a_message_answers():
    sample = choices([interleaved(4)])
    assert sample.begins.tolist() == [0, 1, 3, 6]
    assert sample.right.tolist() == [
        True,
        False, True,
        True, False, False,
        False, True, False, False,
    ]  # fmt: skip


def test_without_links_every_earlier_message_of_the_conversation_is_right():
    channel = interleaved(5)
    sample = choices([Channel("c", channel.messages, channel.conversations)])
    assert sample.right[-5:].tolist() == [True, False, True, False, False]


def test_fitting_finds_that_the_one_called_is_answered():
    sample = choices([interleaved(80)])
    weights = fit(sample)
    assert weights[FEATURES.index("its speaker is called")] > 0.5
    scores = sample.rows @ weights
    ends = [*sample.begins[1:], len(scores)]
    best = [b + int(np.argmax(scores[b:e])) for b, e in zip(sample.begins, ends, strict=True)]
    assert sample.right[best].mean() > 0.95


def test_a_channel_is_slowed_and_thinned():
    channel = interleaved(6)
    late = slowed(channel, 10).messages[5].time
    assert late == BEGIN + timedelta(seconds=50)
    half = thinned(channel, 0.5, random.Random(1))  # 0.13, 0.85
    assert [said.key for said in half.messages] == ["0", "2", "4"]
    assert half.links == ((0, 0), (1, 0), (2, 1))
