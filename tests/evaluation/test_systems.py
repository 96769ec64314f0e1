import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from seminar.errors import ConfigurationError, DatasetError
from seminar.evaluation.scoring import score
from seminar.evaluation.setup import System
from seminar.evaluation.suites.catalog import find_task
from seminar.evaluation.systems import build, systems_of


@pytest.mark.parametrize("name", systems_of("quac/val"))
def test_every_quac_system_answers_every_question(name: str, make_setup):
    given = make_setup("quac/val")
    predictions = build(name, given).predict(given.examples)
    assert [one.id for one in predictions] == [one.id for one in given.examples]


def test_the_gold_sentence_scores_above_majority(make_setup):
    given = make_setup("quac/val")

    def f1(name: str) -> float:
        predictions = build(name, given).predict(given.examples)
        return score(find_task(given.name), given.examples, predictions)["F1"].mean

    assert f1("majority") == 25.0
    assert f1("gold-sentence") > f1("majority")


def test_a_baseline_without_a_training_set_says_what_it_was_fitted_on(make_setup):
    note = build("transition-matrix", make_setup("quac/val")).note
    assert note == "fitted on the other half of the dialogs of quac/val"


@pytest.mark.parametrize(
    ("system", "split", "file"),
    [
        ("bm25", "qaconv/val", "qaconv/article_segment.json"),
        ("assistant", "qaconv/val-chunk", "qaconv/article_segment.json"),
        ("assistant", "topiocqa/dev", "topiocqa/full_wiki_segments.tsv"),
        ("bm25", "topiocqa/dev", "topiocqa/full_wiki_segments.tsv"),
    ],
)
def test_another_corpus_of_the_same_size_has_another_fingerprint(
    system: str, split: str, file: str, make_setup, files: Path, tmp_path: Path
):
    def built(root: Path, scratch: str) -> System:
        return build(system, replace(make_setup(split), root=root, scratch=tmp_path / scratch))

    other = tmp_path / "data"
    shutil.copytree(files, other)
    before, same = built(files, "before"), built(other, "same")
    text = (other / file).read_text()
    (other / file).write_text(text.replace("On Tuesday", "On Friday").replace("deep", "wide"))
    after = built(other, "after")
    assert before.note == same.note == after.note
    assert before.material == same.material != after.material


def test_official_chunks_are_ranked_where_they_are_there(make_setup):
    system = build("bm25", make_setup("qaconv/val"))
    assert (system.kind, system.note) == ("retrieval", "official chunks")
    [first, *_] = system.predict(make_setup("qaconv/val").examples)
    assert [one.id for one in first.ranking] == ["bc3-1"]


def test_the_assistant_reads_the_context_and_admits_what_it_lacks(make_setup):
    given = make_setup("squad/dev-v2")
    predictions = build("assistant", given).predict(given.examples)
    for example, one in zip(given.examples, predictions, strict=True):
        assert one.answer in example.context


def test_the_assistant_searches_the_corpus(make_setup):
    system = build("assistant", make_setup("topiocqa/dev"))
    assert system.note == "searched 2 passages"


def test_bm25_ranks_the_corpus_of_topiocqa(make_setup):
    given = make_setup("topiocqa/dev")
    predictions = build("bm25", given).predict(given.examples)
    assert predictions[2].ranking[0].title == "Sound [SEP] Depth"


@pytest.mark.parametrize(
    ("system", "message"),
    [
        ("human", "2 of 3 turns have no additional answers"),
        ("extractive-bound", "1 of 3 turns have no gold passages"),
    ],
)
def test_a_bound_that_the_file_can_not_give_is_refused(system: str, message: str, make_setup):
    with pytest.raises(DatasetError, match=message):
        build(system, make_setup("topiocqa/dev"))


def test_a_split_without_context_has_nothing_to_read(make_setup):
    with pytest.raises(DatasetError, match="nothing to read"):
        build("assistant", make_setup("ambigqa/train"))


def test_an_unknown_system_is_named(make_setup):
    with pytest.raises(ConfigurationError, match="Did you mean 'majority'"):
        build("majorty", make_setup("quac/val"))
