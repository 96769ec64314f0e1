import mailbox
from collections.abc import Sequence
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seminar.ingestion.conversations.mail import mailboxes
from seminar.ingestion.conversations.mail.message import links, parse
from seminar.ingestion.conversations.mail.quote_stripping import own_words
from seminar.ingestion.discover import Problem, SourceFile, discover
from seminar.ingestion.loader import read
from seminar.types import Thread


def letter(key: str, sender: str, subject: str, text: str, **headers: str) -> EmailMessage:
    message = EmailMessage()
    message["Message-ID"] = f"<{key}>"
    message["From"] = sender
    message["Subject"] = subject
    message["Date"] = headers.pop("date", "Wed, 01 May 2024 10:00:00 +0200")
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content(text)
    return message


def mbox(path: Path, letters: Sequence[EmailMessage | bytes]) -> Path:
    box = mailbox.mbox(path)
    for one in letters:
        box.add(one)
    box.close()
    return path


def threads(path: Path, problems: list[Problem] | None = None) -> list[Thread]:
    notices: list[Problem] = [] if problems is None else problems
    found = list(read(SourceFile(path, path.name), notices.append))
    assert all(isinstance(one, Thread) for one in found)
    return found  # type: ignore[return-value]


ASK = letter("a@x", "Ada Lovelace <ada@x.org>", "The budget", "What is the budget for May?\n")
ANSWER = letter(
    "b@x", "bo@x.org", "Re: The budget",
    "It is 400 euros.\n\nOn Wed, 1 May 2024, Ada Lovelace wrote:\n> What is the budget for May?\n"
    "-- \nBo Berg\nTreasurer\n",
    date="Thu, 02 May 2024 09:00:00 +0200", In_Reply_To="<a@x>", References="<a@x>",
)  # fmt: skip
OTHER = letter("c@x", "Cy <cy@x.org>", "Lunch", "Soup today?\n")


def test_mbox_gives_threads_of_own_words_cited_by_message_id(tmp_path: Path):
    first, second = threads(mbox(tmp_path / "mail.mbox", [ANSWER, OTHER, ASK]))
    assert first.text == "Ada Lovelace: What is the budget for May?\nbo@x.org: It is 400 euros."
    assert (first.title, first.source) == ("The budget", "mail.mbox#a@x")
    assert first.channel == "mail.mbox/a@x"
    assert [(one.source, one.key) for one in first.utterances] == [
        ("mail.mbox", "a@x"),
        ("mail.mbox", "b@x"),
    ]
    assert first.utterances[1].time is not None
    assert first.utterances[1].time.isoformat() == "2024-05-02T09:00:00+02:00"
    assert second.text == "Cy: Soup today?"


def test_maildir_and_saved_mails_give_the_same_threads_as_mbox(tmp_path: Path):
    (tmp_path / "in").mkdir()
    box = mailbox.Maildir(tmp_path / "in" / "Mail")
    for one in (ASK, ANSWER):
        box.add(one)
    box.add_folder("Sent").add(OTHER)
    (tmp_path / "in" / "Mail" / "tmp" / "half").write_text("half a mail")
    (tmp_path / "in" / "saved").mkdir()
    (tmp_path / "in" / "saved" / "1.eml").write_bytes(bytes(ASK))
    (tmp_path / "in" / "saved" / "2.eml").write_bytes(bytes(ANSWER))
    files, problems = discover([tmp_path / "in"])
    assert [file.source for file in files] == ["Mail", "Mail/.Sent", "saved"]
    assert problems == []
    texts = [[talk.text for talk in threads_of(file)] for file in files]
    assert texts[0] == texts[2]
    assert texts[0] == ["Ada Lovelace: What is the budget for May?\nbo@x.org: It is 400 euros."]
    [talk] = threads_of(files[2])
    assert [f"{one.source}#{one.key}" for one in talk.utterances] == [
        "saved/1.eml#a@x",
        "saved/2.eml#b@x",
    ]


def threads_of(file: SourceFile) -> list[Thread]:
    return [talk for talk in read(file, print) if isinstance(talk, Thread)]


