import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from seminar.errors import ConfigurationError  # noqa: E402
from seminar.metrics.measures.bartscore import symmetric_bartscore  # noqa: E402
from seminar.networks.checkpoints import tokenizer_of  # noqa: E402
from seminar.networks.papers.bartscore import published  # noqa: E402


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A BART of random weights with MiniLM's word pieces."""
    torch.manual_seed(5)
    config = transformers.BartConfig(
        vocab_size=30_522, d_model=16, encoder_layers=1, decoder_layers=1,
        encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=16,
        decoder_ffn_dim=16, max_position_embeddings=32, pad_token_id=0, bos_token_id=101,
        eos_token_id=102, decoder_start_token_id=102, forced_eos_token_id=None,
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("bart")
    transformers.BartForConditionalGeneration(config).save_pretrained(folder)
    tokenizer_of("tiny").save_pretrained(folder)
    return folder


def test_a_score_is_the_mean_log_probability_of_the_target(folder):
    model = transformers.BartForConditionalGeneration.from_pretrained(folder).eval()
    tokenizer = tokenizer_of(str(folder))
    source, target = (
        tokenizer(text, return_tensors="pt")["input_ids"] for text in ("the ferry", "it crosses")
    )
    with torch.no_grad():
        expected = -float(model(input_ids=source, labels=target).loss)
    [score] = published(str(folder))(["the ferry"], ["it crosses"])
    assert score == pytest.approx(expected, abs=1e-5)
    assert score < 0


def test_padding_and_company_change_nothing(folder):
    scorer = published(str(folder))
    texts = ["the ferry", "a longer text about the lighthouse and its keeper", "it"]
    said = ["it crosses at noon every day of the week", "she", "the lamp"]
    alone = [scorer([source], [target])[0] for source, target in zip(texts, said, strict=True)]
    assert scorer(texts, said) == pytest.approx(alone, abs=1e-5)


def test_both_directions_are_averaged(folder):
    scorer = published(str(folder))
    [there], [back] = scorer(["a"], ["b c"]), scorer(["b c"], ["a"])
    assert symmetric_bartscore(["a"], ["b c"], scorer) == [pytest.approx((there + back) / 2)]


def test_a_text_that_is_too_long_is_cut(folder):
    [score] = published(str(folder))(["word " * 100], ["other " * 100])
    assert score < 0


def test_another_family_is_named(tmp_path):
    transformers.BertConfig(hidden_size=8, num_attention_heads=2).save_pretrained(tmp_path)
    with pytest.raises(ConfigurationError, match="is a bert checkpoint; this network needs"):
        published(str(tmp_path))
