import random
from itertools import islice

import pytest

torch = pytest.importorskip("torch")

from seminar.errors import ConfigurationError  # noqa: E402
from seminar.training.loop.epoch_task import EpochTask  # noqa: E402
from seminar.training.loop.run import Position  # noqa: E402


class WordTask(EpochTask[str, str, list[str]]):
    """Learns words by their length; each is drawn with a random capital letter."""

    def sample(self, example, draw):
        at = draw.randrange(len(example))
        return example[:at] + example[at].upper() + example[at + 1 :]

    def length(self, sample):
        return len(sample)

    def collate(self, samples):
        return list(samples)

    def losses(self, batch):
        lengths = torch.tensor([[float(len(word))] for word in batch])
        return {"length": self.network(lengths).pow(2).mean()}

    def score(self):
        return {"words": float(len(self.held_out))}


WORDS = ["a", "bb", "ccc", "dddd", "eeeee", "ffffff", "ggggggg"]


def word_task(**options):
    return WordTask(torch.nn.Linear(1, 1), WORDS, batch_size=2, **options)


def test_batches_hold_examples_of_similar_length_in_the_order_of_the_seed():
    batches = [batch for batch, _ in islice(word_task(seed=3).batches(Position()), 6)]
    assert batches == [
        ["A", "ccC"],
        ["dDdd", "eeeEe"],
        ["Ffffff", "gggggGg"],
        ["ccC", "Dddd"],
        ["eeEee", "ggggGgg"],
        ["A", "Bb"],
    ]


def test_batches_continue_from_a_position():
    stream = word_task().batches(Position())
    _, after = list(islice(stream, 4))[-1]
    assert after == Position(chunk=1, batch=1, examples=8)
    rest = word_task().batches(after)
    assert [next(stream) for _ in range(5)] == [next(rest) for _ in range(5)]


def test_an_epoch_is_counted_in_batches():
    assert word_task().epoch_batches == 3


def test_a_chunk_may_be_given():
    assert word_task(chunk=2).epoch_batches == 3
    assert next(word_task(chunk=2).batches(Position()))[1] == Position(1, 0, 2)


def test_scores_are_taken_only_where_data_are_held_out():
    assert word_task().evaluate() == {}
    assert word_task(held_out=["x", "y"]).evaluate() == {"words": 2.0}


def test_an_example_is_its_own_sample_unless_a_task_says_otherwise():
    assert EpochTask.sample(word_task(), "abc", random.Random(0)) == "abc"


def test_no_examples_are_an_error():
    with pytest.raises(ConfigurationError, match="nothing to train on"):
        WordTask(torch.nn.Linear(1, 1), [], batch_size=2)
