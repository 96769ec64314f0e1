import pytest

pytest.importorskip("torch")

from seminar.networks.papers.fusion.pragmatic_targets import (
    PragmaticTarget,
    locate,
    read_target,
    reply_of,
    write_target,
)
from seminar.types import Hit, Passage, Query

POLES = Passage("mars", 0, 60, "Ice caps cover its poles. Water was found in 23 places.", "Mars")
BATMAN = Passage("batman", 0, 40, "Bruce grew up in Wayne Manor, near Gotham.", "Batman")
HITS = [Hit(POLES, 2.0), Hit(BATMAN, 1.0)]


def test_what_is_written_is_read_back():
    target = PragmaticTarget(("Ice caps", "its poles"), ("23 places",), "Yes, as ice.")
    written = "Ice caps </lit> its poles </lit> 23 places </prag> Yes, as ice."
    assert write_target(target) == written
    assert read_target(written) == target
    assert read_target(f"{written} </s>") == target


@pytest.mark.parametrize(
    ("generated", "parts"),
    [
        ("", PragmaticTarget()),
        ("just an answer", PragmaticTarget(answer="just an answer")),
        ("a </lit> b </prag>", PragmaticTarget(("a",), ("b",))),
        ("b </prag> a </lit> c", PragmaticTarget(("a",), ("b",), "c")),
        ("a < / lit > b </ PRAG> c < /s> d </lit>", PragmaticTarget(("a",), ("b",), "c")),
        ("</lit></prag> c", PragmaticTarget(answer="c")),
        ("a </lit> a </lit> c </pra", PragmaticTarget(("a",), (), "c")),
        ("5 < 6 </lit> c", PragmaticTarget(("5 < 6",), (), "c")),
    ],
)
def test_malformed_output_is_read_as_far_as_it_goes(generated, parts):
    assert read_target(generated) == parts


def test_a_reply_cites_the_passages_own_words():
    reply = reply_of(
        "wayne manor , near gotham </lit> 23 places </prag> In wayne manor.", Query("where"), HITS
    )
    assert [(span.text, span.passage.title) for span in reply.literal] == [
        ("Wayne Manor, near Gotham", "Batman")
    ]
    assert [one.span.text for one in reply.pragmatic] == ["23 places"]
    assert (reply.text, reply.answerable, reply.affirmation) == (
        "In wayne manor.",
        True,
        "neither",
    )


def test_what_stands_in_no_passage_is_not_cited():
    reply = reply_of("on the moon </lit> in 1986 </prag> On the moon.", Query("where"), HITS)
    assert (reply.literal, reply.pragmatic, reply.answerable) == ((), (), False)


def test_literal_words_that_are_no_span():
    asked = Query("is there water?")
    unknown = reply_of("I don't know </lit> Ice caps </prag> Not sure.", asked, HITS)
    assert (unknown.answerable, [one.span.text for one in unknown.pragmatic]) == (
        False,
        ["Ice caps"],
    )
    yes = reply_of("Yes </lit> Ice caps </prag> Yes, as ice.", asked, HITS)
    assert (yes.affirmation, yes.answerable, yes.literal) == ("yes", True, ())


def test_words_are_located_whole():
    assert locate("ice", [Hit(Passage("a", 0, 20, "Nice mice like ICE."), 1.0)]).start == 15
    assert locate("ice", [Hit(Passage("a", 0, 9, "nice mice"), 1.0)]) is None
    assert locate(" ", HITS) is None
