import json
from pathlib import Path

from seminar.datasets.conversations.lines import join_utterances
from seminar.datasets.conversations.qaconv_chunks import load_chunks, load_split, segments
from seminar.types import Thread
from tests.paths import DATASET_FILES


def thread(*texts: str, name: str = "mail-1", channel: str = "mail") -> Thread:
    text, utterances = join_utterances((str(n), "Ada", words) for n, words in enumerate(texts))
    return Thread(source=name, title=name, text=text, utterances=utterances, channel=channel)


def test_messages_are_joined_as_long_as_they_fit():
    chunks = list(segments([thread("one two", "three", "four five six")], limit=11))
    assert [chunk.text for chunk in chunks] == ["Ada: one two\nAda: three", "Ada: four five six"]
    assert [chunk.scope for chunk in chunks] == ["mail", "mail"]


def test_short_threads_of_a_channel_make_one_chunk():
    threads = [thread("one", name="slack-1"), thread("two", name="slack-2")]
    assert [chunk.text for chunk in segments(threads)] == ["Ada: one\n\nAda: two"]


def test_threads_of_different_places_stay_apart():
    threads = [thread("one"), thread("two", name="mail-2", channel="other")]
    assert [chunk.text for chunk in segments(threads)] == ["Ada: one", "Ada: two"]


def test_every_chunk_has_a_source_of_its_own():
    chunks = list(segments([thread("one two", "three four", "five six")], limit=5))
    assert [chunk.source for chunk in chunks] == [
        "mail-1#0-12",
        "mail-1#13-28",
        "mail-1#29-42",
    ]


def test_offsets_and_speakers_stay_exact():
    given = thread("one two", "three four", "five")
    for chunk in segments([given], limit=8):
        assert given.text[chunk.start : chunk.end] == chunk.text
        for utterance in chunk.utterances:
            assert chunk.text[utterance.start : utterance.end] == utterance.text
            assert utterance.text.startswith("Ada: ")


def test_a_thread_without_messages_gives_no_chunk():
    assert list(segments([thread()])) == []


def write(root: Path) -> Path:
    """QAConv's files without chunks: a hearing of 40 turns, asked about in four chunks."""
    folder = root / "qaconv"
    folder.mkdir()
    turns = [
        {"id": str(n), "speaker": ("ADA", "BO")[n % 2], "text": f"Turn {n}. " + "The tide. " * 40}
        for n in range(40)
    ]
    turns[3]["text"] = "The bell rings."
    turns[22]["text"] = "The bell is broken."
    (folder / "article_full.json").write_text(json.dumps({"court-1": turns}))
    asked = [
        ("tst", 10, "What rings?", ["bell"]),
        ("tst", 12, "What is broken?", ["the bell"]),
        ("tst", 12, "What is mended?", []),
        ("tst", 13, "What is lost?", ["umbrella"]),
        ("val", 11, "What turns?", ["tide"]),
    ]
    for part in ("tst", "val"):
        records = [
            {"id": f"{part}-{n}", "article_segment_id": f"court-{chunk}", "question": question,
             "article_full_id": ["court-1"], "answers": answers}
            for n, (one, chunk, question, answers) in enumerate(asked) if one == part
        ]  # fmt: skip
        (folder / f"{part}.json").write_text(json.dumps(records))
    return root


def test_the_gold_segment_is_the_one_about_the_place_that_holds_the_answer(tmp_path: Path):
    first, second, *_ = load_split("qaconv/tst-full", write(tmp_path))
    assert "The bell rings." in first.gold.evidence[0].text
    assert "The bell is broken." in second.gold.evidence[0].text


def test_what_has_no_answer_there_is_not_located_but_has_a_chunk(tmp_path: Path):
    root = write(tmp_path)
    *_, none, lost = load_split("qaconv/tst-full", root)
    assert (none.gold.evidence, lost.gold.evidence) == ((), ())
    *_, none, lost = load_split("qaconv/tst-chunk", root)
    assert "Turn 2" in none.context
    assert "Turn 3" in lost.context


def test_a_chunk_is_one_of_those_that_are_searched(tmp_path: Path):
    root = write(tmp_path)
    chunks, official = load_chunks(root)
    assert not official
    for example in load_split("qaconv/tst-chunk", root):
        [evidence] = example.gold.evidence
        assert example.context in [one.text for one in chunks if one.source == evidence.source]


def test_other_datasets_are_loaded_as_they_are():
    root = DATASET_FILES
    [first, *_] = load_split("qaconv/val-chunk", root)
    assert first.gold.evidence[0].source == "bc3-1"
