import json

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("bm25s")
pytest.importorskip("regex")

from transformers import BertModel  # noqa: E402

from seminar.errors import ConfigurationError, DatasetError  # noqa: E402
from seminar.examples import Example, Gold  # noqa: E402
from seminar.metrics.measures.containment import has_answer  # noqa: E402
from seminar.networks.checkpoints import VOCABULARY_SIZE  # noqa: E402
from seminar.networks.papers.dpr.bi_encoder import BiEncoder, load, sides  # noqa: E402
from seminar.training.loop.run import LoopConfig, Position, Run  # noqa: E402
from seminar.training.papers.dpr.bi_encoder import (  # noqa: E402
    BiEncoderConfig,
    BiEncoderExample,
    BiEncoderTask,
    begin,
    bi_encoder_task,
)
from seminar.training.papers.dpr.corpus import index_corpus  # noqa: E402
from seminar.training.papers.dpr.negatives import (  # noqa: E402
    Mining,
    PoolVectors,
    PoolWords,
    hard_negatives,
    mine,
)
from seminar.training.papers.dpr.pairs import Pair, pairs_of, queries  # noqa: E402
from seminar.training.runs import filled, read_tables  # noqa: E402
from seminar.types import Passage, Query  # noqa: E402
from tests.paths import CONFIGS  # noqa: E402
from tests.tiny_networks import bert_config  # noqa: E402

NAMES = "Ann Bob Cy Dora Eve Finn Gus Hal Ida Jon Kim Lea Max Nora Otto Pia".split()
PLACES = "Bern Cork Delft Evora Faro Ghent Hull Jena Kiel Lyon Metz Nice Oslo Pisa Reims Siena"
TOWNS = PLACES.split()


def facts() -> tuple[list[Pair], list[Passage]]:
    """Thirty-two questions, each with a passage of its own that names the same person."""
    texts = [
        *(f"{name} was born in {town}." for name, town in zip(NAMES, TOWNS, strict=True)),
        *(f"{name} died in {town}." for name, town in zip(NAMES, reversed(TOWNS), strict=True)),
    ]
    asked = [*(f"birth of {name}" for name in NAMES), *(f"death of {name}" for name in NAMES)]
    answers = [*TOWNS, *reversed(TOWNS)]
    pool = [Passage(f"p{at}", 0, len(text), text, title="Life") for at, text in enumerate(texts)]
    pairs = [
        Pair(str(at), query, (answer,), at)
        for at, (query, answer) in enumerate(zip(asked, answers, strict=True))
    ]
    return pairs, pool


def places(pool: list[Passage], found: list[list[Passage]]) -> list[tuple[int, ...]]:
    return [tuple(pool.index(one) for one in passages) for passages in found]


def task(**options) -> BiEncoderTask:
    torch.manual_seed(1)
    chosen = {"batch_size": 16, "hard_negatives": 1, **options}
    config = BiEncoderConfig(question_length=32, passage_length=32, **chosen)
    inputs = begin(config)[1]
    shape = bert_config(
        vocab_size=VOCABULARY_SIZE,
        num_hidden_layers=1,
        max_position_embeddings=32,
        initializer_range=0.2,
    )
    first, second = (BertModel(shape, add_pooling_layer=False) for _ in range(2))
    network = BiEncoder(first, second, questions_only=config.questions_only)
    pairs, pool = facts()
    wrong = places(pool, hard_negatives(pairs, pool, PoolWords(pool), mining=Mining(3, depth=10)))
    examples = [
        BiEncoderExample(inputs.question(one.query, 32), one.positive, negatives)
        for one, negatives in zip(pairs, wrong, strict=True)
    ]
    return BiEncoderTask(
        network,
        config,
        examples,
        pool=inputs.passages(pool, 32),
        inputs=inputs,
        held_out=examples,
        seed=1,
    )


def test_a_run_memorises_32_questions(tmp_path):
    training = task()
    before = training.evaluate()
    loop = LoopConfig(steps=80, learning_rate=5e-3, schedule="linear", warmup_steps=5, threads=1)
    Run(training, loop, tmp_path).train()
    training.network.eval()
    with torch.no_grad():
        after = training.evaluate()
    assert before["average rank"] > 3
    assert after["average rank"] == 0
    assert after["loss"] < 0.02
    training.export(tmp_path / "model")
    pairs, pool = facts()
    found = PoolVectors(pool, load(tmp_path / "model")).search([Query(p.query) for p in pairs], 1)
    assert [hit.passage for [hit] in found] == pool


