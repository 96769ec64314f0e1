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
class ScriptedModel:
    """A reader model with a scripted finding for each text."""

    answers: dict[str, tuple[str, float, tuple[float, ...]]]
    inquiries: list[Inquiry] = field(default_factory=list)

    def read(
        self, inquiries: Sequence[Inquiry], *, longest: int, spans: int
    ) -> list[list[Finding]]:
        self.inquiries += inquiries
        return [[self._finding(inquiry.text)] for inquiry in inquiries]

    def _finding(self, text: str) -> Finding:
        words, odds, types = self.answers.get(text, ("", -9.0, SPAN_TYPE))
        start = text.find(words)
        return Finding(start, start + len(words), odds, types)


def read(
    model: ScriptedModel, *passages: Passage, question: str = "How long?", **settings
) -> list[Answer]:
    query = Query(question, question)
    hits = [Hit(passage, 1.0) for passage in passages]
    reader = SpanReader(model, load_encoder("static"), calibration=PLAIN, **settings)
    [answers] = reader.read([query], [hits])
    return answers


def test_answers_are_ordered_by_probability():
    model = ScriptedModel(
        {
            TOWER.text: ("1911", -3.0, SPAN_TYPE),
            FERRY.text: ("an hour", 1.0, SPAN_TYPE),
        }
    )
    best, other = read(model, TOWER, FERRY)
    assert (best.span.text, best.affirmation) == ("an hour", "neither")
    assert best.score == pytest.approx(0.9526, abs=1e-4)  # 1 / (1 + exp(-(1 + 2)))
    assert (other.span.text, other.score) == ("1911", pytest.approx(0.2689, abs=1e-4))


def test_same_answer_in_two_passages_is_given_once_from_the_stronger():
    model = ScriptedModel(
        {
            HARBOUR.text: ("55 minutes", 0.5, SPAN_TYPE),
            FERRY.text: ("55 minutes!", 1.0, SPAN_TYPE),
        }
    )
    [answer] = read(model, HARBOUR, FERRY)
    assert answer.span.passage == FERRY


def test_affirmation_comes_with_its_sentence():
    model = ScriptedModel(
        {
            HARBOUR.text: ("free", -4.0, YES_TYPE),
            FERRY.text: ("winter", -4.0, NO_TYPE),
        }
    )
    yes, no = read(model, HARBOUR, FERRY)
    assert (yes.affirmation, yes.span.text) == ("yes", "Dogs travel free.")
    assert (no.affirmation, no.span.text) == ("no", "In winter it takes an hour.")
    assert yes.score == pytest.approx(0.8808, abs=1e-4)  # 1 / (1 + exp(-(3 - 1)))


def test_improbable_affirmation_is_neither():
    model = ScriptedModel({HARBOUR.text: ("free", -4.0, (-50.0, 2.0, 1.7, -1.0, -50.0))})
    [answer] = read(model, HARBOUR)
    assert (answer.affirmation, answer.span.text) == ("neither", "Dogs travel free.")


def test_polar_question_gets_affirmation_even_if_type_is_span():
    model = ScriptedModel({HARBOUR.text: ("free", 1.0, (2.0, 0.0, -3.0, 0.0, -50.0))})
    [answer] = read(model, HARBOUR, question="Do dogs travel free?")
    assert (answer.affirmation, answer.span.text) == ("yes", "Dogs travel free.")
    [open_answer] = read(model, HARBOUR, question="What do dogs travel for?")
    assert (open_answer.affirmation, open_answer.span.text) == ("neither", "free")


def test_affirmation_uses_reading_of_sentence_by_itself():
    text = "There is a lift in the new hall. In the old hall there is none."
    halls = Passage("halls.md", 0, len(text), text, "Halls")
    model = ScriptedModel(
        {
            text: ("none", 1.0, (-50.0, 2.0, 1.0, 0.0, -50.0)),
            "In the old hall there is none.": ("none", 1.0, (-50.0, 0.0, 3.0, 0.0, -50.0)),
        }
    )
    [answer] = read(model, halls, question="Is there a lift in the old hall?")
    assert (answer.affirmation, answer.span.text) == ("no", "In the old hall there is none.")
    assert [inquiry.text for inquiry in model.inquiries] == [text, "In the old hall there is none."]


