import json
import re
from pathlib import Path

import pandas as pd
import pytest

from seminar.analysis.exhibits import Section, Table
from seminar.analysis.figures.topics import run_lengths_chart
from seminar.analysis.report import writing
from seminar.analysis.report.page import ROWS, page, safe_json
from seminar.analysis.report.writing import write_report
from seminar.errors import ConfigurationError
from tests.analysis.corpus import FRAME

EVIL = "</script><script>alert(1)</script> \u2028 <img src=x onerror=alert(2)> &amp;"
SPOKEN = [{"system": EVIL, "answer": EVIL, "score": 0}]
ERROR = {"id": EVIL, "question": EVIL, "type": EVIL, "history": [[EVIL, EVIL]], "gold": [EVIL]}
ERROR |= {"evidence": EVIL, "predictions": SPOKEN}


def table(name: str = "words") -> Table:
    return Table(name, EVIL, pd.DataFrame({EVIL: [EVIL], "n": [1.5]}), EVIL)


def test_data_in_the_page_are_what_was_given():
    html = page("x", [Section("s", errors=(ERROR,))], {})
    [data] = re.findall(r'id="data">(.*?)</script>', html)
    assert json.loads(data)["errors"]["1"] == [ERROR]
    assert "\u2028" not in html
    assert safe_json(EVIL).isascii()


def test_texts_are_escaped_and_nothing_is_loaded():
    html = page(EVIL, [Section(EVIL, (table(),), EVIL, (ERROR,))], {})
    assert "<img" not in html
    assert html.count("<script") == 2
    assert not re.search(r"\son\w+=", re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL)
                         .replace("onerror=alert(2)", ""))  # fmt: skip
    assert "default-src 'none'" in html.replace("&#x27;", "'")
    assert "http" not in re.sub(r'<meta http-equiv="[^>]*>', "", html)


def test_a_report_has_every_figure_and_table_as_files(tmp_path: Path):
    sections = [Section("Topics", (run_lengths_chart(FRAME), table()))]
    files = write_report("x", sections, tmp_path / "report")
    assert [path.name for path in files] == [
        "index.html", "topic-run-lengths.csv", "topic-run-lengths.png", "topic-run-lengths.svg",
        "words.csv",
    ]  # fmt: skip
    csv = pd.read_csv(tmp_path / "report" / "topic-run-lengths.csv")
    assert csv["turns"].tolist() == [4, 2]


def test_sections_with_the_same_exhibits_have_files_and_marks_of_their_own(tmp_path: Path):
    sections = [Section(name, (run_lengths_chart(FRAME),)) for name in ("one", "two")]
    write_report("x", sections, tmp_path / "report")
    assert (tmp_path / "report" / "topic-run-lengths-2.csv").exists()
    html = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert "topic-run-lengths-2-0" in ids


def test_an_earlier_report_is_replaced_whole(tmp_path: Path):
    write_report("x", [Section("s", (table("old"),))], tmp_path / "report")
    write_report("x", [Section("s", (table("new"),))], tmp_path / "report")
    names = [path.name for path in (tmp_path / "report").iterdir()]
    assert sorted(names) == ["index.html", "new.csv"]
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


def test_a_crash_leaves_the_earlier_report(tmp_path: Path):
    folder = tmp_path / "report"
    write_report("x", [Section("s", (table("old"),))], folder)

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_report("x", [Section("s", (table("new"),))], folder, watch=stop)
    assert sorted(path.name for path in folder.iterdir()) == ["index.html", "old.csv"]
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


@pytest.mark.parametrize("name", ["notes.txt", "data.csv"])
def test_other_files_are_never_replaced(tmp_path: Path, name: str):
    (tmp_path / name).write_text("mine")
    with pytest.raises(ConfigurationError, match="name a new folder for the report"):
        write_report("x", [], tmp_path)
    assert (tmp_path / name).read_text() == "mine"


def test_a_file_of_the_users_beside_a_report_stops_its_replacement(tmp_path: Path):
    write_report("x", [Section("s", (table(),))], tmp_path / "report")
    (tmp_path / "report" / "notes.txt").write_text("mine")
    with pytest.raises(ConfigurationError, match=r"holds 'notes.txt', which no report has"):
        write_report("x", [], tmp_path / "report")


def test_long_tables_are_cut_in_the_page_only(tmp_path: Path):
    frame = pd.DataFrame({"n": range(ROWS + 1)})
    write_report("x", [Section("s", (Table("long", "t", frame),))], tmp_path / "report")
    html = (tmp_path / "report" / writing.INDEX).read_text(encoding="utf-8")
    assert f"The first {ROWS} of {ROWS + 1} rows." in html
    assert len(pd.read_csv(tmp_path / "report" / "long.csv")) == ROWS + 1
