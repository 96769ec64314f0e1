import json

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("bm25s")
pytest.importorskip("regex")

from transformers import BertModel  # noqa: E402

from seminar.errors import ConfigurationError, DatasetError  # noqa: E402
from seminar.networks.checkpoints import VOCABULARY_SIZE, tokenizer_of  # noqa: E402
from seminar.networks.papers.dpr.inputs import DprInputs  # noqa: E402
from seminar.networks.papers.dpr.reader import DprReader, load  # noqa: E402
from seminar.training.loop.run import LoopConfig, Position, Run  # noqa: E402
from seminar.training.papers.dpr.negatives import Mining, mine  # noqa: E402
from seminar.training.papers.dpr.pairs import Pair  # noqa: E402
from seminar.training.papers.dpr.reader import (  # noqa: E402
    DprReaderConfig,
    DprReaderTask,
    dpr_reader_task,
    prepare,
)
from seminar.training.runs import filled, read_tables  # noqa: E402
from seminar.types import Hit, Passage, Query  # noqa: E402
from tests.paths import CONFIGS  # noqa: E402
from tests.tiny_networks import bert_config  # noqa: E402

NAMES = "Ann Bob Cy Dora Eve Finn Gus Hal Ida Jon Kim Lea Max Nora Otto Pia".split()
TOWNS = (
    "Bern Cork Delft Faro Ghent Hull Jena Kiel Lyon Metz Nice Oslo Pisa Reims Rome Siena".split()
)

CONFIG = DprReaderConfig(
    batch_size=8,
    passages=3,
    question_length=16,
    passage_length=48,
    answer_length=6,
    depth=10,
    dropout=0.0,
)


def facts() -> tuple[list[Pair], list[Passage]]:
    """Sixteen people asked twice: for a literal answer, and for one that is put freely."""
    texts = [
        f"In spring {name} came from {town} on foot."
        for name, town in zip(NAMES, TOWNS, strict=True)
    ]
    pool = [Passage(f"p{at}", 0, len(text), text, title="Walk") for at, text in enumerate(texts)]
    asked = [
        *((f"origin of {name}", (town,)) for name, town in zip(NAMES, TOWNS, strict=True)),
        *((f"how did {name} come", ("Yes, she came on foot",)) for name in NAMES),
    ]
    return [Pair(str(at), *one, at % 16) for at, one in enumerate(asked)], pool


def task(config: DprReaderConfig = CONFIG) -> DprReaderTask:
    torch.manual_seed(4)
    inputs = DprInputs(tokenizer_of("tiny"))
    shape = bert_config(
        vocab_size=VOCABULARY_SIZE, max_position_embeddings=64, initializer_range=0.2
    )
    pairs, pool = facts()
    # BM25 finds none of the others for half of the questions, so the neighbours are told.
    wrong = [((one.positive + 1) % 16, (one.positive + 5) % 16) for one in pairs]
    together = list(zip(pairs, wrong, strict=True))
    return DprReaderTask(
        DprReader(BertModel(shape, add_pooling_layer=False)),
        config,
        prepare(together, pool, inputs, config=config),
        pool=pool,
        inputs=inputs,
        held_out=together,
        seed=1,
    )


def test_a_run_memorises_32_questions(tmp_path):
    training = task()
    loop = LoopConfig(
        steps=160, learning_rate=3e-3, schedule="linear", warmup_steps=5, threads=1, log_steps=160
    )
    Run(training, loop, tmp_path).train()
    logged = json.loads((tmp_path / "log.jsonl").read_text().splitlines()[0])
    assert logged["loss"] < 0.1
    training.network.eval()
    with torch.no_grad():
        scores = training.evaluate()
    # The free answers are no span of their passage, so half can be matched exactly.
    assert scores["right passage"] == 100
    assert scores["exact match"] == 50
    training.export(tmp_path / "model")
    pool = facts()[1]
    hits = [Hit(pool[at], 0.0) for at in (3, 0, 7)]
    answers = load(tmp_path / "model").read(
        [Query("origin of Ann"), Query("how did Hal come")], [hits, hits]
    )
    assert [one[0].text for one in answers] == ["Bern", "came from Kiel on foot"]


