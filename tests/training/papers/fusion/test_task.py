import json
import random

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from seminar.errors import ConfigurationError, DatasetError  # noqa: E402
from seminar.examples import Evidence, Example, Gold  # noqa: E402
from seminar.networks.papers.fusion.reader import FusionInput, save_fusion  # noqa: E402
from seminar.training.loop.config import LoopConfig  # noqa: E402
from seminar.training.loop.run import Position, Run  # noqa: E402
from seminar.training.papers.fusion.data import (  # noqa: E402
    load_examples,
    pragmatic_examples,
    read_examples,
)
from seminar.training.papers.fusion.examples import FusionExample  # noqa: E402
from seminar.training.papers.fusion.scores import SetScores, set_scores  # noqa: E402
from seminar.training.papers.fusion.synthetic import questions  # noqa: E402
from seminar.training.papers.fusion.task import (  # noqa: E402
    FORMS,
    FusionConfig,
    FusionSample,
    FusionTask,
    begin,
    fusion_task,
)
from tests.encoder_decoders import WORLD, small_reader  # noqa: E402

PASSAGES = ("Lyon\nThe mill burnt.", "A castle near Lyon", "Nothing here")
EXAMPLE = FusionExample("x", "What burnt?", PASSAGES, (("the mill", "mill"), ("castle",)))


def sampled(form, seed=0, passages=2):
    return FORMS[form](EXAMPLE, random.Random(seed), passages)


def test_one_answer_over_the_best_passages():
    said = {sampled("answer", seed).target for seed in range(20)}
    assert said == {"the mill", "castle"}
    assert sampled("answer").input == FusionInput("What burnt?", PASSAGES[:2])


def test_all_answers_in_any_order():
    said = {sampled("answers", seed).target for seed in range(20)}
    assert said == {"the mill [SEP] castle", "castle [SEP] the mill"}


def test_the_auxiliary_reader_sees_a_passage_that_holds_the_answer():
    seen = {(one.input.passages, one.target) for one in (sampled("passage", s) for s in range(20))}
    assert seen == {((PASSAGES[0],), "the mill"), ((PASSAGES[1],), "castle")}


def test_evidence_is_whole_words():
    assert EXAMPLE.evidence(["cast"]) == []
    assert EXAMPLE.evidence(["Mill"]) == [PASSAGES[0]]


def test_files_of_fusion_in_decoder_are_read(tmp_path):
    lines = [
        {"question": "q", "answers": ["a", "A"], "ctxs": [{"title": "t", "text": "x"}]},
        {
            "id": 7,
            "question": "q",
            "answers": [["a"], ["b", "B"]],
            "ctxs": [],
            "target": "a </lit>",
        },
    ]
    path = tmp_path / "train.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    assert list(read_examples(path)) == [
        FusionExample("train-0", "q", ("t\nx",), (("a", "A"),)),
        FusionExample("7", "q", (), (("a",), ("b", "B")), "a </lit>"),
    ]
    path.write_text('{"question": "q", "answers": []}')
    with pytest.raises(DatasetError, match=r"train.jsonl:1: has no 'ctxs'"):
        list(read_examples(path))


def test_data_that_are_not_there_are_named():
    with pytest.raises(ConfigurationError, match=r"'nq/trian\.jsonl' is neither pragmaticqa/SPLIT"):
        load_examples("nq/trian.jsonl", passages=5)


def test_pragmaticqa_is_asked_of_its_communitys_blocks():
    pytest.importorskip("bm25s")
    blocks = [("Taylor wrote a poem.", "k1"), ("Red is her colour.", "k2")]
    examples = [
        Example(
            f"e{at}",
            "d",
            f"What of the {word}?",
            Gold(
                answers=("She did.",),
                literal=(Evidence(text, elements=(key,)),),
                pragmatic=(Evidence("Yes"),),
            ),
            history=(("Who?", "Taylor."),),
            title="Taylor",
            sources=("Swift",),
        )
        for at, ((text, key), word) in enumerate(zip(blocks, ("poem", "colour"), strict=True))
    ]
    first, second = pragmatic_examples(examples, passages=1)
    assert first.question == "Who? [SEP] Taylor. [SEP] What of the poem?"
    assert first.passages == ("Swift\nTaylor wrote a poem.",)
    assert second.passages == ("Swift\nRed is her colour.",)
    assert first.target == "Taylor wrote a poem. </lit> Yes </prag> She did."