def test_undecided_sentences_are_not_merged():
    unsure = (-50.0, 0.1, 0.0, 0.0, -50.0)
    model = ScriptedModel(
        {HARBOUR.text: ("free", 1.0, unsure), FERRY.text: ("winter", 0.0, unsure)}
    )
    answers = read(model, HARBOUR, FERRY, question="Is it free?")
    assert [answer.span.passage for answer in answers] == [HARBOUR, FERRY]
    assert {answer.affirmation for answer in answers} == {"neither"}


def test_type_odds_sum_over_all_types_of_answer():
    model = ScriptedModel({FERRY.text: ("In winter", 0.0, (1.0, 1.0, -50.0, 1.0, -50.0))})
    [answer] = read(model, FERRY)
    assert answer.score == pytest.approx(2 / 3)  # two types of answer against none


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        ("in 1911.", "in 1911"),
        ("1911", "1911"),
        ("The tower was finished in 1911.", "The tower was finished in 1911."),
    ],
)
def test_full_stop_is_part_of_answer_only_with_whole_sentence(span: str, expected: str):
    [answer] = read(ScriptedModel({TOWER.text: (span, 1.0, SPAN_TYPE)}), TOWER)
    assert answer.span.text == expected


def test_trailing_comma_is_left_out():
    vance = Passage("hall.md", 0, 41, "Petra Vance, the warden, lives in the hall.", "Hall")
    [answer] = read(ScriptedModel({vance.text: ("Petra Vance,", 1.0, SPAN_TYPE)}), vance)
    assert answer.span.text == "Petra Vance"


def test_offsets_of_cropped_region_are_relative_to_passage():
    model = ScriptedModel({"The ferry takes 55 minutes.": ("55 minutes", 1.0, SPAN_TYPE)})
    query = Query("How long is the ferry?", "How long is the ferry?")
    reader = SpanReader(model, load_encoder("static"), calibration=PLAIN, size=5)
    [[answer]] = reader.read([query], [[Hit(HARBOUR, 1.0)]])
    assert (answer.span.start, answer.span.end, answer.span.text) == (36, 46, "55 minutes")


def test_typed_question_is_read_with_history_and_heading():
    model = ScriptedModel({TOWER.text: ("1911", 1.0, SPAN_TYPE)})
    history = (("Who built it?", "Edda Thornquist"),)
    query = Query("Who built it? [SEP] Edda Thornquist [SEP] When?", "When?", history=history)
    SpanReader(model, load_encoder("static"), calibration=PLAIN).read([query], [[Hit(TOWER, 1.0)]])
    assert set(model.inquiries) == {Inquiry("When?", TOWER.text, "Tower", history)}


def test_regions_limit_number_of_texts():
    model = ScriptedModel({})
    read(model, HARBOUR, FERRY, TOWER, regions=2)
    assert (
        len({HARBOUR.text, FERRY.text, TOWER.text} & {inquiry.text for inquiry in model.inquiries})
        == 2
    )


def test_sentence_of_candidate_is_read_by_itself():
    text = "It was dug in 1790. The ferry takes 55 minutes."
    harbour = Passage("harbour.md", 0, len(text), text, "Harbour")
    sentence = "The ferry takes 55 minutes."
    verified = {
        odds: ScriptedModel(
            {text: ("55 minutes", 1.0, SPAN_TYPE), sentence: ("55 minutes", odds, SPAN_TYPE)}
        )
        for odds in (-5.0, 5.0)
    }
    features = []
    for model in verified.values():
        reader = SpanReader(model, load_encoder("static"), calibration=PLAIN)
        [[candidate]] = reader.candidates([Query("How long?")], [[Hit(harbour, 1.0)]])
        features.append(dict(zip(FEATURES, candidate.features, strict=True))["verified span"])
        assert model.inquiries[-1] == Inquiry("How long?", sentence, "Harbour")
    assert features == [-5.0, 5.0]


