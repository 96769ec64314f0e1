import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from seminar.errors import ConfigurationError  # noqa: E402
from seminar.networks.papers.ambigprompt.network import PROMPTINGS, AmbigPrompt  # noqa: E402
from seminar.networks.papers.ambigprompt.reader import (  # noqa: E402
    AmbigPromptReader,
    load,
    save_ambigprompt,
)
from seminar.networks.papers.fusion.network import FusionInDecoder  # noqa: E402
from seminar.networks.papers.fusion.reader import FusionInput  # noqa: E402
from seminar.networks.papers.fusion.texts import Context, KnownAnswers  # noqa: E402
from seminar.training.papers.fusion.synthetic import questions  # noqa: E402
from tests.encoder_decoders import WORLD, small_ambigprompt, small_t5, text_of  # noqa: E402

LAYERS, HEADS = 3, 4


@pytest.fixture
def text():
    return text_of(small_t5())


@pytest.fixture
def context(text):
    examples = questions(WORLD, 2, seed=1, name="test")
    return text.context([one.question for one in examples], [one.passages[:3] for one in examples])


def changed(context, question, passage, place):
    ids = context.ids.clone()
    ids[question, passage, place] = 30
    return Context(ids, context.attended)


def differs(one, other):
    return not torch.equal(one, other)


def test_an_empty_prompt_is_plain_fusion_in_decoder(text, context):
    network = small_ambigprompt()
    plain, known = FusionInDecoder(network.model), text.known_answers([[], []])
    assert known.ids.shape == (2, 0)
    before, after = plain.encode(context), network.encode(context, known)
    assert torch.equal(before.states, after.states)
    assert torch.equal(before.attended, after.attended)
    labels = text.labels(["thing1", "thing2"])
    assert torch.equal(plain(context, labels), network(context, known, labels))


def test_a_known_answer_changes_every_later_layer(text, context):
    network = small_ambigprompt()
    layers = [
        list(network.activations(context, text.known_answers(known)))
        for known in ([["thing1"], []], [["thing2"], []])
    ]
    embeddings, *later = zip(*layers, strict=True)
    assert torch.equal(embeddings[0].passages, embeddings[1].passages)
    assert len(later) == LAYERS
    for one, other in later:
        assert differs(one.prompt[0], other.prompt[0])
        assert all(
            differs(*pair) for pair in zip(one.passages[:3], other.passages[:3], strict=True)
        )
        torch.testing.assert_close(one.passages[3:], other.passages[3:])  # the other question's


def test_the_prompt_sees_the_context_of_the_layer_below(text, context):
    network, known = small_ambigprompt(), text.known_answers([["thing1"], ["thing2"]])
    layers = [list(network.activations(one, known)) for one in (context, changed(context, 0, 2, 5))]
    first, *later = zip(*layers, strict=True)
    assert torch.equal(first[0].prompt, first[1].prompt)
    for one, other in later:
        assert differs(one.prompt[0], other.prompt[0])
        torch.testing.assert_close(one.prompt[1], other.prompt[1])


def by_hand(block, queries, states, bias):
    """A layer of T5's encoder for one sequence: `queries` attend to `states`, head by head."""
    attention, normed = block.layer[0].SelfAttention, block.layer[0].layer_norm
    query, key, value = (
        project(normed(rows)).view(len(rows), HEADS, -1)
        for project, rows in (
            (attention.q, queries),
            (attention.k, states),
            (attention.v, states),
        )
    )
    mixed = [
        torch.softmax(query[:, head] @ key[:, head].T + bias[0, head], dim=-1) @ value[:, head]
        for head in range(HEADS)
    ]
    attended = queries + attention.o(torch.cat(mixed, dim=-1))
    return block.layer[-1](attended)


def test_equations_4_and_6_by_hand(text, context):
    network = small_ambigprompt()
    one = Context(context.ids[:1], context.attended[:1])
    known = text.known_answers([["thing1", "thing2"]])
    embeddings, first, *_ = network.activations(one, known)
    block = network.model.encoder.block[0]
    prompt, passages = embeddings.prompt[0], embeddings.passages
    before, tokens = prompt.shape[0], passages.shape[1]
    bias = block.layer[0].SelfAttention.compute_bias(before + tokens, before + tokens)
    beside = [bias[:, :, :before, before:]] * 3
    expected = by_hand(  # Eq. 6: the prompt beside all passages
        block,
        prompt,
        torch.cat([prompt, *passages]),
        torch.cat([bias[:, :, :before, :before], *beside], dim=-1),
    )
    torch.testing.assert_close(first.prompt[0], expected)
    for passage, found in zip(passages, first.passages, strict=True):  # Eq. 4: after the prompt
        states = torch.cat([expected, passage])
        torch.testing.assert_close(found, by_hand(block, passage, states, bias[:, :, before:]))