def test_the_label_of_a_free_answer_is_the_span_of_best_f1():
    pairs, pool = facts()
    inputs = DprInputs(tokenizer_of("tiny"))
    examples = prepare([(one, ()) for one in pairs], pool, inputs, config=CONFIG)
    assert len(examples) == 32
    # "came from Bern on foot" shares 3 of its 5 words with 5: 0.6, more than "on foot" or "came".
    [(first, last)] = examples[16].spans
    tokens = inputs.tokenizer.convert_ids_to_tokens(list(examples[16].positive.ids))
    assert tokens[first : last + 1] == ["came", "from", "bern", "on", "foot"]


def test_what_a_passage_does_not_say_is_left_out():
    pairs, pool = facts()
    inputs = DprInputs(tokenizer_of("tiny"))
    strange = [(Pair("x", "origin of Ann", ("Kyoto",), 0), ())]
    kept = prepare([*strange, (pairs[0], ())], pool, inputs, config=CONFIG)
    assert len(kept) == 1
    with pytest.raises(DatasetError, match="no question of quac has its answer's words"):
        prepare(strange, pool, inputs, config=CONFIG)


def test_each_question_is_read_with_its_own_passages():
    batch, _ = next(iter(task().batches(Position())))
    assert batch.rows.tolist() == [[3 * at, 3 * at + 1, 3 * at + 2] for at in range(8)]
    assert batch.ids.shape[0] == 24
    firsts = batch.spans[:, 0, 0]
    assert batch.readable[batch.rows[:, 0], firsts].all()


def test_a_question_with_fewer_passages_compares_fewer():
    training = task()
    pairs, pool = facts()
    inputs = DprInputs(tokenizer_of("tiny"))
    examples = prepare([(pairs[0], (1, 2)), (pairs[1], ())], pool, inputs, config=CONFIG)
    batch = training.collate(examples)
    assert batch.rows.tolist() == [[0, 1, 2], [3, -1, -1]]
    losses = training.losses(batch)
    assert all(torch.isfinite(loss) for loss in losses.values())


def test_a_task_is_made_from_a_dataset(tmp_path, monkeypatch):
    folder = tmp_path / "topiocqa"
    folder.mkdir()
    turns = [
        {
            "conv_id": 1,
            "turn_id": number,
            "question": f"hello [SEP] hi [SEP] where did {name} come from",
            "answers": [town],
            "positive_ctxs": [
                {"title": "Walk [SEP] Spring", "text": f"{name} came from {town}.", "id": name}
            ],
        }
        for number, (name, town) in enumerate(zip(NAMES, TOWNS, strict=True))
    ]
    for part in ("train", "dev"):
        path = folder / f"topiocqa_all_history_retriever_{part}.json"
        path.write_text(json.dumps(turns), encoding="utf-8")
    monkeypatch.setenv("SEMINAR_DATA", str(tmp_path))
    config = DprReaderConfig(source="topiocqa", passages=3, batch_size=4, sample=2, depth=5)
    made = dpr_reader_task(config, cache=tmp_path / "cache", seed=0)
    batch, _ = next(iter(made.batches(Position())))
    assert batch.rows.shape == (4, 3)
    assert set(made.losses(batch)) == {"span", "selection"}
    assert list(made.evaluate()) == ["exact match", "f1", "right passage"]


def test_retrieved_passages_never_hold_the_answer(tmp_path):
    pairs, pool = facts()
    mined = mine(pairs, pool, Mining(10, depth=16), cache=tmp_path)
    for pair, wrong in zip(pairs, mined.negatives, strict=True):
        assert pair.positive not in wrong
        assert not any(pair.answers[0] in pool[place].text for place in wrong)


def test_an_unknown_choice_is_named():
    with pytest.raises(ConfigurationError, match="unknown choice of an answer 'spam'"):
        DprReaderConfig(choice="spam")


def configured(name: str) -> tuple[LoopConfig, DprReaderConfig]:
    path = CONFIGS / name
    tables = read_tables(path, "dpr-reader")
    own = filled(DprReaderConfig, tables["dpr-reader"], path)
    return filled(LoopConfig, tables["loop"], path), own


def test_the_configurations_are_the_papers():
    loop, config = configured("papers/dpr-reader-topiocqa.toml")
    assert (loop.epochs, loop.learning_rate) == (20, 1e-5)
    assert (config.checkpoint, config.passages, config.passage_length) == (
        "bert-base-uncased",
        24,
        350,
    )
    assert configured("tiny/dpr-reader.toml")[1].checkpoint == "tiny"
