import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from seminar.errors import ConfigurationError  # noqa: E402
from seminar.models.rewriter.model import FollowUp  # noqa: E402
from seminar.networks.checkpoints import tokenizer_of  # noqa: E402
from seminar.networks.papers.fusion.network import fusion_backbone  # noqa: E402
from seminar.networks.papers.fusion.reader import FusionInput, GeneratedText  # noqa: E402
from seminar.networks.papers.seq2seq import answering as seq2seq_answering  # noqa: E402
from seminar.networks.papers.seq2seq import rewriting as seq2seq_rewriting  # noqa: E402
from seminar.networks.papers.seq2seq.answering import Seq2SeqReader  # noqa: E402
from seminar.networks.papers.seq2seq.network import Sizes, TextToText, Writer  # noqa: E402
from seminar.networks.papers.seq2seq.rewriting import RewritingNetwork, Seq2SeqRewriter  # noqa: E402
from seminar.types import Dialogue, Hit, Passage, Query, Reply, Span, Turn  # noqa: E402

SHORT, LONG = "who runs it?", "when does the last ferry of the summer leave the small harbour?"
FAMILIES = pytest.mark.parametrize("family", ["t5", "bart"])


def writer_of(family: str, kind: type = TextToText, **sizes) -> Writer:
    torch.manual_seed(3)
    network = kind(fusion_backbone("tiny", family)).eval()
    return Writer(network, tokenizer_of("tiny"), Sizes(**{"target": 8, **sizes}))


class Spoken:
    """A writer that has learnt some texts by heart."""

    def __init__(self, known: dict[str, GeneratedText]) -> None:
        self.known = known

    def write(self, texts: list[str]) -> list[GeneratedText]:
        return [self.known[text] for text in texts]


def passage(text: str, title: str = "") -> Passage:
    return Passage("doc.md", 0, len(text), text, title=title)


@FAMILIES
def test_padding_changes_nothing(family):
    writer = writer_of(family)
    ids, attended = writer.inputs([SHORT, LONG])
    alone, alone_attended = writer.inputs([SHORT])
    assert attended.sum(dim=1).tolist() == [alone.shape[1], ids.shape[1]]
    labels = writer.labels(["the lake company", "ten"])
    with torch.no_grad():
        together = writer.network.encode(ids, attended).states[0, : alone.shape[1]]
        apart = writer.network.encode(alone, alone_attended).states[0]
        padded = writer.network(ids[:1], attended[:1], labels[:1])
        bare = writer.network(alone, alone_attended, labels[:1, : int((labels[0] >= 0).sum())])
    assert torch.allclose(together, apart, atol=1e-5)
    assert torch.allclose(padded, bare, atol=1e-5)
    said = writer.write([SHORT, LONG])
    assert [one.text for one in said] == [writer.write([text])[0].text for text in (SHORT, LONG)]


@FAMILIES
def test_gradients_reach_every_weight(family):
    writer = writer_of(family)
    loss = writer.network(*writer.inputs([SHORT, LONG]), writer.labels(["yes", "at ten"]))
    loss.backward()
    for name, weights in writer.network.named_parameters():
        assert weights.grad is not None, name
        # Keys' biases move every score of a row alike, which a softmax never sees.
        assert "k_proj.bias" in name or bool(weights.grad.abs().sum() > 0), name


@FAMILIES
def test_a_saved_network_writes_the_same_bit_for_bit(family, tmp_path):
    writer = writer_of(family, RewritingNetwork, kept="end", source=32, beams=2)
    seq2seq_rewriting.save(Seq2SeqRewriter(writer, "canard"), tmp_path)
    loaded = seq2seq_rewriting.load(tmp_path)
    assert (loaded.form, loaded.writer.sizes) == ("canard", writer.sizes)
    inputs, labels = writer.inputs([SHORT, LONG]), writer.labels(["one", "two"])
    with torch.no_grad():
        assert torch.equal(writer.network(*inputs, labels), loaded.writer.network(*inputs, labels))
    assert loaded.writer.write([SHORT, LONG]) == writer.write([SHORT, LONG])
    with pytest.raises(ConfigurationError, match="holds a RewritingNetwork, not a AnsweringNet"):
        seq2seq_answering.load(tmp_path)


def test_of_a_long_dialogue_the_end_is_read_and_of_a_long_passage_the_start():
    text = "one two three four five"
    start = writer_of("t5", source=4).inputs([text])[0]
    end = writer_of("t5", source=4, kept="end").inputs([text])[0]
    tokenizer = tokenizer_of("tiny")
    assert tokenizer.decode(start[0, :-1]) == "one two three"
    assert tokenizer.decode(end[0, :-1]) == "three four five"
    assert start[0, -1] == end[0, -1] == 1


