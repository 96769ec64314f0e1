from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from seminar.ingestion.conversations.messages import compose
from seminar.ingestion.segments import combine, count_tokens, preceding, split
from seminar.types import Span, Thread, Utterance


def thread(*turns: tuple[str, str], channel: str = "general/1", title: str = "#general") -> Thread:
    utterances = [
        Utterance(str(number), speaker, text, datetime(2024, 5, 1, 12, number, tzinfo=UTC),
                  source="general/2024-05-01.json")
        for number, (speaker, text) in enumerate(turns)
    ]  # fmt: skip
    return compose(utterances, title=title, channel=channel)


def test_short_thread_is_one_segment_with_speakers_in_text_and_utterances():
    [passage] = split(thread(("Ada", "When does it leave?"), ("Bo", "At nine.")))
    assert passage.text == "Ada: When does it leave?\nBo: At nine."
    assert [(one.speaker, one.text, one.start, one.end) for one in passage.utterances] == [
        ("Ada", "When does it leave?", 5, 24),
        ("Bo", "At nine.", 29, 37),
    ]
    assert (passage.title, passage.section, passage.scope) == ("#general", "", "general/1")
    assert passage.source == "general/2024-05-01.json#0"


def test_segment_ends_before_the_utterance_that_exceeds_the_limit():
    turns = [("Ada", "word " * 30 + "."), ("Bo", "word " * 30 + "."), ("Cy", "word " * 30 + ".")]
    passages = split(thread(*turns), limit=80)
    assert [[one.speaker for one in passage.utterances] for passage in passages] == [
        ["Ada", "Bo"],
        ["Cy"],
    ]
    assert all(count_tokens(passage.text) <= 80 for passage in passages)


def test_utterance_above_the_limit_is_cut_between_sentences_and_keeps_its_speaker():
    speech = " ".join(f"This is the sentence number {number}." for number in range(40))
    passages = split(thread(("Bo", "Go on."), ("Ada", speech), ("Bo", "Thanks.")), limit=64)
    assert passages[0].text == "Bo: Go on."
    assert passages[1].text.startswith("Ada: This is the sentence number 0.")
    assert passages[1].section == ""
    middle = passages[2]
    assert middle.section == "Ada"
    assert middle.text.startswith("This is the sentence number")
    assert [one.speaker for one in middle.utterances] == ["Ada"]
    assert middle.utterances[0].text == middle.text
    assert passages[-1].text == "Bo: Thanks."
    assert "".join(p.text.removeprefix("Ada: ") + " " for p in passages[1:-1]).strip() == speech


def test_speaker_name_is_cited_by_the_message_after_it():
    [passage] = split(thread(("Ada", "When?"), ("Bo", "At nine.")))
    name = Span(passage, 11, 13)
    assert name.text == "Bo"
    assert name.utterance == passage.utterances[1]
    assert name.source == "general/2024-05-01.json#1"


def test_preceding_gives_the_utterances_right_before_a_segment():
    talk = thread(("Ada", "one " * 30), ("Bo", "two " * 30), ("Cy", "three " * 30))
    last = split(talk, limit=40)[-1]
    assert [one.speaker for one in preceding(talk, last, limit=40)] == ["Bo"]
    assert [one.speaker for one in preceding(talk, last, limit=400)] == ["Ada", "Bo"]
    assert [one.speaker for one in preceding(talk, last, limit=1)] == ["Bo"]
    assert preceding(talk, split(talk, limit=40)[0]) == ()


def test_short_threads_of_a_channel_are_combined_under_its_path():
    first = thread(("Ada", "Lunch?"), channel="general/1")
    second = thread(("Bo", "Who has the key?"), ("Cy", "I do."), channel="general/2")
    [joined] = combine([first, second])
    assert joined.text == "Ada: Lunch?\n\nBo: Who has the key?\nCy: I do."
    assert joined.channel == "general"
    assert [joined.text[one.start : one.end] for one in joined.utterances] == [
        "Lunch?",
        "Who has the key?",
        "I do.",
    ]
    assert split(joined)[0].text == joined.text


def test_threads_that_are_long_or_of_another_title_are_not_combined():
    long = thread(("Ada", "word " * 200))
    short = thread(("Bo", "Lunch?"))
    other = thread(("Bo", "Lunch?"), title="#random", channel="random/1")
    assert list(combine([short, long, short, other])) == [short, long, short, other]


WORDS = st.text(alphabet="ab .!?\n東é:<>", min_size=1, max_size=120).map(str.strip).filter(bool)
TALKS = st.lists(st.tuples(st.sampled_from(["Ada", "Bo B.", ""]), WORDS), min_size=1, max_size=12)


@settings(max_examples=60, deadline=None)
@given(TALKS, st.sampled_from([8, 30, 512]))
def test_segments_hold_exactly_the_text_of_the_thread(turns: list[tuple[str, str]], limit: int):
    talk = thread(*turns)
    assert [talk.text[one.start : one.end] for one in talk.utterances] == [
        text for _, text in turns
    ]
    passages = split(talk, limit=limit)
    for passage in passages:
        assert talk.text[passage.start : passage.end] == passage.text
        for one in passage.utterances:
            assert passage.text[one.start : one.end] == one.text
    covered = "".join(passage.text for passage in passages)
    assert "".join(covered.split()) == "".join(talk.text.split())