def test_set_scores_pair_each_answer_once():
    gold = [[["x", "X1"], ["y"]], [["z"]]]
    assert set_scores(gold, [["x1", "x", "w", "y"], []]) == SetScores(33.33, 25.0, 50.0, 2.0)


def task_of(form="answers", seed=0, **config):
    examples = questions(WORLD, 40, seed=4, name="task")
    chosen = FusionConfig(form=form, passages=3, batch_size=4, **config)
    return FusionTask(small_reader(), chosen, examples, held_out=examples[:4], seed=seed)


def test_batches_are_a_function_of_the_seed_and_the_position():
    def drawn(task, position, count):
        found = []
        for batch, after in task.batches(position):
            found.append((batch.context.ids, batch.labels))
            if len(found) == count:
                return found, after
        raise AssertionError("a stream has no end")

    whole, _ = drawn(task_of(), Position(), 14)
    _, after = drawn(task_of(), Position(), 6)
    rest, _ = drawn(task_of(), after, 8)
    assert all(
        torch.equal(*pair)
        for one in zip(whole[6:], rest, strict=True)
        for pair in zip(*one, strict=True)
    )
    others, _ = drawn(task_of(seed=1), Position(), 14)
    assert any(
        a.shape != b.shape or not torch.equal(a, b)
        for (a, _), (b, _) in zip(whole, others, strict=True)
    )
    assert task_of().epoch_batches == 10


def test_a_trained_task_can_be_trained_on(tmp_path):
    loop = LoopConfig(steps=2, warmup_steps=1, threads=1, hardware="cpu", log_steps=1)
    run = Run(task_of(), loop, tmp_path)
    run.train()
    run.export(tmp_path / "model")
    scores = run.task.evaluate()
    assert list(scores) == ["f1", "precision", "recall", "answers", "perplexity"]
    again = begin(FusionConfig(start_from=str(tmp_path / "model"), answer_tokens=9), seed=0)
    assert torch.equal(again.network.model.shared.weight, run.task.network.model.shared.weight)
    assert again.text.lengths.answer == 9


def test_of_a_target_only_the_perplexity_is_scored():
    assert list(task_of("target").evaluate()) == ["perplexity"]


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"form": "answres"}, r"unknown form 'answres'\. Did you mean 'answers'\?"),
        ({"family": "bert"}, "unknown family of encoder-decoders 'bert'"),
        ({"held_out": "nowhere"}, "'nowhere' is neither"),
    ],
)
def test_a_wrong_configuration_is_named(config, message, tmp_path):
    chosen = {"data": "synthetic/held-out", "held_out": "synthetic/held-out", **config}
    with pytest.raises(ConfigurationError, match=message):
        fusion_task(FusionConfig(passages=2, **chosen), cache=tmp_path, seed=0)


def test_nothing_to_train_on_is_an_error():
    with pytest.raises(ConfigurationError, match="nothing to train on"):
        FusionTask(small_reader(), FusionConfig(), [])


def test_a_folder_of_another_network_is_refused(tmp_path):
    save_fusion(small_reader(), tmp_path)
    settings = json.loads((tmp_path / "settings.json").read_text())
    (tmp_path / "settings.json").write_text(json.dumps({**settings, "network": "Other"}))
    with pytest.raises(ConfigurationError, match="holds a Other, not a FusionInDecoder"):
        begin(FusionConfig(start_from=str(tmp_path)), seed=0)


def test_length_of_a_sample_is_its_longest_passage():
    assert FusionSample(FusionInput("q", ("abc", "abcde")), "t").length == 5
