import random
from pathlib import Path

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from seminar.examples import Example, Gold
from seminar.models.word_pieces import WordPieces
from seminar.training.reader.examples import crop, heading_of, prepare, target_of, with_pronoun

WORDS = "the ferry leaves at nine and it costs two pounds when does how much is no answer".split()
CONTEXT = "the ferry leaves at nine and it costs two pounds"


@pytest.fixture(scope="module")
def pieces(tmp_path_factory: pytest.TempPathFactory) -> WordPieces:
    folder: Path = tmp_path_factory.mktemp("tokenizer")
    vocabulary = {"[UNK]": 100, **{word: 110 + at for at, word in enumerate(WORDS)}}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return WordPieces(folder)


def question(text: str, answer: str, **more) -> Example:
    start = CONTEXT.find(answer)
    gold = Gold((answer,), spans=((start, start + len(answer)),))
    return Example("1", "1", text, gold, context=CONTEXT, **more)


def test_an_answer_becomes_the_tokens_that_cover_it(pieces):
    [prepared] = prepare([question("when does it", "at nine")], pieces, "squad")
    assert (prepared.type, prepared.span) == ("span", (3, 5))


def test_yes_and_no_have_a_type_but_no_span(pieces):
    gold = Gold(("yes",), affirmation="yes")
    [prepared] = prepare([Example("1", "1", "is it", gold, context=CONTEXT)], pieces, "boolq")
    assert (prepared.type, prepared.span) == ("yes", None)


def test_yes_with_its_evidence_has_both(pieces):
    gold = Gold(("yes",), spans=((23, 25),), affirmation="yes")
    [prepared] = prepare([Example("1", "1", "is it", gold, context=CONTEXT)], pieces, "coqa")
    assert (prepared.type, prepared.span) == ("yes", (4, 5))


def test_a_name_of_an_earlier_turn_becomes_a_pronoun(pieces):
    [asked] = prepare([question("when does Maud Two leave", "at nine")], pieces, "squad")
    it, named = pieces.split("it"), [pieces.split("how much is Maud Two")]
    assert asked.names == (pieces.split("Maud Two"),)
    assert with_pronoun(asked, named, it).question == pieces.split("when does it leave")
    assert with_pronoun(asked, [pieces.split("two pounds")], it).question == asked.question


def test_an_answer_that_the_passage_lacks_is_left_out_of_training_only(pieces):
    lost = Example("1", "1", "is it", Gold(("ten",)), context=CONTEXT)
    assert prepare([lost], pieces, "quac") == []
    assert len(prepare([lost], pieces, "quac", keep_all=True)) == 1


def test_quac_history_is_marked_newest_first_and_its_sentinel_word_is_gone(pieces):
    asked = Example(
        "1",
        "1",
        "how much is it",
        Gold(("CANNOTANSWER",), answerable=False),
        history=(
            ("when does it", "at nine"),
            ("how much", "two pounds"),
            ("is it", "CANNOTANSWER"),
        ),
        context=f"{CONTEXT} CANNOTANSWER",
    )
    [prepared] = prepare([asked], pieces, "quac")
    assert prepared.given == (None, (8, 10), (3, 5))
    assert prepared.history[2][1] == pieces.split("no answer")
    assert prepared.type == "no answer"
    assert prepared.passage.text == CONTEXT


def test_titles_are_shown_as_people_write_them():
    example = Example("1", "1", "q", Gold(), title="Crisis_of_2007%E2%80%9308", section="Causes")
    assert heading_of(example) == "Crisis of 2007–08 > Causes"


def test_a_window_always_holds_the_whole_answer(pieces):
    [prepared] = prepare([question("when does it", "at nine")], pieces, "squad")
    cuts = {crop(prepared, 4, random.Random(seed)) for seed in range(50)}
    assert cuts == {(1, 5), (2, 6), (3, 7)}


def test_a_window_without_an_answer_prefers_the_question_s_words(pieces):
    gold = Gold(answerable=False)
    [prepared] = prepare(
        [Example("1", "1", "costs two", gold, context=CONTEXT)], pieces, "unanswerable"
    )
    starts = [crop(prepared, 3, random.Random(seed))[0] for seed in range(200)]
    near = sum(start in (6, 7) for start in starts)
    assert near > 100  # a blind window would fall there 50 times


def test_targets_point_into_the_layout(pieces):
    [prepared] = prepare([question("when does it", "at nine")], pieces, "squad")
    target = target_of(prepared, (2, 8))
    assert target.layout.ids[target.start : target.end + 1] == list(pieces.split("at nine"))
    assert target.type == "span"


def test_an_answer_outside_the_window_is_no_answer_there(pieces):
    [prepared] = prepare([question("when does it", "at nine")], pieces, "squad")
    for window in ((4, 10), (5, 10), (0, 3)):
        target = target_of(prepared, window)
        assert (target.start, target.end, target.type) == (0, 0, "no answer")


def test_an_answer_longer_than_the_window_is_cut_at_its_end(pieces):
    [prepared] = prepare([question("when does it", "leaves at nine and it")], pieces, "squad")
    target = target_of(prepared, (1, 5))
    assert target.layout.ids[target.start : target.end + 1] == list(pieces.split("leaves at nine"))


def test_the_type_is_open_where_a_span_answers_what_asks_for_yes_or_no(pieces):
    asked = [question(text, "at nine") for text in ("Does it cost much", "when does it leave")]
    assert [one.type for one in prepare(asked, pieces, "quac")] == [None, "span"]
