import random

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("bm25s")

from seminar.networks.question_encoder import QuestionEncoder, contrast  # noqa: E402
from seminar.training.loop.batches import bucketed, drawn, stream  # noqa: E402
from seminar.training.loop.run import LoopConfig, Position, Run  # noqa: E402
from seminar.training.question_encoder.task import (  # noqa: E402
    CLS,
    SEP,
    EncoderConfig,
    EncoderExample,
    EncoderTask,
)
from tests.tiny_networks import bert_config  # noqa: E402


def task(seed: int = 0) -> EncoderTask:
    """Eight subjects named at the start of a dialogue, each with a passage of its own."""
    torch.manual_seed(seed)
    shape = bert_config(hidden_size=16, num_hidden_layers=1)
    network = QuestionEncoder(transformers.BertModel(shape, add_pooling_layer=False))
    examples = [
        EncoderExample((CLS, 110 + subject, 120 + word, SEP), subject, (subject + 1) % 8, word == 1)
        for subject in range(8)
        for word in range(4)
    ]
    vectors = np.random.default_rng(0).normal(size=(8, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    config = EncoderConfig(batch_size=8)
    return EncoderTask(network, config, examples, vectors=vectors, held_out=examples, seed=1)


def test_trained_dialogues_are_close_to_their_own_passages(tmp_path):
    training = task()
    before = training.evaluate()["recall at 1"]
    config = LoopConfig(steps=150, learning_rate=0.01, schedule="linear", warmup_steps=5)
    Run(training, config, tmp_path).train()
    training.network.eval()
    with torch.no_grad():
        assert training.evaluate() == {"recall at 5": 100.0, "recall at 1": 100.0}
    assert before < 60


def test_the_words_stay_as_they_were(tmp_path):
    training = task()
    words = training.network.encoder.embeddings.word_embeddings.weight.clone()
    Run(training, LoopConfig(steps=3, learning_rate=0.01, warmup_steps=1), tmp_path).train()
    assert torch.equal(words, training.network.encoder.embeddings.word_embeddings.weight)


def test_padding_changes_no_vector():
    network = task().network.eval()
    ids = torch.tensor([[CLS, 111, 121, SEP]])
    padded = torch.tensor([[CLS, 111, 121, SEP, 0, 0]])
    mask = torch.tensor([[1, 1, 1, 1, 0, 0]])
    torch.testing.assert_close(network(ids, torch.ones_like(ids)), network(padded, mask))


def test_the_same_aim_twice_in_a_batch_is_no_rival():
    aim = torch.nn.functional.normalize(torch.tensor([[1.0, 0.0], [1.0, 0.0]]), dim=1)
    nothing = torch.empty(0, 2)
    both = contrast(aim, aim, nothing, temperature=1.0)
    torch.testing.assert_close(both, torch.log(torch.tensor(2.0)))  # the least it can be


def test_batches_go_on_where_they_were():
    def chunk(number: int) -> list[list[int]]:
        items = drawn(range(20), number, size=10, seed=3)
        return bucketed(items, 4, random.Random(number), length=lambda one: one)

    whole = stream(Position(), chunk, list)
    seen = [next(whole) for _ in range(12)]
    resumed = stream(seen[4][1], chunk, list)
    assert [next(resumed) for _ in range(7)] == seen[5:12]
    first_epoch = [item for batch, _ in seen[:6] for item in batch]
    assert sorted(first_epoch) == list(range(20))
