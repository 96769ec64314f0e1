"""Channels with their conversations, written as the official files are."""

import os
from pathlib import Path

import pytest

from seminar.datasets.catalog import channels
from seminar.errors import ConfigurationError, DatasetError

SLACK = """<slack><message conversation_id="1"><ts>2019-01-01T10:00:00.5</ts><user>Ada</user>
<text>Where?</text></message><message conversation_id="2"><ts>2019-01-01T10:01:00.5</ts>
<user>Bo</user><text>&lt;@Ada&gt; hm &lt;@U2|cy&gt;</text></message></slack>"""
IRC = """[11:58] <ada> hello
=== cy has joined
[11:59] <bo> ada: hi
[12:01]  * ada waves
[01:00] <bo> late
"""


def write_irc(root: Path, links: str) -> None:
    for place, name in (("channel-two", "channel-two.all"), ("dev", "a")):
        folder = root / "irc_disentanglement" / place
        folder.mkdir(parents=True)
        (folder / f"{name}.ascii.txt").write_text(IRC)
        (folder / f"{name}.annotation.txt").write_text(links)


def test_slack_has_conversations_and_mentions_by_name(tmp_path: Path):
    (tmp_path / "slack_disentangled/x/2019").mkdir(parents=True)
    (tmp_path / "slack_disentangled/x/2019/c.xml").write_text(SLACK)
    [channel] = channels("slack_disentangled", tmp_path)
    assert (channel.name, channel.conversations, channel.links) == ("x/2019", ("1", "2"), ())
    assert [(one.speaker, one.text) for one in channel.messages] == [
        ("Ada", "Where?"),
        ("Bo", "@Ada hm @U2"),
    ]


def test_irc_has_links_and_what_they_connect(tmp_path: Path):
    write_irc(tmp_path, "0 0 -\n0 2 - \n2 3 -\n1 1 -\n4 4 -\n")
    second, _ = channels("irc_disentanglement", tmp_path)
    assert second.links == ((0, 0), (1, 1), (2, 0), (3, 2), (4, 4))
    assert second.conversations == ("0", "1", "0", "0", "4")
    assert [one.speaker for one in second.messages] == ["ada", "", "bo", "ada", "bo"]
    times = [one.time for one in second.messages if one.time]
    assert [(time - times[0]).total_seconds() / 60 for time in times] == [0, 0, 1, 3, 62]


def test_a_malformed_link_is_named(tmp_path: Path):
    write_irc(tmp_path, "0 0 -\n0 x -\n")
    with pytest.raises(DatasetError, match=r"annotation.txt:2: expected two numbers.*'0 x -'"):
        list(channels("irc_disentanglement", tmp_path))


def test_an_unknown_collection_is_named(tmp_path: Path):
    with pytest.raises(ConfigurationError, match="unknown channel collection 'irc'"):
        channels("irc", tmp_path)


@pytest.mark.skipif("SEMINAR_DATA" not in os.environ, reason="needs the published channels")
def test_the_conversations_of_irc_are_the_official_ones():
    folder = Path(os.environ["SEMINAR_DATA"]) / "irc_disentanglement"
    official = set()
    for line in (folder / "gold.dev.clusters.txt").read_text().splitlines():
        name, _, numbers = line.partition(":")
        official.add((name, frozenset(map(int, numbers.split()))))
    ours = set()
    for channel in list(channels("irc_disentanglement"))[1:]:
        members: dict[str, set[int]] = {}
        for number in range(channel.start, len(channel.messages)):
            members.setdefault(channel.conversations[number], set()).add(number)
        ours |= {(channel.name, frozenset(numbers)) for numbers in members.values()}
    assert ours == official
    assert len(ours) == 494
