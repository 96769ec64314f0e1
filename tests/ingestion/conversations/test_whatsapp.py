from datetime import datetime
from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.conversations.whatsapp import read, recognises
from seminar.ingestion.formats import choose
from seminar.types import Utterance

ANDROID = """31/12/2023, 22:15 - Messages and calls are end-to-end encrypted. Tap to learn more.
31/12/2023, 22:15 - Ada: When does the boat leave?
31/12/2023, 22:16 - Bo Lee: At nine
from the pier.

Bring a coat.
01/01/2024, 00:01 - Ada: <Media omitted>
01/01/2024, 00:02 - Ada: IMG-1.jpg (file attached)
Look at this
01/01/2024, 00:03 - Bo Lee: You deleted this message
01/01/2024, 00:04 - Bo Lee: Fine <This message was edited>
"""
IPHONE = (
    "[12/13/23, 10:15:32\u202fPM] Crew: \u200eMessages and calls are end-to-end encrypted.\n"
    "[12/13/23, 10:15:32\u202fPM] Ada: Hi: there\n"
    "\u200e[12/13/23, 10:15:40\u202fPM] Bo: \u200e<attached: 0001-PHOTO.jpg>\n"
    "[12/14/23, 9:05:00\u202fAM] Bo: Ok\n"
)


def messages(path: Path, content: str, notify=pytest.fail) -> list[Utterance]:
    path.write_text(content)
    assert recognises(content.encode())
    found = [u for thread in read(path, path.name, notify) for u in thread.utterances]
    return sorted(found, key=lambda message: int(message.key))


def test_messages_have_speaker_time_and_words(tmp_path: Path):
    found = messages(tmp_path / "WhatsApp Chat with Crew.txt", ANDROID)
    assert [(m.key, m.speaker, m.time, m.text) for m in found] == [
        ("2", "Ada", datetime(2023, 12, 31, 22, 15), "When does the boat leave?"),
        (
            "3",
            "Bo Lee",
            datetime(2023, 12, 31, 22, 16),
            "At nine\nfrom the pier.\n\nBring a coat.",
        ),
        ("8", "Ada", datetime(2024, 1, 1, 0, 2), "Look at this\n[attachment: IMG-1.jpg]"),
        ("11", "Bo Lee", datetime(2024, 1, 1, 0, 4), "Fine"),
    ]
    assert [mark.line for mark in found[1].lines] == [3, 4, 5, 6]
    assert [mark.line for mark in found[2].lines] == [9, 8]


def test_title_is_the_name_of_the_chat(tmp_path: Path):
    path = tmp_path / "WhatsApp Chat with Crew.txt"
    path.write_text(ANDROID)
    assert choose(path).name == "chat log"
    assert {thread.title for thread in read(path, path.name, pytest.fail)} == {"Crew"}


def test_export_of_an_iphone_is_read(tmp_path: Path):
    found = messages(tmp_path / "_chat.txt", IPHONE)
    assert [(m.speaker, m.time, m.text) for m in found] == [
        ("Ada", datetime(2023, 12, 13, 22, 15, 32), "Hi: there"),
        ("Bo", datetime(2023, 12, 13, 22, 15, 40), "[attachment: 0001-PHOTO.jpg]"),
        ("Bo", datetime(2023, 12, 14, 9, 5), "Ok"),
    ]


@pytest.mark.parametrize(
    ("begin", "time"),
    [
        ("[31.12.23, 22:15:32] ", datetime(2023, 12, 31, 22, 15, 32)),
        ("31.12.2023, 22:15 - ", datetime(2023, 12, 31, 22, 15)),
        ("31/12/2023 22:15 - ", datetime(2023, 12, 31, 22, 15)),
        ("12/31/23, 10:15 PM - ", datetime(2023, 12, 31, 22, 15)),
        ("31/12/23, 10:15 p.\u202fm. - ", datetime(2023, 12, 31, 22, 15)),
        ("2023-12-31, 22:15 - ", datetime(2023, 12, 31, 22, 15)),
        ("[2023-12-31 22:15:32] ", datetime(2023, 12, 31, 22, 15, 32)),
        ("2023/12/31, 22:15 - ", datetime(2023, 12, 31, 22, 15)),
        ("[31-12-2023 22.15.32] ", datetime(2023, 12, 31, 22, 15, 32)),
    ],
)
def test_forms_of_dates(tmp_path: Path, begin: str, time: datetime):
    found = messages(tmp_path / "chat.txt", f"{begin}Ada: When?\n{begin}Bo: At nine.\n")
    assert [(m.speaker, m.time) for m in found] == [("Ada", time), ("Bo", time)]


def test_order_of_day_and_month_is_that_in_which_time_goes_on(tmp_path: Path):
    lines = "".join(
        f"{day}/{month}/2024, 10:00 - Ada: Hi {day}\n" for day, month in [(9, 1), (2, 2)]
    )
    assert [m.time.month for m in messages(tmp_path / "a.txt", lines) if m.time] == [1, 2]
    notices: list[str] = []
    unclear = "1/2/2024, 10:00 - Ada: Hi\n1/2/2024, 10:01 - Bo: Ho\n"
    messages(tmp_path / "a.txt", unclear, notices.append)
    assert notices == ["whether day or month comes first is a guess: day"]


@pytest.mark.parametrize(
    "text",
    [
        "On 31/12/2023, 22:15 - the boat left.\nIt returned.",
        "31/12/2023, 22:15 - the boat left.",
        "Ada: 31/12/2023\nBo: no\n",
        "2023-12-31 22:15:32 INFO started\n2023-12-31 22:15:33 INFO stopped\n",
        "",
    ],
)
def test_other_texts_are_no_chats(text: str):
    assert not recognises(text.encode())


def test_chat_of_notices_is_refused(tmp_path: Path):
    (tmp_path / "a.txt").write_text("1/2/2024, 10:00 - Ada: null\n1/2/2024, 10:01 - Bo: null\n")
    with pytest.raises(IngestionError, match="empty: nobody says anything in it"):
        list(read(tmp_path / "a.txt", "a.txt", print))
