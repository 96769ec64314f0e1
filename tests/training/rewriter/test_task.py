from pathlib import Path

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from seminar.examples import Example, Gold  # noqa: E402
from seminar.models.word_pieces import WordPieces  # noqa: E402
from seminar.networks.rewriter import IGNORED, untrained  # noqa: E402
from seminar.training.loop.run import LoopConfig, Run  # noqa: E402
from seminar.training.rewriter.rewrites import disjoint_from, with_titles  # noqa: E402
from seminar.training.rewriter.task import (  # noqa: E402
    RewriterConfig,
    RewriterTask,
    collate,
    prepare_rewrite,
    rewrite,
)
from tests.tiny_networks import bert_config  # noqa: E402

NAMES = "Ann Bob Cleo Dora Emil Fred Gina Hugo Iris Jack Kate Liam".split()
VERBS = "leave sing paint run".split()
PHRASES = [(), ("'", "s")]


def asked(name: str, question: str, rewritten: str, **more) -> Example:
    return Example(name, name, question, Gold(rewrites=(rewritten,)), **more)


def dialogues() -> list[Example]:
    made = []
    for number, name in enumerate(NAMES):
        verb = VERBS[number % 4]
        turns = (("who was there", name), ("and then", "no"))
        made.append(asked(name, f"why did they {verb}", f"why did {name} {verb}", history=turns))
        made.append(asked(name, "was their dog big", f"was {name}'s dog big", history=turns))
        made.append(asked(name, "was it big", "was it big", history=turns))
    return made


@pytest.fixture(scope="module")
def pieces(tmp_path_factory: pytest.TempPathFactory) -> WordPieces:
    folder: Path = tmp_path_factory.mktemp("tokenizer")
    known = [
        *NAMES,
        *VERBS,
        *"who was there and then no why did they their dog big it . ' s".split(),
    ]
    vocabulary = {"[UNK]": 100, **{word: 110 + at for at, word in enumerate(known)}}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return WordPieces(folder)


def test_labels_name_the_edit_at_its_word(pieces):
    example = prepare_rewrite(dialogues()[1], pieces, PHRASES)
    batch = collate([example], PHRASES)
    their = example.layout.places[1]
    assert batch.drop[0, example.layout.places].tolist() == [0, 1, 0, 0, IGNORED]
    assert batch.insert[0, example.layout.places].tolist() == [0, 1, 0, 0, 0]
    assert (batch.before[0, their].item(), batch.after[0, their].item()) == (0, 1)
    copied = batch.ids[0, batch.start[0, their] : batch.end[0, their] + 1]
    assert copied.tolist() == list(pieces.split("Ann"))
    assert (batch.start[0] != IGNORED).sum().item() == 1


def test_a_run_memorises_a_few_dialogues(pieces, tmp_path):
    torch.manual_seed(0)
    examples = [prepare_rewrite(one, pieces, PHRASES) for one in dialogues()]
    task = RewriterTask(
        untrained(bert_config(), len(PHRASES)),
        RewriterConfig(batch_size=12),
        examples,
        phrases=PHRASES,
        held_out=[],
    )
    config = LoopConfig(
        steps=150, learning_rate=3e-3, warmup_steps=10, decay_steps=30, threads=1, log_steps=50
    )
    Run(task, config, tmp_path).train()
    with torch.no_grad():
        said = rewrite(task.network.eval(), examples, PHRASES)
    assert said == [example.rewrite for example in examples]


def test_a_dialogue_without_a_title_takes_the_name_that_its_rewrites_add():
    turns = [
        Example(
            "1",
            "d",
            "what team did he play for",
            Gold(rewrites=("what team did Johnny Unitas play for?",)),
        ),
        Example("2", "d", "did he win", Gold(rewrites=("did Johnny Unitas win?",))),
        Example("3", "d", "was it the cup", Gold(rewrites=("was it the Super Bowl",))),
    ]
    assert {one.title for one in with_titles(turns)} == {"Johnny Unitas"}


def test_training_stays_apart_from_the_dialogues_that_are_scored():
    scored = [asked("s", "did he win", "did Unitas win", history=(("who was he", "Unitas"),))]
    same_rewrite = asked("1", "what of it", "Did Unitas win")
    same_dialogue = asked("2", "why", "why", history=(("Who was he", ""), ("did he win", "")))
    one_in_common = asked("3", "why", "why", history=(("did he win", ""),))
    assert disjoint_from([same_rewrite, same_dialogue, one_in_common], scored) == [one_in_common]
