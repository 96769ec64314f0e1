"""Disentangling assigns messages of a channel without threads to conversations."""

from datetime import UTC, datetime, timedelta

from seminar.ingestion.conversations.disentangling.message_cues import NOBODY, RecentSpeakers
from seminar.ingestion.conversations.disentangling.model import Disentangler, shipped_weights
from seminar.ingestion.conversations.disentangling.reply_features import FEATURES, Window
from seminar.types import Utterance

BEGIN = datetime(2024, 5, 1, 10, tzinfo=UTC)


def message(minute: float, speaker: str, text: str) -> Utterance:
    return Utterance(str(minute), speaker, text, BEGIN + timedelta(minutes=minute))


def conversations(*messages: Utterance) -> list[int]:
    model = Disentangler(shipped_weights())
    return [model.link(sent).conversation for sent in messages]


def test_interleaved_conversations_are_separated():
    assert conversations(
        message(0, "ada", "does anyone know how to mount a usb drive?"),
        message(0.5, "cy", "hello, my printer shows error 49 after the upgrade"),
        message(1, "bo", "ada: sudo mount /dev/sdb1 /mnt"),
        message(1.5, "di", "cy: error 49 means firmware, unplug the printer first"),
        message(2, "ada", "bo: thanks, the drive is mounted"),
        message(2.5, "cy", "di: ok, printing now"),
    ) == [0, 1, 0, 1, 0, 1]


def test_greeting_a_day_later_opens_a_conversation():
    assert conversations(
        message(0, "ada", "where is the key?"),
        message(1, "bo", "in the shed"),
        message(1500, "cy", "hi all, is anyone free for lunch?"),
    ) == [0, 0, 2]


def test_conversation_is_over_when_its_last_message_leaves_the_window():
    model = Disentangler(shipped_weights(), Window(size=2))
    over = [
        model.link(message(10_000 * number, "ada", f"hello, question {number}?")).over
        for number in range(5)
    ]
    assert over == [None, None, 0, 1, 2]
    assert model.window.first == 3


def test_messages_without_time_count_as_a_minute_apart():
    window = Window()
    for number in range(3):
        window.add(window.cues_of(Utterance(str(number), "ada", "word")), 0)
    row = window.features(window.cues_of(Utterance("3", "bo", "word")))[0]
    gaps = {name: value for name, value in zip(FEATURES, row, strict=True) if "gap above" in name}
    assert [name for name, value in gaps.items() if value] == ["gap above 60 s", "gap above 120 s"]


def test_speakers_are_found_by_name_and_first_name():
    speakers = RecentSpeakers()
    ada, bo = speakers.add("Ada Lind"), speakers.add("bo|away")
    assert speakers.mentioned("thanks @Ada, and greet bo|away") == (ada, bo)
    assert speakers.mentioned("bo|away: yes") == (bo, bo)
    assert speakers.mentioned("the boat is late") == (NOBODY, NOBODY)


def test_oldest_speaker_is_forgotten_at_the_limit():
    speakers = RecentSpeakers(limit=2)
    for name in ("ada", "bo", "ada", "cy"):
        speakers.add(name)
    assert speakers.mentioned("bo: hi") == (NOBODY, NOBODY)
    assert speakers.mentioned("ada: hi")[0] != NOBODY
