import math

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from seminar.errors import ConfigurationError  # noqa: E402
from seminar.networks.checkpoints import tokenizer_of  # noqa: E402
from seminar.networks.papers.span_qa.network import (  # noqa: E402
    Candidate,
    Decision,
    SpanQa,
    SpanQaReader,
    export,
    load,
    pretrained,
    published,
    span_loss,
)
from seminar.networks.papers.span_qa.windows import SpanInputs, WindowSizes, n_best  # noqa: E402
from seminar.types import Hit, Passage, Query  # noqa: E402

TEXT = "Ann came to the town by the river and stayed there."


def inputs_of(question: int = 8, window: int = 16, stride: int = 4) -> SpanInputs:
    return SpanInputs(tokenizer_of("tiny"), WindowSizes(question, window, stride))


def network() -> SpanQa:
    torch.manual_seed(2)
    return pretrained("tiny").eval()


def hit(text: str) -> Hit:
    return Hit(Passage(text[:5], 0, len(text), text), 1.0)


def words(inputs: SpanInputs, ids) -> str:
    return " ".join(inputs.tokenizer.convert_ids_to_tokens(list(ids)))


def test_windows_cover_the_text_a_stride_apart():
    inputs = inputs_of()
    first, second = inputs.windows("who came?", TEXT)
    assert words(inputs, first.ids) == (
        "[CLS] who came ? [SEP] ann came to the town by the river and stayed [SEP]"
    )
    assert words(inputs, second.ids) == (
        "[CLS] who came ? [SEP] to the town by the river and stayed there . [SEP]"
    )
    assert first.segments == (0,) * 5 + (1,) * 11
    assert [TEXT[slice(*one.characters(5, 5))] for one in (first, second)] == ["Ann", "to"]
    assert len(inputs_of(window=64).windows("who came?", TEXT)) == 1
    assert [words(inputs, one.ids) for one in inputs.windows("", "")] == ["[CLS] [SEP] [SEP]"]


def test_windows_far_apart_still_leave_nothing_out():
    seen = inputs_of(stride=400).windows("who came?", TEXT)
    covered = {offset for window in seen for offset in window.offsets}
    assert covered == {
        offset for window in inputs_of().windows("", TEXT) for offset in window.offsets
    }


def test_an_answer_that_is_not_whole_in_sight_is_none():
    first, second = inputs_of().windows("who came?", TEXT)
    assert first.tokens((0, 3)) == (5, 5)
    assert second.tokens((0, 3)) == (0, 0)
    # "stayed there" ends beyond the first window.
    assert first.tokens((38, 50)) == (0, 0)
    assert second.tokens((38, 50)) == (12, 13)
    assert first.tokens(None) == (0, 0)


def test_a_question_longer_than_its_share_is_cut():
    inputs = inputs_of(question=3)
    [window, *_] = inputs.windows("who of all the people came?", TEXT)
    assert words(inputs, window.ids[:5]) == "[CLS] who of all [SEP]"


def test_sizes_without_room_are_refused():
    with pytest.raises(ConfigurationError, match="no room for a question of 20"):
        WindowSizes(question=20, window=24)
    with pytest.raises(ConfigurationError, match="a window of 384 tokens, 0 apart"):
        WindowSizes(stride=0)


def test_the_best_spans_come_first_and_may_overlap():
    start = np.array([9.0, 0.0, 3.0, 1.0], dtype=np.float32)
    end = np.array([9.0, 1.0, 0.0, 2.0], dtype=np.float32)
    # Token 0 is [CLS]; the text is 1 to 3. From 2: to 3 is 3 + 2, to 2 is 3 + 0.
    assert n_best(start, end, (1, 4), longest=2, count=3) == [(2, 3, 5.0), (2, 2, 3.0), (3, 3, 3.0)]
    assert n_best(start, end, (1, 4), longest=1, count=9) == [(2, 2, 3.0), (3, 3, 3.0), (1, 1, 1.0)]
    assert n_best(start, end, (2, 2), longest=2, count=3) == []


def test_the_loss_is_the_mean_of_both_cross_entropies():
    start, end = torch.log(torch.tensor([[0.5, 0.5]])), torch.log(torch.tensor([[0.2, 0.8]]))
    expected = torch.tensor(-(math.log(0.5) + math.log(0.8)) / 2)
    torch.testing.assert_close(span_loss(start, end, torch.tensor([[0, 1]])), expected)


class Scripted(torch.nn.Module):
    """Gives tokens the logits that a test wrote out by word, all others 0, and [CLS] its own."""

    def __init__(self, inputs: SpanInputs, logits: dict[str, float], null: dict[str, float]):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(1))
        self.inputs, self.logits, self.null = inputs, logits, null

    def forward(self, ids, attended, segments, readable):
        start = torch.full(ids.shape, -1e9)
        for row, tokens in enumerate(ids.tolist()):
            said = self.inputs.tokenizer.convert_ids_to_tokens(tokens)
            for at, word in enumerate(said):
                if readable[row, at]:
                    start[row, at] = self.logits.get(word, -5.0)
            start[row, 0] = min(value for word, value in self.null.items() if word in said)
        return start, start


def scripted(null: dict[str, float], **options) -> SpanQaReader:
    inputs = inputs_of()
    logits = {"ann": 2.0, "river": 1.5, "there": 1.0}
    return SpanQaReader(Scripted(inputs, logits, null), inputs, **options)


