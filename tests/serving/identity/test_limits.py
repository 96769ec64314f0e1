import pytest

from seminar.serving.identity.limits import MOST_KEYS, Limit, address_key
from seminar.serving.problems import Problem


def test_a_minutes_acts_are_allowed_at_once_and_then_refilled():
    limit = Limit(3)
    assert [limit.seconds_to_wait("a", 0) for _ in range(4)] == [0, 0, 0, 20]
    assert limit.seconds_to_wait("a", 19) == pytest.approx(1)
    assert limit.seconds_to_wait("a", 20) == 0
    assert limit.seconds_to_wait("a", 20) == 20


def test_keys_do_not_share_a_limit():
    limit = Limit(1)
    assert [limit.seconds_to_wait(key, 0) for key in "aba"] == [0, 0, 60]


def test_a_long_wait_saves_no_more_than_a_minute():
    limit = Limit(2)
    assert [limit.seconds_to_wait("a", 10_000) for _ in range(3)] == [0, 0, 30]


def test_the_problem_says_how_long_to_wait():
    limit = Limit(1)
    limit.spend("a", "logins")
    with pytest.raises(Problem, match="Too many logins: at most 1 in a minute") as raised:
        limit.spend("a", "logins")
    assert raised.value.status == 429
    assert 0 < int(raised.value.headers["Retry-After"]) <= 60


def test_keys_unused_for_longest_are_forgotten():
    limit = Limit(1)
    limit.seconds_to_wait("first", 0)
    for number in range(MOST_KEYS):
        limit.seconds_to_wait(number, 0)
    assert limit.seconds_to_wait("first", 0) == 0
    assert limit.seconds_to_wait(MOST_KEYS - 1, 0) == 60


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("testclient", "testclient"),
    ],
)
def test_an_ipv6_network_counts_as_one_address(address: str, key: str):
    assert address_key(address) == key
