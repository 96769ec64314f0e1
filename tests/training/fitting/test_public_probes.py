from dataclasses import replace

from seminar.examples import Example, Gold
from seminar.training.fitting.public_probes import (
    Probe,
    collection_of,
    in_dialogue_of,
    with_opening_turn,
)
from seminar.types import Passage

TEXT = "The ferry was built in 1911 by Edda Thornquist."
OWN = Passage("1", 0, len(TEXT), TEXT, title="The ferry")


def probe(gold: Gold, **more) -> Probe:
    return Probe("here", Example("1", "1", "Who built it?", gold, title="The_ferry", **more))


def test_a_dialog_opens_with_what_it_is_about():
    asked = probe(Gold(), history=(("Why?", "CANNOTANSWER"),), context=TEXT)
    opened = replace(asked, example=with_opening_turn(asked.example)).dialogue
    assert [(turn.question, turn.reply.text) for turn in opened.turns] == [
        ("What is The ferry?", TEXT),
        ("Why?", "CANNOTANSWER"),
    ]
    assert [turn.reply.answerable for turn in opened.turns] == [True, False]


def test_a_text_without_a_title_is_known_by_its_words():
    asked = Probe("here", Example("1", "1", "Who built it?", Gold(), context=TEXT))
    assert asked.is_about(OWN)
    assert not asked.is_about(replace(OWN, text="Another text."))


def test_a_question_may_change_the_subject_of_a_dialog():
    dialog = Example("2", "2", "And then?", Gold(), history=(("Why?", "Rain."),), title="Rain")
    changed = in_dialogue_of(dialog, probe(Gold()).example)
    assert (changed.question, changed.title) == ("Who built it?", "The_ferry")
    assert changed.history == (("Why?", "Rain."),)


def test_an_article_is_always_in_the_same_collection():
    article = probe(Gold()).example
    same = replace(article, id="2", question="When was it built?")
    assert collection_of(article, 40) == collection_of(same, 40)
    assert collection_of(article, 1) == 0
