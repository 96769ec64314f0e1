import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("onnxscript")
onnxruntime = pytest.importorskip("onnxruntime")

from seminar.examples import Example, Gold  # noqa: E402
from seminar.models.encoders.transformer import TransformerEncoder  # noqa: E402
from seminar.models.rewriter.model import FollowUp, RewriterModel  # noqa: E402
from seminar.models.runtime import load_session  # noqa: E402
from seminar.models.word_pieces import WordPieces  # noqa: E402
from seminar.networks import question_encoder, rewriter  # noqa: E402
from seminar.networks.reader import pretrained, untrained  # noqa: E402
from seminar.training.export import (  # noqa: E402
    INPUTS,
    READER_OUTPUTS,
    export_checkpoint,
    export_encoder,
    export_network,
    load_reader,
    quantise,
)
from seminar.training.rewriter.task import prepare_rewrite, rewrite  # noqa: E402
from tests.models.make_tiny_reader import make_tokenizer  # noqa: E402
from tests.tiny_networks import bert_config  # noqa: E402

PHRASES: list[tuple[str, ...]] = [(), ("'", "s")]

# The exporter warns of its own future; what it writes is what is tested here.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def network():
    torch.manual_seed(0)
    made = untrained(bert_config()).eval()
    torch.nn.init.normal_(made.mark.weight)
    return made


@pytest.fixture(scope="module")
def exported(network, tmp_path_factory):
    return export_network(network, tmp_path_factory.mktemp("onnx") / "reader.onnx", READER_OUTPUTS)


def inputs(sequences: int, tokens: int) -> list[np.ndarray]:
    draw = np.random.default_rng(sequences * tokens)
    attended = np.ones((sequences, tokens), dtype=np.int64)
    attended[0, -2:] = 0
    segments = np.zeros((sequences, tokens), dtype=np.int64)
    segments[:, 3:] = 1
    ids = draw.integers(110, 200, (sequences, tokens))
    return [ids, attended, segments * attended, draw.integers(0, 9, (sequences, tokens))]


def run_onnx(path, arrays):
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    return session.run(None, dict(zip(INPUTS, arrays, strict=True)))


def run_torch(network, arrays):
    with torch.no_grad():
        output = network(*(torch.from_numpy(array) for array in arrays))
    return [output.start, output.end, output.type, output.continuation]


@pytest.mark.parametrize(("sequences", "tokens"), [(1, 6), (3, 7), (5, 40)])
def test_onnx_says_what_torch_says_whatever_the_shape(network, exported, sequences, tokens):
    arrays = inputs(sequences, tokens)
    for said, expected in zip(run_onnx(exported, arrays), run_torch(network, arrays), strict=True):
        np.testing.assert_allclose(said, expected.numpy(), atol=1e-5)


def test_int8_is_near_and_smaller(network, exported, tmp_path):
    small = quantise(exported, tmp_path / "small.onnx")
    arrays = inputs(4, 24)
    start = run_onnx(small, arrays)[0]
    expected = run_torch(network, arrays)[0].numpy()
    seen = expected > -1000
    assert np.abs(start - expected)[seen].max() < 0.1 * np.ptp(expected[seen])
    assert small.stat().st_size < exported.stat().st_size


def test_a_checkpoint_becomes_folders_that_answer_alike(network, tmp_path):
    encoder = tmp_path / "encoder"
    network.encoder.save_pretrained(encoder)
    (encoder / "tokenizer.json").write_text("{}")
    torch.save({"network": network.state_dict()}, tmp_path / "last.pt")
    whole, small = export_checkpoint(
        "reader",
        tmp_path / "last.pt",
        encoder=str(encoder),
        folder=tmp_path / "out",
        beside=[encoder / "tokenizer.json"],
    )
    arrays = inputs(2, 9)
    expected = run_torch(network, arrays)[2].numpy()
    np.testing.assert_allclose(run_onnx(whole / "model.onnx", arrays)[2], expected, atol=1e-5)
    packed = load_session(small).run(None, dict(zip(INPUTS, arrays, strict=True)))
    np.testing.assert_allclose(packed[2], expected, atol=0.1 * np.ptp(expected))
    assert {path.name for path in whole.iterdir()} == {"model.onnx", "tokenizer.json"}
    assert {path.name for path in small.iterdir()} == {"model.onnx.gz", "tokenizer.json"}


