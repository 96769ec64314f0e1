from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from seminar.errors import ConfigurationError  # noqa: E402
from seminar.examples import Example, Gold  # noqa: E402
from seminar.metrics.official.quac import QuacPrediction  # noqa: E402
from seminar.networks.checkpoints import tokenizer_of  # noqa: E402
from seminar.networks.papers.bidaf.network import BidafNetwork  # noqa: E402
from seminar.networks.papers.bidaf.reader import load  # noqa: E402
from seminar.training.loop.run import LoopConfig, Position, Run  # noqa: E402
from seminar.training.papers.bidaf.data import (  # noqa: E402
    BidafData,
    dialogs_of,
    quac_scores,
    squad_scores,
)
from seminar.training.papers.bidaf.task import (  # noqa: E402
    BidafConfig,
    BidafTask,
    begin_from,
    bidaf_task,
)
from seminar.training.runs import filled, read_tables  # noqa: E402

CITIES = "Paris Rome Oslo Cairo Lima Quito Dakar Seoul".split()
TINY = BidafConfig(contexts=2, hidden=12, characters=8, mark=4, dropout=0.0, dialogs=4)


def turn_of(number, turn, *, answer, question="What did she see ?"):
    """A turn of one of eight dialogs; what was answered before follows from its number."""
    first, second = CITIES[number], CITIES[(number + 3) % 8]
    context = f"She saw {first} and then {second} by train. CANNOTANSWER"
    history = (("Where ?", first), ("And then ?", second), ("Why ?", "CANNOTANSWER"))[: turn - 1]
    start = context.index(answer)
    return Example(
        f"{number}_q#{turn - 1}",
        str(number),
        question,
        Gold(
            (answer,),
            answer != "CANNOTANSWER",
            ((start, start + len(answer)),),
            ("yes", "no", "neither")[(number + turn) % 3],
            ("follow up", "maybe", "don't")[number % 3],
        ),
        history,
        context,
        sources=(str(number),),
        turn=turn,
    )


def examples_of(dialogs=8):
    """Four turns a dialog, the same question each time: only marks and turn tell them apart."""
    made = []
    for number in range(dialogs):
        first, second = CITIES[number], CITIES[(number + 3) % 8]
        told = (first, second, "CANNOTANSWER", "by train")
        made += [turn_of(number, at + 1, answer=one) for at, one in enumerate(told)]
    return made


def task_of(examples, config=TINY):
    torch.manual_seed(0)
    network = BidafNetwork(torch.randn(30_522, 12), config.shape)
    data = BidafData(dialogs_of(examples, config.section_words), examples, quac_scores)
    return BidafTask(network, tokenizer_of("tiny"), data, config=config)


def test_a_run_memorises_32_examples_and_predicts_them(tmp_path):
    examples = examples_of()
    task = task_of(examples)
    loop = LoopConfig(steps=120, learning_rate=2e-2, warmup_steps=5, decay_steps=60, threads=1)
    run = Run(task, loop, tmp_path)
    run.train()
    [batch] = [task.collate(dialogs_of(examples, 99))]
    assert sum(loss.item() for loss in task.losses(batch).values()) < 0.05
    assert [one.text for one in task.predict(examples)] == [one.gold.answers[0] for one in examples]
    said = [(one.yesno, one.followup) for one in task.predict(examples)]
    wanted = [("ynx"[(n + t) % 3], "ymn"[n % 3]) for n in range(8) for t in range(1, 5)]
    assert said == wanted
    assert task.evaluate() == {"f1": 100.0, "heq_q": 100.0, "heq_d": 100.0, "f1_all": 100.0}
    run.export(tmp_path / "model")
    assert load(tmp_path / "model").predict(examples) == task.predict(examples)


@pytest.mark.parametrize("contexts", [0, 3])
def test_gradients_reach_everything_that_learns(contexts):
    config = BidafConfig(contexts=contexts, hidden=6, characters=5, mark=3)
    task = task_of(examples_of(), config)
    [(batch, _)] = [next(task.batches(Position()))]
    losses = task.losses(batch)
    assert set(losses) == {"start_loss", "end_loss", "affirmation_loss", "continuation_loss"}
    torch.stack(list(losses.values())).sum().backward()
    still = [name for name, one in task.network.named_parameters() if not one.grad.abs().sum()]
    assert still == []