def test_a_fixed_passage_side_stays_bit_for_bit(tmp_path):
    training = task(questions_only=True)
    before = {name: one.clone() for name, one in training.network.state_dict().items()}
    loop = LoopConfig(steps=3, learning_rate=1e-3, warmup_steps=1, threads=1)
    Run(training, loop, tmp_path).train()
    after = training.network.state_dict()
    moved = {name.partition(".")[0] for name in before if not before[name].equal(after[name])}
    assert moved == {"question"}


def test_the_score_that_was_chosen_comes_first():
    assert list(task(validation="rank").evaluate()) == ["average rank", "loss"]
    assert list(task().evaluate()) == ["loss", "average rank"]
    with pytest.raises(ConfigurationError, match="unknown validation 'ranks'"):
        BiEncoderConfig(validation="ranks")


def test_a_second_copy_of_the_own_passage_is_no_rival():
    training = task()
    example = BiEncoderExample((101, 7, 102), 4, (9,))
    other = BiEncoderExample((101, 8, 102), 4, (4,))
    batch = training.collate([example, other])
    # Columns: passage 4, passage 4, passage 9, passage 4.
    assert batch.rivals.tolist() == [[True, False, True, False], [False, True, True, False]]
    assert batch.positive.tolist() == [0, 1]


def test_batches_are_a_function_of_the_seed_and_the_position():
    one, two = task(), task()
    first = one.batches(Position())
    seen = [next(first) for _ in range(5)]
    again = [batch for batch, _ in zip(two.batches(seen[1][1]), range(3), strict=False)]
    for (left, _), (right, _) in zip(seen[2:], again, strict=True):
        assert left.passages[0].equal(right.passages[0])


def test_no_mined_passage_holds_the_answer_or_is_the_own(tmp_path):
    pairs, pool = facts()
    training = task()
    both = sides(training.network, begin(BiEncoderConfig())[1], name="x", lengths=(32, 32))
    for retriever in (PoolWords(pool), PoolVectors(pool, both)):
        found = hard_negatives(pairs, pool, retriever, mining=Mining(30, depth=32))
        for pair, wrong in zip(pairs, found, strict=True):
            assert len(wrong) == 30
            assert pool[pair.positive] not in wrong
            assert not any(has_answer(pair.answers, one.text) for one in wrong)


def test_mining_with_the_model_adds_what_it_ranks_highest(tmp_path):
    training = task()
    training.export(tmp_path / "model")
    pairs, pool = facts()
    plain, both = Mining(2, depth=10), Mining(2, depth=10, model=str(tmp_path / "model"))
    words = mine(pairs, pool, plain, cache=tmp_path)
    own = PoolVectors(pool, load(tmp_path / "model"))
    model = places(pool, hard_negatives(pairs, pool, own, mining=plain))
    together = mine(pairs, pool, both, cache=tmp_path)
    assert together.pool == words.pool == tuple(pool)
    for ours, theirs, mixed in zip(model, words.negatives, together.negatives, strict=True):
        assert mixed[0] == ours[0]
        assert set(mixed) == {*ours, *theirs}
    assert mine(pairs, pool, both, cache=tmp_path) == together  # from the cache


def test_negatives_of_an_index_join_the_pool(tmp_path):
    pairs, pool = facts()
    training = task()
    training.export(tmp_path / "model")
    others = [
        Passage(f"other{at}", 0, 20, f"{name} was born in Rome.", title="Life")
        for at, name in enumerate(NAMES)
    ]
    sides = load(tmp_path / "model")
    index_corpus([*pool, *others], sides.passages, tmp_path / "index")
    mining = Mining(3, depth=20, model=str(tmp_path / "model"), index=str(tmp_path / "index"))
    mined = mine(pairs, pool, mining, cache=tmp_path)
    assert mined.pool[: len(pool)] == tuple(pool)
    joined = set(mined.pool[len(pool) :])
    assert joined
    assert joined <= set(others)
    for pair, wrong in zip(pairs, mined.negatives, strict=True):
        assert pair.positive not in wrong
        assert not any(has_answer(pair.answers, mined.pool[place].text) for place in wrong)
    assert mine(pairs, pool, mining, cache=tmp_path) == mined  # from the cache


