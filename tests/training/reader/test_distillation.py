"""A small reader learns from a larger one's outputs."""

from itertools import islice
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from seminar.networks.reader import ReaderNetwork, ReaderOutput, untrained  # noqa: E402
from seminar.training.loop.run import LoopConfig, Position, Run  # noqa: E402
from seminar.training.reader.config import ReaderConfig  # noqa: E402
from seminar.training.reader.distillation import Teacher, distillation_loss  # noqa: E402
from seminar.training.reader.task import ReaderBatch, ReaderTask, run  # noqa: E402
from tests.tiny_networks import bert_config, reader_examples  # noqa: E402

CONFIG = ReaderConfig(batch_size=8, windows=((0, 24),), teacher_share=1.0)


def network(seed: int, layers: int) -> ReaderNetwork:
    torch.manual_seed(seed)
    tiny = untrained(bert_config(num_hidden_layers=layers)).eval()
    for head in (tiny.span_head, tiny.type_head):
        torch.nn.init.normal_(head.weight, std=0.5)  # outputs worth learning
    return tiny


def first_batch(task: ReaderTask) -> ReaderBatch:
    [(batch, _)] = islice(task.batches(Position()), 1)
    return batch


def test_equal_outputs_have_no_loss():
    output = ReaderOutput(*(torch.randn(4, size) for size in (9, 9, 5, 3)))
    assert float(distillation_loss(output, output)) == pytest.approx(0.0, abs=1e-6)


def test_the_loss_is_the_divergence_of_the_distributions():
    student = ReaderOutput(*(torch.zeros(1, 2) for _ in range(4)))
    teacher = ReaderOutput(*(torch.tensor([[0.0, 0.75]]).exp().log() for _ in range(4)))
    likely = torch.softmax(torch.tensor([0.0, 0.75]), dim=0)
    expected = float((likely * (likely / 0.5).log()).sum())
    assert float(distillation_loss(student, teacher)) == pytest.approx(2 * expected, rel=1e-5)


def test_a_student_comes_near_to_its_teacher(tmp_path: Path):
    teacher, student = Teacher(network(1, layers=2)), network(2, layers=1)
    task = ReaderTask(student, CONFIG, reader_examples(), teacher=teacher)
    before = task.losses(first_batch(task))["teacher_loss"].item()
    config = LoopConfig(steps=60, learning_rate=3e-3, warmup_steps=5, decay_steps=10, threads=1)
    Run(task, config, tmp_path).train()
    assert task.losses(first_batch(task))["teacher_loss"].item() < before / 3


def test_labels_and_teacher_share_the_loss():
    teacher, student = Teacher(network(1, layers=2)), network(2, layers=1)
    shared = ReaderConfig(batch_size=8, windows=((0, 24),), teacher_share=0.25)
    labels = ReaderTask(student, shared, reader_examples())
    both = ReaderTask(student, shared, reader_examples(), teacher=teacher)
    batch = first_batch(both)
    losses, plain = both.losses(batch), labels.losses(batch)
    taught = distillation_loss(run(student, batch), run(teacher.network, batch))
    assert losses["span_loss"].item() == pytest.approx(0.75 * plain["span_loss"].item())
    assert losses["teacher_loss"].item() == pytest.approx(0.25 * taught.item())


def test_a_teacher_is_not_trained():
    teacher, student = Teacher(network(1, layers=2)), network(2, layers=1)
    task = ReaderTask(student, CONFIG, reader_examples(), teacher=teacher)
    sum(task.losses(first_batch(task)).values()).backward()
    assert all(weights.grad is None for weights in teacher.network.parameters())
    assert student.span_head.weight.grad is not None
