import json
from functools import partial
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("sacrebleu")

from tokenizers import Tokenizer  # noqa: E402
from tokenizers.decoders import WordPiece as WordPieceDecoder  # noqa: E402
from tokenizers.models import WordPiece  # noqa: E402
from tokenizers.normalizers import Lowercase  # noqa: E402
from tokenizers.pre_tokenizers import BertPreTokenizer  # noqa: E402
from transformers import (  # noqa: E402
    PreTrainedTokenizerFast,
    T5Config,
    T5ForConditionalGeneration,
)

from seminar.errors import ConfigurationError  # noqa: E402
from seminar.examples import Example, Gold  # noqa: E402
from seminar.networks.papers.fusion.network import TINY_T5  # noqa: E402
from seminar.networks.papers.seq2seq import answering as seq2seq_answering  # noqa: E402
from seminar.networks.papers.seq2seq import rewriting as seq2seq_rewriting  # noqa: E402
from seminar.networks.papers.seq2seq.answering import AnsweringNetwork, Seq2SeqReader  # noqa: E402
from seminar.networks.papers.seq2seq.network import Sizes  # noqa: E402
from seminar.networks.papers.seq2seq.rewriting import RewritingNetwork, Seq2SeqRewriter  # noqa: E402
from seminar.training.loop.config import LoopConfig  # noqa: E402
from seminar.training.loop.run import LOG, Position, Run  # noqa: E402
from seminar.training.papers.seq2seq.answering import (  # noqa: E402
    TextToTextConfig,
    answer_scores,
    answering_pair,
)
from seminar.training.papers.seq2seq.rewriting import (  # noqa: E402
    RewritingConfig,
    rewriting_pair,
    rewriting_scores,
)
from seminar.training.papers.seq2seq.task import Pair, Purpose, Seq2SeqTask, new_writer  # noqa: E402
from seminar.types import Dialogue, Hit, Passage, Query, Reply, Turn  # noqa: E402

PLACES = "harbour castle ferry mill tower bridge market garden".split()
PEOPLE = "ann bob carol dave".split()


@pytest.fixture
def checkpoint(tmp_path) -> str:
    """A published T5 of random weights that knows few words: so it trains in seconds."""
    words = ["?", ".", "\\", "(", ")", "n", "town", *PLACES, *PEOPLE]
    words += "does like it where who is in the north owns".split()
    known = ["[PAD]", "[END]", "[UNK]", "[SEP]", *words]
    splitter = Tokenizer(WordPiece({one: at for at, one in enumerate(known)}, unk_token="[UNK]"))
    splitter.normalizer, splitter.pre_tokenizer = Lowercase(), BertPreTokenizer()
    splitter.decoder = WordPieceDecoder()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=splitter, pad_token="[PAD]", unk_token="[UNK]", sep_token="[SEP]"
    )
    folder = tmp_path / "published"
    tokenizer.save_pretrained(folder)
    shape = {**TINY_T5.to_dict(), "vocab_size": len(known), "d_model": 32}
    torch.manual_seed(1)
    T5ForConditionalGeneration(T5Config(**shape)).save_pretrained(folder)
    return str(folder)


def rewritten(place: str, person: str) -> Example:
    return Example(
        id=f"{place}-{person}",
        dialogue_id=place,
        question=f"does {person} like it?",
        gold=Gold(rewrites=(f"does {person} like the {place}?",)),
        history=((f"where is the {place}?", "in the north"),),
    )


def answered(place: str, person: str) -> Example:
    context = f"{person.title()} owns the {place}."
    return Example(
        id=f"{place}-{person}",
        dialogue_id=place,
        question=f"Who owns the {place}?",
        gold=Gold(answers=(person.title(),)),
        context=context,
        title="Town",
    )


def trained(task: Seq2SeqTask, folder: Path, steps: int) -> Run:
    config = LoopConfig(
        steps=steps,
        learning_rate=1e-2,
        warmup_steps=10,
        schedule="linear",
        log_steps=steps,
        evaluate_steps=steps,
        threads=1,
        hardware="cpu",
    )
    run = Run(task, config, folder)
    run.train()
    return run


def last_scores(folder: Path) -> dict[str, float]:
    entries = map(json.loads, (folder / LOG).read_text().splitlines())
    return [entry["scores"] for entry in entries if "scores" in entry][-1]


def test_a_rewriter_memorises_32_rewrites(tmp_path, checkpoint):
    examples = [rewritten(place, person) for place in PLACES for person in PEOPLE]
    pairs = [rewriting_pair(one, "topiocqa") for one in examples]
    assert pairs[0].source == ("where is the harbour? [SEP] in the north [SEP] does ann like it?")
    sizes = Sizes(source=32, target=16, kept="end")
    writer = new_writer(
        RewritingNetwork, RewritingConfig(checkpoint=checkpoint, dropout=0.0), sizes, seed=1
    )
    purpose = Purpose(rewriting_scores, partial(seq2seq_rewriting.save, Seq2SeqRewriter(writer)))
    task = Seq2SeqTask(writer, pairs, purpose, batch_size=16, held_out=pairs, seed=1)
    run = trained(task, tmp_path, steps=100)
    scores = last_scores(tmp_path)
    assert scores["perplexity"] < 1.05
    assert (scores["uncased bleu"], scores["exact"]) == (100.0, 100.0)

    run.export(tmp_path / "model")
    rewriter = seq2seq_rewriting.load(tmp_path / "model")
    asked = Turn("where is the mill?", Reply("in the north", Query("x"), answerable=True))
    [query] = rewriter.rewrite([Dialogue((asked,))], ["does dave like it?"])
    assert query.text == "does dave like the mill?"


