import json
from pathlib import Path

from seminar.examples import Example, Gold
from seminar.models.word_pieces import WordPieces
from seminar.training.reader.examples import prepare
from seminar.training.samples import qaconv_chunks, titled
from seminar.weights import weights_folder


def qaconv(root: Path) -> Path:
    (root / "qaconv").mkdir()
    said = [
        {"id": "0", "speaker": "Ada", "text": "The late boat sails at nine."},
        {"id": "1", "speaker": "Bo", "text": "On Fridays only."},
    ]
    (root / "qaconv" / "article_full.json").write_text(json.dumps({"bc3-1": said}))
    asked = [("When does it sail?", ["Nine"]), ("Who sails it?", []), ("Whose is it?", ["Kit's"])]
    records = [
        {"id": str(n), "article_segment_id": "bc3-0", "article_full_id": ["bc3-1"],
         "question": question, "answers": answers}
        for n, (question, answers) in enumerate(asked)
    ]  # fmt: skip
    (root / "qaconv" / "trn.json").write_text(json.dumps(records))
    return root


def test_answers_are_marked_where_they_stand_in_the_chunk(tmp_path: Path):
    first, none, lost = qaconv_chunks(qaconv(tmp_path))
    [(start, end)] = first.gold.spans
    assert first.context == "Ada: The late boat sails at nine.\nBo: On Fridays only."
    assert first.context[start:end] == "nine"
    assert (none.gold.spans, lost.gold.spans) == ((), ())


def test_the_reader_learns_spans_and_silence_from_chunks(tmp_path: Path):
    pieces = WordPieces(weights_folder("minilm"))
    prepared = prepare(qaconv_chunks(qaconv(tmp_path)), pieces, "qaconv")
    assert [(one.id, one.type) for one in prepared] == [("0", "span"), ("1", "no answer")]
    start, end = prepared[0].span or (0, 0)
    assert [
        prepared[0].passage.text[slice(*at)] for at in prepared[0].passage.offsets[start:end]
    ] == ["nine"]


def test_boolq_s_title_is_taken_from_before_its_passage():
    told = Example("1", "1", "is it so", Gold(), context="Tea -- Tea is a drink -- hot.")
    assert (titled(told).title, titled(told).context) == ("Tea", "Tea is a drink -- hot.")
    assert titled(titled(told)) == titled(told)
