from collections.abc import Sequence

import pytest

from seminar.questions.auto import Auto, linked, old_topics
from seminar.types import Dialogue, Link, Passage, Prior, Query, Reply, Span, Switch, Turn


class Sure:
    """A topic predictor that is sure of one switch."""

    def __init__(self, switch: Switch) -> None:
        self.switch = switch

    def predict(
        self, dialogues: Sequence[Dialogue], questions: Sequence[str]
    ) -> list[dict[Switch, float]]:
        rest: dict[Switch, float] = {
            "no-switch": 0.01,
            "switch-to-old": 0.01,
            "switch-to-new": 0.01,
        }
        return [rest | {self.switch: 0.98} for _ in questions]


class Named:
    """A rewriter that puts the ferry in."""

    def rewrite(self, dialogues: Sequence[Dialogue], questions: Sequence[str]) -> list[Query]:
        return [
            Query(f"{question} (the ferry)", question, history=(("q", "a"),), notes=("rewritten",))
            for question in questions
        ]


def passage(source: str, title: str, *links: str) -> Passage:
    found = tuple(Link(0, 1, target) for target in links)
    return Passage(source, 0, 20, "The crossing is 55 m", title=title, links=found)


def turn(question: str, answer: str, where: Passage) -> Turn:
    span = Span(where, 0, 5)
    return Turn(question, Reply(answer, Query(question), answerable=True, literal=(span,)))


HARBOUR = passage("harbour.md", "The Harbour")
FERRY = passage("ferry.html", "MV Maud Brennan", "people/maud.md", "harbour.md", "ferry.html#fares")
DIALOGUE = Dialogue(
    (
        turn("Where is the harbour?", "In the south", HARBOUR),
        turn("Which ferry leaves there?", "The MV Maud Brennan", FERRY),
    )
)
ASKED = "Who is she named after?"


def weights(query: Query) -> dict[str, float]:
    return {one.text: one.weight for one in query.representations}


def test_a_first_question_is_left_alone():
    [query] = Auto().rewrite([Dialogue()], ["Who is she?"])
    assert query == Query("Who is she?", "Who is she?")


def test_a_question_that_stands_alone_is_left_alone():
    question = "How many storm petrels nest on Sallow Head in August and in September?"
    [query] = Auto().rewrite([DIALOGUE], [question])
    assert query.text == question
    assert (query.representations, query.priors) == ((), ())
    assert query.history == ()


def test_a_follow_up_is_searched_in_several_representations():
    [query] = Auto(topics=Sure("no-switch")).rewrite([DIALOGUE], [ASKED])
    assert set(weights(query)) >= {
        f"MV Maud Brennan: {ASKED}",
        f"Which ferry leaves there? [SEP] The MV Maud Brennan [SEP] {ASKED}",
        f"Where is the harbour? [SEP] In the south [SEP] Which ferry leaves there? [SEP] "
        f"The MV Maud Brennan [SEP] {ASKED}",
    }
    assert f"Where is the harbour? [SEP] Which ferry leaves there? [SEP] {ASKED}" in weights(query)
    assert (query.text, query.question) == (ASKED, ASKED)


def test_the_chief_text_never_holds_every_turn():
    for switch in ("no-switch", "switch-to-old", "switch-to-new"):
        [query] = Auto(topics=Sure(switch)).rewrite([DIALOGUE], [ASKED])
        assert "harbour" not in query.text


def test_title_of_the_present_topic_counts_less_where_a_switch_is_likely():
    [stays] = Auto(topics=Sure("no-switch")).rewrite([DIALOGUE], [ASKED])
    [moves] = Auto(topics=Sure("switch-to-new")).rewrite([DIALOGUE], [ASKED])
    topic = f"MV Maud Brennan: {ASKED}"
    assert weights(stays)[topic] > 2 * weights(moves).get(topic, 0.0)


def test_a_likely_return_searches_the_old_topic():
    [query] = Auto(topics=Sure("switch-to-old")).rewrite([DIALOGUE], [ASKED])
    assert f"The Harbour: {ASKED}" in weights(query)


def test_topics_links_and_names_are_priors():
    [query] = Auto(topics=Sure("no-switch")).rewrite([DIALOGUE], [ASKED])
    by_source = {prior.source: prior.weight for prior in query.priors if prior.source}
    assert set(by_source) == {"ferry.html", "harbour.md", "people/maud.md", "ferry.html#fares"}
    assert by_source["ferry.html"] > by_source["harbour.md"] > by_source["people/maud.md"]
    mentions = [prior.mention for prior in query.priors if prior.mention]
    assert mentions == [ASKED, "The  "]  # that the topic was named says nothing new


