from seminar.datasets.catalog import locate
from seminar.datasets.dialogues.written import read_sets
from seminar.training.fitting.written_probes import probes_of
from seminar.types import Span
from tests.paths import DATASET_FILES


def test_every_third_question_is_asked_as_its_rewrite():
    [group] = read_sets(locate("written/dev", DATASET_FILES))
    _, probes = probes_of(group)
    assert [probe.question for probe in probes[:4]] == [
        "When does the night boat leave?",
        "Is it free for small children?",
        "who built it",
        "Where does the boat sail from on Monday?",
    ]
    assert [len(probe.dialogue.turns) for probe in probes[:4]] == [0, 1, 2, 0]


def test_gold_replies_cite_the_passage_of_the_answer():
    [group] = read_sets(locate("written/dev", DATASET_FILES))
    _, probes = probes_of(group)
    reply = probes[1].dialogue.turns[0].reply
    assert (reply.text, reply.topic) == ("21:30", "The night boat")
    assert reply.literal[0].text == "21:30"


def test_a_span_is_right_where_it_has_the_words_in_their_passage():
    [group] = read_sets(locate("written/dev", DATASET_FILES))
    ingested, probes = probes_of(group)
    [answer] = probes[0].answers
    assert probes[0].is_right(answer)
    wider = Span(answer.passage, answer.start - 9, answer.end)
    assert probes[0].is_right(wider)
    other = next(one for one in ingested.passages if one.id != answer.passage.id)
    assert not probes[0].is_right(Span(other, 0, 9))
    assert not probes[2].answers
