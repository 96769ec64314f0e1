import gzip
import json
from pathlib import Path

import pytest

from seminar.datasets.catalog import (
    DATASETS,
    documents,
    load,
    load_file,
    passages,
    recognise,
    threads,
)
from seminar.errors import ConfigurationError, DatasetError
from seminar.types import Passage


def test_unknown_dataset_suggests_the_nearest():
    with pytest.raises(
        ConfigurationError, match=r"unknown dataset 'topiocq'\. Did you mean 'topio"
    ):
        load("topiocq/dev", Path())
    with pytest.raises(ConfigurationError, match=r"unknown dataset 'qac'. Did you mean 'quac'"):
        load_file("qac", Path("val.json"))


def test_unknown_split_names_the_known_ones():
    with pytest.raises(
        ConfigurationError, match=r"unknown split of coqa 'test'. Known: dev, train"
    ):
        load("coqa/test", Path())


def test_unknown_collections():
    with pytest.raises(ConfigurationError, match="unknown document collection 'quac'"):
        documents("quac", Path())
    with pytest.raises(ConfigurationError, match="unknown thread collection 'quac'"):
        threads("quac", Path())


def test_neither_root_nor_variable(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("SEMINAR_DATA", raising=False)
    with pytest.raises(ConfigurationError, match="no folder of datasets: pass root, or set SEMIN"):
        load("quac/val")


def test_root_from_the_environment(monkeypatch: pytest.MonkeyPatch, files: Path):
    monkeypatch.setenv("SEMINAR_DATA", str(files))
    assert len(list(load("quac/val"))) == 4


def test_missing_file_says_which_one_to_put_where(tmp_path: Path):
    with pytest.raises(DatasetError) as error:
        load("quac/val", tmp_path)
    assert str(error.value) == (
        f"{tmp_path / 'quac'}: no 'val_v0.2.json' here, nor with .gz; put the official file there"
    )


def test_gzipped_file_is_found_too(tmp_path: Path, files: Path):
    (tmp_path / "quac").mkdir()
    plain = (files / "quac/val_v0.2.json").read_bytes()
    (tmp_path / "quac/val_v0.2.json.gz").write_bytes(gzip.compress(plain))
    assert list(load("quac/val", tmp_path)) == list(load("quac/val", files))


def test_contexts_are_given_once_each(files: Path):
    assert list(passages("squad/dev-v2", files)) == [
        Passage(
            "Lindmere_ferry/0",
            0,
            73,
            "The Lindmere ferry crosses the sound twice a day. It was founded in 1922.",
            title="Lindmere_ferry",
        ),
        Passage("Sound/1", 0, 18, "The sound is deep.", title="Sound"),
    ]


def test_examples_stream(tmp_path: Path):
    path = tmp_path / "dev.jsonl"
    good = {"question": "is it", "passage": "It is.", "answer": True}
    path.write_text(json.dumps(good) + "\n" + '{"question": 3}\n')
    examples = load_file("boolq", path)
    assert next(examples).question == "is it"
    with pytest.raises(DatasetError, match=r"dev\.jsonl:2: question: expected text, found 3"):
        next(examples)


def test_a_bad_record_is_named_by_its_path(tmp_path: Path, files: Path):
    data = json.loads((files / "quac/val_v0.2.json").read_text())
    del data["data"][0]["paragraphs"][0]["qas"][2]["followup"]
    path = tmp_path / "val.json"
    path.write_text(json.dumps(data))
    examples = load_file("quac", path)
    assert [next(examples).turn, next(examples).turn] == [1, 2]
    with pytest.raises(DatasetError) as error:
        next(examples)
    assert str(error.value) == (
        "val.json: data[0].paragraphs[0].qas[2]: has no 'followup'"
        " (it has answers, id, orig_answer, question, yesno)"
    )


def test_a_file_of_another_dataset_is_named(files: Path):
    with pytest.raises(DatasetError, match="this looks like squad, not quac"):
        list(load_file("quac", files / "squad/dev-v2.0.json"))


OFFICIAL = [
    ("abg_coqa", "abg_coqa/coqa_abg_val.json"),
    ("ambigqa", "ambigqa/train_light.json"),
    ("boolq", "boolq/dev.jsonl"),
    ("canard", "canard/dev.json"),
    ("bc3", "bc3/annotation.xml"),
    ("coqa", "coqa/coqa-dev-v1.0.json"),
    ("friendsqa", "friendsqa/friendsqa_dev.json"),
    ("molweni", "molweni/MRC(withDiscourse)/test.json"),
    ("nq_gold_passages", "nq_gold_passages/nq-open-oracle.jsonl.gz"),
    ("nq_open", "nq_open/NQ-open.dev.jsonl"),
    ("pragmaticqa", "pragmaticqa/val.jsonl"),
    ("qaconv", "qaconv/val.json"),
    ("qrecc", "qrecc/qrecc_test.json"),
    ("quac", "quac/val_v0.2.json"),
    ("squad", "squad/dev-v2.0.json"),
    ("topiocqa", "topiocqa/topiocqa_dev.json"),
    ("trec_cast", "trec_cast/2019/data/evaluation/evaluation_topics_v1.0.json"),
    ("webqsp", "webqsp/WebQSP.test.json"),
    ("written", "written/dev.jsonl"),
    ("webquestions", "webquestions/val.json"),
]


@pytest.mark.parametrize(("name", "file"), OFFICIAL)
def test_every_official_format_is_recognised(files: Path, name: str, file: str):
    assert recognise(files / file) == name


def test_every_dataset_has_an_official_file_to_recognise():
    assert set(DATASETS) == {name for name, _ in OFFICIAL}
    assert all(module.SIGNATURE for module in DATASETS.values())
