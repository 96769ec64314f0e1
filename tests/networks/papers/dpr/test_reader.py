import math

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from seminar.errors import ConfigurationError  # noqa: E402
from seminar.networks.checkpoints import tokenizer_of  # noqa: E402
from seminar.networks.papers.dpr.inputs import DprInputs  # noqa: E402
from seminar.networks.papers.dpr.reader import (  # noqa: E402
    DprReader,
    DprSpanReader,
    Lengths,
    ReadScores,
    export,
    load,
    marginal_span_loss,
    pretrained,
    selection_loss,
    stacked,
)
from seminar.types import Hit, Passage, Query  # noqa: E402

LENGTHS = Lengths(question=32, passage=64, answer=3)


@pytest.fixture(scope="module")
def inputs():
    return DprInputs(tokenizer_of("tiny"))


def network() -> DprReader:
    torch.manual_seed(2)
    return pretrained("tiny", dropout=0.0).eval()


def hit(text: str) -> Hit:
    return Hit(Passage(text[:5], 0, len(text), text, title="Ferry"), 1.0)


def logs(*probabilities: float):
    return torch.log(torch.tensor([probabilities]))


def test_any_right_place_will_do():
    start, end = logs(0.5, 0.3, 0.2), logs(0.1, 0.6, 0.3)
    one = torch.tensor([[[0, 1]]])
    # 0.5 * 0.6
    torch.testing.assert_close(
        marginal_span_loss(start, end, one), torch.tensor(-math.log(0.3)), atol=1e-5, rtol=1e-5
    )
    two = torch.tensor([[[0, 1], [2, 2], [-1, -1]]])
    # 0.5 * 0.6 + 0.2 * 0.3; the third place is none.
    torch.testing.assert_close(
        marginal_span_loss(start, end, two), torch.tensor(-math.log(0.36)), atol=1e-5, rtol=1e-5
    )


def test_the_first_passage_is_the_one_to_select():
    scores = logs(0.5, 0.25, 0.25)
    everyone = torch.tensor([[True, True, True]])
    torch.testing.assert_close(selection_loss(scores, everyone), torch.tensor(math.log(2)))
    fewer = torch.tensor([[True, True, False]])
    torch.testing.assert_close(selection_loss(scores, fewer), torch.tensor(-math.log(2 / 3)))


def scores_of(made: DprReader, inputs: DprInputs, *texts: str) -> ReadScores:
    question = inputs.question("When does it leave?", 32)
    rows = inputs.reading(question, [hit(text).passage for text in texts], 64)
    with torch.no_grad():
        return made(*stacked(rows, inputs))


def test_padding_changes_nothing(inputs):
    made = network()
    alone = scores_of(made, inputs, "It leaves at nine.")
    beside = scores_of(made, inputs, "It leaves at nine.", "It goes " + "very " * 20 + "slowly.")
    length = alone.start.shape[1]
    assert beside.start.shape[1] > length
    torch.testing.assert_close(beside.start[:1, :length], alone.start)
    torch.testing.assert_close(beside.end[:1, :length], alone.end)
    torch.testing.assert_close(beside.selected[:1], alone.selected)


def test_only_the_passages_own_tokens_can_be_an_answer(inputs):
    scores = scores_of(network(), inputs, "At nine.")
    # [CLS] when does it leave ? [SEP] ferry [SEP] at nine . [SEP]
    assert (scores.start[0] > -1e8).tolist() == [False] * 9 + [True] * 3 + [False]


def test_gradients_reach_every_weight(inputs):
    made = network().train()
    question = inputs.question("When?", 32)
    texts = ("It leaves at nine.", "Nobody knows.")
    rows = inputs.reading(question, [hit(text).passage for text in texts], 64)
    scores = made(*stacked(rows, inputs))
    span = torch.tensor([[rows[0].tokens(13, 17)]])
    loss = marginal_span_loss(scores.start[:1], scores.end[:1], span)
    (loss + selection_loss(scores.selected[None], torch.ones(1, 2).bool())).backward()
    assert [name for name, weights in made.named_parameters() if weights.grad is None] == []


