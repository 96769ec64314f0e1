import json

from seminar.collection.live.connections import LONGEST_QUEUE, MOST_SOCKETS, Connection, Connections
from seminar.collection.messages.live import Pong


def sent(connection: Connection) -> list[str]:
    """The types of the messages that wait to be sent."""
    found = []
    while not connection.queue.empty():
        content = connection.queue.get_nowait()
        found.append(json.loads(content)["type"] if content else "end")
    return found


def test_every_tab_of_a_worker_gets_a_message():
    connections = Connections()
    tabs = [Connection("w1"), Connection("w1"), Connection("w2")]
    for tab in tabs:
        connections.add(tab)
    connections.send("w1", Pong())
    connections.send("nobody", Pong())
    assert [sent(tab) for tab in tabs] == [["pong"], ["pong"], []]


def test_worker_is_away_when_the_last_tab_is_closed():
    connections = Connections()
    first, second = Connection("w1"), Connection("w1")
    connections.add(first)
    connections.add(second)
    assert connections.remove(first) is False
    assert connections.is_here("w1")
    assert connections.remove(second) is True
    assert not connections.is_here("w1")


def test_client_that_reads_too_slowly_is_given_up():
    connection = Connection("w1")
    for _ in range(LONGEST_QUEUE):
        connection.send(Pong())
    assert not connection.is_too_slow.is_set()
    connection.send(Pong())
    assert connection.is_too_slow.is_set()
    assert connection.queue.qsize() == LONGEST_QUEUE


def test_oldest_of_too_many_tabs_is_closed():
    connections = Connections()
    tabs = [Connection("w1") for _ in range(MOST_SOCKETS + 1)]
    for tab in tabs:
        connections.add(tab)
    assert [sent(tab) for tab in tabs] == [["closing", "end"], *[[]] * MOST_SOCKETS]
