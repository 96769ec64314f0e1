from seminar.models.encoders.registry import load_encoder
from seminar.reading.regions import narrow
from seminar.types import Hit, Passage, Query

SENTENCES = [
    "The harbour was dug in 1790.",
    "Its wall is made of granite.",
    "The ferry crosses in 55 minutes.",
    "Dogs travel free on deck.",
    "The café sells soup and bread.",
    "Storms close the harbour in winter.",
]
HARBOUR = Passage("harbour.md", 0, 170, " ".join(SENTENCES), title="Harbour")
BREAD = Passage("bread.md", 0, 40, "Bread is made of flour, water and salt.", title="Bread")
TOWER = Passage("tower.md", 0, 50, "The tower was finished in 1911.", title="Tower")
HITS = [Hit(BREAD, 3.0), Hit(TOWER, 2.0), Hit(HARBOUR, 1.0)]


def regions(question: str, *, searched: str = "", count: int = 3, size: int = 160):
    return narrow(Query(searched or question, question), HITS, regions=count, size=size)


def test_short_passages_are_whole_regions_in_order_of_hits():
    assert [region.text for region in regions("How long?")] == [
        BREAD.text,
        TOWER.text,
        HARBOUR.text,
    ]


def test_long_passage_is_cropped_around_best_sentence():
    [*_, harbour] = regions("How long does the ferry take?", size=17)
    assert harbour.text == " ".join(SENTENCES[1:4])
    assert HARBOUR.text[harbour.start : harbour.end] == harbour.text


def test_sentence_longer_than_size_is_a_region():
    [*_, harbour] = regions("How long does the ferry take?", size=2)
    assert harbour.text == SENTENCES[2]


def test_passages_without_question_terms_are_left_out():
    [region] = regions("How long does the ferry take across from the harbour?", count=1)
    assert (region.passage, region.rank) == (HARBOUR, 3)


def test_history_helps_to_choose_sentences():
    follow_up, earlier = "And how long?", "When does the ferry leave? [SEP] at nine [SEP] "
    [*_, without_history] = regions(follow_up, size=6)
    [*_, with_history] = regions(follow_up, searched=earlier + follow_up, size=6)
    assert (without_history.text, with_history.text) == (SENTENCES[0], SENTENCES[2])


def test_region_has_own_and_best_coverage():
    bread, tower, _ = regions("What is bread made of?")
    assert (bread.coverage, bread.best) == (1.0, 1.0)
    assert (tower.coverage, tower.best) == (0.0, 1.0)


def test_encoder_adds_similarity_to_shared_terms():
    question = Query("How much time does the passage over the water need?")
    crossing = Passage("sea.md", 0, 40, "The ferry crosses the sea in 55 minutes.", title="Sea")
    hits = [Hit(BREAD, 3.0), Hit(TOWER, 2.0), Hit(crossing, 1.0)]
    [lexical] = narrow(question, hits, regions=1, size=160)
    [semantic] = narrow(question, hits, regions=1, size=160, encoder=load_encoder("minilm"))
    assert (lexical.passage, semantic.passage) == (BREAD, crossing)
    assert semantic.rank == 3


def test_no_hits_give_no_regions():
    assert narrow(Query("How long?"), [], regions=5, size=160) == []
