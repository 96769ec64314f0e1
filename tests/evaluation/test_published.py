from seminar.datasets.catalog import DATASETS
from seminar.evaluation.published import published_rows, rows_beside
from seminar.evaluation.suites.catalog import SUITES


def test_every_headline_table_of_the_papers_is_there():
    tables = {(row.paper, row.number) for row in published_rows()}
    assert tables == {
        ("QuAC", 4),
        *(("QAConv", number) for number in (6, 7, 8, 9, 10, 11, 13, 14, 15, 16)),
        *(("TopiOCQA", number) for number in (5, 6, 7)),
        *(("AmbigPrompt", number) for number in (2, 3, 4, 5, 6)),
        ("PragmatiCQA", 4),
    }


def test_published_rows_name_splits_that_exist():
    kinds = {kind for suite in SUITES.values() for kind in suite.tasks}
    for row in published_rows():
        assert row.task in kinds
        for name in row.beside:
            dataset, _, split = name.partition("/")
            assert split in DATASETS[dataset].SPLITS


def test_figures_are_as_printed():
    rows = {
        (row.place, row.system): row.scores
        for row in rows_beside("topiocqa/dev", "retrieval", ("Top-20", "Top-100"))
    }
    assert rows["TopiOCQA table 6, dev", "BM25, all history"] == {"Top-20": 23.1, "Top-100": 36.8}
    assert rows["TopiOCQA table 6, test", "DPR Retriever, rewrites"] == {
        "Top-20": 49.3,
        "Top-100": 61.1,
    }


def test_an_empty_cell_is_no_zero():
    [row] = [
        row
        for row in rows_beside("molweni/test", "answers", ("EM",))
        if row.system == "Human" and row.setting == "Molweni, zero-shot"
    ]
    assert row.scores == {"EM": 64.3, "F1": 80.2}


def test_published_rows_without_a_shared_column_are_left_out():
    assert rows_beside("qaconv/tst-chunk", "answers", ("MR@5",)) == []
