import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from seminar.errors import ConfigurationError  # noqa: E402
from seminar.examples import Example, Gold  # noqa: E402
from seminar.metrics.official.quac import QuacPrediction  # noqa: E402
from seminar.networks.checkpoints import tokenizer_of  # noqa: E402
from seminar.networks.papers.bidaf.layout import (  # noqa: E402
    BidafLayout,
    Dialog,
    Question,
    dialog_of,
    section_of,
)
from seminar.networks.papers.bidaf.network import BidafNetwork, BidafShape, BidirectionalGru, widen  # noqa: E402
from seminar.networks.papers.bidaf.reader import BidafReader, load, save_bidaf, untrained  # noqa: E402
from seminar.types import Hit, Passage, Query  # noqa: E402

SECTION = "Ada left Paris in May. She wrote a long letter."


@pytest.fixture(scope="module")
def tokenizer():
    return tokenizer_of("tiny")


def network_of(contexts=2):
    torch.manual_seed(0)
    shape = BidafShape(contexts=contexts, hidden=8, characters=6, mark=4)
    return BidafNetwork(torch.randn(30_522, 12), shape).eval()


def asked(words="When did Ada leave ?", turn=2, given=((0, 2),)):
    return Question("q", tuple(words.split()), turn, given)


def outputs(network, tokenizer, *dialogs):
    layout = BidafLayout(tokenizer, network.shape.contexts)
    return network(layout.batch([Dialog(section_of(text), asked) for text, asked in dialogs]))


def test_a_section_ends_with_the_word_for_no_answer():
    section = section_of("He died. CANNOTANSWER")
    assert section.words == ("He", "died", ".", "CANNOTANSWER")
    assert section.text == "He died."
    assert section.no_answer == (3, 3)


def test_answers_are_found_by_their_characters_and_their_words():
    section = section_of(SECTION)
    assert section.words[2:5] == ("Paris", "in", "May")
    assert section.span(9, 21) == (2, 4)
    assert section.span(10, 16) == (2, 3)  # from within one word to within another
    assert section.find("Paris in May") == (2, 4)
    assert section.find("London") is None
    assert section.find("") == section.find("CANNOTANSWER") == section.no_answer


def test_only_the_first_words_are_read_where_a_limit_says_so():
    section = section_of(SECTION, limit=4)
    assert section.words == ("Ada", "left", "Paris", "in", "CANNOTANSWER")
    assert section.span(9, 21) == (2, 3)
    assert section.find("letter") is None


def test_a_dialog_knows_its_turns_and_what_was_answered_before():
    gold = Gold(("in May", "May"), True, ((15, 21), (18, 21)), "neither", "follow up")
    history = (("Who left?", "Ada"), ("Why?", "CANNOTANSWER"))
    example = Example("a_q#2", "a", "When?", gold, history, SECTION, turn=3)
    [question] = dialog_of([example]).questions
    assert question.words == ("When", "?")
    assert question.given == ((12, 12), (0, 0))  # newest first
    assert question.spans == ((3, 4), (4, 4))
    assert (question.affirmation, question.continuation) == (2, 0)


def test_marks_tell_how_long_ago_an_answer_was_given_and_its_ends(tokenizer):
    dialog = Dialog(section_of("a b c d"), (asked(given=((0, 2), (3, 3), (1, 1))),))
    batch = BidafLayout(tokenizer, 2).batch([dialog])
    assert batch.marks.tolist() == [[[1, 2, 3, 0, 0], [0, 0, 0, 8, 0]]]
    assert batch.turn.tolist() == [1]


def test_words_are_described_once_and_padding_is_word_0(tokenizer):
    dialogs = [Dialog(section_of("a b a"), (asked("b c"),)), Dialog(section_of("c"), (asked("a"),))]
    batch = BidafLayout(tokenizer, 0).batch(dialogs)
    assert batch.section.tolist() == [[1, 2, 1, 3], [4, 3, 0, 0]]
    assert batch.question.tolist() == [[2, 4], [1, 0]]
    assert batch.section_of.tolist() == [0, 1]
    assert batch.pieces[0].unique().tolist() == [-1]
    assert batch.characters.shape == (5, 18)


def test_a_gru_that_pads_equals_one_that_packs():
    torch.manual_seed(0)
    states, kept = torch.randn(2, 5, 3), torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    ours = BidirectionalGru(3, 4)
    theirs = torch.nn.GRU(3, 4, batch_first=True, bidirectional=True)
    for (_, weights), own in zip(
        theirs.named_parameters(), [*ours.ahead.parameters(), *ours.back.parameters()], strict=True
    ):
        weights.data.copy_(own.data)
    packed = torch.nn.utils.rnn.pack_padded_sequence(states, torch.tensor([5, 3]), batch_first=True)
    wanted, _ = torch.nn.utils.rnn.pad_packed_sequence(theirs(packed)[0], batch_first=True)
    torch.testing.assert_close(ours(states, kept)[kept], wanted[kept])