def test_a_reader_memorises_32_answers_and_cites_them(tmp_path, checkpoint):
    examples = [answered(place, person) for place in PLACES for person in PEOPLE]
    pairs = [answering_pair(one, form="unifiedqa", titled=True) for one in examples]
    assert pairs[1] == Pair(
        r"who owns the harbour? \n (town) bob owns the harbour.", "bob", ("Bob",)
    )
    sizes = Sizes(source=32, target=8)
    writer = new_writer(
        AnsweringNetwork, TextToTextConfig(checkpoint=checkpoint, dropout=0.0), sizes, seed=1
    )
    purpose = Purpose(answer_scores, partial(seq2seq_answering.save, Seq2SeqReader(writer)))
    task = Seq2SeqTask(writer, pairs, purpose, batch_size=16, held_out=pairs, seed=1)
    run = trained(task, tmp_path, steps=100)
    scores = last_scores(tmp_path)
    assert scores["perplexity"] < 1.05
    assert (scores["f1"], scores["exact"]) == (100.0, 100.0)

    run.export(tmp_path / "model")
    reader = seq2seq_answering.load(tmp_path / "model")
    text = "Carol owns the tower."
    hit = Hit(Passage("town.md", 0, len(text), text, title="Town"), 1.0)
    [[answer]] = reader.read([Query("Who owns the tower?")], [[hit]])
    assert (answer.text, answer.span.start, answer.span.end) == ("Carol", 0, 5)
    assert answer.score > 0.9


def test_every_pair_comes_once_an_epoch_and_a_position_is_taken_up_again():
    pairs = [Pair(f"question {number}", "yes", ("yes",)) for number in range(50)]
    writer = new_writer(
        AnsweringNetwork, TextToTextConfig(checkpoint="tiny", dropout=0.0), Sizes(), seed=1
    )
    purpose = Purpose(answer_scores, lambda folder: None)
    task = Seq2SeqTask(writer, pairs, purpose, batch_size=5, seed=4)
    assert task.epoch_batches == 10
    stream = task.batches(Position())
    epoch = [next(stream) for _ in range(10)]
    read = [tuple(row.tolist()) for batch, _ in epoch for row in batch.ids]
    assert len(set(read)) == 50
    assert epoch[-1][1] == Position(1, 0, 50)
    again, _ = next(task.batches(epoch[5][1]))
    assert torch.equal(again.ids, epoch[6][0].ids)


def test_without_examples_there_is_nothing_to_train_on():
    writer = new_writer(
        AnsweringNetwork, TextToTextConfig(checkpoint="tiny", dropout=0.0), Sizes(), seed=1
    )
    with pytest.raises(ConfigurationError, match="nothing to train on"):
        Seq2SeqTask(writer, [], Purpose(answer_scores, lambda folder: None), batch_size=5)


def test_the_target_of_an_unanswerable_question_says_so():
    def pair(gold: Gold) -> Pair:
        example = Example("1", "1", "Is it?", gold, context="It is.")
        return answering_pair(example, form="qaconv", titled=True)

    assert pair(Gold(answerable=False)).target == "unanswerable"
    assert pair(Gold(affirmation="no")).target == "no"
    assert pair(Gold(answers=("It", "it is"))) == Pair("Is it? </s> It is.", "It", ("It", "it is"))
    with pytest.raises(ConfigurationError, match="neither an answer nor a yes or no"):
        pair(Gold())


def test_an_unanswered_turn_says_nothing():
    example = Example(
        "1",
        "1",
        "why?",
        Gold(rewrites=("why is it closed?",)),
        history=(("is it open?", "CANNOTANSWER"), ("today?", "no")),
    )
    assert rewriting_pair(example, "topiocqa").source == (
        "is it open? [SEP] today? [SEP] no [SEP] why?"
    )


def test_answers_are_scored_against_the_best_reference():
    pairs = [Pair("", "", ("the red house", "a house")), Pair("", "", ("two",))]
    assert answer_scores(["house", "three"], pairs) == {"f1": 50.0, "exact": 50.0}


def test_a_folder_that_was_trained_here_is_trained_on(tmp_path: Path):
    sizes = Sizes(source=16, target=4)
    before = new_writer(
        AnsweringNetwork, TextToTextConfig(checkpoint="tiny", dropout=0.0), sizes, seed=3
    )
    seq2seq_answering.save(Seq2SeqReader(before), tmp_path / "model")
    after = new_writer(
        AnsweringNetwork,
        TextToTextConfig(checkpoint=str(tmp_path / "model"), dropout=0.0),
        Sizes(source=32, target=8),
        seed=4,
    )
    assert after.sizes.source == 32
    pairs = zip(before.network.parameters(), after.network.parameters(), strict=True)
    assert all(torch.equal(*pair) for pair in pairs)
    with pytest.raises(ConfigurationError, match="holds a AnsweringNetwork, not a Rewriting"):
        new_writer(
            RewritingNetwork,
            RewritingConfig(checkpoint=str(tmp_path / "model"), dropout=0.0),
            sizes,
            seed=4,
        )
