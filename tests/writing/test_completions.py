import pytest

from seminar.writing.completions import LONGEST, MOST, parse


def told(completion: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(one.text, one.cited) for one in parse(completion).statements]


@pytest.mark.parametrize(
    "completion",
    [
        "It opened in 1979. [2] Dogs travel free [1][3].",
        "- It opened in 1979 [2].\n- Dogs travel free. [1, 3]",
        "**It opened in 1979.** (passage 2)\n\n# Dogs travel free. [1; 3]",
        "Answer: It opened in 1979. [Passage 2] Dogs travel free. [passages 1 and 3]",
    ],
)
def test_citations_belong_to_the_sentence_before_them(completion: str):
    sentences = [(text.rstrip("."), cited) for text, cited in told(completion)]
    assert sentences == [("It opened in 1979", (2,)), ("Dogs travel free", (1, 3))]


@pytest.mark.parametrize(
    "completion",
    [
        "Not in the passages.",
        "The passages do not mention the fare.",
        "The provided text doesn't specify a date. [1]",
        "There is no information about dogs in passage 2.",
    ],
)
def test_nothing_there_is_recognised(completion: str):
    parsed = parse(completion)
    assert (parsed.absent, parsed.statements) == (True, ())


@pytest.mark.parametrize(
    ("completion", "side"),
    [("Yes, they do. [1]", "yes"), ("No. Groups may not.", "no"), ("Nobody came.", "neither")],
)
def test_yes_and_no_are_read_from_the_first_sentence(completion: str, side: str):
    assert parse(completion).affirmation == side


@pytest.mark.parametrize(
    ("completion", "text"),
    [
        ("See ![x](https://evil.example/?q=1) the pier.", "See x the pier."),
        ("See [the pier](https://evil.example) now.", "See the pier now."),
        ("See <img src=x onerror=alert(1)>the pier.", "See the pier."),
        ("See [the pier](https://evil.example", "See the pier"),
    ],
)
def test_links_images_and_tags_are_left_out(completion: str, text: str):
    assert [one for one, _ in told(completion)] == [text]


def test_a_completion_is_bounded():
    assert len(told("It rains. " * 500)) == MOST
    assert told("word " * LONGEST) == []
