import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from seminar.models.encoders.registry import load_encoder
from seminar.models.reader.model import Finding, Inquiry
from seminar.reading.span_reader import AFFIRMATION_FEATURES, FEATURES, Calibration, SpanReader
from seminar.types import Answer, Hit, Passage, Query

HARBOUR_TEXT = "It was dug in 1790. The ferry takes 55 minutes. Dogs travel free."
HARBOUR = Passage("harbour.md", 0, 66, HARBOUR_TEXT, "Harbour")
FERRY = Passage("ferry.md", 0, 60, "The ferry: 55 minutes! In winter it takes an hour.", "Ferry")
TOWER = Passage("tower.md", 0, 40, "The tower was finished in 1911.", "Tower")

PLAIN = Calibration(
    dict.fromkeys(FEATURES, 0.0) | {"span": 1.0, "type": 1.0},
    dict.fromkeys(AFFIRMATION_FEATURES, 0.0) | {"bias": -1.0, "region": 1.0, "sentence": 1.0},
)
SPAN_TYPE, YES_TYPE, NO_TYPE = (
    (2.0, -50.0, -50.0, 0.0, -2.0),
    (-50.0, 3.0, -50.0, 1.0, -2.0),
    (-50.0, -50.0, 2.0, 1.0, -2.0),
)


@dataclass
class Scripted:
    """A reader model that finds, in each text, what it was told to find there."""

    answers: dict[str, tuple[str, float, tuple[float, ...]]]
    asked: list[Inquiry] = field(default_factory=list)

    def read(
        self, inquiries: Sequence[Inquiry], *, longest: int, spans: int
    ) -> list[list[Finding]]:
        self.asked += inquiries
        return [[self._finding(one.text)] for one in inquiries]

    def _finding(self, text: str) -> Finding:
        words, odds, types = self.answers.get(text, ("", -9.0, SPAN_TYPE))
        start = text.find(words)
        return Finding(start, start + len(words), odds, types)


def read(
    model: Scripted, *passages: Passage, question: str = "How long?", **settings
) -> list[Answer]:
    query = Query(question, question)
    hits = [Hit(passage, 1.0) for passage in passages]
    reader = SpanReader(model, load_encoder("static"), calibration=PLAIN, **settings)
    [answers] = reader.read([query], [hits])
    return answers


def test_answers_are_ordered_by_their_probability():
    model = Scripted(
        {
            TOWER.text: ("1911", -3.0, SPAN_TYPE),
            FERRY.text: ("an hour", 1.0, SPAN_TYPE),
        }
    )
    best, other = read(model, TOWER, FERRY)
    assert (best.span.text, best.affirmation) == ("an hour", "neither")
    assert best.score == pytest.approx(0.9526, abs=1e-4)  # 1 / (1 + exp(-(1 + 2)))
    assert (other.span.text, other.score) == ("1911", pytest.approx(0.2689, abs=1e-4))


def test_one_answer_in_two_passages_is_told_once_where_it_is_strongest():
    model = Scripted(
        {
            HARBOUR.text: ("55 minutes", 0.5, SPAN_TYPE),
            FERRY.text: ("55 minutes!", 1.0, SPAN_TYPE),
        }
    )
    [answer] = read(model, HARBOUR, FERRY)
    assert answer.span.passage == FERRY


def test_yes_and_no_come_with_the_sentence_that_shows_them():
    model = Scripted(
        {
            HARBOUR.text: ("free", -4.0, YES_TYPE),
            FERRY.text: ("winter", -4.0, NO_TYPE),
        }
    )
    yes, no = read(model, HARBOUR, FERRY)
    assert (yes.affirmation, yes.span.text) == ("yes", "Dogs travel free.")
    assert (no.affirmation, no.span.text) == ("no", "In winter it takes an hour.")
    assert yes.score == pytest.approx(0.8808, abs=1e-4)  # 1 / (1 + exp(-(3 - 1)))


def test_a_yes_that_might_be_a_no_is_told_as_its_words():
    model = Scripted({HARBOUR.text: ("free", -4.0, (-50.0, 2.0, 1.7, -1.0, -50.0))})
    [answer] = read(model, HARBOUR)
    assert (answer.affirmation, answer.span.text) == ("neither", "Dogs travel free.")


def test_a_question_for_yes_or_no_gets_one_though_the_type_is_a_span():
    model = Scripted({HARBOUR.text: ("free", 1.0, (2.0, 0.0, -3.0, 0.0, -50.0))})
    [answer] = read(model, HARBOUR, question="Do dogs travel free?")
    assert (answer.affirmation, answer.span.text) == ("yes", "Dogs travel free.")
    [open_answer] = read(model, HARBOUR, question="What do dogs travel for?")
    assert (open_answer.affirmation, open_answer.span.text) == ("neither", "free")


