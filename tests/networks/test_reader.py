import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from seminar.errors import ConfigurationError  # noqa: E402
from seminar.networks.checkpoints import tokenizer_of  # noqa: E402
from seminar.networks.reader import (  # noqa: E402
    IGNORED,
    ReaderOutput,
    choice_loss,
    pretrained,
    span_loss,
    untrained,
)
from tests.tiny_networks import bert_config  # noqa: E402


@pytest.fixture
def network():
    torch.manual_seed(0)
    return untrained(bert_config()).eval()


def rows(*values):
    return torch.tensor(values)


def test_spans_fall_in_the_passage_or_on_cls(network):
    output = network(
        rows([101, 50, 102, 60, 61, 102], [101, 50, 102, 60, 102, 0]),
        rows([1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 0]),
        rows([0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 0]),
        rows([0] * 6, [0] * 6),
    )
    assert (output.start > -1000).tolist() == [
        [True, False, False, True, True, True],
        [True, False, False, True, True, False],
    ]
    assert (output.end > -1000).tolist() == (output.start > -1000).tolist()
    assert (output.type.shape, output.continuation.shape) == ((2, 5), (2, 3))


def test_marks_count_once_they_are_trained(network):
    plain = (rows([101, 50, 102, 60, 102]), rows([1] * 5), rows([0, 0, 0, 1, 1]))
    unmarked, marked = rows([0] * 5), rows([0, 0, 0, 1, 0])
    assert torch.equal(network(*plain, unmarked).start, network(*plain, marked).start)
    torch.nn.init.normal_(network.mark.weight)
    assert not torch.equal(network(*plain, unmarked).start, network(*plain, marked).start)


def test_padding_changes_nothing(network):
    short = network(
        rows([101, 50, 102, 60, 102]), rows([1] * 5), rows([0, 0, 0, 1, 1]), rows([0] * 5)
    )
    padded = network(
        rows([101, 50, 102, 60, 102, 0, 0]),
        rows([1, 1, 1, 1, 1, 0, 0]),
        rows([0, 0, 0, 1, 1, 0, 0]),
        rows([0] * 7),
    )
    torch.testing.assert_close(padded.start[:, :5], short.start)
    torch.testing.assert_close(padded.type, short.type)


def test_labels_that_are_absent_cost_nothing():
    output = ReaderOutput(
        start=torch.zeros(2, 4),
        end=torch.zeros(2, 4),
        type=torch.zeros(2, 5),
        continuation=torch.zeros(2, 3),
    )
    nobody = torch.tensor([IGNORED, IGNORED])
    assert span_loss(output, nobody, nobody).item() == 0.0
    assert choice_loss(output.continuation, nobody).item() == 0.0
    one = torch.tensor([IGNORED, 2])
    assert span_loss(output, one, one).item() == pytest.approx(1.3863, abs=1e-4)  # log 4
    assert choice_loss(output.continuation, one).item() == pytest.approx(1.0986, abs=1e-4)  # log 3


def test_freezing_leaves_the_upper_layers_trainable(network):
    network.freeze(1)
    frozen = {name for name, weights in network.named_parameters() if not weights.requires_grad}
    assert "encoder.embeddings.word_embeddings.weight" in frozen
    assert all(
        name.startswith(("encoder.encoder.layer.0.", "encoder.embeddings.word")) for name in frozen
    )
    assert network.mark.weight.requires_grad


def test_mpnet_reads_the_word_pieces_of_bert(tmp_path):
    shape = transformers.MPNetConfig(
        hidden_size=16, num_hidden_layers=3, num_attention_heads=2, intermediate_size=32
    )
    encoder = transformers.MPNetModel(shape, add_pooling_layer=False)
    encoder.save_pretrained(tmp_path)
    network = pretrained(str(tmp_path), dropout=0.0, layers=2).eval()
    numbers = tokenizer_of("tiny")("a ferry").input_ids  # [CLS] a ferry [SEP]
    own = [0, *(number + 4 for number in numbers[1:-1]), 2]  # <s> a ferry </s>
    words = network.encoder.get_input_embeddings()(rows(numbers))
    assert torch.equal(words, encoder.get_input_embeddings()(rows(own)))
    assert len(network.encoder.encoder.layer) == 2
    asked, read = rows([0, 0, 0, 0]), rows([0, 1, 1, 1])
    outputs = [network(rows(numbers), rows([1] * 4), one, asked).type for one in (asked, read)]
    assert torch.equal(*outputs)  # it knows no segments; the separators' marks tell the sides


def test_another_family_is_refused(tmp_path):
    transformers.DistilBertConfig().save_pretrained(tmp_path)
    with pytest.raises(ConfigurationError, match=r"distilbert.*bert, mpnet"):
        pretrained(str(tmp_path), dropout=0.0)