@pytest.mark.parametrize("box", ["cur", "new"])
def test_folder_whose_boxes_are_links_is_no_maildir(tmp_path: Path, box: str):
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "diary").write_bytes(bytes(ASK))
    mailbox.Maildir(tmp_path / "Mail")
    (tmp_path / "Mail" / box).rmdir()
    (tmp_path / "Mail" / box).symlink_to(tmp_path / "secret")
    files, problems = discover([tmp_path / "Mail"])
    assert files == []
    assert [str(problem) for problem in problems] == [
        f"{box}: link leads out of the given folder; not followed"
    ]


def test_saved_mail_given_directly_is_read(tmp_path: Path):
    (tmp_path / "a.eml").write_bytes(bytes(ASK))
    [talk] = threads(tmp_path / "a.eml")
    assert (talk.source, talk.title) == ("a.eml#a@x", "The budget")


def test_reply_without_references_joins_by_subject(tmp_path: Path):
    lone = letter("d@x", "di@x.org", "[list] RE: the budget", "Too much.\n")
    report = letter("e@x", "di@x.org", "[list] The budget", "A new one.\n")
    found = threads(mbox(tmp_path / "m.mbox", [ASK, lone, report]))
    assert [[one.key for one in talk.utterances] for talk in found] == [["a@x", "d@x"], ["e@x"]]


def test_reply_without_references_and_subject_joins_by_quotation(tmp_path: Path):
    lone = letter("d@x", "di@x.org", "A question", "Yes:\n> What is the budget for May?\n400.\n")
    [talk] = threads(mbox(tmp_path / "m.mbox", [ASK, lone]))
    assert talk.utterances[1].text == "Yes:\n\n400."


def test_cyclic_references_and_copies_are_harmless(tmp_path: Path):
    one = letter("a@x", "ada@x", "S", "One.", References="<b@x>", In_Reply_To="<a@x>")
    two = letter("b@x", "bo@x", "S", "Two.", References="<a@x> <b@x>")
    [talk] = threads(mbox(tmp_path / "m.mbox", [one, two, one]))
    assert talk.text == "ada@x: One.\nbo@x: Two."


def test_html_parts_encodings_and_attachments_are_read():
    message = letter("a@x", "=?iso-8859-1?q?J=FCrg?= <j@x>", "=?utf-8?b?QsO8ZGdldA==?=", "x")
    message.clear_content()
    message.add_alternative(
        "<style>p{}</style><p>Das Budget beträgt 400 €.</p>"
        "<blockquote type=cite>Wie hoch ist es?</blockquote>",
        subtype="html",
        charset="iso-8859-15",
    )
    message.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="Plan é.pdf")
    found = parse(bytes(message))
    assert (found.speaker, found.subject) == ("Jürg", "Büdget")
    assert found.text == "Das Budget beträgt 400 €.\n[attachment: Plan é.pdf]"


def test_wrapped_lines_are_joined_and_lists_stay_lists():
    text = (
        "The committee met on Monday and decided that the\n"
        "ferry will leave at nine from the first of June.\n\n"
        "- soup\n- bread\n"
    )
    assert own_words(text) == (
        "The committee met on Monday and decided that the "
        "ferry will leave at nine from the first of June.\n\n- soup\n- bread"
    )


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Yes.\n\n-----Original Message-----\nFrom: Ada\nNo?", "Yes."),
        ("Yes.\n\nFrom: Ada\nSent: Monday\nTo: Bo\nSubject: Hm\n\nNo?", "Yes."),
        ("Yes.\n________________________________\nFrom: A\nSent: B\nTo: C\n\nNo?", "Yes."),
        ("FYI\n---------- Forwarded message ---------\nFrom: Ada\nDate: x\nTo: Bo\n\nNews.",
         "FYI\n---------- Forwarded message ---------\nFrom: Ada\nDate: x\nTo: Bo\n\nNews."),
        ("From: Ada\nDate: x\nTo: Bo\n\nNews.", "From: Ada\nDate: x\nTo: Bo\n\nNews."),
        ("> Eight?\nNine.\n> Where?\nHere.", "Nine.\n\nHere."),
        ("Yes.\n\nAm 1. Mai 2024 um 10:00 schrieb Ada\n<ada@x.org>:\n> Nein?", "Yes."),
        ("Yes.\n\nOn Wed, May 1, 2024 at 10:00 AM Ada Lovelace of the committee\n"
         "<ada@x.org> wrote:\n\n> No?", "Yes."),
        ("Yes.\n\nSent from my iPhone", "Yes."),
        ("Yes.\n_______________________________________________\nTown mailing list\nt@x", "Yes."),
        ("a -> b\nx > y\n| c | d |", "a -> b\nx > y\n| c | d |"),
        ("AL> Eight?\nNine.", "Nine."),
        ("> only quoted", ""),
    ],
)  # fmt: skip
def test_quotations_and_signatures_are_left_out(text: str, own: str):
    assert own_words(text) == own


