import json
import random
from collections import Counter

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from seminar.errors import ConfigurationError  # noqa: E402
from seminar.networks.papers.ambigprompt.reader import AmbigPromptReader  # noqa: E402
from seminar.networks.papers.fusion.decoding import greedy  # noqa: E402
from seminar.networks.papers.fusion.reader import FusionReader, GeneratedText, save_fusion  # noqa: E402
from seminar.training.loop.config import LoopConfig  # noqa: E402
from seminar.training.loop.run import Position, Run  # noqa: E402
from seminar.training.papers.ambigprompt.pseudo import (  # noqa: E402
    pseudo_answers,
    read_pseudo_answers,
)
from seminar.training.papers.ambigprompt.task import (  # noqa: E402
    AmbigPromptConfig,
    AmbigPromptTask,
    ambigprompt_task,
    begin,
    sample_pseudo_answers,
    tuning_target,
)
from seminar.training.papers.fusion.examples import FusionExample  # noqa: E402
from seminar.training.papers.fusion.synthetic import questions  # noqa: E402
from tests.encoder_decoders import (  # noqa: E402
    LENGTHS,
    WORLD,
    small_ambigprompt,
    small_reader,
    text_of,
)

ANSWERS = (("a", "A"), ("b",), ("c",))


def targets(count, **shares):
    draw = random.Random(0)
    return [tuning_target(ANSWERS, draw, **shares) for _ in range(count)]


def test_with_all_answers_known_the_target_is_the_end():
    drawn = targets(300, end_share=1.0, known_share=0.5)
    assert {target for target, _ in drawn} == {"[EOI]"}
    assert len({known for _, known in drawn}) == 6  # every order


def test_with_some_answers_known_the_target_is_a_further_one():
    drawn = targets(3000, end_share=0.0, known_share=0.5)
    assert all(target not in known for target, known in drawn)
    counts = Counter(len(known) for _, known in drawn)
    assert sorted(counts) == [0, 1, 2]  # two draws of a half: 1/4, 1/2, 1/4
    assert counts[0] == pytest.approx(750, abs=100)
    assert counts[1] == pytest.approx(1500, abs=100)
    assert set(Counter(target for target, _ in drawn)) == {"a", "b", "c"}


def test_end_share_is_how_often_the_target_is_the_end():
    ends = sum(target == "[EOI]" for target, _ in targets(3000, end_share=0.3, known_share=0.5))
    assert ends == pytest.approx(900, abs=100)


def test_pseudo_answers_exclude_the_gold_answer():
    draw = random.Random(0)
    known = [
        sample_pseudo_answers(["mill", "x", "y"], draw, gold=("The Mill",), share=1.0)
        for _ in range(9)
    ]
    assert {frozenset(one) for one in known} == {frozenset({"x", "y"})}
    assert sample_pseudo_answers(["x"], draw, gold=("a",), share=0.0) == ()


class PassageEcho(FusionReader):
    """An auxiliary reader that says the last word of its one passage."""

    def __init__(self) -> None:
        known = small_reader()
        super().__init__(known.network, known.text, decode=greedy)

    def generate(self, asked):
        return [
            [GeneratedText(passage.split()[-1], 0.5)] for one in asked for passage in one.passages
        ]


def test_an_auxiliary_reader_answers_from_every_passage():
    examples = [
        FusionExample("1", "q", ("say a", "say b", "or a", "say c")),
        FusionExample("2", "q", ()),
        FusionExample("3", "q", ("say d",)),
    ]
    found = pseudo_answers(PassageEcho(), examples, passages=3)
    assert found == {"1": ["a", "b"], "2": [], "3": ["d"]}


def test_missing_pseudo_answers_say_how_they_are_made(tmp_path):
    with pytest.raises(ConfigurationError, match=r"ambigprompt\.pseudo --reader FOLDER"):
        read_pseudo_answers(tmp_path / "none.json")


def task_of(stage, **options):
    network = small_ambigprompt()
    reader = AmbigPromptReader(network, text_of(network.model), passages=3)
    examples = questions(WORLD, 24, seed=4, name="task")
    config = AmbigPromptConfig(stage=stage, passages=3, batch_size=4)
    return AmbigPromptTask(reader, config, examples, held_out=examples[:2], **options)


def test_post_pretraining_has_known_pseudo_answers_and_never_the_end():
    examples = questions(WORLD, 24, seed=4, name="task")
    pseudo = {one.id: ["thing1", one.answers[0][0]] for one in examples}
    task = task_of("post-pretraining", pseudo=pseudo)
    end = text_of(small_ambigprompt().model).tokenizer.convert_tokens_to_ids("[EOI]")
    known = 0
    for (batch, _), _ in zip(task.batches(Position()), range(12), strict=False):
        assert not (batch.labels == end).any()
        assert batch.known.ids.shape[1] <= 1
        known += int(batch.known.attended.sum())
    assert known > 5


def test_a_run_is_scored_exported_and_trained_on(tmp_path):
    loop = LoopConfig(steps=2, warmup_steps=1, threads=1, hardware="cpu", log_steps=1)
    run = Run(task_of("tuning"), loop, tmp_path)
    run.train()
    run.export(tmp_path / "model")
    assert list(run.task.evaluate()) == ["f1", "precision", "recall", "answers"]
    config = AmbigPromptConfig(start_from=str(tmp_path / "model"))
    again = begin(config, seed=0).network
    assert torch.equal(again.model.shared.weight, run.task.network.model.shared.weight)
    other = AmbigPromptConfig(start_from=str(tmp_path / "model"), prompting="separate")
    with pytest.raises(ConfigurationError, match="was trained with prompting 'interleaved'"):
        begin(other, seed=0)


def test_the_answering_model_may_begin_as_a_trained_fusion_in_decoder(tmp_path):
    reader = small_reader()
    save_fusion(reader, tmp_path)
    config = AmbigPromptConfig(
        start_from=str(tmp_path), prompting="learned", answer_tokens=LENGTHS.answer
    )
    begun = begin(config, seed=0)
    assert begun.network.prompting == "learned"
    assert torch.equal(begun.network.model.shared.weight, reader.network.model.shared.weight)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"prompting": "learnt"}, "unknown prompting 'learnt'"),
        ({"stage": "tunning"}, "unknown stage 'tunning'"),
        ({"end_share": 1.5}, "end_share is 1.5: say 0 to 1"),
    ],
)
def test_a_wrong_configuration_is_named(config, message):
    with pytest.raises(ConfigurationError, match=message):
        AmbigPromptConfig(**config)


def test_post_pretraining_looks_for_its_pseudo_answers_in_the_cache(tmp_path):
    (tmp_path / "made.json").write_text(json.dumps({"held-out-0": ["thing1"]}))
    config = AmbigPromptConfig(
        data="synthetic/held-out", stage="post-pretraining", pseudo_answers="made.json", sample=2
    )
    task = ambigprompt_task(config, cache=tmp_path, seed=0)
    batch, _ = next(iter(task.batches(Position())))
    assert batch.context.ids.shape[:2] == (32, 10)
