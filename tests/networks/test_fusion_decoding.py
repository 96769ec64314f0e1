import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from seminar.networks.fusion import generate  # noqa: E402
from seminar.networks.fusion_decoding import (  # noqa: E402
    DECODINGS,
    FewerEnds,
    UnlikeOthers,
    fewer_ends,
    probabilities,
    sample,
)
from seminar.training.synthetic import questions  # noqa: E402
from tests.encoder_decoders import WORLD, small_reader  # noqa: E402


@pytest.fixture
def encoded():
    reader = small_reader()
    examples = questions(WORLD, 2, seed=1, name="test")
    context = reader.text.context(
        [one.question for one in examples], [one.passages for one in examples]
    )
    with torch.no_grad():
        return reader.network.model, reader.network.encode(context)


@pytest.mark.parametrize(
    ("name", "count"), [("greedy", 1), ("nucleus", 3), ("top-k", 3), ("diverse-beam", 3)]
)
def test_each_way_draws_its_number_of_answers_and_the_seed_decides(name, count, encoded):
    drawn = []
    for _ in range(2):
        torch.manual_seed(5)
        drawn.append(DECODINGS[name](*encoded, 4))
    assert [len(sequences) for sequences in drawn[0]] == [2] * count
    assert all(torch.equal(*pair) for pair in zip(*drawn, strict=True))


def test_a_beam_is_held_back_from_what_others_chose_at_its_place():
    others = [torch.tensor([[0, 3, 2]]), torch.tensor([[0, 3]])]
    rule = UnlikeOthers(others, penalty=0.5, temperature=0.8)
    plain = torch.log_softmax(torch.zeros(1, 4) / 0.8, dim=-1)
    first = rule(torch.tensor([[0]]), torch.zeros(1, 4)) - plain
    second = rule(torch.tensor([[0, 1]]), torch.zeros(1, 4)) - plain
    third = rule(torch.tensor([[0, 1, 1]]), torch.zeros(1, 4)) - plain
    assert first.tolist() == [[0.0, 0.0, 0.0, -1.0]]
    assert second.tolist() == [[0.0, 0.0, -0.5, 0.0]]
    assert third.tolist() == [[0.0, 0.0, 0.0, 0.0]]


def test_the_end_is_put_off_by_its_penalty(encoded):
    model, states = encoded
    lowered = FewerEnds(1, 2.0)(torch.tensor([[0]]), torch.zeros(1, 3))
    assert lowered.tolist() == [[0.0, -2.0, 0.0]]
    [never] = fewer_ends(1e9)(model, states, 6)
    assert (never == model.config.eos_token_id).sum() == 0
    [always] = fewer_ends(-1e9)(model, states, 6)
    assert always[:, 1].tolist() == [1, 1]


def test_probabilities_are_those_of_the_whole_text(encoded):
    model, states = encoded
    ends = [torch.tensor([[0, 5, 1, 0]] * 2), torch.tensor([[0, 5, 1, 7]] * 2)]
    assert torch.equal(*(probabilities(model, states, one) for one in ends))
    vocabulary = model.config.vocab_size
    total = sum(
        probabilities(model, states, torch.tensor([[0, token]] * 2)) for token in range(vocabulary)
    )
    torch.testing.assert_close(total, torch.ones(2))


def test_a_sample_is_one_answer(encoded):
    torch.manual_seed(0)
    [drawn] = sample(*encoded, 3)
    assert drawn.shape[0] == 2
    assert not torch.equal(drawn, generate(*encoded, tokens=3))
