from dataclasses import replace

from seminar.collection.exports.datasheet import datasheet
from tests.collection.small_studies import dialog, quac_study


def test_a_datasheet_counts_what_was_collected():
    short = dialog("q2", "quac", "ann.html#1", kept=False)
    sheet = datasheet(quac_study(dialog("q1", "quac", "ann.html#1"), short), {"dev": 1})
    lines = sheet.splitlines()
    assert lines[0] == "# Datasheet of Singers"
    for line in (
        "| form | QuAC (Choi et al., 2018) |",
        "| dialogs | 1 |",
        "| dialogs in dev | 1 |",
        "| questions | 3 |",
        "| questions per dialog | 3.0 |",
        "| words per question | 3.3 |",  # 4, 3 and 3
        "| questions with further annotations | 1 |",
        "| people who joined | 4 |",
        "| people in these dialogs | 2 |",
        "| came from | prolific |",
        "| collected | 2026-05-01 to 2026-05-01 |",
        "| discarded for too few turns | 1 |",
        "| paid in all | 2.40 USD |",
        "| paid per hour of work | 12.00 USD |",  # 2.40 for two people's six minutes
        "| yes or no: kappa | -0.25 (1 questions) |",
    ):
        assert line in lines
    assert "Under which licence" in sheet


def test_a_name_breaks_no_table():
    records = replace(quac_study(), name="A | B\n# C")
    assert datasheet(records).splitlines()[0] == "# Datasheet of A \\| B # C"
