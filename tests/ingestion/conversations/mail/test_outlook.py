"""Mails in the layout that Outlook saves, and the mails that are made of their properties."""

import random
from datetime import UTC, datetime
from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.conversations.mail.message import parse
from seminar.ingestion.conversations.mail.outlook import OutlookMail
from seminar.ingestion.discover import SourceFile
from seminar.ingestion.loader import read
from seminar.types import Thread
from tests.ingestion.conversations.mail.compound_files import saved_mail

SUBJECT, SENDER, BODY, HTML, HEADERS = 0x0037, 0x0C1A, 0x1000, 0x1013, 0x007D
SENT = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)


def threads(path: Path) -> list[Thread]:
    return [item for item in read(SourceFile(path, path.name), print) if isinstance(item, Thread)]


def test_a_saved_mail_has_its_writer_time_and_own_words(tmp_path: Path):
    path = tmp_path / "ferry.msg"
    text = "The ferry costs four pounds.\r\n\r\n-----Original Message-----\r\nFrom: Bo\r\nHow much?"
    mail = {SUBJECT: "RE: The ferry", SENDER: "Ödön, Anna", BODY: text}
    path.write_bytes(saved_mail(mail, sent=SENT))
    [thread] = threads(path)
    [message] = thread.utterances
    assert (thread.title, thread.channel) == ("The ferry", "ferry.msg/1")
    assert (message.speaker, message.time) == ("Ödön, Anna", SENT)
    assert message.text == "The ferry costs four pounds."


def test_a_saved_mail_is_cited_by_the_id_it_was_received_with(tmp_path: Path):
    path = tmp_path / "ferry.msg"
    headers = "Received: from a by b\r\nMessage-ID: <one@b.org>\r\nFrom: Bo <bo@b.org>\r\n"
    path.write_bytes(saved_mail({BODY: "At nine.", HEADERS: headers, SENDER: "nobody"}))
    [thread] = threads(path)
    assert [(one.key, one.speaker) for one in thread.utterances] == [("one@b.org", "Bo")]


def test_text_longer_than_the_small_sectors_is_read_whole(tmp_path: Path):
    path = tmp_path / "long.msg"
    text = " ".join(f"Sentence {number} is here." for number in range(500))
    path.write_bytes(saved_mail({SUBJECT: "Long", BODY: text}))
    [thread] = threads(path)
    assert thread.utterances[0].text == text


def test_a_mail_without_readable_text_says_what_to_do(tmp_path: Path):
    path = tmp_path / "empty.msg"
    path.write_bytes(saved_mail({SUBJECT: "Nothing"}))
    with pytest.raises(IngestionError, match=r"empty\.msg: .*no HTML; save it as \.eml"):
        threads(path)


@pytest.mark.parametrize("name", ["a.msg", "a.pst", "a.ost"])
def test_other_content_is_refused_by_name(tmp_path: Path, name: str):
    path = tmp_path / name
    path.write_bytes(b"no mail at all")
    with pytest.raises(IngestionError, match=rf"{name}: damaged, or no "):
        threads(path)


def test_an_archive_cut_off_is_refused(tmp_path: Path):
    path = tmp_path / "a.pst"
    path.write_bytes(b"!BDN" + bytes(2_000))
    with pytest.raises(IngestionError, match=r"a\.pst: damaged, or an archive of Outlook"):
        threads(path)


def test_mutated_mails_give_threads_or_one_line(tmp_path: Path):
    chance = random.Random(1)
    whole = saved_mail({SUBJECT: "Ferry", SENDER: "Bo", BODY: "Four pounds. " * 40}, sent=SENT)
    path = tmp_path / "a.msg"
    problems = []
    for _ in range(60):
        mutated = bytearray(whole[: chance.choice([len(whole), chance.randrange(len(whole))])])
        for _ in range(chance.randrange(1, 12)):
            if mutated:
                mutated[chance.randrange(len(mutated))] = chance.randrange(256)
        path.write_bytes(mutated)
        try:
            threads(path)
        except IngestionError as error:
            problems.append(str(error))
    assert problems
    assert not [line for line in problems if "crashed" in line or "\n" in line]


def test_properties_become_a_mail_with_attachments_and_without_injected_headers():
    mail = OutlookMail(
        subject="Prices\r\nX-Other: 1",
        sender='Bo "the boat" Berg',
        time=SENT,
        html="<p>It costs <b>four</b> pounds.</p>",
        attachments=('list"of.xlsx', "übersicht.pdf"),
    )
    parsed = parse(mail.as_bytes())
    assert parsed.subject == "Prices X-Other: 1"
    assert parsed.speaker == 'Bo "the boat" Berg'
    assert parsed.time == SENT
    assert parsed.text.startswith("It costs four pounds.")
    assert "listof.xlsx" in parsed.text
    assert "übersicht.pdf" in parsed.text
