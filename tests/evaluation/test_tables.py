import json

from seminar.evaluation.suites.catalog import find_task
from seminar.evaluation.tables import Report, Row, as_json, as_markdown, as_text, make_table
from seminar.metrics.statistics import Interval

ROW = Row("mine", {"F1": Interval(61.25, 60.0, 62.5)}, 1234, 12.345, 321.9, "a | note")


def report() -> Report:
    table = make_table("quac/val", "answers", find_task("quac/val"), [ROW])
    return Report("quac/val", {"questions": 1234, "words": 6.5432}, (table,))


def test_text_shows_ours_then_the_papers():
    lines = as_text(report()).splitlines()
    [mine] = [line for line in lines if line.startswith("mine")]
    [theirs] = [line for line in lines if "60.1 " in line]
    assert mine.split()[:4] == ["mine", "61.2", "[60.0,", "62.5]"]
    assert mine.split()[6:9] == ["1,234", "12.35", "322"]
    assert "QuAC table 4, test" in theirs
    assert lines.index(mine) < lines.index(theirs)


def test_markdown_keeps_its_columns():
    rows = [line for line in as_markdown(report()).splitlines() if line.startswith("| mine")]
    assert rows == [
        "| mine | 61.2 [60.0, 62.5] | – | – | 1,234 | 12.35 | 322 | a \\| note |",
    ]


def test_json_holds_numbers_unrounded():
    value = json.loads(as_json(report()))
    [table] = value["tables"]
    assert table["rows"][0]["scores"]["F1"] == {"mean": 61.25, "low": 60.0, "high": 62.5}
    assert table["published"][-1] == {
        "system": "BiDAF++ w/ 2-ctx",
        "place": "QuAC table 4, test",
        "scores": {"F1": 60.1, "HEQ-Q": 54.8},
    }
    assert value["data"]["words"] == 6.5432


def test_a_column_without_scores_is_left_out():
    table = make_table("quac/val", "answers", find_task("quac/val"), [ROW])
    assert table.columns == ("F1", "HEQ-Q", "HEQ-D")


def test_located_chunks_have_no_rows_of_the_paper_beside():
    kind = "located chunks"
    table = make_table("qaconv/tst-full", kind, find_task("qaconv/tst-full", kind), [])
    assert table.published == ()