def test_the_decoder_attends_to_prompt_and_context(text, context):
    network, known = small_ambigprompt(), text.known_answers([["thing1", "thing2"], ["thing3"]])
    *_, last = network.activations(context, known)
    encoded = network.encode(context, known)
    places = known.ids.shape[1]
    norm = network.model.encoder.final_layer_norm
    assert encoded.states.shape == (2, places + 3 * context.ids.shape[2], 32)
    torch.testing.assert_close(encoded.states[:, :places], norm(last.prompt))
    torch.testing.assert_close(encoded.states[:, places:], norm(last.passages).view(2, -1, 32))
    assert encoded.attended[:, :places].tolist() == [[True] * 3, [False, False, True]]
    labels = text.labels(["thing4", "thing4"])
    blind = KnownAnswers(known.ids, torch.zeros_like(known.attended), known.counts)
    assert network(context, known, labels) != network(context, blind, labels)


@pytest.mark.parametrize("prompting", PROMPTINGS)
def test_padding_changes_nothing(prompting, text, context):
    network, labels = small_ambigprompt(prompting), text.labels(["thing4"])
    known = text.known_answers([["thing1"], ["thing2", "thing3", "thing4"]])
    more = Context(
        torch.nn.functional.pad(context.ids, (0, 4, 0, 2)),
        torch.nn.functional.pad(context.attended, (0, 4, 0, 2)),
    )
    single = network(context.rows([0]), text.known_answers([["thing1"]]), labels)
    beside = KnownAnswers(known.ids[:1], known.attended[:1], known.counts[:1])
    torch.testing.assert_close(network(more.rows([0]), beside, labels), single)


def test_without_interleaving_passages_and_prompt_do_not_see_each_other(text, context):
    network = small_ambigprompt("separate")
    known = [text.known_answers([[word], []]) for word in ("thing1", "thing2")]
    one, other = (network.encode(context, each).states for each in known)
    assert torch.equal(one[:, 1:], other[:, 1:])
    assert torch.equal(one[:, 1:], FusionInDecoder(network.model).encode(context).states)
    again = network.encode(changed(context, 0, 0, 5), known[0]).states
    assert torch.equal(again[:, :1], one[:, :1])


def test_learned_prompts_know_only_how_many_answers_there_are(text, context):
    network = small_ambigprompt("learned")
    encode = lambda known: network.encode(context, text.known_answers(known)).states  # noqa: E731
    one = encode([["thing1"], ["thing2"]])
    assert torch.equal(one, encode([["thing3"], ["thing4"]]))
    assert differs(one[0], encode([["thing1", "thing2"], ["thing2"]])[0])
    assert differs(one[0], encode([[], ["thing2"]])[0])
    many = [[f"thing{n}" for n in range(30)], []]
    assert encode(many).shape == one.shape


@pytest.mark.parametrize("prompting", PROMPTINGS)
def test_gradients_reach_every_weight(prompting, text, context):
    network = small_ambigprompt(prompting).train()
    network(
        context, text.known_answers([["thing1"], []]), text.labels(["thing2", "[EOI]"])
    ).backward()
    without = [
        name
        for name, weights in network.named_parameters()
        if weights.grad is None or not weights.grad.abs().sum()
    ]
    assert without == []
    assert len(set(map(id, network.parameters()))) == len(list(small_t5().parameters())) + (
        prompting == "learned"
    )  # the prompting model is the encoder itself


def test_32_samples_are_memorised(text, tmp_path):
    answers = [[f"thing{3 * at + n}" for n in range(3)] for at in range(8)]
    asked = [FusionInput(f"subject{at} what1", ("thing30", "thing31 thing32")) for at in range(8)]
    lessons = [
        (one, found[:known], [*found, "[EOI]"][known])
        for one, found in zip(asked, answers, strict=True)
        for known in range(4)
    ]
    network = small_ambigprompt().train()
    context = text.context(
        [one.question for one, _, _ in lessons], [one.passages for one, _, _ in lessons]
    )
    known = text.known_answers([known for _, known, _ in lessons])
    labels = text.labels([target for _, _, target in lessons])
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-2)
    for _ in range(200):
        optimizer.zero_grad()
        loss = network(context, known, labels)
        loss.backward()
        optimizer.step()
        if loss.item() < 0.02:
            break
    assert (len(lessons), loss.item() < 0.02) == (32, True)
    reader = AmbigPromptReader(network, text)
    assert [[one.text for one in found] for found in reader.answers(asked)] == answers
    [rest] = reader.answers(asked[:1], [["thing0"]])
    assert [one.text for one in rest] == ["thing1", "thing2"]
    save_ambigprompt(reader, tmp_path)
    loaded = load(tmp_path)
    assert loaded.answers(asked) == reader.answers(asked)
    assert torch.equal(
        loaded.network.encode(context, known).states, network.encode(context, known).states
    )


def test_learned_prompts_are_saved_and_loaded(text, context, tmp_path):
    network = small_ambigprompt("learned")
    save_ambigprompt(AmbigPromptReader(network, text), tmp_path)
    loaded, known = load(tmp_path).network, text.known_answers([["thing1"], []])
    assert torch.equal(loaded.encode(context, known).states, network.encode(context, known).states)


def test_an_unknown_prompting_is_named():
    with pytest.raises(ConfigurationError, match=r"unknown prompting 'interleave'\. Did you mean"):
        AmbigPrompt(small_t5(), prompting="interleave")
