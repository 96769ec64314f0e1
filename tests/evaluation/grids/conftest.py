"""The small official files as a grid's data, and untrained tiny networks in a folder of runs."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.paths import DATASET_FILES

LIGHTHOUSE = "The lighthouse was built by Mira Holt in 1871."


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The small official files, with a test set of QAConv and TopiOCQA's gold passages."""
    root = tmp_path / "data"
    shutil.copytree(DATASET_FILES, root)
    shutil.copy(root / "qaconv" / "val.json", root / "qaconv" / "tst.json")
    gold = {"id": "wiki:1", "title": "Lindmere lighthouse [SEP] History", "text": LIGHTHOUSE}
    turns = [
        turn(1, [], "who built the lindmere lighthouse", ("Mira Holt", "Holt"), gold),
        turn(
            2, ["who built the lindmere lighthouse", "Mira Holt"], "when", ("1871", "in 1871"), gold
        ),
    ]
    (root / "topiocqa" / "topiocqa_dev.json").write_text(json.dumps(turns))
    (root / "topiocqa" / "full_wiki_segments.tsv").write_text(
        "id\ttext\ttitle\n"
        f"wiki:1\t{LIGHTHOUSE}\tLindmere lighthouse [SEP] History\n"
        "wiki:2\tThe sound is deep.\tSound [SEP] Depth\n"
    )
    return root


def turn(number: int, context: list[str], question: str, answers: tuple[str, str], gold: dict):
    first, second = answers
    return {
        "Conversation_no": 1,
        "Turn_no": number,
        "Context": context,
        "Question": question,
        "Answer": first,
        "Topic": "Lindmere lighthouse",
        "Topic_section": "History",
        "Additional_answers": [{"Answer": second}],
        "Gold_passage": gold,
    }


@pytest.fixture(scope="session")
def networks(tmp_path_factory) -> Path:
    """A folder of runs, a network in the `model` of each: what they say is noise."""
    torch = pytest.importorskip("torch")
    pytest.importorskip("transformers")
    torch.manual_seed(7)
    torch.set_num_threads(1)
    runs = tmp_path_factory.mktemp("networks")
    for save in (_dpr, _fusion, _prompted, _seq2seq, _span_qa, _bidaf):
        save(lambda name: runs / name / "model")
    return runs


Place = Callable[[str], Path]


def _dpr(place: Place) -> None:
    from seminar.networks.checkpoints import tokenizer_of
    from seminar.networks.papers.dpr import bi_encoder
    from seminar.networks.papers.dpr import reader as dpr_reader
    from seminar.networks.papers.dpr.inputs import DprInputs

    inputs = DprInputs(tokenizer_of("tiny"))
    sides = bi_encoder.pretrained("tiny", dropout=0.0, questions_only=False)
    bi_encoder.export(sides, place("dpr"), inputs=inputs, lengths=(32, 48))
    reader = dpr_reader.pretrained("tiny", dropout=0.0)
    lengths = dpr_reader.Lengths(32, 96, 8)
    dpr_reader.export(reader, place("dpr-reader"), inputs=inputs, lengths=lengths, choice="passage")


def _fusion(place: Place) -> None:
    from seminar.networks.checkpoints import tokenizer_of
    from seminar.networks.papers.fusion.network import FusionInDecoder, fusion_backbone
    from seminar.networks.papers.fusion.reader import FusionReader, save_fusion
    from seminar.networks.papers.fusion.texts import FusionText, Lengths, with_marks

    model, tokenizer = fusion_backbone("tiny", "t5"), tokenizer_of("tiny")
    with_marks(model, tokenizer)
    text = FusionText(tokenizer, model, Lengths(64, 6))
    save_fusion(FusionReader(FusionInDecoder(model), text), place("fid"))


def _prompted(place: Place) -> None:
    from seminar.networks.checkpoints import tokenizer_of
    from seminar.networks.papers.ambigprompt.network import PROMPTINGS, AmbigPrompt
    from seminar.networks.papers.ambigprompt.reader import AmbigPromptReader, save_ambigprompt
    from seminar.networks.papers.fusion.network import fusion_backbone
    from seminar.networks.papers.fusion.texts import FusionText, Lengths, with_marks

    for prompting in PROMPTINGS:
        model, tokenizer = fusion_backbone("tiny", "t5"), tokenizer_of("tiny")
        with_marks(model, tokenizer)
        reader = AmbigPromptReader(
            AmbigPrompt(model, prompting=prompting), FusionText(tokenizer, model, Lengths(64, 6))
        )
        save_ambigprompt(reader, place(prompting))


def _seq2seq(place: Place) -> None:
    from seminar.networks.checkpoints import tokenizer_of
    from seminar.networks.papers.fusion.network import fusion_backbone
    from seminar.networks.papers.seq2seq import answering as seq2seq_answering
    from seminar.networks.papers.seq2seq import rewriting as seq2seq_rewriting
    from seminar.networks.papers.seq2seq.network import Sizes, Writer

    def writer(kind: type) -> Writer:
        backbone = fusion_backbone("tiny", "t5")
        return Writer(kind(backbone), tokenizer_of("tiny"), Sizes(source=64, target=4))

    answering = writer(seq2seq_answering.AnsweringNetwork)
    seq2seq_answering.save(seq2seq_answering.Seq2SeqReader(answering, form="qaconv"), place("text"))
    rewriting = writer(seq2seq_rewriting.RewritingNetwork)
    seq2seq_rewriting.save(seq2seq_rewriting.Seq2SeqRewriter(rewriting), place("rewriting"))


def _span_qa(place: Place) -> None:
    from seminar.networks.checkpoints import tokenizer_of
    from seminar.networks.papers.span_qa.network import Decision, export, pretrained
    from seminar.networks.papers.span_qa.windows import SpanInputs, WindowSizes

    inputs = SpanInputs(tokenizer_of("tiny"), WindowSizes(question=16, window=64, stride=16))
    export(
        pretrained("tiny"),
        place("span-qa"),
        inputs=inputs,
        decision=Decision(),
        passages=1,
        data=("qaconv/trn-chunk",),
    )


def _bidaf(place: Place) -> None:
    from seminar.networks.papers.bidaf.network import BidafShape
    from seminar.networks.papers.bidaf.reader import save_bidaf, untrained

    bidaf, pieces = untrained("tiny", BidafShape(contexts=2, hidden=8, characters=8))
    save_bidaf(bidaf, place("bidaf"), pieces, {"acts": False, "data": "none"})