def test_three_representations_of_one_question():
    example = Example(
        "1",
        "d",
        "was it nominated for any award",
        Gold(),
        history=(("who sings", "Zack"), ("when was it formed?", "1991")),
    )
    assert queries([example], "original") == ["was it nominated for any award"]
    assert queries([example], "all-history") == [
        "who sings [SEP] Zack [SEP] when was it formed? [SEP] 1991 [SEP]"
        " was it nominated for any award"
    ]


def turn(question: str, answer: str, text: str, number: int) -> dict[str, object]:
    return {
        "conv_id": 1,
        "turn_id": number,
        "question": question,
        "answers": [answer],
        "positive_ctxs": [
            {"title": "Lamp [SEP] History", "text": text, "passage_id": f"w{number}"}
        ],
    }


def test_topiocqas_retriever_files_are_pairs(tmp_path, monkeypatch):
    folder = tmp_path / "topiocqa"
    folder.mkdir()
    turns = [
        turn("who lit it [SEP] Ann [SEP] when", "1871", "It was lit in 1871.", 2),
        turn("and who watched", "UNANSWERABLE", "Nothing is known.", 3),
    ]
    for part in ("train", "dev"):
        path = folder / f"topiocqa_all_history_retriever_{part}.json"
        path.write_text(json.dumps(turns), encoding="utf-8")
    monkeypatch.setenv("SEMINAR_DATA", str(tmp_path))
    pairs = pairs_of("topiocqa", "all-history")
    assert pairs.train == (Pair("1_2", "who lit it [SEP] Ann [SEP] when", ("1871",), 0),)
    assert pairs.held_out == pairs.train
    [passage] = pairs.pool
    assert passage.searched == "Lamp > History\nIt was lit in 1871."
    with pytest.raises(DatasetError, match="topiocqa_original_retriever_train"):
        pairs_of("topiocqa", "original")
    with pytest.raises(ConfigurationError, match="unknown question representation 'all'"):
        pairs_of("topiocqa", "all")


def test_a_task_is_made_from_a_dataset(tmp_path, monkeypatch):
    folder = tmp_path / "squad"
    folder.mkdir()
    paragraphs = [
        {
            "context": f"{name} was born in {town}.",
            "qas": [
                {
                    "id": f"q{name}",
                    "question": f"Where was {name} born?",
                    "answers": [{"text": town, "answer_start": len(name) + 13}],
                }
            ],
        }
        for name, town in zip(NAMES, TOWNS, strict=True)
    ]
    article = {"data": [{"title": "Lives", "paragraphs": paragraphs}]}
    for part in ("train", "dev"):
        (folder / f"{part}-v1.1.json").write_text(json.dumps(article), encoding="utf-8")
    monkeypatch.setenv("SEMINAR_DATA", str(tmp_path))
    config = BiEncoderConfig(source="squad", most=8, batch_size=4, sample=3, depth=10)
    made = bi_encoder_task(config, cache=tmp_path / "cache", seed=0)
    batch, _ = next(iter(made.batches(Position())))
    assert batch.questions[0].shape[0] == 4
    assert batch.passages[0].shape[0] == 8
    assert set(made.losses(batch)) == {"contrast"}
    assert set(made.evaluate()) == {"loss", "average rank"}


def configured(name: str) -> tuple[LoopConfig, BiEncoderConfig]:
    path = CONFIGS / name
    tables = read_tables(path, "dpr")
    return filled(LoopConfig, tables["loop"], path), filled(BiEncoderConfig, tables["dpr"], path)


def test_the_configurations_are_the_papers():
    loop, config = configured("papers/dpr-topiocqa.toml")
    assert (loop.epochs, loop.schedule, config.batch_size) == (40, "linear", 128)
    assert (config.checkpoint, config.form, config.hard_negatives) == (
        "bert-base-uncased",
        "all-history",
        1,
    )
    assert configured("papers/dpr-topiocqa-mined.toml")[1].mined_from == "runs/dpr-topiocqa/model"
    loop, config = configured("papers/dpr-questions.toml")
    assert (loop.learning_rate, loop.halve, loop.patience) == (1e-5, True, 5)
    assert (loop.evaluate_epochs, config.questions_only, config.batch_size) == (0.25, True, 4)
    assert configured("tiny/dpr.toml")[1].checkpoint == "tiny"


def test_a_length_that_the_checkpoint_lacks_is_named():
    with pytest.raises(ConfigurationError, match="'passage_length' is 600, but the checkpoint"):
        begin(BiEncoderConfig(passage_length=600))
