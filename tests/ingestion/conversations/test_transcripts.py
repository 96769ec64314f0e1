import gzip
import json
import os
from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.conversations import interviews, transcripts
from seminar.ingestion.discover import Problem, SourceFile
from seminar.ingestion.formats import choose
from seminar.ingestion.loader import read
from seminar.types import Thread


def talk(path: Path, content: str) -> Thread:
    path.write_text(content)
    [found] = read(SourceFile(path, path.name), print)
    assert isinstance(found, Thread)
    return found


def messages(thread: Thread) -> list[tuple[str, str, str]]:
    return [(one.key, one.speaker, one.text) for one in thread.utterances]


def test_panel_gives_a_message_for_each_turn(tmp_path: Path):
    found = talk(
        tmp_path / "panel.txt",
        "Panel on ferries\n\nAda Lovelace: When do they leave?\nBo: At nine.\n"
        "Ada Lovelace: And on Sundays?\nBo: At ten, says\nthe plan.\n",
    )
    assert messages(found) == [
        ("1", "", "Panel on ferries"),
        ("2", "Ada Lovelace", "When do they leave?"),
        ("3", "Bo", "At nine."),
        ("4", "Ada Lovelace", "And on Sundays?"),
        ("5", "Bo", "At ten, says\nthe plan."),
    ]
    assert (found.title, found.source) == ("Panel on ferries", "panel.txt#1")
    assert found.channel == "panel.txt"


def test_court_transcript_with_numbered_lines_is_read(tmp_path: Path):
    lines = """  1  CHIEF JUSTICE ROBERTS: We'll hear argument next in the case of the
  2  ferry against the tower. Mr. Berg.
  3  MR. BERG: Thank you, Mr. Chief Justice, and may it please the
  4  Court: the ferry came first.
  5  JUSTICE O'CONNOR: Did it?
  6  MR. BERG: It did.
  7  JUSTICE O'CONNOR: When?
  8  CHIEF JUSTICE ROBERTS: Thank you, counsel.
"""
    found = talk(tmp_path / "argument.txt", lines)
    assert messages(found)[:2] == [
        ("1", "CHIEF JUSTICE ROBERTS", "We'll hear argument next in the case of the "
         "ferry against the tower. Mr. Berg."),
        ("2", "MR. BERG", "Thank you, Mr. Chief Justice, and may it please the "
         "Court: the ferry came first."),
    ]  # fmt: skip


def test_radio_transcript_with_clocks_is_read(tmp_path: Path):
    found = talk(
        tmp_path / "show.txt",
        "[00:00:01] JENNIFER LUDDEN, HOST: Welcome.\n\n[00:00:05] BO BERG, BYLINE: Thank you.\n\n"
        "[00:00:09] JENNIFER LUDDEN, HOST: Is it true?\n\n[00:00:09] BO BERG, BYLINE: It is.\n",
    )
    assert messages(found) == [
        ("00:00:01", "JENNIFER LUDDEN, HOST", "Welcome."),
        ("00:00:05", "BO BERG, BYLINE", "Thank you."),
        ("00:00:09", "JENNIFER LUDDEN, HOST", "Is it true?"),
        ("00:00:09-2", "BO BERG, BYLINE", "It is."),
    ]


def test_irc_log_is_read_without_joins_and_parts(tmp_path: Path):
    found = talk(
        tmp_path / "log.txt",
        "[09:19] <ada> hello\n=== bo has joined #x\n[09:19] <@bo> hi: there\n[09:20] <ada> ok\n",
    )
    assert messages(found) == [
        ("09:19", "ada", "hello"),
        ("09:19-2", "bo", "hi: there"),
        ("09:20", "ada", "ok"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Note: this is text.\nWarning: it has labels.\nNote: but\nWarning: no speakers.\n",
        "Name: Ferry\nLength: 40\nWidth: 9\nOwner: The town\nYear: 1911\n",
        "Chapter One\n\nIt was late. Ada said: no. Bo said: yes. Nobody spoke.\n" * 5,
        "Ada: one line only.\nAnd then a long story.\n",
        "",
    ],
)
def test_text_with_colons_is_no_transcript(text: str):
    assert not transcripts.recognises(text.encode())


def test_webvtt_voices_are_speakers(tmp_path: Path):
    found = talk(
        tmp_path / "panel.vtt",
        "WEBVTT\n\nNOTE made by hand\n\nSTYLE\n::cue {}\n\nintro\n"
        "00:01.000 --> 00:03.000 align:start\n<v Ada Lovelace>Good <b>morning</b> &amp;\n"
        "welcome.</v>\n\n00:03.000 --> 00:05.000\n<v Ada Lovelace>Let us begin.\n\n"
        "01:00:05.000 --> 01:00:06.000\n<v.loud Bo>Yes.</v> <v Cy>No.</v>\n",
    )
    assert messages(found) == [
        ("00:01.000", "Ada Lovelace", "Good morning & welcome. Let us begin."),
        ("01:00:05.000", "Bo", "Yes."),
        ("01:00:05.000-2", "Cy", "No."),
    ]