def test_a_topic_s_name_within_a_word_is_no_name_of_it():
    where = passage("iran.md", "Iran")
    dialogue = Dialogue((turn("What lies far to its west?", "Tirana, seen from Iran", where),))
    [query] = Auto(topics=Sure("no-switch")).rewrite([dialogue], ["How large is that?"])
    mentions = [prior.mention for prior in query.priors if prior.mention]
    assert mentions == ["How large is that?", "Tirana, seen from  "]


def test_links_lead_to_documents_that_were_no_topic():
    assert linked(DIALOGUE) == ["people/maud.md", "ferry.html#fares"]
    assert linked(Dialogue()) == []


def test_old_topics_are_those_before_the_present_one_newest_first():
    back = DIALOGUE.add(turn("And the harbour?", "It is deep", HARBOUR))
    assert old_topics(DIALOGUE) == [HARBOUR]
    assert old_topics(back) == [FERRY]
    assert old_topics(Dialogue()) == []


def test_a_rewriter_adds_its_representation_and_keeps_its_notes():
    auto = Auto(topics=Sure("no-switch"), rewriter=Named())
    [query] = auto.rewrite([DIALOGUE], [ASKED])
    assert f"{ASKED} (the ferry)" in weights(query)
    assert query.notes == ("rewritten",)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (ASKED, f"{ASKED} (the ferry)"),
        ("Why?", "Why? (the ferry)"),
        ("When did the tower at Carrow open?", "When did the tower at Carrow open?"),
        ("How do you manage Macs?", "How do you manage Macs?"),
    ],
)
def test_rewrite_is_read_only_where_the_question_depends_on_the_dialogue(question: str, text: str):
    [query] = Auto(rewriter=Named()).rewrite([DIALOGUE], [question])
    assert query.text == text


def unsure(question: str, answer: str, where: Passage, score: float) -> Turn:
    span = Span(where, 0, 5)
    reply = Reply(answer, Query(question), answerable=True, literal=(span,), score=score)
    return Turn(question, reply)


def test_unsure_answer_is_nothing_to_refer_to():
    dialogue = Dialogue((DIALOGUE.turns[0], unsure("Who paid?", "Ada", FERRY, 0.39)))
    [query] = Auto(topics=Sure("no-switch")).rewrite([dialogue], ["Why did she?"])
    assert query.history == (("Where is the harbour?", "In the south"), ("Who paid?", ""))
    assert not any("Ada" in text or "Maud" in text for text in weights(query))
    assert "ferry.html" not in {prior.source for prior in query.priors}


def test_answer_that_reaches_the_bar_is_referred_to():
    dialogue = Dialogue((unsure("Who paid?", "Ada", FERRY, 0.4),))
    [query] = Auto(topics=Sure("no-switch")).rewrite([dialogue], ["Why did she?"])
    assert "Who paid? [SEP] Ada [SEP] Why did she?" in weights(query)


def test_a_turn_without_an_answer_adds_its_question_alone():
    lost = Dialogue((Turn("who paid?", Reply("Not here.", Query("who paid?"))),))
    [query] = Auto().rewrite([lost], ["why?"])
    assert list(weights(query)) == ["why?", "who paid? [SEP] why?"]
    assert query.priors == (Prior(0.8, mention="why?"),)


def test_each_text_is_searched_once():
    once = Dialogue(DIALOGUE.turns[:1])
    [query] = Auto().rewrite([once], ["is it deep?"])
    texts = [one.text for one in query.representations]
    assert len(texts) == len(set(texts))


def test_one_query_a_question_in_order():
    queries = Auto().rewrite([Dialogue(), DIALOGUE, Dialogue()], ["one?", ASKED, "three?"])
    assert [query.question for query in queries] == ["one?", ASKED, "three?"]
    assert Auto().rewrite([], []) == []


@pytest.mark.parametrize("switch", ["no-switch", "switch-to-new"])
def test_nothing_is_remembered(switch: Switch):
    auto = Auto(topics=Sure(switch))
    first = auto.rewrite([DIALOGUE], [ASKED])
    auto.rewrite([Dialogue()], ["What else?"])
    assert auto.rewrite([DIALOGUE], [ASKED]) == first