def test_yes_or_no_is_weighed_by_the_sentence_alone_too():
    text = "There is a lift in the new hall. In the old hall there is none."
    halls = Passage("halls.md", 0, len(text), text, "Halls")
    model = Scripted(
        {
            text: ("none", 1.0, (-50.0, 2.0, 1.0, 0.0, -50.0)),
            "In the old hall there is none.": ("none", 1.0, (-50.0, 0.0, 3.0, 0.0, -50.0)),
        }
    )
    [answer] = read(model, halls, question="Is there a lift in the old hall?")
    assert (answer.affirmation, answer.span.text) == ("no", "In the old hall there is none.")
    assert [one.text for one in model.asked] == [text, "In the old hall there is none."]


def test_an_undecided_sentence_is_not_one_answer_with_another():
    unsure = (-50.0, 0.1, 0.0, 0.0, -50.0)
    model = Scripted({HARBOUR.text: ("free", 1.0, unsure), FERRY.text: ("winter", 0.0, unsure)})
    answers = read(model, HARBOUR, FERRY, question="Is it free?")
    assert [one.span.passage for one in answers] == [HARBOUR, FERRY]
    assert {one.affirmation for one in answers} == {"neither"}


def test_a_type_that_wavers_between_kinds_of_answer_still_answers():
    model = Scripted({FERRY.text: ("In winter", 0.0, (1.0, 1.0, -50.0, 1.0, -50.0))})
    [answer] = read(model, FERRY)
    assert answer.score == pytest.approx(2 / 3)  # two kinds of answer against none


@pytest.mark.parametrize(
    ("found", "told"),
    [
        ("in 1911.", "in 1911"),
        ("1911", "1911"),
        ("The tower was finished in 1911.", "The tower was finished in 1911."),
    ],
)
def test_the_stop_of_a_sentence_is_told_only_with_the_sentence(found: str, told: str):
    [answer] = read(Scripted({TOWER.text: (found, 1.0, SPAN_TYPE)}), TOWER)
    assert answer.span.text == told


def test_a_comma_after_the_answer_is_left_out():
    vance = Passage("hall.md", 0, 41, "Petra Vance, the warden, lives in the hall.", "Hall")
    [answer] = read(Scripted({vance.text: ("Petra Vance,", 1.0, SPAN_TYPE)}), vance)
    assert answer.span.text == "Petra Vance"


def test_offsets_of_a_cropped_region_count_from_the_passage_s_start():
    model = Scripted({"The ferry takes 55 minutes.": ("55 minutes", 1.0, SPAN_TYPE)})
    query = Query("How long is the ferry?", "How long is the ferry?")
    reader = SpanReader(model, load_encoder("static"), calibration=PLAIN, size=5)
    [[answer]] = reader.read([query], [[Hit(HARBOUR, 1.0)]])
    assert (answer.span.start, answer.span.end, answer.span.text) == (36, 46, "55 minutes")


def test_the_typed_question_is_read_with_its_history_and_heading():
    model = Scripted({TOWER.text: ("1911", 1.0, SPAN_TYPE)})
    history = (("Who built it?", "Edda Thornquist"),)
    query = Query("Who built it? [SEP] Edda Thornquist [SEP] When?", "When?", history=history)
    SpanReader(model, load_encoder("static"), calibration=PLAIN).read([query], [[Hit(TOWER, 1.0)]])
    assert set(model.asked) == {Inquiry("When?", TOWER.text, "Tower", history)}


def test_only_so_many_regions_are_read():
    model = Scripted({})
    read(model, HARBOUR, FERRY, TOWER, regions=2)
    assert len({HARBOUR.text, FERRY.text, TOWER.text} & {one.text for one in model.asked}) == 2


def test_the_sentence_of_a_candidate_is_read_by_itself():
    text = "It was dug in 1790. The ferry takes 55 minutes."
    harbour = Passage("harbour.md", 0, len(text), text, "Harbour")
    sentence = "The ferry takes 55 minutes."
    verified = {
        odds: Scripted(
            {text: ("55 minutes", 1.0, SPAN_TYPE), sentence: ("55 minutes", odds, SPAN_TYPE)}
        )
        for odds in (-5.0, 5.0)
    }
    features = []
    for model in verified.values():
        reader = SpanReader(model, load_encoder("static"), calibration=PLAIN)
        [[candidate]] = reader.candidates([Query("How long?")], [[Hit(harbour, 1.0)]])
        features.append(dict(zip(FEATURES, candidate.features, strict=True))["verified span"])
        assert model.asked[-1] == Inquiry("How long?", sentence, "Harbour")
    assert features == [-5.0, 5.0]


def test_shares_of_all_candidates_sum_to_one():
    model = Scripted(
        {TOWER.text: ("1911", 0.0, SPAN_TYPE), FERRY.text: ("an hour", 1.0, SPAN_TYPE)}
    )
    hits = [Hit(passage, 1.0) for passage in (TOWER, FERRY)]
    reader = SpanReader(model, load_encoder("static"), calibration=PLAIN)
    [candidates] = reader.candidates([Query("How long?")], [hits])
    at = FEATURES.index("share")
    assert sum(math.exp(one.features[at]) for one in candidates) == pytest.approx(1.0)


