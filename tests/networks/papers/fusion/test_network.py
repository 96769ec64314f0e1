import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from seminar.errors import ConfigurationError  # noqa: E402
from seminar.networks.papers.fusion.network import fusion_backbone, generate  # noqa: E402
from seminar.networks.papers.fusion.reader import (  # noqa: E402
    FusionInput,
    FusionReader,
    load,
    save_fusion,
)
from seminar.networks.papers.fusion.texts import Context  # noqa: E402
from seminar.training.papers.fusion.synthetic import questions  # noqa: E402
from tests.encoder_decoders import WORLD, small_reader  # noqa: E402

FAMILIES = ("t5", "bart")


def context_of(reader, count=3, passages=4):
    examples = questions(WORLD, count, seed=1, name="test")
    return reader.text.context(
        [one.question for one in examples], [one.passages[:passages] for one in examples]
    )


def padded(context, *, tokens, passages):
    """The same with more tokens and more passages, all padding."""
    questions, before, length = context.ids.shape
    ids = torch.zeros(questions, before + passages, length + tokens, dtype=torch.long)
    attended = torch.zeros_like(ids, dtype=torch.bool)
    ids[:, :before, :length], attended[:, :before, :length] = context.ids, context.attended
    return Context(ids, attended)


@pytest.mark.parametrize("family", FAMILIES)
def test_passages_are_encoded_apart(family):
    reader = small_reader(family)
    context = context_of(reader)
    states = reader.network.encode(context).states.view(3, 4, -1, 32)
    for passage in range(4):
        alone = Context(
            context.ids[:, passage : passage + 1], context.attended[:, passage : passage + 1]
        )
        seen = context.attended[:, passage]
        torch.testing.assert_close(
            reader.network.encode(alone).states[seen], states[:, passage][seen]
        )


@pytest.mark.parametrize("family", FAMILIES)
def test_the_decoder_attends_to_every_passage(family):
    reader = small_reader(family)
    context, labels = context_of(reader), reader.text.labels(["thing1", "thing2", "thing3"])
    before = reader.network(context, labels)
    for passage in range(4):
        ids = context.ids.clone()
        ids[0, passage, 4] = 30
        assert reader.network(Context(ids, context.attended), labels) != before


@pytest.mark.parametrize("family", FAMILIES)
def test_padding_changes_nothing(family):
    reader = small_reader(family)
    context, labels = context_of(reader), reader.text.labels(["thing1", "thing2", "thing3"])
    more = padded(context, tokens=3, passages=2)
    torch.testing.assert_close(reader.network(more, labels), reader.network(context, labels))
    said = [
        generate(reader.network.model, reader.network.encode(one), tokens=6)
        for one in (context, more)
    ]
    assert torch.equal(*said)


@pytest.mark.parametrize("family", FAMILIES)
def test_gradients_reach_every_weight(family):
    network = small_reader(family).network.train()
    context = context_of(small_reader(family))
    network(context, small_reader(family).text.labels(["thing1"] * 3)).backward()
    without = [
        name
        for name, weights in network.named_parameters()
        if weights.grad is None or not weights.grad.abs().sum()
    ]
    assert without == []


@pytest.mark.parametrize("family", FAMILIES)
def test_32_questions_are_memorised(family, tmp_path):
    reader = small_reader(family)
    examples = questions(WORLD, 32, seed=2, name="heart")
    asked = [one.input(3) for one in examples]
    targets = [" [SEP] ".join(answer[0] for answer in one.answers) for one in examples]
    context = reader.text.context([one.question for one in asked], [one.passages for one in asked])
    labels = reader.text.labels(targets)
    optimizer = torch.optim.Adam(reader.network.parameters(), lr=1e-2)
    for _ in range(200):
        optimizer.zero_grad()
        loss = reader.network(context, labels)
        loss.backward()
        optimizer.step()
        if loss.item() < 0.02:
            break
    assert loss.item() < 0.02
    assert [said[0].text for said in reader.generate(asked)] == targets
    save_fusion(reader, tmp_path)
    loaded = load(tmp_path)
    again = FusionReader(loaded.network, loaded.text, batch=reader.batch)
    assert again.generate(asked) == reader.generate(asked)
    before, after = reader.network.encode(context), loaded.network.encode(context)
    assert torch.equal(before.states, after.states)


def test_a_question_without_passages_is_read_by_itself():
    reader = small_reader()
    context = reader.text.context(["subject1 what1", "subject2 what2"], [[], ["thing1", "thing2"]])
    assert context.attended.any(dim=-1).tolist() == [[True, False], [True, True]]
    [said] = reader.generate([FusionInput("subject1 what1", ())])
    assert len(said) == 1


def test_of_a_long_conversation_the_newest_half_is_kept():
    text = small_reader().text
    history = " ".join(f"subject{n}" for n in range(12))
    [[row]] = text.context([f"{history} what1"], [["thing1 thing2 thing3"] * 1]).ids.tolist()
    words = text.tokenizer.convert_ids_to_tokens(row)
    assert words == [
        *(f"subject{n}" for n in range(2, 12)),
        *"what1 [SEP] thing1 thing2 thing3 </s>".split(),
    ]
    crowded = " ".join(f"thing{n}" for n in range(12))
    [[row]] = text.context([f"{history} what1"], [[crowded]]).ids.tolist()
    words = text.tokenizer.convert_ids_to_tokens(row)
    assert words == [
        *(f"subject{n}" for n in range(6, 12)),
        *"what1 [SEP] thing0 thing1 thing2 thing3 thing4 thing5 thing6 </s>".split(),
    ]


def test_generated_marks_are_silent_and_what_follows_the_end_is_dropped():
    text = small_reader("bart").text
    thing, sep = text.tokenizer.convert_tokens_to_ids(["thing7", "[SEP]"])
    ids = torch.tensor([[1, 2, thing, sep, thing, 1, thing, 0], [1, 1, 0, 0, 0, 0, 0, 0]])
    assert text.texts(ids) == ["thing7 [SEP] thing7", ""]


def test_an_unknown_family_is_named():
    with pytest.raises(ConfigurationError, match="unknown family of encoder-decoders 'bert'"):
        fusion_backbone("tiny", "bert")
