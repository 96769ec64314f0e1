from datetime import UTC, datetime, timedelta

from seminar.baselines.disentanglement import RULES
from seminar.datasets.conversations.disentanglement import Channel
from seminar.types import Utterance


def channel(*messages: tuple[int, str, str]) -> Channel:
    begin = datetime(2024, 5, 1, 23, tzinfo=UTC)
    messages = [
        Utterance(str(number), speaker, text, begin + timedelta(minutes=minute))
        for number, (minute, speaker, text) in enumerate(messages)
    ]
    return Channel("c", tuple(messages), tuple("0" for _ in messages))


SAID = channel(
    (0, "Ada", "Where is the key?"),
    (5, "", "Di has joined"),
    (10, "Bo", "In the shed."),
    (50, "Cy", "Lunch?"),
    (70, "Ada", "Bo: thanks"),
)


def partition(rule: str) -> list[set[int]]:
    split = RULES[rule](SAID)
    found: dict[str, set[int]] = {}
    for number, label in enumerate(split.conversations):
        found.setdefault(label, set()).add(number)
    return list(found.values())


def test_rules_split_as_they_say_and_leave_notices_alone():
    assert partition("one conversation") == [{0, 2, 3, 4}, {1}]
    assert partition("each message alone") == [{0}, {1}, {2}, {3}, {4}]
    assert partition("a conversation a day") == [{0, 2, 3}, {1}, {4}]
    assert partition("30 minutes of silence") == [{0, 2}, {1}, {3, 4}]
    assert partition("one for a pair of speakers") == [{0}, {1}, {2, 4}, {3}]


def test_a_message_answers_the_one_before_it_in_its_conversation():
    assert RULES["30 minutes of silence"](SAID).links == ((0, 0), (1, 1), (2, 0), (3, 3), (4, 3))
