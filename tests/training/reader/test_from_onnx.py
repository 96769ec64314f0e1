from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("onnxscript")

from seminar.errors import ConfigurationError  # noqa: E402
from seminar.networks.reader import ReaderNetwork, untrained  # noqa: E402
from seminar.training.export import READER_OUTPUTS, export_network, pack, quantise  # noqa: E402
from seminar.training.reader.from_onnx import WORDS, recover  # noqa: E402
from tests.tiny_networks import bert_config  # noqa: E402

# The exporter warns of its own future; what it writes is what is tested here.
pytestmark = pytest.mark.filterwarnings("ignore")


def network(seed: int, size: int = 32) -> ReaderNetwork:
    torch.manual_seed(seed)
    made = untrained(bert_config(hidden_size=size)).eval()
    torch.nn.init.normal_(made.mark.weight)
    for name, weights in made.named_parameters():
        if name.endswith("bias"):  # zero at first, and taken for one another
            torch.nn.init.normal_(weights)
    return made


def on_the_same_words(trained: ReaderNetwork) -> ReaderNetwork:
    other = network(1)
    other.load_state_dict(other.state_dict() | {WORDS: trained.state_dict()[WORDS]})
    return other


@pytest.fixture(scope="module")
def trained() -> ReaderNetwork:
    return network(0)


@pytest.fixture(scope="module")
def folder(trained: ReaderNetwork, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("reader")
    exported = export_network(trained, made / "float.onnx", READER_OUTPUTS)
    pack(quantise(exported, made / "model.onnx"))
    return made


def test_weights_come_back_but_for_rounding(trained: ReaderNetwork, folder: Path):
    other = on_the_same_words(trained)
    recover(other, folder)
    for (name, wanted), got in zip(
        trained.state_dict().items(), other.state_dict().values(), strict=True
    ):
        if name == "continuation_head.bias":
            continue
        step = wanted.abs().max() / 63  # seven bits
        assert (wanted - got).abs().max() <= step, name


def test_what_is_recovered_reads_like_the_trained_one(trained: ReaderNetwork, folder: Path):
    other = on_the_same_words(trained)
    recover(other, folder)
    ids = torch.randint(4, 200, (3, 20))
    segments = (torch.arange(20) > 6).long().expand(3, 20)
    rest = (torch.ones_like(ids), segments, torch.zeros_like(ids))
    with torch.no_grad():
        wanted, got = trained(ids, *rest), other(ids, *rest)
    assert torch.allclose(wanted.start[:, 7:], got.start[:, 7:], atol=0.05)
    assert torch.equal(wanted.type.argmax(1), got.type.argmax(1))


def test_an_export_of_another_network_is_refused(folder: Path):
    with pytest.raises(ConfigurationError, match=r"another network than ReaderNetwork.*is \("):
        recover(network(1, size=48), folder)


def test_a_float_export_is_refused(trained: ReaderNetwork, tmp_path: Path):
    export_network(trained, tmp_path / "model.onnx", READER_OUTPUTS)
    with pytest.raises(ConfigurationError, match=r"model\.onnx is no int8 export"):
        recover(network(1), tmp_path)