def test_a_reader_on_part_of_mpnet_says_the_same_as_onnx(tmp_path):
    torch.manual_seed(3)
    shape = transformers.MPNetConfig(
        hidden_size=16, num_hidden_layers=3, num_attention_heads=2, intermediate_size=32
    )
    transformers.MPNetModel(shape, add_pooling_layer=False).save_pretrained(tmp_path)
    network = pretrained(str(tmp_path), dropout=0.0, layers=2).eval()
    torch.save({"network": network.state_dict()}, tmp_path / "last.pt")
    again = load_reader(tmp_path / "last.pt", str(tmp_path))
    arrays = inputs(2, 9)
    path = export_network(again, tmp_path / "model.onnx", READER_OUTPUTS)
    for said, expected in zip(run_onnx(path, arrays), run_torch(network, arrays), strict=True):
        np.testing.assert_allclose(said, expected.numpy(), atol=1e-5)


def test_a_rewriter_says_the_same_as_onnx(tmp_path):
    torch.manual_seed(1)
    tokenizer = make_tokenizer()
    size = max(tokenizer.get_vocab().values()) + 1
    shape = bert_config(vocab_size=size, max_position_embeddings=512)
    network = rewriter.untrained(shape, len(PHRASES)).eval()
    torch.nn.init.normal_(network.places.weight)
    torch.nn.init.constant_(network.insert.bias[1:], 9.0)  # it puts something in everywhere
    encoder = tmp_path / "encoder"
    network.encoder.save_pretrained(encoder)
    tokenizer.save(str(encoder / "tokenizer.json"))
    torch.save({"network": network.state_dict()}, tmp_path / "last.pt")
    (tmp_path / "phrases.json").write_text(json.dumps(PHRASES))
    whole, _ = export_checkpoint(
        "rewriter",
        tmp_path / "last.pt",
        encoder=str(encoder),
        folder=tmp_path / "out",
        beside=[encoder / "tokenizer.json", tmp_path / "phrases.json"],
    )
    turns = (("when does the ferry leave?", "at nine"), ("how much is it?", "two pounds"))
    asked = Example("1", "1", "when is it no?", Gold(rewrites=("",)), history=turns, title="ferry")
    prepared = prepare_rewrite(asked, WordPieces(encoder), PHRASES)
    with torch.no_grad():
        [expected] = rewrite(network, [prepared], PHRASES)
    [said] = RewriterModel(whole).rewrite([FollowUp(asked.question, turns, "ferry")])
    assert said == expected != asked.question


def test_a_question_encoder_says_the_same_as_onnx(tmp_path):
    torch.manual_seed(2)
    tokenizer = make_tokenizer()
    size = max(tokenizer.get_vocab().values()) + 1
    shape = bert_config(vocab_size=size, max_position_embeddings=512)
    bert = transformers.BertModel(shape, add_pooling_layer=False)
    network = question_encoder.QuestionEncoder(bert).eval()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    export_encoder(network, tmp_path / "model.onnx")
    texts = ["the ferry [SEP] when does it leave?", "how much is it?"]
    said = TransformerEncoder(tmp_path, name="tiny").encode(texts)
    for text, vector in zip(texts, said, strict=True):
        ids = torch.tensor([tokenizer.encode(text).ids])
        with torch.no_grad():
            [expected] = network(ids, torch.ones_like(ids))
        np.testing.assert_allclose(vector, expected.numpy(), atol=1e-5)


def test_the_exporter_s_notes_stay_behind(exported):
    assert b"site-packages" not in exported.read_bytes()
    assert __file__.encode() not in exported.read_bytes()
