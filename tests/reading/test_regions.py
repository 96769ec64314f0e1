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


def test_short_passages_are_read_whole_in_the_order_of_the_hits():
    assert [one.text for one in regions("How long?")] == [BREAD.text, TOWER.text, HARBOUR.text]


def test_a_long_passage_is_cropped_to_the_sentences_around_the_best_one():
    [*_, harbour] = regions("How long does the ferry take?", size=17)
    assert harbour.text == " ".join(SENTENCES[1:4])
    assert HARBOUR.text[harbour.start : harbour.end] == harbour.text


def test_a_sentence_longer_than_the_room_is_still_read():
    [*_, harbour] = regions("How long does the ferry take?", size=2)
    assert harbour.text == SENTENCES[2]


def test_passages_without_the_question_s_words_are_passed_over():
    [one] = regions("How long does the ferry take across from the harbour?", count=1)
    assert (one.passage, one.rank) == (HARBOUR, 3)


def test_what_was_said_before_helps_to_find_the_place():
    follow_up, earlier = "And how long?", "When does the ferry leave? [SEP] at nine [SEP] "
    [*_, alone] = regions(follow_up, size=6)
    [*_, told] = regions(follow_up, searched=earlier + follow_up, size=6)
    assert (alone.text, told.text) == (SENTENCES[0], SENTENCES[2])


def test_coverage_tells_the_best_hit_from_the_others():
    bread, tower, _ = regions("What is bread made of?")
    assert (bread.coverage, bread.best) == (1.0, 1.0)
    assert (tower.coverage, tower.best) == (0.0, 1.0)


def test_with_an_encoder_the_meaning_counts_beside_the_words():
    question = Query("How much time does the passage over the water need?")
    crossing = Passage("sea.md", 0, 40, "The ferry crosses the sea in 55 minutes.", title="Sea")
    hits = [Hit(BREAD, 3.0), Hit(TOWER, 2.0), Hit(crossing, 1.0)]
    [by_words] = narrow(question, hits, regions=1, size=160)
    [by_meaning] = narrow(question, hits, regions=1, size=160, encoder=load_encoder("minilm"))
    assert (by_words.passage, by_meaning.passage) == (BREAD, crossing)
    assert by_meaning.rank == 3


def test_no_hits_give_no_regions():
    assert narrow(Query("How long?"), [], regions=5, size=160) == []
