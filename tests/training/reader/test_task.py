import os
import signal
from itertools import islice
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from seminar.examples import Example, Gold  # noqa: E402
from seminar.networks.reader import IGNORED, ReaderNetwork, untrained  # noqa: E402
from seminar.training.loop.run import LAST, LoopConfig, Position, Run  # noqa: E402
from seminar.training.reader.config import ReaderConfig  # noqa: E402
from seminar.training.reader.examples import ReaderExample, target_of  # noqa: E402
from seminar.training.reader.task import (  # noqa: E402
    ReaderBatch,
    ReaderTask,
    collate,
    run,
    untokenised,
    with_question_mark,
)
from seminar.training.samples import split_off  # noqa: E402
from tests.tiny_networks import bert_config, reader_examples  # noqa: E402

PLAIN = ReaderConfig(
    batch_size=8,
    windows=((0, 24),),
    history_share=0.0,
    found_share=0.0,
    end_share=0.0,
    no_heading_share=0.0,
    any_window_share=0.0,
)
LOOP = LoopConfig(steps=12, learning_rate=1e-3, warmup_steps=2, decay_steps=2, threads=1)


class Stopped(ReaderTask):
    """A task during whose seventh batch a signal asks to stop."""

    steps = 0

    def losses(self, batch: ReaderBatch) -> dict:
        self.steps += 1
        if self.steps == 7:
            os.kill(os.getpid(), signal.SIGTERM)
        return super().losses(batch)


def network(dropout: float = 0.0) -> ReaderNetwork:
    torch.manual_seed(0)
    return untrained(bert_config(hidden_dropout_prob=dropout))


def test_a_run_memorises_32_examples(tmp_path: Path):
    config = LoopConfig(steps=160, learning_rate=3e-3, warmup_steps=10, decay_steps=20, threads=1)
    task = ReaderTask(network(), PLAIN, reader_examples())
    Run(task, config, tmp_path).train()
    batch = collate([target_of(one, (0, 12)) for one in reader_examples()])
    output = run(task.network.eval(), batch)
    assert output.type.argmax(dim=1).tolist() == batch.type.tolist()
    right = (output.start.argmax(dim=1) == batch.start) & (output.end.argmax(dim=1) == batch.end)
    assert int(right.sum()) == 32


def test_a_reader_resumes_bit_for_bit_in_the_middle_of_a_chunk(tmp_path: Path):
    many, varied = reader_examples(80), ReaderConfig(batch_size=2, windows=((0, 8), (40, 24)))
    whole = Run(ReaderTask(network(0.1), varied, many, seed=5), LOOP, tmp_path / "whole")
    whole.train()

    # Both halves must follow one schedule, so the first is ended by a signal, not by its steps.
    cut = Run(Stopped(network(0.1), varied, many, seed=5), LOOP, tmp_path / "cut")
    cut.train()
    again = Run(ReaderTask(network(0.1), varied, many, seed=5), LOOP, tmp_path / "cut")
    again.resume(tmp_path / "cut" / LAST)
    assert again.position == Position(0, 7, 14)
    again.train()
    for name, weights in whole.task.network.state_dict().items():
        assert torch.equal(weights, again.task.network.state_dict()[name]), name


def test_batches_are_a_function_of_the_seed_and_the_position():
    task = ReaderTask(network(), ReaderConfig(batch_size=2), reader_examples(80), seed=5)
    stream = task.batches(Position())
    positions = [next(stream)[1] for _ in range(45)]
    assert positions[39] == Position(1, 0, 80)
    resumed, after = next(task.batches(positions[40]))
    expected = list(islice(task.batches(Position()), 42))
    assert torch.equal(resumed.ids, expected[41][0].ids)
    assert after == positions[41]


def test_windows_grow_as_the_curriculum_says():
    config = ReaderConfig(batch_size=2, windows=((0, 4), (80, 12)))
    stream = ReaderTask(network(), config, reader_examples(160), seed=1).batches(Position())
    lengths = [next(stream)[0].segments.sum(dim=1).max().item() for _ in range(80)]
    assert max(lengths[:40]) < max(lengths[40:])


def test_a_yes_without_evidence_trains_the_type_only():
    passage = reader_examples(1)[0].passage
    asked = ReaderExample("1", (150,), passage, "yes")
    batch = collate([target_of(asked, (0, 12))])
    assert batch.start.tolist() == batch.end.tolist() == [IGNORED]
    assert batch.type.tolist() == [1]
    assert batch.continuation.tolist() == [IGNORED]


def test_a_yes_with_evidence_trains_type_and_span():
    passage = reader_examples(1)[0].passage
    asked = ReaderExample("1", (150,), passage, "yes", span=(2, 5))
    target = target_of(asked, (0, 12))
    batch = collate([target])
    first = target.layout.passage_start + 2
    assert (batch.start.tolist(), batch.end.tolist()) == ([first], [first + 2])
    assert batch.type.tolist() == [1]


def test_the_type_is_end_where_every_answer_is_found():
    config = ReaderConfig(batch_size=4, history_share=0.0, found_share=0.0, end_share=1.0)
    batch, _ = next(ReaderTask(network(), config, reader_examples(32)).batches(Position()))
    spans = (batch.type == 0).sum().item()
    assert spans == 0
    assert (batch.type == 4).any()


def test_held_out_dialogues_are_whole_and_always_the_same():
    turns = [Example(f"{d}-{t}", f"d{d}", "q", Gold()) for d in range(10) for t in range(3)]
    kept, held_out = split_off(turns, 4)
    assert (len(kept), len(held_out)) == (18, 12)
    assert {one.dialogue_id for one in kept}.isdisjoint(one.dialogue_id for one in held_out)
    assert split_off(reversed(turns), 4)[1] == held_out[::-1]


def test_unanswerable_questions_are_spelled_like_the_others():
    spaced = Example("1", "1", '"Who ca n\'t say "" no "" ?"', Gold())
    assert untokenised(spaced).question == 'Who can\'t say " no " ?'
    assert with_question_mark(Example("a", "a", "is it so", Gold())).question == "is it so?"


def test_an_unannotated_yes_or_no_trains_the_span_only():
    passage = reader_examples(1)[0].passage
    batch = collate([target_of(ReaderExample("1", (150,), passage, None, (2, 5)), (0, 12))])
    assert batch.type.tolist() == [IGNORED]
    assert batch.start.tolist() != [IGNORED]