def test_the_null_score_is_the_lowest_of_all_windows():
    # The first window sees "ann" and is sure that there is an answer, the second is not.
    reader = scripted({"ann": 0.5, "there": 3.0}, decision=Decision(longest=1, count=3))
    [candidates] = reader.candidates([("who came?", TEXT)])
    assert candidates == [
        Candidate(0, 3, 4.0 - 1.0),
        Candidate(28, 33, 3.0 - 1.0),
        Candidate(45, 50, 2.0 - 1.0),
    ]
    [answers] = reader.read([Query("who came?")], [[hit(TEXT)]])
    assert [answer.text for answer in answers] == ["Ann", "river", "there"]
    assert answers[0].score == pytest.approx(1 / (1 + math.exp(-3)))


def test_null_above_the_best_span_is_no_answer():
    sure = {"decision": Decision(longest=1, count=3)}
    assert scripted({"[CLS]": 2.1}, **sure).read([Query("who?")], [[hit(TEXT)]]) == [[]]
    lenient = Decision(longest=1, count=3, null_threshold=0.5)
    [answers] = scripted({"[CLS]": 2.1}, decision=lenient).read([Query("who?")], [[hit(TEXT)]])
    assert answers[0].text == "Ann"  # null is ahead by 0.2 only


def test_only_the_first_passages_are_read_and_lists_keep_their_order():
    reader = scripted({"[CLS]": -9.0}, decision=Decision(longest=1, count=1))
    hits = [[], [hit("By the river."), hit("Ann was there.")], [hit("Ann came.")]]
    answers = reader.read([Query("a"), Query("b"), Query("c")], hits)
    assert [[one.text for one in found] for found in answers] == [[], ["river"], ["Ann"]]
    assert reader.read([], []) == []
    both = scripted({"[CLS]": -9.0}, decision=Decision(longest=1, count=1), passages=2)
    [found] = both.read([Query("b")], hits[1:2])
    assert [one.text for one in found] == ["Ann", "river"]


def test_padding_changes_nothing():
    inputs, made = inputs_of(window=48), network()
    [short] = inputs.windows("who came?", "Ann came.")
    [long] = inputs.windows("who came?", TEXT)
    with torch.no_grad():
        alone, beside = made(*inputs.stacked([short])), made(*inputs.stacked([short, long]))
    length = len(short.ids)
    assert beside[0].shape[1] > length
    torch.testing.assert_close(beside[0][:1, :length], alone[0])
    torch.testing.assert_close(beside[1][:1, :length], alone[1])


def test_gradients_reach_every_weight():
    inputs, made = inputs_of(window=48), network().train()
    [window] = inputs.windows("who came?", TEXT)
    start, end = made(*inputs.stacked([window]))
    span_loss(start, end, torch.tensor([window.tokens((0, 3))])).backward()
    assert [name for name, weights in made.named_parameters() if weights.grad is None] == []


def test_what_is_saved_and_loaded_reads_the_same_bit_for_bit(tmp_path):
    inputs, made = inputs_of(), network()
    decision = Decision(longest=5, count=7, null_threshold=-1.0)
    export(made, tmp_path, inputs=inputs, decision=decision, passages=2)
    again = load(tmp_path)
    assert (again.inputs.sizes, again.decision, again.passages) == (inputs.sizes, decision, 2)
    asked = [("who came?", TEXT)]
    assert again.candidates(asked) == SpanQaReader(made, inputs, decision=decision).candidates(
        asked
    )


def roberta(folder):
    """A tiny RoBERTa for question answering with a byte-level tokenizer, as they are published."""
    from tokenizers import ByteLevelBPETokenizer

    trained = ByteLevelBPETokenizer(add_prefix_space=False)
    trained.train_from_iterator([TEXT], special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"])
    shape = transformers.RobertaConfig(
        vocab_size=trained.get_vocab_size(),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=70,
        type_vocab_size=1,
    )
    transformers.RobertaForQuestionAnswering(shape).save_pretrained(folder)
    trained.save_model(str(folder))
    transformers.RobertaTokenizerFast.from_pretrained(folder).save_pretrained(folder)


def test_roberta_has_its_own_marks_and_no_segments(tmp_path):
    roberta(tmp_path)
    reader = published(str(tmp_path), sizes=WindowSizes(question=12, window=48, stride=12))
    [window, *_] = reader.inputs.windows("who?", TEXT)
    tokens = reader.inputs.tokenizer.convert_ids_to_tokens(list(window.ids))
    assert tokens[0] == "<s>"
    assert tokens[window.start - 2 : window.start] == ["</s>", "</s>"]
    assert TEXT[slice(*window.characters(*window.tokens((9, 20))))] == "to the town"
    assert set(window.segments) == {0}
    [candidates] = reader.candidates([("who?", TEXT)])
    assert candidates


def test_another_family_another_network_and_missing_weights_are_named(tmp_path):
    shape = transformers.T5Config(vocab_size=60, d_model=8, d_kv=4, d_ff=16, num_layers=1)
    transformers.T5ForConditionalGeneration(shape).save_pretrained(tmp_path / "t5")
    with pytest.raises(ConfigurationError, match="is a t5 checkpoint; this network needs one of"):
        pretrained(str(tmp_path / "t5"))
    own = tmp_path / "own"
    export(network(), own, inputs=inputs_of(), decision=Decision(), passages=1)
    (own / "model.safetensors").unlink()
    with pytest.raises(ConfigurationError, match="weights can't be read"):
        load(own)
    settings = own / "settings.json"
    settings.write_text(settings.read_text().replace('"SpanQa"', '"DprReader"'))
    with pytest.raises(ConfigurationError, match="holds a DprReader, not a SpanQa"):
        load(own)
