import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from seminar.networks.checkpoints import tokenizer_of  # noqa: E402
from seminar.networks.papers.dpr.inputs import DprInputs, opening_and_newest  # noqa: E402
from seminar.types import Passage  # noqa: E402


@pytest.fixture(scope="module")
def inputs():
    return DprInputs(tokenizer_of("tiny"))


def words(inputs: DprInputs, ids) -> str:
    return " ".join(inputs.tokenizer.convert_ids_to_tokens(list(ids)))


def test_all_history_stands_before_the_question(inputs):
    text = "who sings [SEP] zack [SEP] when was it formed [SEP] 1991 [SEP] any award"
    assert words(inputs, inputs.question(text, 64)) == (
        "[CLS] who sings [SEP] zack [SEP] when was it formed [SEP] 1991 [SEP] any award [SEP]"
    )


def test_past_the_limit_the_first_turn_and_the_newest_stay(inputs):
    text = "one [SEP] two [SEP] three [SEP] four [SEP] five [SEP] six [SEP] now"
    assert words(inputs, inputs.question(text, 12)) == (
        "[CLS] one [SEP] two [SEP] five [SEP] six [SEP] now [SEP]"
    )


def test_a_subject_may_stand_before_the_turns(inputs):
    text = "Ferry [SEP] one [SEP] two [SEP] three [SEP] four [SEP] now"
    assert words(inputs, inputs.question(text, 9)) == (
        "[CLS] ferry [SEP] three [SEP] four [SEP] now [SEP]"
    )


def test_the_question_is_cut_only_where_it_is_too_long_by_itself(inputs):
    assert words(inputs, inputs.question("one [SEP] two [SEP] a b c d", 5)) == "[CLS] a b c [SEP]"
    assert words(inputs, inputs.question("", 5)) == "[CLS] [SEP]"


def test_a_first_turn_that_is_too_long_is_cut():
    assert opening_and_newest([[1, 1, 1], [2]], room=2) == [[1, 1]]
    assert opening_and_newest([], room=2) == []


def test_a_passage_comes_after_its_heading(inputs):
    ferry = Passage("a", 0, 8, "At nine.", title="Ferry", section="Times")
    bare = Passage("a", 0, 5, "Never")
    [first, second] = inputs.passages([ferry, bare], 64)
    assert words(inputs, first) == "[CLS] ferry > times [SEP] at nine . [SEP]"
    assert words(inputs, second) == "[CLS] [SEP] never [SEP]"
    assert words(inputs, inputs.passages([ferry], 6)[0]) == "[CLS] ferry > times [SEP] [SEP]"


def test_characters_are_found_among_the_tokens_that_are_left(inputs):
    ferry = Passage("a", 0, 25, "It leaves at half past ten", title="Ferry")
    question = inputs.question("When?", 16)
    [whole] = inputs.reading(question, [ferry], 64)
    assert words(inputs, whole.ids) == (
        "[CLS] when ? [SEP] ferry [SEP] it leaves at half past ten [SEP]"
    )
    assert whole.tokens(13, 26) == (9, 11)
    assert words(inputs, whole.ids[9:12]) == "half past ten"
    [cut] = inputs.reading(question, [ferry], 12)
    assert words(inputs, cut.ids) == "[CLS] when ? [SEP] ferry [SEP] it leaves at half past [SEP]"
    assert cut.tokens(13, 26) is None
    assert cut.tokens(3, 9) == (7, 7)


def test_rows_are_padded_and_masked(inputs):
    ids, attended = inputs.padded([(101, 7, 102), (101, 102)])
    assert ids.tolist() == [[101, 7, 102], [101, 102, 0]]
    assert attended.tolist() == [[1, 1, 1], [1, 1, 0]]