@pytest.mark.parametrize("contexts", [0, 2])
def test_padding_and_company_change_nothing(tokenizer, contexts):
    network = network_of(contexts)
    alone = outputs(network, tokenizer, (SECTION, (asked(),)))
    among = outputs(
        network,
        tokenizer,
        (SECTION + " It came late , Antananarivo .", (asked("Why so very , very late then ?"),)),
        (SECTION, (asked("Who ?"), asked())),
    )
    length = alone.start.shape[1]
    torch.testing.assert_close(among.start[2:, :length], alone.start)
    torch.testing.assert_close(among.end[2:, :length], alone.end)
    torch.testing.assert_close(among.affirmation[2:, :length], alone.affirmation)
    assert (among.start[2:, length:] == -1e4).all()


def test_an_empty_section_can_only_stay_without_answer(tokenizer):
    output = outputs(network_of(), tokenizer, ("", (asked(given=()),)), (SECTION, (asked(),)))
    assert (output.start[0] > -1e4).tolist() == [True] + [False] * 12


def test_marks_and_the_turn_reach_the_output_only_with_contexts(tokenizer):
    changed = {
        "newest": asked(given=((1, 1),)),
        "one before": asked(given=((0, 2), (6, 8))),
        "turn": asked(turn=3),
    }
    for contexts, reached in (
        (0, set()),
        (1, {"newest", "turn"}),
        (2, {"newest", "one before", "turn"}),
    ):
        network = network_of(contexts)
        before = outputs(network, tokenizer, (SECTION, (asked(),))).start
        seen = {
            name
            for name, question in changed.items()
            if not torch.equal(outputs(network, tokenizer, (SECTION, (question,))).start, before)
        }
        assert seen == reached


def test_the_question_decides(tokenizer):
    network = network_of(0)
    output = outputs(network, tokenizer, (SECTION, (asked(), asked("What did she write ?"))))
    assert not torch.equal(output.start[0], output.start[1])


def test_new_contexts_begin_without_effect(tokenizer):
    trained, wide = network_of(0), network_of(2)
    widen(wide, trained)
    dialog = (SECTION, (asked(turn=5, given=((0, 2), (6, 8))),))
    torch.testing.assert_close(
        outputs(wide, tokenizer, dialog).end, outputs(trained, tokenizer, dialog).end
    )
    outputs(wide, tokenizer, dialog).start[0, 0].backward()
    assert wide.phrases.ahead.weight_ih_l0.grad[:, 18:].abs().sum() > 0


def reader_of(tokenizer, *, acts):
    network = network_of(2)
    return BidafReader(network, BidafLayout(tokenizer, 2), acts=acts)


def test_saved_and_loaded_it_says_the_same_bit_for_bit(tokenizer, tmp_path):
    network = network_of(2)
    save_bidaf(network, tmp_path, tokenizer, {"acts": True})
    again = load(tmp_path)
    dialog = (SECTION, (asked(),))
    before, after = (outputs(one, tokenizer, dialog) for one in (network, again.network))
    assert torch.equal(before.start, after.start)
    assert torch.equal(before.continuation, after.continuation)
    example = Example("a_q#0", "a", "When?", Gold(), context=SECTION)
    assert again.predict([example]) == reader_of(tokenizer, acts=True).predict([example])


def test_a_folder_of_another_network_is_refused(tmp_path):
    (tmp_path / "settings.json").write_text('{"network": "BiEncoder"}', encoding="utf-8")
    with pytest.raises(ConfigurationError, match="holds a BiEncoder, not a BidafNetwork"):
        load(tmp_path)


def test_word_vectors_come_from_any_checkpoint():
    network, tokenizer = untrained("tiny", BidafShape(contexts=0, hidden=4, characters=3))
    assert network.words.vectors.shape == (30_522, 64)
    assert "words.vectors" not in dict(network.named_parameters())
    assert tokenizer.tokenize("unaffable")[0] == "una"


def test_without_acts_in_training_the_most_frequent_ones_are_predicted(tokenizer):
    examples = [Example("a_q#0", "a", "When did Ada leave?", Gold(), context=SECTION)]
    [said] = reader_of(tokenizer, acts=False).predict(examples)
    assert (said.yesno, said.followup) == ("x", "n")


def test_reading_gives_spans_of_the_passages_best_first(tokenizer):
    reader = reader_of(tokenizer, acts=False)
    passages = [
        Passage("a", 0, len(SECTION), SECTION),
        Passage("b", 0, 8, "Bo sang."),
        Passage("c", 0, 0, ""),
    ]
    query = Query("When did she leave Paris?", history=(("Who left?", "Ada"),))
    first, none = reader.read([query, query], [[Hit(one, 1.0) for one in passages], []])
    assert none == []
    assert {answer.span.passage.source for answer in first} == {"a", "b"}
    assert first[0].score >= first[1].score
    assert all(0 < answer.score < 1 and answer.span.text for answer in first)
    assert reader.read([], []) == []


def test_predictions_keep_the_order_of_the_examples(tokenizer):
    reader = reader_of(tokenizer, acts=False)
    texts = [SECTION, "Bo sang. " * 9, "Why?"]
    examples = [
        Example(f"{at}_q#{turn}", str(at), "When did she?", Gold(), context=text, turn=turn + 1)
        for at, text in enumerate(texts)
        for turn in range(2)
    ]
    alone = [reader.predict([one])[0] for one in examples]
    assert reader.predict(examples) == alone
    assert all(isinstance(one, QuacPrediction) for one in alone)
