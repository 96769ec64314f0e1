import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from transformers import (  # noqa: E402
    BertForQuestionAnswering,
    BertModel,
    T5Config,
    T5ForConditionalGeneration,
)

from seminar.errors import ConfigurationError, SeminarError  # noqa: E402
from seminar.networks import checkpoints  # noqa: E402
from tests.tiny_networks import bert_config  # noqa: E402

TINY_T5 = T5Config(
    vocab_size=60, d_model=8, d_kv=4, d_ff=16, num_layers=1, num_heads=2, decoder_start_token_id=0
)
TINY_BERT = bert_config()


class Answerer(torch.nn.Module):
    def __init__(self, model) -> None:
        super().__init__()
        self.model = model


class Speaker(Answerer):
    pass


def t5(name: str, **options):
    return checkpoints.backbone(
        name, families=("t5",), tiny=TINY_T5, head=T5ForConditionalGeneration, options=options
    )


def published(folder: Path, model) -> str:
    model.save_pretrained(folder)
    return str(folder)


def same(left, right) -> bool:
    ours, theirs = left.state_dict(), right.state_dict()
    return ours.keys() == theirs.keys() and all(torch.equal(ours[key], theirs[key]) for key in ours)


def test_a_folder_gives_its_weights_and_options_reach_the_configuration(tmp_path):
    model = T5ForConditionalGeneration(TINY_T5)
    loaded = t5(published(tmp_path, model), dropout_rate=0.25)
    assert same(model, loaded)
    assert loaded.config.dropout_rate == 0.25


def test_tiny_has_the_shape_asked_for_and_takes_the_same_options():
    model = t5("tiny", dropout_rate=0.25)
    assert (model.config.d_model, model.config.dropout_rate) == (8, 0.25)
    bert = checkpoints.backbone(
        "tiny",
        families=("bert",),
        tiny=TINY_BERT,
        head=BertModel,
        options={"add_pooling_layer": False},
    )
    assert bert.pooler is None


def test_a_checkpoint_of_another_family_is_named(tmp_path):
    name = published(tmp_path, BertModel(TINY_BERT))
    with pytest.raises(
        ConfigurationError, match=r"is a bert checkpoint; this network needs .*: t5"
    ):
        t5(name)


def test_missing_weights_are_named(tmp_path):
    TINY_T5.save_pretrained(tmp_path)
    with pytest.raises(ConfigurationError, match="can't be loaded as a checkpoint"):
        t5(str(tmp_path))
    weights = T5ForConditionalGeneration(TINY_T5).state_dict()
    part = {key: value for key, value in weights.items() if not key.startswith("decoder.block")}
    T5ForConditionalGeneration(TINY_T5).save_pretrained(tmp_path, state_dict=part)
    with pytest.raises(ConfigurationError, match="lacks 14 weights of T5For"):
        t5(str(tmp_path))


def test_a_new_head_may_be_missing(tmp_path):
    name = published(tmp_path, BertModel(TINY_BERT, add_pooling_layer=False))
    model = checkpoints.backbone(
        name, families=("bert",), tiny=TINY_BERT, head=BertForQuestionAnswering
    )
    assert model.qa_outputs.out_features == 2


def test_a_folder_that_is_not_there_is_not_looked_for_elsewhere(tmp_path):
    with pytest.raises(ConfigurationError, match="is no folder"):
        t5(str(tmp_path / "none"))


def test_the_tiny_tokenizer_has_minilms_word_pieces(tmp_path):
    tokenizer = checkpoints.tokenizer_of("tiny")
    ids = tokenizer("Where's the ferry?")["input_ids"]
    assert ids == [101, 2073, 1005, 1055, 1996, 7115, 1029, 102]
    assert tokenizer.decode(ids, skip_special_tokens=True) == "where's the ferry?"
    marks = (tokenizer.pad_token_id, tokenizer.bos_token_id, tokenizer.eos_token_id)
    assert marks == (checkpoints.PAD, checkpoints.BEGIN, checkpoints.END)
    assert len(tokenizer) == checkpoints.VOCABULARY_SIZE


