"""Quantisation-aware training sees the weights that the int8 export will write."""

from itertools import islice
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from seminar.networks.reader import ReaderNetwork, untrained  # noqa: E402
from seminar.training.loop.run import Position  # noqa: E402
from seminar.training.reader.config import ReaderConfig  # noqa: E402
from seminar.training.reader.quantisation import STEPS, quantised_weights  # noqa: E402
from seminar.training.reader.task import ReaderTask  # noqa: E402
from tests.tiny_networks import bert_config, reader_examples  # noqa: E402


def network(seed: int = 0) -> ReaderNetwork:
    torch.manual_seed(seed)
    tiny = untrained(bert_config()).eval()
    for name, weights in tiny.named_parameters():
        if name.endswith("bias"):  # equal biases can't be distinguished in an export
            torch.nn.init.normal_(weights)
    return tiny


# The exporter warns of its own future; what it writes is what is tested here.
@pytest.mark.filterwarnings("ignore")
def test_quantised_weights_are_those_of_an_export(tmp_path: Path):
    pytest.importorskip("onnxscript")
    from seminar.training.export import READER_OUTPUTS, export_network, quantise
    from seminar.training.reader.from_onnx import WORDS, recover

    trained, recovered = network(0), network(1)
    recovered.load_state_dict(recovered.state_dict() | {WORDS: trained.state_dict()[WORDS]})
    exported = export_network(trained, tmp_path / "float.onnx", READER_OUTPUTS)
    quantise(exported, tmp_path / "model.onnx")
    recover(recovered, tmp_path)
    for name, weights in quantised_weights(trained).items():
        assert torch.allclose(weights, recovered.state_dict()[name], atol=1e-7), name


def test_rounding_is_to_whole_steps_of_each_output():
    tiny = network()
    weights = tiny.type_head.weight.detach()
    rounded = quantised_weights(tiny)["type_head.weight"].detach()
    step = weights.abs().amax(dim=1, keepdim=True) / STEPS
    assert torch.allclose(rounded / step, (rounded / step).round(), atol=1e-4)
    assert float(((rounded - weights).abs() / step).max()) <= 0.5001


def test_rounded_weights_round_to_themselves():
    tiny = network()
    state = {name: weights.detach() for name, weights in quantised_weights(tiny).items()}
    tiny.load_state_dict(tiny.state_dict() | state)
    for name, weights in quantised_weights(tiny).items():
        assert torch.allclose(weights, state[name], atol=1e-6), name


def test_gradients_pass_through_the_rounding():
    tiny = network()
    quantised_weights(tiny)["type_head.weight"].sum().backward()
    assert torch.equal(tiny.type_head.weight.grad, torch.ones_like(tiny.type_head.weight))


def test_frozen_matrices_and_embeddings_are_not_rounded():
    tiny = network()
    tiny.freeze(1)
    names = quantised_weights(tiny)
    assert not any("embeddings" in name or ".layer.0." in name for name in names)
    assert any(".layer.1." in name for name in names)


def test_a_quantisation_aware_task_takes_its_losses_from_rounded_weights():
    config = ReaderConfig(batch_size=8, windows=((0, 24),), quantisation_aware=True)
    tiny = network()
    aware = ReaderTask(tiny, config, reader_examples())
    [(batch, _)] = islice(aware.batches(Position()), 1)
    losses = aware.losses(batch)
    sum(losses.values()).backward()
    assert tiny.span_head.weight.grad.abs().sum() > 0

    rounded = {name: weights.detach() for name, weights in quantised_weights(tiny).items()}
    tiny.load_state_dict(tiny.state_dict() | rounded)
    plain = ReaderTask(tiny, ReaderConfig(batch_size=8, windows=((0, 24),)), reader_examples())
    for name, loss in plain.losses(batch).items():
        assert torch.allclose(loss, losses[name], atol=1e-6), name
