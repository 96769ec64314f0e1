import numpy as np
import pytest

from seminar.errors import ConfigurationError
from seminar.retrieval.lexical import Lexical
from seminar.retrieval.scopes import Scoped, find_scope, with_parents
from seminar.types import Passage, Query
from tests.memory_index import MemoryIndex

KNOWN = {"mail.mbox/a@b": 2, "slack/general/1": 3, "slack/random": 1, "ferry.md": 4}


def test_a_path_counts_what_lies_below_it():
    assert with_parents(KNOWN)["slack"] == 4
    assert with_parents(KNOWN)["slack/general"] == 3


@pytest.mark.parametrize("named", ["slack/general", "slack/general/", " ferry.md "])
def test_a_scope_is_found_by_its_path(named: str):
    assert find_scope(named, KNOWN) == named.strip().strip("/")


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ("general", "Did you mean 'slack/general'?"),
        ("slack/genral", "Did you mean 'slack/general'"),
        ("ferry.nd", "Did you mean 'ferry.md'?"),
        ("General", "Did you mean 'slack/general'?"),
        ("FERRY", "Did you mean 'ferry.md'?"),
        ("fery", "Did you mean 'ferry.md'?"),
        ("rando", "Did you mean 'slack/random'?"),
        ("box", "Did you mean 'mail.mbox'"),
        ("xyz", "nothing is indexed under 'xyz'. A scope is a file"),
    ],
)
def test_an_unknown_scope_names_near_ones(named: str, told: str):
    with pytest.raises(ConfigurationError) as error:
        find_scope(named, KNOWN)
    assert told in str(error.value)


def test_only_the_scope_is_searched_unless_the_query_has_its_own():
    index = MemoryIndex()
    found = [Passage(name, 0, 5, "ferry", scope=name) for name in ("a/1", "a/2", "b")]
    index.add(found, np.zeros((3, 64), dtype=np.float32))
    scoped = Scoped(Lexical(index), "a")
    own, other = scoped.search([Query("ferry"), Query("ferry", scope="b")], 10)
    assert [hit.passage.source for hit in own] == ["a/1", "a/2"]
    assert [hit.passage.source for hit in other] == ["b"]