def test_evidence_has_the_order_of_the_features():
    model = Scripted(
        {
            HARBOUR.text: ("55 minutes", 0.5, SPAN_TYPE),
            FERRY.text: ("55 minutes", 1.0, SPAN_TYPE),
            TOWER.text: ("1911", -30.0, SPAN_TYPE),
        }
    )
    hits = [Hit(passage, 1.0) for passage in (TOWER, HARBOUR, FERRY)]
    [[best, other]] = SpanReader(model, load_encoder("static"), calibration=PLAIN).candidates(
        [Query("How long?")], [hits]
    )
    named = dict(zip(FEATURES, best.features, strict=True))
    assert named["bias"] == 1.0
    assert (named["span"], named["type"], named["lead"]) == (1.0, 2.0, 12.0)
    assert named["agreement"] == pytest.approx(0.6931, abs=1e-4)  # log 2
    assert named["kind"] == 1.0  # a number where "how long" asks for one
    assert named["rank"] == pytest.approx(1 / 3)
    assert named["polar"] == 0.0
    assert dict(zip(FEATURES, other.features, strict=True))["span"] == -12.0


def test_what_was_found_is_told_to_the_model_and_not_found_again():
    model = Scripted(
        {
            HARBOUR.text: ("55 minutes", 0.5, SPAN_TYPE),
            FERRY.text: ("an hour", 1.0, SPAN_TYPE),
        }
    )
    query = Query("How long?", "How long?", found=("fifty-five minutes",))
    hits = [Hit(passage, 1.0) for passage in (HARBOUR, FERRY)]
    [answers] = SpanReader(model, load_encoder("static"), calibration=PLAIN).read([query], [hits])
    assert [one.span.text for one in answers] == ["an hour"]
    assert model.asked[0] == Inquiry("How long?", HARBOUR.text, "Harbour", (), query.found)


def test_once_something_was_found_the_end_speaks_against_more():
    model = Scripted({TOWER.text: ("1911", 1.0, (2.0, -50.0, -50.0, 0.0, 0.0))})
    types = []
    for found in ((), ("1790",)):
        query = Query("When?", "When?", found=found)
        [[one]] = SpanReader(model, load_encoder("static"), calibration=PLAIN).candidates(
            [query], [[Hit(TOWER, 1.0)]]
        )
        types.append(dict(zip(FEATURES, one.features, strict=True))["type"])
    assert types == [2.0, pytest.approx(1.3069, abs=1e-4)]  # 2 - log(exp(0) + exp(0))


def test_a_stop_within_a_number_belongs_to_it():
    laundry = Passage("hall.md", 0, 29, "A wash costs 1.80 crowns.", "Hall")
    [answer] = read(Scripted({laundry.text: ("1.80 crowns.", 1.0, SPAN_TYPE)}), laundry)
    assert answer.span.text == "1.80 crowns"


@pytest.mark.parametrize(
    ("found", "told"),
    [("55 minutes. Dogs travel", "55 minutes"), ("It takes 55 minutes. Dogs travel free.",) * 2],
)
def test_only_what_begins_with_a_sentence_runs_into_the_next(found: str, told: str):
    ferry = Passage("ferry.md", 0, 38, "It takes 55 minutes. Dogs travel free.", "Ferry")
    [answer] = read(Scripted({ferry.text: (found, 1.0, SPAN_TYPE)}), ferry)
    assert answer.span.text == told


def test_what_only_repeats_the_question_is_no_answer():
    choir = Passage("choir.md", 0, 37, "The Tide Choir was founded in 1979 ...", "Choir")
    scripted = Scripted({choir.text: ("The Tide Choir", 1.0, SPAN_TYPE)})
    assert read(scripted, choir, question="Who conducts the Tide Choir?") == []
    assert len(read(scripted, choir, question="Which choir was founded in 1979?")) == 1


def forms(text: str) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    """The questions that the model is asked about one passage, each with its history."""
    model = Scripted({FERRY.text: ("an hour", 1.0, SPAN_TYPE)})
    reader = SpanReader(model, load_encoder("static"), calibration=PLAIN)
    query = Query(text, "How long does it take?", history=(("What sails?", "The ferry"),))
    [answers] = reader.read([query], [[Hit(FERRY, 1.0)]])
    assert [answer.span.text for answer in answers] == ["an hour"]
    return [(one.question, one.history) for one in model.asked if one.text == FERRY.text]


def test_a_follow_up_is_read_as_typed_in_its_dialogue_and_as_rewritten_alone():
    typed = ("How long does it take?", (("What sails?", "The ferry"),))
    assert forms("How long does the ferry take?") == [typed, ("How long does the ferry take?", ())]
    assert forms("How long does it take?") == [typed]
    assert forms("What sails? [SEP] The ferry [SEP] How long does it take?") == [typed]