class Scripted(torch.nn.Module):
    """Gives each passage, known by its last word, the logits that a test wrote out."""

    def __init__(self, selected, starts) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(1))
        self.selected, self.starts = selected, starts

    def forward(self, ids, attended, readable):
        start = torch.full(ids.shape, -1e9)
        for row in range(len(ids)):
            places = readable[row].nonzero().flatten()
            start[row, places] = 0.0
            start[row, places[1]] = self.starts[row]
        return ReadScores(start, start, torch.tensor(self.selected[: len(ids)]))


def read(choice: str, inputs: DprInputs):
    # The first passage is likelier to be selected, the second has the stronger span.
    made = Scripted(selected=[math.log(3), 0.0], starts=[1.0, 4.0])
    reader = DprSpanReader(made, inputs, lengths=LENGTHS, choice=choice)
    return reader.read([Query("When?")], [[hit("It leaves at nine."), hit("At ten sharp.")]])[0]


def test_dpr_takes_the_best_passage_and_topiocqa_the_best_span(inputs):
    assert [answer.text for answer in read("passage", inputs)] == ["leaves", "ten"]
    assert [answer.text for answer in read("span", inputs)] == ["ten", "leaves"]


def test_a_score_is_the_product_of_three_probabilities(inputs):
    first, second = read("passage", inputs)
    # "it leaves at nine ." has five tokens, "at ten sharp ." four; start and end are alike.
    here = math.exp(1) / (math.exp(1) + 4)
    there = math.exp(4) / (math.exp(4) + 3)
    assert first.score == pytest.approx(0.75 * here**2, rel=1e-5)
    assert second.score == pytest.approx(0.25 * there**2, rel=1e-5)


def test_a_cut_word_is_completed(inputs):
    made = Scripted(selected=[0.0], starts=[3.0])
    reader = DprSpanReader(made, inputs, lengths=LENGTHS)
    [[answer]] = reader.read([Query("Where?")], [[hit("Zwyqxvton lies there.")]])
    assert answer.text == "Zwyqxvton"


def test_lists_keep_their_length_and_order(inputs):
    reader = DprSpanReader(network(), inputs, lengths=LENGTHS)
    assert reader.read([], []) == []
    answers = reader.read([Query("When?"), Query("Who?")], [[], [hit("Ann was there.")]])
    assert [len(one) for one in answers] == [0, 1]
    assert answers[1][0].span.passage.text == "Ann was there."


def test_what_is_saved_and_loaded_reads_the_same_bit_for_bit(inputs, tmp_path):
    made = network()
    export(made, tmp_path, inputs=inputs, lengths=LENGTHS, choice="span")
    again = load(tmp_path)
    assert (again.lengths, again.choice) == (LENGTHS, "span")
    texts = ("It leaves at nine.", "Nobody knows.")
    ours, theirs = scores_of(made, inputs, *texts), scores_of(again.network, inputs, *texts)
    assert ours.start.equal(theirs.start)
    assert ours.selected.equal(theirs.selected)


def test_another_family_another_network_and_missing_weights_are_named(inputs, tmp_path):
    shape = transformers.RobertaConfig(
        vocab_size=60, hidden_size=8, num_hidden_layers=1, num_attention_heads=2
    )
    transformers.RobertaModel(shape).save_pretrained(tmp_path / "roberta")
    with pytest.raises(ConfigurationError, match="is a roberta checkpoint; this network needs"):
        pretrained(str(tmp_path / "roberta"), dropout=0.1)
    export(network(), tmp_path / "own", inputs=inputs, lengths=LENGTHS, choice="passage")
    (tmp_path / "own" / "model.safetensors").unlink()
    with pytest.raises(ConfigurationError, match="weights can't be read"):
        load(tmp_path / "own")
    settings = tmp_path / "own" / "settings.json"
    settings.write_text(settings.read_text().replace('"DprReader"', '"BiEncoder"'))
    with pytest.raises(ConfigurationError, match="holds a BiEncoder, not a DprReader"):
        load(tmp_path / "own")
    with pytest.raises(ConfigurationError, match="unknown choice of an answer 'best'"):
        DprSpanReader(network(), inputs, lengths=LENGTHS, choice="best")