def test_acts_without_labels_are_not_learnt():
    bare = [
        Example(one.id, one.dialogue_id, one.question, Gold(("Paris",), True, ((8, 13),)), (),
                "She saw Paris.", sources=("a",))
        for one in examples_of()[:1]
    ]  # fmt: skip
    task = task_of(bare)
    [(batch, _)] = [next(task.batches(Position()))]
    assert set(task.losses(batch)) == {"start_loss", "end_loss"}
    assert task.predict(bare)[0].followup == "n"


def test_batches_depend_on_seed_and_position_only():
    task = task_of(examples_of())
    stream = task.batches(Position())
    [_, (second, after), (third, _)] = [next(stream) for _ in range(3)]
    again, _ = next(task.batches(after))
    assert torch.equal(third.inputs.section, again.inputs.section)
    assert torch.equal(third.start, again.start)
    assert len(second.start) == 16  # four dialogs of four turns
    assert task.epoch_batches == 2


def test_one_of_the_given_answers_is_drawn_each_time():
    gold = Gold(("Ada", "Ada left"), True, ((0, 3), (0, 8)))
    example = Example("a", "a", "Who ?", gold, context="Ada left.", sources=("a",))
    task = task_of([example])
    ends = {next(task.batches(Position(chunk)))[0].end.item() for chunk in range(8)}
    assert ends == {0, 1}


def test_questions_answered_beyond_the_limit_are_left_out():
    examples = examples_of(1)
    kept = dialogs_of(examples, 4)  # She saw Paris and
    assert [[one.id for one in dialog.questions] for dialog in kept] == [["0_q#0", "0_q#2"]]
    with pytest.raises(ConfigurationError, match="raise section_words"):
        task_of(examples[:1], BidafConfig(section_words=2))


def test_of_many_questions_about_one_section_some_are_drawn():
    config = BidafConfig(hidden=4, characters=3, questions=2, dialogs=8)
    batch, after = next(task_of(examples_of(), config).batches(Position()))
    assert (len(batch.start), after.examples) == (16, 8)


def test_training_goes_on_from_a_network_without_contexts(tmp_path):
    plain = task_of(examples_of(), BidafConfig(contexts=0, hidden=12, characters=8, mark=4))
    plain.export(tmp_path)
    wide = task_of(examples_of())
    begin_from(wide.network, tmp_path)
    assert wide.predict(examples_of()) == plain.predict(examples_of())
    other = task_of(examples_of(), BidafConfig(hidden=6, characters=8, mark=4))
    with pytest.raises(ConfigurationError, match=r"hidden=12.*to begin from it.*hidden=6"):
        begin_from(other.network, tmp_path)


def test_quac_scores_are_the_official_ones():
    examples = examples_of(2)
    said = [QuacPrediction(one.gold.answers[0], "x", "n") for one in examples]
    said[0] = QuacPrediction("by train", "x", "n")
    scores = quac_scores(examples, said)
    assert scores == {"f1": 87.5, "heq_q": 87.5, "heq_d": 50.0, "f1_all": 87.5}


def test_squad_scores_take_the_own_decision():
    examples = [
        Example("a", "a", "?", Gold(("Ada",), True)),
        Example("b", "b", "?", Gold((), False)),
    ]
    none = QuacPrediction("CANNOTANSWER", "x", "n")
    assert squad_scores(examples, [none, none]) == {"f1": 50.0}
    assert squad_scores(examples, [QuacPrediction("Ada", "x", "n"), none]) == {"f1": 100.0}


def test_unknown_data_is_named(tmp_path):
    with pytest.raises(ConfigurationError, match=r"unknown data for bidaf 'qac'.*Did you mean"):
        bidaf_task(BidafConfig(data="qac", vectors="tiny"), cache=tmp_path, seed=0)


@pytest.mark.parametrize("contexts", range(4))
def test_the_papers_configurations_differ_only_in_contexts(contexts):
    path = Path(f"configs/papers/bidaf-{contexts}-ctx.toml")
    tables = read_tables(path, "bidaf")
    loop, config = (
        filled(LoopConfig, tables["loop"], path),
        filled(BidafConfig, tables["bidaf"], path),
    )
    assert config == BidafConfig(contexts=contexts, data="quac", section_words=2000)
    assert (loop.epochs, loop.patience, loop.halve) == (30, 10, True)


@pytest.mark.parametrize("name", ["bidaf", "bidaf-squad"])
def test_the_tiny_configurations_fit_each_other(name):
    path = Path(f"configs/tiny/{name}.toml")
    config = filled(BidafConfig, read_tables(path, "bidaf")["bidaf"], path)
    assert (config.hidden, config.characters, config.mark) == (64, 50, 10)