@pytest.mark.parametrize("above", ["", "x" * 100_000 + "\n"], ids=["nothing", "a long line"])
def test_many_quotations_are_left_out_in_linear_time(above: str):
    assert own_words(above + ">\n\n" * 100_000) == above.strip()


def test_paragraph_of_many_lines_is_joined_in_linear_time():
    line = "The committee met on Monday and decided that the"
    assert own_words(f"{line}\n" * 100_000) == " ".join([line] * 100_000)


def test_broken_mail_is_reported_and_the_rest_is_read(tmp_path: Path):
    deep = "".join(
        f'Content-Type: multipart/mixed; boundary="b{number}"\n\n--b{number}\n'
        for number in range(3_000)
    )
    bad = b"From: x@y\nMessage-ID: <deep@x>\n" + deep.encode() + b"\nend\n"
    problems: list[Problem] = []
    found = threads(mbox(tmp_path / "m.mbox", [ASK, bad, OTHER]), problems)
    assert [talk.title for talk in found] == ["The budget", "Lunch"]
    assert [str(problem) for problem in problems] == [
        "m.mbox: mail 2 (m.mbox): more than 200 multiparts within each other; left out"
    ]


@pytest.mark.parametrize(
    "name",
    [b"*=idna''%41", b"*" + b"9" * 5_000 + b"*=x", b"*=a\0b''%41", b"*=a; filename*1=b"],
    ids=["codec", "number", "charset", "pieces"],
)
def test_mail_with_hostile_attachment_name_leaves_the_others_readable(tmp_path: Path, name: bytes):
    bad = (
        b"From: x@y\nMessage-ID: <bad@x>\nContent-Type: application/pdf\n"
        b"Content-Disposition: attachment; filename" + name + b"\n\nx\n"
    )
    problems: list[Problem] = []
    found = threads(mbox(tmp_path / "m.mbox", [ASK, bad, OTHER]), problems)
    assert [talk.title for talk in found] == ["The budget", "Lunch"]
    assert [problem.reason for problem in problems] == [
        "mail 2 (m.mbox): its parts have names or encodings that can't be decoded; left out"
    ]


def test_odd_headers_are_harmless(tmp_path: Path):
    odd = (
        b"From: \xff\xfe =?bad?q?x?= <a@b\nMessage-ID: no brackets\nDate: Wed, 99 Foo 20244 99:99\n"
        b"Subject: =?utf-8?b?!!!?=\nContent-Type: text/plain; charset=made-up\n"
        b"Content-Transfer-Encoding: base64\n\nSGVsbG8gd29ybGQ=\n"
    )
    [talk] = threads(mbox(tmp_path / "m.mbox", [odd]))
    [message] = talk.utterances
    assert (message.key, message.time, message.text) == ("1", None, "Hello world")


def test_mail_of_ten_megabytes_is_read(tmp_path: Path):
    big = letter("big@x", "ada@x", "Big", "See the file.\n")
    big.add_attachment(b"\0" * 7_500_000, maintype="application", subtype="x", filename="a.bin")
    [talk] = threads(mbox(tmp_path / "m.mbox", [big]))
    assert talk.text == "ada@x: See the file.\n[attachment: a.bin]"


def test_lines_that_begin_with_from_do_not_end_a_mail(tmp_path: Path):
    tricky = letter("a@x", "ada@x", "S", "One.\n\nFrom here on it is two.\n")
    path = mbox(tmp_path / "archive", [tricky])
    [talk] = threads(path)
    assert talk.utterances[0].text == "One.\n\nFrom here on it is two."


