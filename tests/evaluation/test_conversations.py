from seminar.datasets.conversations import join_utterances
from seminar.evaluation.conversations import cut
from seminar.types import Thread


def thread(*texts: str) -> Thread:
    text, said = join_utterances((str(n), "Ada", words) for n, words in enumerate(texts))
    return Thread(source="mail-1", title="mail-1", text=text, utterances=said, channel="mail")


def test_messages_are_joined_as_long_as_they_fit():
    chunks = list(cut([thread("one two", "three", "four five six")], words=3))
    assert [chunk.text for chunk in chunks] == ["Ada: one two\nAda: three", "Ada: four five six"]
    assert [chunk.scope for chunk in chunks] == ["mail", "mail"]


def test_a_message_that_is_too_long_stands_alone():
    chunks = list(cut([thread("a", "b c d e", "f")], words=2))
    assert [chunk.text for chunk in chunks] == ["Ada: a", "Ada: b c d e", "Ada: f"]


def test_offsets_and_speakers_stay_exact():
    given = thread("one two", "three four", "five")
    for chunk in cut([given], words=2):
        assert given.text[chunk.start : chunk.end] == chunk.text
        for said in chunk.utterances:
            assert chunk.text[said.start : said.end] == f"Ada: {said.text}"


def test_nothing_said_is_no_chunk():
    assert list(cut([thread()])) == []