def test_subrip_is_read_with_and_without_names(tmp_path: Path):
    found = talk(
        tmp_path / "film.srt",
        "1\n00:00:01,000 --> 00:00:02,000\n<i>Once</i>\n\n2\n00:00:02,000 --> 00:00:03,000\n"
        "upon a time.\n\n3\n00:00:04,000 --> 00:00:05,000\nADA: Who are you?\n\n"
        "4\n00:00:05,000 --> 00:00:06,000\nTell me.",
    )
    assert messages(found) == [
        ("00:00:01.000", "", "Once upon a time."),
        ("00:00:04.000", "ADA", "Who are you? Tell me."),
    ]


def test_corpus_of_oral_arguments_gives_a_thread_for_each_case(tmp_path: Path):
    rows = [
        ("04-1", "0", "FALSE", "JUSTICE STEVENS", "JUSTICE", "NA", "NA", "Counsel?"),
        ("04-1", "1", "TRUE", "MR. BERG", "NOT JUSTICE", "NA", "PETITIONER", "Here."),
        ("04-2", "2", "FALSE", "JUSTICE STEVENS", "JUSTICE", "NA", "NA", "Next."),
    ]
    path = tmp_path / "supreme.txt"
    path.write_text("".join(" +++$+++ ".join(row) + "\n" for row in rows) + "broken\n")
    problems: list[Problem] = []
    first, second = read(SourceFile(path, "supreme.txt"), problems.append)
    assert first.text == "Justice Stevens: Counsel?\nMr. Berg: Here."
    assert isinstance(first, Thread)
    assert (first.channel, first.source) == ("supreme.txt/04-1", "supreme.txt#0")
    assert second.title == "04-2"
    assert len(problems) == 1


def test_truncated_packed_corpus_gives_the_open_case(tmp_path: Path):
    row = " +++$+++ ".join(("04-1", "0", "FALSE", "MR. BERG", "NOT JUSTICE", "NA", "NA", "Here."))
    packed = gzip.compress(f"{row}\n".encode() * 3)
    path = tmp_path / "supreme.txt.gz"
    path.write_bytes(packed[:-8])  # only the sum at its end is missing
    found = transcripts.read_court(path, "supreme.txt.gz", print)
    assert next(found).text == "\n".join(["Mr. Berg: Here."] * 3)
    with pytest.raises(IngestionError, match="cut off"):
        next(found)


def test_json_interviews_and_named_conversations_are_read(tmp_path: Path):
    radio = [{"id": "NPR-1", "date": "2020-01-21", "title": "Ferries", "utt": ["Hi.", "Bye."],
              "speaker": ["ADA, HOST", "BO"]}, {"id": "NPR-2", "utt": None}]  # fmt: skip
    (tmp_path / "radio.json").write_text(json.dumps(radio))
    problems: list[Problem] = []
    [found] = read(SourceFile(tmp_path / "radio.json", "radio.json"), problems.append)
    assert found.text == "ADA, HOST: Hi.\nBO: Bye."
    assert (found.title, found.source) == ("Ferries", "radio.json#NPR-1.1")
    assert [problem.reason for problem in problems] == [
        "interview NPR-2 has no words and speakers; left out"
    ]
    named = {"court-1": [{"id": 0, "speaker": "Ada", "text": "Hi."}], "x": [], "y": None}
    (tmp_path / "full.json").write_text(json.dumps(named))
    [found] = read(SourceFile(tmp_path / "full.json", "full.json"), print)
    assert (found.text, found.source) == ("Ada: Hi.", "full.json#court-1.0")


def test_json_that_is_no_transcript_has_no_reader(tmp_path: Path):
    for content in ('{"a": [{"b": 1}]}', "[1, 2]", "{}"):
        assert not interviews.recognises_radio(content.encode())
        assert not interviews.recognises_named(content.encode())


needs_data = pytest.mark.skipif("SEMINAR_DATA" not in os.environ, reason="needs the datasets")


@needs_data
def test_conversations_of_qaconv_are_read_whole():
    path = Path(os.environ["SEMINAR_DATA"]) / "qaconv" / "article_full-part.json.gz"
    with gzip.open(path) as stream:
        whole = json.load(stream)
    assert choose(path).name == "named conversations"
    found = list(interviews.read_named(path, path.name, print))
    assert len(found) == sum(
        1 for messages in whole.values() if any(s["text"].strip() for s in messages)
    )
    for thread, key in zip(found[:50], whole, strict=False):
        assert thread.utterances[0].text in "".join(
            record["text"].replace("\r\n", "\n") for record in whole[key]
        )


@needs_data
def test_irc_logs_are_recognised_as_transcripts():
    folder = Path(os.environ["SEMINAR_DATA"]) / "irc_disentanglement" / "dev"
    for path in sorted(folder.glob("*.raw.txt")):
        assert choose(path).name == "transcript"