def test_shares_of_all_candidates_sum_to_one():
    model = ScriptedModel(
        {TOWER.text: ("1911", 0.0, SPAN_TYPE), FERRY.text: ("an hour", 1.0, SPAN_TYPE)}
    )
    hits = [Hit(passage, 1.0) for passage in (TOWER, FERRY)]
    reader = SpanReader(model, load_encoder("static"), calibration=PLAIN)
    [candidates] = reader.candidates([Query("How long?")], [hits])
    at = FEATURES.index("share")
    assert sum(math.exp(candidate.features[at]) for candidate in candidates) == pytest.approx(1.0)


def test_features_of_candidate_are_in_order_of_names():
    model = ScriptedModel(
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
    assert named["kind"] == 1.0  # "how long" expects a number
    assert named["rank"] == pytest.approx(1 / 3)
    assert named["polar"] == 0.0
    assert dict(zip(FEATURES, other.features, strict=True))["span"] == -12.0


def test_known_answers_are_given_to_model_and_not_repeated():
    model = ScriptedModel(
        {
            HARBOUR.text: ("55 minutes", 0.5, SPAN_TYPE),
            FERRY.text: ("an hour", 1.0, SPAN_TYPE),
        }
    )
    query = Query("How long?", "How long?", found=("fifty-five minutes",))
    hits = [Hit(passage, 1.0) for passage in (HARBOUR, FERRY)]
    [answers] = SpanReader(model, load_encoder("static"), calibration=PLAIN).read([query], [hits])
    assert [answer.span.text for answer in answers] == ["an hour"]
    assert model.inquiries[0] == Inquiry("How long?", HARBOUR.text, "Harbour", (), query.found)


def test_end_counts_against_answers_once_some_are_known():
    model = ScriptedModel({TOWER.text: ("1911", 1.0, (2.0, -50.0, -50.0, 0.0, 0.0))})
    types = []
    for known in ((), ("1790",)):
        query = Query("When?", "When?", found=known)
        [[candidate]] = SpanReader(model, load_encoder("static"), calibration=PLAIN).candidates(
            [query], [[Hit(TOWER, 1.0)]]
        )
        types.append(dict(zip(FEATURES, candidate.features, strict=True))["type"])
    assert types == [2.0, pytest.approx(1.3069, abs=1e-4)]  # 2 - log(exp(0) + exp(0))


def test_point_within_number_is_kept():
    laundry = Passage("hall.md", 0, 29, "A wash costs 1.80 crowns.", "Hall")
    [answer] = read(ScriptedModel({laundry.text: ("1.80 crowns.", 1.0, SPAN_TYPE)}), laundry)
    assert answer.span.text == "1.80 crowns"


@pytest.mark.parametrize(
    ("span", "expected"),
    [("55 minutes. Dogs travel", "55 minutes"), ("It takes 55 minutes. Dogs travel free.",) * 2],
)
def test_span_extends_into_next_sentence_only_from_sentence_start(span: str, expected: str):
    ferry = Passage("ferry.md", 0, 38, "It takes 55 minutes. Dogs travel free.", "Ferry")
    [answer] = read(ScriptedModel({ferry.text: (span, 1.0, SPAN_TYPE)}), ferry)
    assert answer.span.text == expected


def test_span_that_repeats_question_is_no_answer():
    choir = Passage("choir.md", 0, 37, "The Tide Choir was founded in 1979 ...", "Choir")
    model = ScriptedModel({choir.text: ("The Tide Choir", 1.0, SPAN_TYPE)})
    assert read(model, choir, question="Who conducts the Tide Choir?") == []
    assert len(read(model, choir, question="Which choir was founded in 1979?")) == 1


@pytest.mark.parametrize(
    "searched", ["How long does the ferry take?", "What sails? [SEP] The ferry [SEP] How long?"]
)
def test_follow_up_is_read_once_as_typed_with_its_history(searched: str):
    model = ScriptedModel({FERRY.text: ("an hour", 1.0, SPAN_TYPE)})
    reader = SpanReader(model, load_encoder("static"), calibration=PLAIN)
    query = Query(searched, "How long does it take?", history=(("What sails?", "The ferry"),))
    [[answer]] = reader.read([query], [[Hit(FERRY, 1.0)]])
    assert answer.span.text == "an hour"
    [inquiry] = [inquiry for inquiry in model.inquiries if inquiry.text == FERRY.text]
    assert (inquiry.question, inquiry.history) == (query.question, query.history)
