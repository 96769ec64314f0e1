import json

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("bm25s")

from transformers import BertForQuestionAnswering  # noqa: E402

from seminar.errors import DatasetError  # noqa: E402
from seminar.examples import Example, Gold  # noqa: E402
from seminar.networks.checkpoints import VOCABULARY_SIZE, tokenizer_of  # noqa: E402
from seminar.networks.papers.span_qa.network import SpanQa, load  # noqa: E402
from seminar.networks.papers.span_qa.windows import SpanInputs  # noqa: E402
from seminar.training.loop.run import LoopConfig, Position, Run  # noqa: E402
from seminar.training.papers.span_qa import (  # noqa: E402
    SpanQaConfig,
    SpanQaTask,
    answer_span,
    prepare,
    span_qa_task,
)
from seminar.training.runs import filled, read_tables  # noqa: E402
from seminar.types import Hit, Passage, Query  # noqa: E402
from tests.paths import CONFIGS  # noqa: E402
from tests.tiny_networks import bert_config  # noqa: E402

NAMES = "Ann Bob Cy Dora Eve Finn Gus Hal Ida Jon Kim Lea Max Nora Otto Pia".split()
TOWNS = "Bern Cork Delft Faro Ghent Hull Jena Kiel Lyon Metz Nice Oslo Pisa Reims Rome Ulm".split()
CONFIG = SpanQaConfig(batch_size=16, question_length=8, window=18, stride=6, longest=4, n_best=5)


def facts() -> list[Example]:
    """Sixteen questions that a longer text answers, and sixteen that it doesn't."""
    examples = []
    for name, town in zip(NAMES, TOWNS, strict=True):
        context = f"It was in early spring, on a cold day, that {name} came from {town} on foot."
        start = context.index(town)
        gold = Gold((town,), spans=((start, start + len(town)),))
        nothing = Gold(answerable=False)
        examples += [
            Example(f"{name}1", name, "came from where", gold, context=context),
            Example(f"{name}2", name, "came with whom", nothing, context=context),
        ]
    return examples


def task() -> SpanQaTask:
    torch.manual_seed(4)
    inputs = SpanInputs(tokenizer_of("tiny"), CONFIG.sizes)
    shape = bert_config(vocab_size=VOCABULARY_SIZE, initializer_range=0.2)
    network = SpanQa(BertForQuestionAnswering(shape))
    examples = facts()
    prepared = prepare(examples, inputs)
    return SpanQaTask(network, CONFIG, prepared, inputs=inputs, held_out=examples, seed=1)


def test_a_run_memorises_32_questions(tmp_path):
    training = task()
    loop = LoopConfig(
        steps=120, learning_rate=3e-3, schedule="linear", warmup_steps=5, threads=1, log_steps=120
    )
    Run(training, loop, tmp_path).train()
    logged = json.loads((tmp_path / "log.jsonl").read_text().splitlines()[0])
    assert logged["loss"] < 0.1
    training.network.eval()
    with torch.no_grad():
        assert training.evaluate() == {"f1": 100.0, "exact match": 100.0, "answered": 50.0}
    training.export(tmp_path / "model")
    hits = [Hit(Passage("a", 0, len(one.context), one.context), 1.0) for one in facts()[:2]]
    answers = load(tmp_path / "model").read(
        [Query("came from where"), Query("came with whom")], [[hit] for hit in hits]
    )
    assert [[one.text for one in found[:1]] for found in answers] == [["Bern"], []]


def test_every_window_is_an_example_and_without_the_answer_points_to_cls():
    inputs = SpanInputs(tokenizer_of("tiny"), CONFIG.sizes)
    first, *_, last = prepare(facts()[:1], inputs)
    assert first.span == (0, 0)
    tokens = inputs.tokenizer.convert_ids_to_tokens(list(last.window.ids))
    assert tokens[last.span[0] : last.span[1] + 1] == ["bern"]


def test_the_place_is_where_the_dataset_says_or_where_the_words_are():
    context = "Ann: who has it? Bob: Ann has it."
    told = Example("1", "1", "Who?", Gold(("Ann",), spans=((22, 25),)), context=context)
    found = Example("2", "2", "Who?", Gold(("ann",)), context=context)
    absent = Example("3", "3", "Who?", Gold(("Ann and Eve",)), context=context)
    nobody = Example("4", "4", "Who?", Gold(answerable=False), context=context)
    assert [answer_span(one) for one in (told, found, absent, nobody)] == [
        (22, 25),
        (0, 3),
        None,
        None,
    ]
    inputs = SpanInputs(tokenizer_of("tiny"), SpanQaConfig().sizes)
    assert len(prepare([told, found, absent, nobody], inputs)) == 3
    with pytest.raises(DatasetError, match="no question has a context with its answer in it"):
        prepare([absent], inputs)


def test_a_task_is_made_from_a_dataset(tmp_path, monkeypatch):
    folder = tmp_path / "squad"
    folder.mkdir()
    paragraphs = [
        {
            "context": one.context,
            "qas": [
                {
                    "id": one.id,
                    "question": one.question,
                    "is_impossible": not one.gold.answerable,
                    "answers": [{"text": one.gold.answers[0], "answer_start": one.gold.spans[0][0]}]
                    if one.gold.answerable
                    else [],
                }
            ],
        }
        for one in facts()
    ]
    article = {"data": [{"title": "Walks", "paragraphs": paragraphs}]}
    for part in ("train", "dev"):
        (folder / f"{part}-v2.0.json").write_text(json.dumps(article), encoding="utf-8")
    monkeypatch.setenv("SEMINAR_DATA", str(tmp_path))
    config = SpanQaConfig(data=("squad/train-v2",), batch_size=4, sample=3, most=20)
    made = span_qa_task(config, cache=tmp_path / "cache", seed=0)
    assert made.epoch_batches == 5
    batch, _ = next(iter(made.batches(Position())))
    assert batch.ids.shape[0] == batch.spans.shape[0] == 4
    assert set(made.losses(batch)) == {"span"}
    assert list(made.evaluate()) == ["f1", "exact match", "answered"]


def configured(name: str) -> tuple[LoopConfig, SpanQaConfig]:
    path = CONFIGS / name
    tables = read_tables(path, "span-qa")
    own = filled(SpanQaConfig, tables["span-qa"], path)
    return filled(LoopConfig, tables["loop"], path), own


def test_the_configurations_are_the_papers():
    loop, config = configured("papers/span-qa-qaconv.toml")
    assert (loop.epochs, config.data) == (5, ("qaconv/trn-chunk",))
    assert configured("papers/span-qa-squad2.toml")[1].data == ("squad/train-v2",)
    assert configured("tiny/span-qa.toml")[1].checkpoint == "tiny"
