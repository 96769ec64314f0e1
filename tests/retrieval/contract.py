"""The contract of `FileIndex`: every engine must pass `SEARCH_CHECKS` and `FILE_CHECKS`.

Each search check takes a new, empty index. The checks about files are in `file_contract.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from seminar.protocols import PassageStore
from seminar.types import Hit, LineMark, Link, Page, Passage, Query, Utterance
from tests.fakes import FakeEncoder

ENCODER = FakeEncoder()

HOSTILE = [
    "",
    "   ",
    '"',
    "what's \"the tower",
    "tower AND OR NOT (",
    "+tower -red ~2 ^3 * ? [a TO b] {x} title:tower \\",
    "tower' OR 1=1 --",
    "tower\x00\n\t\r",
    "ŧöẃēř 塔 🗼 \u200b\u202e",
    "tower " * 10_000,
]


def passage(text: str, source: str = "a.md", *, start: int = 0, scope: str = "") -> Passage:
    return Passage(source, start, start + len(text), text, scope=scope)


def fill(store: PassageStore, passages: Sequence[Passage]) -> None:
    store.add(passages, ENCODER.encode([passage.searched for passage in passages]))


def by_vector(text: str, scope: str | None = None) -> Query:
    return Query(text, vector=ENCODER.encode([text])[0], scope=scope)


def texts(hits: Sequence[Hit]) -> list[str]:
    return [hit.passage.text for hit in hits]


def three_towns(store: PassageStore) -> None:
    fill(
        store,
        [
            passage("the red tower of York", "york.md", scope="towns/york"),
            passage("the old bridge of Rome", "rome.md", scope="towns/rome"),
            passage("a harbour and a red ship", "ship.md", scope="ships"),
        ],
    )


def empty_index_finds_nothing(store: PassageStore) -> None:
    assert store.count() == 0
    assert store.search_text([Query("tower")], k=3) == [[]]
    assert store.search_vector([by_vector("tower")], k=3) == [[]]


def no_queries_give_no_rankings(store: PassageStore) -> None:
    three_towns(store)
    assert store.search_text([], k=3) == []
    assert store.search_vector([], k=3) == []


def rankings_are_in_the_order_of_queries(store: PassageStore) -> None:
    three_towns(store)
    queries = ["bridge Rome", "harbour", "nothing alike", "tower York", "harbour"]
    by_words = store.search_text([Query(text) for text in queries], k=1)
    assert [texts(hits) for hits in by_words] == [
        ["the old bridge of Rome"],
        ["a harbour and a red ship"],
        [],
        ["the red tower of York"],
        ["a harbour and a red ship"],
    ]
    by_meaning = store.search_vector([by_vector("old bridge Rome"), by_vector("red ship")], k=1)
    assert [texts(hits) for hits in by_meaning] == [
        ["the old bridge of Rome"],
        ["a harbour and a red ship"],
    ]


def rankings_are_best_first_and_repeatable(store: PassageStore) -> None:
    three_towns(store)
    first = store.search_text([Query("red tower")], k=3)
    assert texts(first[0]) == ["the red tower of York", "a harbour and a red ship"]
    assert first[0][0].score > first[0][1].score
    assert store.search_text([Query("red tower")], k=3) == first
    nearest = store.search_vector([by_vector("the red tower of York")], k=3)
    assert [hit.score for hit in nearest[0]] == sorted((h.score for h in nearest[0]), reverse=True)
    assert nearest[0][0].score == pytest.approx(1.0, abs=1e-3)  # vectors may have half precision
    assert store.search_vector([by_vector("the red tower of York")], k=3) == nearest


def k_may_exceed_the_number_of_passages_or_be_zero(store: PassageStore) -> None:
    three_towns(store)
    assert len(store.search_text([Query("red")], k=1_000)[0]) == 2
    assert len(store.search_vector([by_vector("red")], k=1_000)[0]) == 3
    assert store.search_text([Query("red")], k=0) == [[]]
    assert store.search_vector([by_vector("red")], k=0) == [[]]


def equal_scores_are_ordered_by_id(store: PassageStore) -> None:
    sources = [f"{number:02}.md" for number in range(40)]
    fill(store, [passage("the same red tower", source) for source in reversed(sources)])
    for hits in (
        store.search_text([Query("tower")], k=5)[0],
        store.search_vector([by_vector("tower")], k=5)[0],
    ):
        assert [hit.passage.source for hit in hits] == sources[:5]


def search_returns_passages_unchanged(store: PassageStore) -> None:
    whole = Passage(
        "mail.mbox#<1@x>",
        7,
        30,
        "Straße\n\n“naïve” 塔 🗼\u200b  ",
        title="Fähren > Häfen",
        section="A > B",
        scope="mail/straße",
        links=(Link(0, 3, "https://example.org/?q='%_\""), Link(4, 5, "")),
        pages=(Page(2, 0, 9),),
        utterances=(Utterance("1", "Zoë", "naïve", None, 0, 5, "mail.mbox", (LineMark(0, 12),)),),
        lines=(LineMark(0, 3), LineMark(8, 4)),
    )
    fill(store, [whole])
    assert store.search_text([Query("naive Häfen naïve")], k=1)[0][0].passage == whole
    assert store.search_vector([by_vector("塔")], k=1)[0][0].passage == whole


def headings_are_searched(store: PassageStore) -> None:
    titled = replace(passage("It was built in 1900."), title="Lighthouse", section="History")
    fill(store, [titled, passage("Nothing here.", "b.md")])
    assert store.search_text([Query("lighthouse")], k=2)[0][0].passage == titled
    assert store.search_text([Query("history")], k=2)[0][0].passage == titled


def scope_includes_the_paths_below_it(store: PassageStore) -> None:
    scopes = ["docs", "docs/a", "docs/a/b", "docs2", "docs.old", "doc", "other/docs", ""]
    fill(store, [passage("red tower", f"{n}.md", scope=name) for n, name in enumerate(scopes)])

    def seen(scope: str | None) -> set[str]:
        [found] = store.search_text([Query("tower", scope=scope)], k=20)
        [near] = store.search_vector([by_vector("tower", scope)], k=20)
        assert {hit.passage.scope for hit in near} == {hit.passage.scope for hit in found}
        return {hit.passage.scope for hit in found}

    assert seen(None) == set(scopes)
    assert seen("") == set(scopes)
    assert seen("docs") == {"docs", "docs/a", "docs/a/b"}
    assert seen("docs/") == {"docs", "docs/a", "docs/a/b"}
    assert seen("docs/a") == {"docs/a", "docs/a/b"}
    assert seen("nowhere") == set()


def scopes_are_names_and_not_patterns(store: PassageStore) -> None:
    scopes = ["d'oc", 'd"oc', "d%c", "d_c", "doc", "d\\c", "d`c", "x' OR 1=1 --", "塔/🗼"]
    fill(store, [passage("red tower", f"{n}.md", scope=name) for n, name in enumerate(scopes)])
    for scope in scopes:
        [found] = store.search_text([Query("tower", scope=scope)], k=20)
        assert [hit.passage.scope for hit in found] == [scope]


def any_text_may_be_searched(store: PassageStore) -> None:
    three_towns(store)
    rankings = store.search_text([Query(text) for text in HOSTILE], k=2)
    assert len(rankings) == len(HOSTILE)
    assert rankings[:3] == [[], [], []]
    for asked in (3, 4, 5, 6, 7, 9):
        assert texts(rankings[asked])[0] == "the red tower of York"


def deleted_source_is_not_found(store: PassageStore) -> None:
    three_towns(store)
    store.delete(["york.md", "never.md", "r%.md"])
    assert store.count() == 2
    assert store.search_text([Query("tower")], k=3) == [[]]
    assert "york.md" not in {
        hit.passage.source for hit in store.search_vector([by_vector("tower")], k=3)[0]
    }


def deleted_source_can_be_added_again(store: PassageStore) -> None:
    three_towns(store)
    store.delete(["york.md"])
    fill(store, [passage("a new tower in York", "york.md", start=9)])
    assert store.count() == 3
    assert texts(store.search_text([Query("tower")], k=3)[0]) == ["a new tower in York"]


def passage_added_again_is_stored_once(store: PassageStore) -> None:
    three_towns(store)
    three_towns(store)
    assert store.count() == 3
    assert texts(store.search_text([Query("tower")], k=3)[0]) == ["the red tower of York"]


SEARCH_CHECKS: list[Callable[[PassageStore], None]] = [
    empty_index_finds_nothing,
    no_queries_give_no_rankings,
    rankings_are_in_the_order_of_queries,
    rankings_are_best_first_and_repeatable,
    k_may_exceed_the_number_of_passages_or_be_zero,
    equal_scores_are_ordered_by_id,
    search_returns_passages_unchanged,
    headings_are_searched,
    scope_includes_the_paths_below_it,
    scopes_are_names_and_not_patterns,
    any_text_may_be_searched,
    deleted_source_is_not_found,
    deleted_source_can_be_added_again,
    passage_added_again_is_stored_once,
]
