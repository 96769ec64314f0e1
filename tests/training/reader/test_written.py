"""Training examples from a written set of a page, a chat, a mail thread and a transcript."""

from dataclasses import replace

import pytest

from seminar.datasets.catalog import locate
from seminar.datasets.dialogues.written import Quote, WrittenSet, read_sets
from seminar.examples import Example
from seminar.training import written_histories
from seminar.training.reader.examples import CANNOT_ANSWER
from seminar.training.reader.written import IngestedSet, ingest, written_examples
from tests.paths import DATASET_FILES


@pytest.fixture(scope="module")
def group() -> WrittenSet:
    [only] = read_sets(locate("written/dev", DATASET_FILES))
    return only


@pytest.fixture(scope="module")
def ingested(group: WrittenSet) -> IngestedSet:
    return ingest(group)


@pytest.fixture(scope="module")
def examples(group: WrittenSet) -> list[Example]:
    """So many repeats that every question occurs as typed and in both forms of its rewrite."""
    return written_examples([group], seed=0, repeats=20)


def answer_in_context(example: Example) -> str:
    [(start, end)] = example.gold.spans
    return example.context[start:end]


def test_every_answer_is_a_span_of_its_passage(examples: list[Example]):
    answers = {one.question: answer_in_context(one) for one in examples if one.gold.answerable}
    assert answers == {
        "When does the night boat leave?": "21:30",
        "Is it free for small children?": "Children under six travel free.",
        "Is the night boat free for small children?": "Children under six travel free.",
        "From where on Monday?": "the quay",
        "Where does the boat sail from on Monday?": "the quay",
        "why no late one?": "the engine failed",
        "Why is the late boat cancelled?": "the engine failed",
        "Who wants it kept?": "I would keep it in summer.",
        "Who wants to keep the late boat in summer?": "I would keep it in summer.",
    }


def test_every_answerable_question_is_also_asked_of_a_wrong_passage(examples: list[Example]):
    right = {one.id: one for one in examples if one.gold.answerable}
    wrong = {one.id: one for one in examples if not one.gold.answerable and one.id in right}
    assert right
    assert wrong.keys() == right.keys()
    for name, example in wrong.items():
        assert example.question == right[name].question
        assert right[name].gold.answers[0] not in example.context


def test_an_unanswerable_question_is_asked_of_its_nearest_passage_only(examples: list[Example]):
    built = [
        one for one in examples if one.question in ("who built it", "Who built the night boat?")
    ]
    assert {one.title for one in built} == {"The night boat"}
    assert len([one for one in built if one.question == "who built it"]) == 20
    assert not any(one.gold.answerable or one.gold.spans for one in built)


def test_a_typed_follow_up_has_its_history(examples: list[Example]):
    typed = [one for one in examples if one.question == "Is it free for small children?"]
    histories = {tuple(question for question, _ in one.history) for one in typed}
    assert histories == {("When does the night boat leave?",)}


def test_a_rewrite_is_read_by_itself_or_in_its_dialogue(examples: list[Example]):
    rewrites = [one for one in examples if one.question.startswith("Is the night boat free")]
    histories = {tuple(question for question, _ in one.history) for one in rewrites}
    assert histories == {(), ("When does the night boat leave?",)}


def test_every_question_occurs_as_typed_and_only_some_as_their_rewrite(group: WrittenSet):
    once = {one.question for one in written_examples([group], seed=0)}
    typed = {turn.question for dialogue in group.dialogues for turn in dialogue}
    rewrites = {turn.rewrite for dialogue in group.dialogues for turn in dialogue} - typed
    assert typed <= once
    assert set() < once & rewrites < rewrites


def test_some_replies_of_histories_are_missing_or_of_other_turns(group: WrittenSet):
    replies = {
        reply
        for seed in range(30)
        for example in written_examples([group], seed=seed)
        for question, reply in example.history
        if question == "When does the night boat leave?"
    }
    assert {"21:30", CANNOT_ANSWER} < replies
    assert replies <= {"21:30", CANNOT_ANSWER, *(turn.reply for turn in group.dialogues[0])}


def test_without_changed_replies_histories_are_as_written(group: WrittenSet, monkeypatch):
    monkeypatch.setattr(written_histories, "MISSING_REPLY_SHARE", 0.0)
    monkeypatch.setattr(written_histories, "WRONG_REPLY_SHARE", 0.0)
    histories = [one.history for one in written_examples([group], seed=3) if one.history]
    assert {turns[0] for turns in histories} == {("When does the night boat leave?", "21:30")}


def test_the_affirmation_of_a_yes_or_no_question_is_kept(examples: list[Example]):
    affirmations = {
        one.gold.affirmation
        for one in examples
        if one.question == "Is it free for small children?" and one.gold.answerable
    }
    assert affirmations == {"yes"}


def test_the_same_seed_gives_the_same_examples(group: WrittenSet, examples: list[Example]):
    assert written_examples([group], seed=0, repeats=20) == examples
    assert written_examples([group], seed=1, repeats=20) != examples


def test_a_repeated_quote_is_located_at_its_own_occurrence(ingested: IngestedSet):
    text = ingested.group.document("d1").text
    first, second = text.index("12"), text.rindex("12")
    places = [ingested.locate(Quote("d1", start, start + 2, "12")) for start in (first, second)]
    (fares, _), (table, at) = [place for place in places if place]
    assert fares.text[places[0][1] : places[0][1] + 9] == "12 crowns"
    assert table.text[at - 7 : at + 2] == "Price: 12"


def test_words_that_no_passage_has_are_not_located(ingested: IngestedSet):
    [page, *_] = ingested.group.documents
    changed = replace(ingested, passages=())
    assert changed.locate(Quote(page.id, 0, 9, "The night")) is None
