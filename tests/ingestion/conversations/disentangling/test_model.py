"""Who answers whom in a channel without threads."""

from datetime import UTC, datetime, timedelta

from seminar.ingestion.conversations.disentangling.message_cues import NOBODY, Acquaintances
from seminar.ingestion.conversations.disentangling.model import Disentangler, shipped_weights
from seminar.ingestion.conversations.disentangling.reply_features import FEATURES, Window
from seminar.types import Utterance

BEGIN = datetime(2024, 5, 1, 10, tzinfo=UTC)


def said(minute: float, speaker: str, text: str) -> Utterance:
    return Utterance(str(minute), speaker, text, BEGIN + timedelta(minutes=minute))


def conversations(*messages: Utterance) -> list[int]:
    model = Disentangler(shipped_weights())
    return [model.link(one).conversation for one in messages]


def test_two_conversations_at_once_are_told_apart():
    assert conversations(
        said(0, "ada", "does anyone know how to mount a usb drive?"),
        said(0.5, "cy", "hello, my printer shows error 49 after the upgrade"),
        said(1, "bo", "ada: sudo mount /dev/sdb1 /mnt"),
        said(1.5, "di", "cy: error 49 means firmware, unplug the printer first"),
        said(2, "ada", "bo: thanks, the drive is mounted"),
        said(2.5, "cy", "di: ok, printing now"),
    ) == [0, 1, 0, 1, 0, 1]


def test_a_day_later_a_greeting_begins_anew():
    assert conversations(
        said(0, "ada", "where is the key?"),
        said(1, "bo", "in the shed"),
        said(1500, "cy", "hi all, is anyone free for lunch?"),
    ) == [0, 0, 2]


def test_a_conversation_is_over_when_its_last_message_is_out_of_reach():
    model = Disentangler(shipped_weights(), Window(size=2))
    over = [
        model.link(said(10_000 * number, "ada", f"hello, question {number}?")).over
        for number in range(5)
    ]
    assert over == [None, None, 0, 1, 2]
    assert model.window.first == 3


def test_messages_without_a_time_are_taken_as_a_minute_apart():
    window = Window()
    for number in range(3):
        window.add(window.look(Utterance(str(number), "ada", "word")), 0)
    row = window.evidence(window.look(Utterance("3", "bo", "word")))[0]
    gaps = {name: value for name, value in zip(FEATURES, row, strict=True) if "gap above" in name}
    assert [name for name, value in gaps.items() if value] == ["gap above 60 s", "gap above 120 s"]


def test_people_are_known_by_their_names_and_first_names():
    people = Acquaintances()
    ada, bo = people.meet("Ada Lind"), people.meet("bo|away")
    assert people.mentioned("thanks @Ada, and greet bo|away") == (ada, bo)
    assert people.mentioned("bo|away: yes") == (bo, bo)
    assert people.mentioned("the boat is late") == (NOBODY, NOBODY)


def test_only_so_many_people_are_known_at_a_time():
    people = Acquaintances(limit=2)
    for name in ("ada", "bo", "ada", "cy"):
        people.meet(name)
    assert people.mentioned("bo: hi") == (NOBODY, NOBODY)
    assert people.mentioned("ada: hi")[0] != NOBODY