def test_the_forms_of_a_dialogue():
    asked = FollowUp(
        "and when?", (("who runs it?", "The Lake Company"), ("why?", "")), "Ferry", "History"
    )
    assert seq2seq_rewriting.source_of(asked, "topiocqa") == (
        "who runs it? [SEP] The Lake Company [SEP] why? [SEP] and when?"
    )
    assert seq2seq_rewriting.source_of(asked, "canard") == (
        "Ferry ||| History ||| who runs it? ||| The Lake Company ||| why? ||| and when?"
    )
    with pytest.raises(ConfigurationError, match="unknown form of a dialogue 'canrd'"):
        seq2seq_rewriting.source_of(asked, "canrd")


def test_the_forms_of_a_question():
    asked = ("Who  runs it?", "The Lake\nCompany.")
    source = seq2seq_answering.source_of
    assert (
        source(*asked, "unifiedqa", title="Ferry") == r"who runs it? \n (ferry) the lake company."
    )
    assert source(*asked, "qaconv") == "Who runs it? </s> The Lake Company."
    with pytest.raises(ConfigurationError, match="unknown form of a question 'unified'"):
        source(*asked, "unified")


def test_a_rewriter_gets_the_turns_and_keeps_a_first_question():
    spoken = Spoken(
        {
            "who runs it? [SEP] The Lake Company [SEP] since when?": GeneratedText(
                "since when does it?", 1
            ),
            "is it open? [SEP] why?": GeneratedText("", 1),
        }
    )
    place = passage("The Lake Company runs it.")
    answered = Reply("The Lake Company", Query("x"), answerable=True, literal=(Span(place, 0, 16),))
    dialogues = [
        Dialogue((Turn("who runs it?", answered),)),
        Dialogue(),
        Dialogue((Turn("is it open?", Reply("I don't know", Query("x"))),)),
    ]
    questions = ["since when?", "who runs it?", "why?"]
    queries = Seq2SeqRewriter(spoken).rewrite(dialogues, questions)
    assert [query.text for query in queries] == ["since when does it?", "who runs it?", "why?"]
    assert [query.question for query in queries] == questions
    assert [query.history for query in queries] == [
        (("who runs it?", "The Lake Company"),),
        (),
        (("is it open?", ""),),
    ]


def test_a_reader_cites_the_words_where_they_stand():
    spoken = Spoken(
        {
            r"who? \n (ferry) the lake company runs it.": GeneratedText("the lake company", 0.4),
            r"who? \n (ferry) ask ann, or bob.": GeneratedText("ann , or bob", 0.7),
            r"who? \n (ferry) nobody knows.": GeneratedText("unanswerable", 0.9),
            r"who? \n (ferry) it is late.": GeneratedText("the mayor", 0.8),
        }
    )
    texts = ("The Lake Company runs it.", "Ask Ann, or Bob.", "Nobody knows.", "It is late.")
    hits = [Hit(passage(text, "Ferry"), 1.0) for text in texts]
    reader = Seq2SeqReader(spoken, passages=4)
    answers, none = reader.read([Query("who?"), Query("what?")], [hits, []])
    assert [(one.text, one.score) for one in answers] == [
        ("Ann, or Bob", 0.7),
        ("The Lake Company", 0.4),
    ]
    assert none == []
    [said] = reader.answers([FusionInput("who?", tuple(f"(Ferry) {text}" for text in texts))])
    assert [one.text for one in said] == ["the mayor", "ann , or bob", "the lake company"]


def test_only_the_best_passages_are_read():
    spoken = Spoken({r"who? \n ann.": GeneratedText("ann", 0.5)})
    reader = Seq2SeqReader(spoken, titled=False)
    hits = [Hit(passage("Ann.", "Ferry"), 2.0), Hit(passage("Bob.", "Ferry"), 1.0)]
    [[answer]] = reader.read([Query("who?")], [hits])
    assert answer.text == "Ann"


@FAMILIES
def test_what_others_trained_is_used_as_it_is(family, tmp_path):
    writer = writer_of(family)
    writer.network.model.save_pretrained(tmp_path)
    writer.tokenizer.save_pretrained(tmp_path)
    text = seq2seq_answering.source_of("Who?", "Ann left.", "unifiedqa")
    reader = seq2seq_answering.published(str(tmp_path))
    assert (reader.titled, reader.writer.sizes.source) == (False, 1024)
    with torch.no_grad():
        ours, theirs = (one.network.encode(*one.inputs([text])) for one in (writer, reader.writer))
    assert torch.equal(ours.states, theirs.states)
    assert seq2seq_rewriting.published(str(tmp_path)).form == "canard"


def test_what_others_trained_for_something_else_is_refused(tmp_path):
    transformers.BertConfig().save_pretrained(tmp_path)
    with pytest.raises(ConfigurationError, match="is a bert checkpoint; this network needs one of"):
        seq2seq_answering.published(str(tmp_path))
