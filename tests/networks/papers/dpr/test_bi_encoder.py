import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from seminar.errors import ConfigurationError  # noqa: E402
from seminar.networks.checkpoints import TINY_BERT, tokenizer_of  # noqa: E402
from seminar.networks.papers.dpr.bi_encoder import (  # noqa: E402
    BiEncoder,
    export,
    in_batch_loss,
    load,
    load_network,
    pretrained,
    ranks,
    sides,
)
from seminar.networks.papers.dpr.inputs import DprInputs  # noqa: E402
from seminar.types import Passage  # noqa: E402


@pytest.fixture(scope="module")
def inputs():
    return DprInputs(tokenizer_of("tiny"))


def network(**options) -> BiEncoder:
    torch.manual_seed(3)
    return pretrained("tiny", dropout=0.0, **{"questions_only": False, **options}).eval()


def passage(text: str, title: str = "Ferry", section: str = "") -> Passage:
    return Passage("a.md", 0, len(text), text, title=title, section=section)


def test_the_loss_is_the_negative_log_of_the_softmax_over_the_rivals():
    scores = torch.log(torch.tensor([[6.0, 2.0, 2.0], [1.0, 3.0, 4.0]]))
    rivals = torch.tensor([[True, True, True], [True, True, False]])
    # The second question's third passage is no rival: 3 of 1 + 3, not of 1 + 3 + 4.
    expected = -(torch.log(torch.tensor(6 / 10)) + torch.log(torch.tensor(3 / 4))) / 2
    torch.testing.assert_close(in_batch_loss(scores, torch.tensor([0, 1]), rivals), expected)


def test_a_rank_counts_the_passages_above():
    scores = torch.tensor([[0.1, 0.9, 0.5], [0.7, 0.2, 0.3]])
    assert ranks(scores, torch.tensor([2, 0])).tolist() == [1, 0]


def test_scores_are_dot_products_of_the_first_states(inputs):
    made = network()
    both = sides(made, inputs, name="x", lengths=(64, 64))
    questions = both.questions.encode(["When does it leave?", "Who came?"])
    passages = both.passages.encode(["Ferry\nIt leaves at nine."])
    with torch.no_grad():
        scores = made(
            inputs.padded([inputs.question(q, 64) for q in ("When does it leave?", "Who came?")]),
            inputs.padded(inputs.passages([passage("It leaves at nine.")], 64)),
        )
    torch.testing.assert_close(
        scores, torch.from_numpy(questions @ passages.T), atol=1e-5, rtol=1e-5
    )


def test_padding_changes_no_vector(inputs):
    both = sides(network(), inputs, name="x", lengths=(64, 64))
    alone = both.questions.encode(["Who came?"])
    beside = both.questions.encode(
        ["Who came?", "And who of them had been there before, and when?"]
    )
    torch.testing.assert_close(torch.from_numpy(beside[:1]), torch.from_numpy(alone))


def test_no_texts_are_no_vectors(inputs):
    both = sides(network(), inputs, name="x", lengths=(64, 64))
    assert both.questions.encode([]).shape == both.passages.encode([]).shape == (0, 64)


def test_gradients_reach_every_weight_of_both_sides(inputs):
    made = network()
    loss(made, inputs).backward()
    assert [name for name, weights in made.named_parameters() if weights.grad is None] == []


def test_a_fixed_passage_side_learns_nothing_and_has_no_dropout(inputs):
    made = pretrained("tiny", dropout=0.5, questions_only=True).train()
    loss(made, inputs).backward()
    learning = {name for name, weights in made.named_parameters() if weights.grad is not None}
    assert learning == {f"question.{name}" for name, _ in made.question.named_parameters()}
    assert made.question.training
    assert not made.passage.training


def loss(made: BiEncoder, inputs: DprInputs):
    texts = ["The ferry leaves at nine.", "The keeper lit the lamp."]
    scores = made(
        inputs.padded([inputs.question(text, 32) for text in ("When does it?", "Who did?")]),
        inputs.padded(inputs.passages([passage(text) for text in texts], 32)),
    )
    return in_batch_loss(scores, torch.arange(2), torch.ones(2, 2, dtype=torch.bool))


