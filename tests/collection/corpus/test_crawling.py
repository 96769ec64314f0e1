from seminar.collection.corpus.crawling import reachable

CHAIN = {f"p{n}": [f"p{n + 1}", "p0"] for n in range(6)} | {"p6": []}


def test_pages_within_three_links():
    assert reachable(CHAIN, "p0") == {"p0": 0, "p1": 1, "p2": 2, "p3": 3}


def test_a_page_has_its_shortest_way():
    assert reachable({"a": ["b", "c"], "b": ["c"], "c": []}, "a") == {"a": 0, "b": 1, "c": 1}


def test_the_nearest_pages_are_taken_up_to_the_limit():
    star = {"a": ["b", "c"], "b": ["d"], "c": ["e"], "d": [], "e": []}
    assert list(reachable(star, "a", limit=4)) == ["a", "b", "c", "d"]
    assert reachable(star, "a", limit=1) == {"a": 0}


def test_links_out_of_the_site_are_not_followed():
    assert reachable({"a": ["https://example.org", "b"], "b": []}, "a") == {"a": 0, "b": 1}
