"""A study that was held by socket clients, exported, and read back as its official dataset."""

import io
import zipfile
from pathlib import Path

import seminar
from tests.collection.small_corpus import TIDE
from tests.collection.studies import serving, write_study

START = TIDE.text.index("founded")
SPAN = {"page": "tide", "start": START, "end": START + 15}
ACTS = {"continuation": "follow up", "affirmation": "neither"}


def test_dialog_and_its_validation_are_read_back_as_quac(tmp_path: Path):
    file = write_study(tmp_path, "quac", "[validation]\nannotations = 1\n")
    with serving(file) as study:
        student, teacher = study.pair("student", "teacher")
        for number in range(3):
            student.until_turn()
            student.act("ask", question=f"What of it, {number}?")
            teacher.until_turn()
            teacher.act("answer span", span=SPAN, **ACTS)
        student.act("end")
        annotator = study.join().begin("validation")
        for number in range(3):
            while len(annotator.view["turns"]) < number + 1:
                annotator.receive()
            annotator.act("answer span", span=SPAN, **ACTS)
        annotator.until_end()
        overview = study.admin("GET", "overview").json()
        measures = {one["name"]: one for one in overview["agreement"]}
        assert measures["leave-one-out F1"] == {
            "name": "leave-one-out F1",
            "value": 100.0,
            "turns": 3,
        }
        assert {"quac", "datasheet"} < set(overview["exports"])
        assert "topiocqa" not in overview["exports"]
        content = study.admin("GET", "exports/quac").content
        sheet = study.admin("GET", "exports/datasheet").text
    assert sheet.startswith("# Datasheet of tides")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(tmp_path / "data")
    examples = list(seminar.load_dataset("quac/val", tmp_path / "data"))
    assert [example.question for example in examples] == [f"What of it, {n}?" for n in range(3)]
