from seminar.datasets.conversations import join_utterances
from seminar.evaluation.conversations import cut
from seminar.types import Thread


def thread(*texts: str, name: str = "mail-1", channel: str = "mail") -> Thread:
    text, said = join_utterances((str(n), "Ada", words) for n, words in enumerate(texts))
    return Thread(source=name, title=name, text=text, utterances=said, channel=channel)


def test_messages_are_joined_as_long_as_they_fit():
    chunks = list(cut([thread("one two", "three", "four five six")], limit=11))
    assert [chunk.text for chunk in chunks] == ["Ada: one two\nAda: three", "Ada: four five six"]
    assert [chunk.scope for chunk in chunks] == ["mail", "mail"]


def test_short_threads_of_a_channel_make_one_chunk():
    threads = [thread("one", name="slack-1"), thread("two", name="slack-2")]
    assert [chunk.text for chunk in cut(threads)] == ["Ada: one\n\nAda: two"]


def test_threads_of_different_places_stay_apart():
    threads = [thread("one"), thread("two", name="mail-2", channel="other")]
    assert [chunk.text for chunk in cut(threads)] == ["Ada: one", "Ada: two"]


def test_every_chunk_has_a_source_of_its_own():
    chunks = list(cut([thread("one two", "three four", "five six")], limit=5))
    assert [chunk.source for chunk in chunks] == [
        "mail-1#0-12",
        "mail-1#13-28",
        "mail-1#29-42",
    ]


def test_offsets_and_speakers_stay_exact():
    given = thread("one two", "three four", "five")
    for chunk in cut([given], limit=8):
        assert given.text[chunk.start : chunk.end] == chunk.text
        for said in chunk.utterances:
            assert chunk.text[said.start : said.end] == said.text
            assert said.text.startswith("Ada: ")


def test_nothing_said_is_no_chunk():
    assert list(cut([thread()])) == []