def test_what_is_saved_and_loaded_encodes_the_same_bit_for_bit(inputs, tmp_path):
    made = network()
    export(made, tmp_path, inputs=inputs, lengths=(32, 48))
    again, once = load(tmp_path), sides(made, inputs, name="x", lengths=(32, 48))
    for side in ("questions", "passages"):
        texts = ["When does it leave?\nAt nine.", "Who [SEP] Ann [SEP] Why?"]
        ours, theirs = getattr(once, side).encode(texts), getattr(again, side).encode(texts)
        assert ours.tobytes() == theirs.tobytes()
    assert again.questions.name == again.passages.name
    assert again.questions.dimensions == 64


def test_the_name_is_that_of_the_passage_side(inputs, tmp_path):
    made = network()
    export(made, tmp_path / "before", inputs=inputs, lengths=(32, 32))
    with torch.no_grad():
        made.question.embeddings.word_embeddings.weight += 1
    export(made, tmp_path / "tuned", inputs=inputs, lengths=(32, 32))
    with torch.no_grad():
        made.passage.embeddings.word_embeddings.weight += 1
    export(made, tmp_path / "other", inputs=inputs, lengths=(32, 32))
    names = [load(tmp_path / name).passages.name for name in ("before", "tuned", "other")]
    assert names[0] == names[1] != names[2]


def test_dprs_own_checkpoints_serve_both_sides(tmp_path):
    shape = transformers.DPRConfig(**{**TINY_BERT.to_dict(), "projection_dim": 0, "vocab_size": 90})
    transformers.DPRQuestionEncoder(shape).save_pretrained(tmp_path / "question")
    transformers.DPRContextEncoder(shape).save_pretrained(tmp_path / "passage")
    made = pretrained(
        str(tmp_path / "question"), str(tmp_path / "passage"), dropout=0.1, questions_only=True
    )
    theirs = transformers.DPRContextEncoder.from_pretrained(tmp_path / "passage").eval()
    ids = torch.tensor([[1, 5, 7, 2]])
    with torch.no_grad():
        ours = made.eval().passage(input_ids=ids).last_hidden_state[:, 0]
        torch.testing.assert_close(ours, theirs(input_ids=ids).pooler_output)


def test_a_checkpoint_of_another_family_is_named(tmp_path):
    shape = transformers.T5Config(vocab_size=60, d_model=8, d_kv=4, d_ff=16, num_layers=1)
    transformers.T5ForConditionalGeneration(shape).save_pretrained(tmp_path)
    with pytest.raises(ConfigurationError, match="is a t5 checkpoint; this network needs one of"):
        pretrained(str(tmp_path), dropout=0.1, questions_only=False)


def test_weights_that_are_missing_or_of_another_network_are_named(inputs, tmp_path):
    export(network(), tmp_path, inputs=inputs, lengths=(32, 32))
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(ConfigurationError, match="weights can't be read"):
        load(tmp_path)
    settings = (tmp_path / "settings.json").read_text(encoding="utf-8")
    (tmp_path / "settings.json").write_text(settings.replace("BiEncoder", "Fusion"))
    with pytest.raises(ConfigurationError, match="holds a Fusion, not a BiEncoder"):
        load_network(tmp_path)
    with pytest.raises(ConfigurationError, match="name a folder that `seminar train` wrote"):
        load(tmp_path / "nothing")


def test_two_sizes_make_no_dot_product(tmp_path):
    small = transformers.BertConfig(**{**TINY_BERT.to_dict(), "hidden_size": 32})
    transformers.BertModel(small).save_pretrained(tmp_path)
    with pytest.raises(ConfigurationError, match=r"64 dimensions and .* 32"):
        pretrained("tiny", str(tmp_path), dropout=0.1, questions_only=False)