def test_text_that_is_no_mailbox_is_read_as_text(tmp_path: Path):
    (tmp_path / "a.txt").write_text("From here we went on in 1999.\nIt rained.")
    assert not mailboxes.recognises_mbox((tmp_path / "a.txt").read_bytes())


LINE = st.text(alphabet="abc dé.,!?1", min_size=1, max_size=90)
BODY = st.lists(LINE, min_size=1, max_size=12).map("\n".join)


@settings(max_examples=40, deadline=None)
@given(
    BODY,
    st.sampled_from(["utf-8", "iso-8859-1"]),
    st.sampled_from(["8bit", "base64", "quoted-printable"]),
)
def test_own_words_are_exact_parts_of_the_mail(body: str, charset: str, coding: str):
    message = EmailMessage()
    message["From"] = "ada@x"
    message.set_content(body, charset=charset, cte=coding)
    found = parse(message.as_bytes())
    decoded = " ".join(message.get_content().split())
    assert " ".join(found.text.split()) in decoded


SCRAP = (
    "< > @ \" =?utf-8?q? ?= a , ; : ( ) [ ] \\ é =0A . 1 filename= charset= name*0*=utf-8''%ff "
    "boundary=b --b multipart/mixed text/html base64"
)
SCRAPS = st.lists(st.sampled_from([*SCRAP.split(), "\t", " ", "\n", "\n\n"]), max_size=20).map(
    "".join
)
FIELD = st.sampled_from(
    ["From", "Date", "Message-ID", "Subject", "References", "Content-Type",
     "Content-Type: text/plain;", "Content-Disposition: attachment;", "Content-Transfer-Encoding"]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(FIELD, SCRAPS), max_size=5), SCRAPS)
def test_any_bytes_are_parsed_or_refused(headers: list[tuple[str, str]], body: str):
    head = "".join(f"{field}: {value}\n" for field, value in headers)
    content = f"{head}\n{body}".encode()
    assert "\n" not in parse(content).speaker
    assert "<" not in "".join(links(head.encode()).answers)


def test_an_encoded_name_may_hold_a_comma():
    mail = parse(b"From: =?utf-8?q?=C3=96d=C3=B6n=2C_Anna?= <a@b.org>\nSubject: s\n\nAt nine.\n")
    assert mail.speaker == "Ödön, Anna"


HOSTILE = [
    b"From: " + b"(" * 20_000 + b"\nSubject: x\n\nHello.\n",
    b"To: a\nDate: " + b"(" * 20_000 + b"\nSubject: x\n\nHello.\n",
    b"Subject: " + b"=?utf-8?q?" * 3_000 + b"\n\nHello.\n",
    b"Content-Type: text/plain; charset=" + b'"' * 9_999 + b"\n\nHello.\n",
    b"Content-Type: "
    + b"(" * 30_000
    + b"\nContent-Disposition: "
    + b'"(' * 9_999
    + b"\n\nHello.\n",
    b"From: a@x.org\nMessage-ID: " + b"<" * 30_000 + b"\n\nHello.\n",
    b"Content-Type: multipart/mixed; boundary=" + b"\xff" * 300 + b"\n\n--\xff\n\nHello.\n",
]


@pytest.mark.parametrize("hostile", HOSTILE, ids=range(len(HOSTILE)))
def test_one_bad_mail_costs_itself_alone(tmp_path: Path, hostile: bytes):
    (tmp_path / "saved").mkdir()
    (tmp_path / "saved" / "1.eml").write_bytes(hostile)
    (tmp_path / "saved" / "2.eml").write_bytes(bytes(OTHER))
    box = tmp_path / "mail.mbox"
    parts = (bytes(ASK), hostile, bytes(OTHER))
    box.write_bytes(b"\n".join(b"From x Wed May  1 10:00:00 2024\n" + part for part in parts))
    (tmp_path / "Mail" / "cur").mkdir(parents=True)
    (tmp_path / "Mail" / "new").mkdir()
    (tmp_path / "Mail" / "cur" / "1").write_bytes(hostile)
    (tmp_path / "Mail" / "new" / "2").write_bytes(bytes(OTHER))
    for name in ("saved", "mail.mbox", "Mail"):
        texts = [thread.text for thread in threads(tmp_path / name)]
        assert any("Soup today?" in text for text in texts), name
    assert any("What is the budget for May?" in one.text for one in threads(box))