def test_a_saved_network_comes_back_bit_for_bit_with_its_tokenizer_and_settings(tmp_path):
    network = Answerer(T5ForConditionalGeneration(TINY_T5))
    checkpoints.save(network, tmp_path, {"longest": 64}, tokenizer=checkpoints.tokenizer_of("tiny"))
    assert checkpoints.settings_of(tmp_path) == {"network": "Answerer", "longest": 64}
    loaded = Answerer(checkpoints.untrained(tmp_path, T5ForConditionalGeneration))
    checkpoints.load_weights(loaded, tmp_path)
    assert same(network, loaded)
    assert checkpoints.tokenizer_of(str(tmp_path))("ferry")["input_ids"] == [101, 7115, 102]


def test_tied_weights_are_written_once_and_stay_tied(tmp_path):
    network = Answerer(T5ForConditionalGeneration(TINY_T5))
    checkpoints.save(network, tmp_path, {})
    loaded = Answerer(checkpoints.untrained(tmp_path, T5ForConditionalGeneration))
    checkpoints.load_weights(loaded, tmp_path)
    assert loaded.model.lm_head.weight.data_ptr() == loaded.model.shared.weight.data_ptr()
    parameters = sum(one.numel() for one in network.parameters())
    assert (tmp_path / checkpoints.WEIGHTS).stat().st_size < 4 * parameters + 8000


def test_a_network_of_another_kind_or_shape_is_refused(tmp_path):
    checkpoints.save(Answerer(torch.nn.Linear(2, 2)), tmp_path, {})
    with pytest.raises(ConfigurationError, match="holds a Answerer, not a Speaker"):
        checkpoints.load_weights(Speaker(torch.nn.Linear(2, 2)), tmp_path)
    with pytest.raises(ConfigurationError, match=r"model.weight is \(2, 2\), not \(3, 2\)"):
        checkpoints.load_weights(Answerer(torch.nn.Linear(2, 3)), tmp_path)
    with pytest.raises(ConfigurationError, match=r"model.bias is unknown"):
        checkpoints.load_weights(Answerer(torch.nn.Linear(2, 2, bias=False)), tmp_path)


def test_a_folder_without_settings_or_weights_says_so(tmp_path):
    with pytest.raises(ConfigurationError, match=r"settings.json can't be read"):
        checkpoints.settings_of(tmp_path)
    with pytest.raises(ConfigurationError, match=r"holds no config.json"):
        checkpoints.untrained(tmp_path, BertModel)
    (tmp_path / "settings.json").write_text(json.dumps({"network": "Answerer"}))
    with pytest.raises(ConfigurationError, match="its weights can't be read"):
        checkpoints.load_weights(Answerer(torch.nn.Linear(2, 2)), tmp_path)


def test_a_full_disk_leaves_the_network_before_it_whole(tmp_path):
    resource = pytest.importorskip("resource")
    folder = tmp_path / "model"
    network = Answerer(torch.nn.Linear(40, 40))
    checkpoints.save(network, folder, {"longest": 64})
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, hard))
    try:
        with pytest.raises(SeminarError, match="model: the network can't be written"):
            checkpoints.save(Answerer(torch.nn.Linear(40, 40)), folder, {"longest": 65})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
    assert checkpoints.settings_of(folder)["longest"] == 64
    loaded = Answerer(torch.nn.Linear(40, 40))
    checkpoints.load_weights(loaded, folder)
    assert same(network, loaded)


def test_parameters_are_counted_once_where_they_are_shared(tmp_path):
    from safetensors.torch import save_file

    matrix = torch.arange(6.0).reshape(2, 3)
    tensors = {
        "embedding": matrix,
        "head": matrix.clone(),
        "bias": torch.zeros(3),
        "other bias": torch.zeros(3),
        "half": torch.ones(2, 2, dtype=torch.bfloat16),
        "scalar": torch.tensor(1.0),
    }
    save_file(tensors, tmp_path / "model.safetensors")
    assert checkpoints.parameter_count(tmp_path / "model.safetensors") == 6 + 3 + 3 + 4 + 1
