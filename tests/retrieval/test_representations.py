"""A query in several representations, fused under priors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from seminar.retrieval.representations import FusedRepresentations
from seminar.types import Hit, Passage, Prior, Query, Representation

TITLES = {"m": "Mercury (planet)", "a": "Anatolia", "b": "Bosnia", "i": "It"}


@dataclass
class Spelled:
    """Ranks passages in the order of the letters of the query's text, and counts its batches."""

    batches: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    asked: list[Query] = field(default_factory=list)

    def search(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        self.batches.append(len(queries))
        self.depths.append(k)
        self.asked += queries
        return [[_hit(name, 9.0 - at) for at, name in enumerate(q.text)][:k] for q in queries]


def _hit(name: str, score: float) -> Hit:
    return Hit(Passage(name, 0, 1, name, title=TITLES.get(name, name.upper())), score)


def query(*texts: tuple[str, float], priors: tuple[Prior, ...] = ()) -> Query:
    forms = tuple(Representation(text, weight) for text, weight in texts)
    return Query(texts[0][0], representations=forms, priors=priors)


def order(asked: Query, k: int = 10) -> str:
    [hits] = FusedRepresentations(Spelled()).search([asked], k)
    return "".join(hit.passage.source for hit in hits)


def test_a_query_without_representations_is_searched_as_it_is() -> None:
    [hits] = FusedRepresentations(Spelled()).search([Query("xyz")], k=2)
    assert [(hit.passage.source, hit.score) for hit in hits] == [("x", 9.0), ("y", 8.0)]


def test_the_score_is_the_weighed_sum_of_reciprocal_ranks() -> None:
    asked = query(("xy", 1.0), ("yz", 0.5))
    [hits] = FusedRepresentations(Spelled(), constant=2.0).search([asked], k=3)
    assert [hit.passage.source for hit in hits] == ["y", "x", "z"]
    expected = [1 / 4 + 0.5 / 3, 1 / 3, 0.5 / 4]
    assert [hit.score for hit in hits] == pytest.approx(expected)


def test_the_heavier_representation_leads() -> None:
    assert order(query(("xy", 1.0), ("zw", 3.0))) == "zwxy"


def test_a_document_that_is_expected_rises() -> None:
    assert order(query(("xyz", 1.0))) == "xyz"
    assert order(query(("xyz", 1.0), priors=(Prior(9.0, source="y"),))) == "yxz"


def test_prior_on_a_document_counts_less_among_few_documents() -> None:
    found = "".join(map(chr, range(ord("a"), ord("z") + 1)))
    prior = (Prior(1.0, source="b"),)
    assert order(query((found, 1.0), priors=prior)).startswith("ba")
    assert order(query(("ab", 1.0), priors=prior)) == "ab"


def test_an_expected_document_that_nothing_finds_is_no_hit() -> None:
    assert order(query(("xy", 1.0), priors=(Prior(9.0, source="w"),))) == "xy"


def test_a_document_whose_title_was_mentioned_rises() -> None:
    mention = Prior(2.0, mention="Yes. Anatolia, and as far west as Bosnia.")
    assert order(query(("xyzab", 1.0), priors=(mention,))) == "abxyz"


def test_what_stands_in_brackets_need_not_be_mentioned() -> None:
    assert order(query(("xm", 1.0), priors=(Prior(2.0, mention="Is mercury hot?"),))) == "mx"


def test_part_of_a_word_is_no_mention() -> None:
    assert order(query(("xm", 1.0), priors=(Prior(2.0, mention="a mercurys lamp"),))) == "xm"


def test_a_title_of_small_words_is_never_mentioned() -> None:
    assert order(query(("xi", 1.0), priors=(Prior(2.0, mention="Is it hot?"),))) == "xi"


def test_a_query_with_priors_alone_is_searched_once_and_weighed() -> None:
    assert order(Query("xy", priors=(Prior(20.0, source="y"),))) == "yx"


def test_all_queries_are_searched_in_one_batch() -> None:
    inner = Spelled()
    asked = [query(("ab", 1.0), ("cd", 1.0)), Query("ef"), query(("gh", 1.0))]
    rankings = FusedRepresentations(inner).search(asked, k=1)
    assert inner.batches == [4]
    assert [len(ranking) for ranking in rankings] == [1, 1, 1]
    assert [ranking[0].passage.source for ranking in rankings] == ["a", "e", "g"]


def test_it_looks_deeper_than_it_answers() -> None:
    inner = Spelled()
    FusedRepresentations(inner, depth=50).search([query(("ab", 1.0))], k=3)
    FusedRepresentations(inner, depth=50).search([Query("ab")], k=3)
    assert inner.depths == [50, 3]


def test_the_scope_stays_and_a_vector_stays_with_its_text() -> None:
    inner = Spelled()
    vector = np.ones(2, dtype=np.float32)
    forms = (Representation("ab"), Representation("cd"))
    asked = Query("cd", vector=vector, scope="docs", representations=forms)
    FusedRepresentations(inner).search([asked], k=1)
    assert [one.scope for one in inner.asked] == ["docs", "docs"]
    assert inner.asked[0].vector is None
    assert inner.asked[1].vector is vector


def test_no_queries_no_rankings() -> None:
    assert FusedRepresentations(Spelled()).search([], k=3) == []
