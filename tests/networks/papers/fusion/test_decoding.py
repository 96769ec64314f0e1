import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from seminar.networks.papers.fusion.decoding import (  # noqa: E402
    DECODINGS,
    Drawn,
    FewerEnds,
    UnlikeOthers,
    draw,
    fewer_ends,
    greedy,
    probabilities,
    products,
    sample,
)
from seminar.training.papers.fusion.synthetic import questions  # noqa: E402
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
    assert [len(one.sequences) for one in drawn[0]] == [2] * count
    pairs = zip(*drawn, strict=True)
    assert all(torch.equal(one.sequences, other.sequences) for one, other in pairs)


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
    assert (never.sequences == model.config.eos_token_id).sum() == 0
    [always] = fewer_ends(-1e9)(model, states, 6)
    assert always.sequences[:, 1].tolist() == [1, 1]


def test_probabilities_count_up_to_the_end():
    logits = torch.log(torch.tensor([[[0.5, 0.1, 0.4], [0.2, 0.3, 0.5], [0.9, 0.05, 0.05]]]))
    said = [[0, 2, 1, 0], [0, 2, 2, 0], [0, 1, 2, 2]]
    found = products(logits.repeat(3, 1, 1), torch.tensor(said), end=1)
    assert found.tolist() == pytest.approx([0.4 * 0.3, 0.4 * 0.5 * 0.9, 0.1])


def test_probabilities_are_the_networks_own(encoded):
    model, states = encoded
    [plain], [put_off] = greedy(model, states, 3), fewer_ends(0.0)(model, states, 3)
    assert torch.equal(plain.probabilities, put_off.probabilities)
    torch.manual_seed(3)
    drawn = draw(model, states, 1, do_sample=True, top_k=1, temperature=0.1)
    assert torch.equal(drawn.sequences, draw(model, states, 1).sequences)
    assert torch.equal(drawn.probabilities, draw(model, states, 1).probabilities)


def test_probabilities_of_a_second_look_are_those_of_the_drawing(encoded):
    model, states = encoded
    drawn = draw(model, states, 4)
    torch.testing.assert_close(probabilities(model, states, drawn.sequences), drawn.probabilities)


def test_samples_of_a_question_stay_with_it():
    drawn = Drawn(torch.arange(12).view(6, 2), torch.arange(6))
    assert [one.probabilities.tolist() for one in drawn.every(3)] == [[0, 3], [1, 4], [2, 5]]
    assert drawn.every(3)[1].sequences.tolist() == [[2, 3], [8, 9]]


def test_a_sample_is_one_answer(encoded):
    torch.manual_seed(0)
    [drawn] = sample(*encoded, 3)
    assert drawn.sequences.shape[0] == 2
    assert not torch.equal(drawn.sequences, greedy(*encoded, 3)[0].sequences)
