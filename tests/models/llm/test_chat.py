import pytest

from seminar.models.llm.chat import ThoughtFilter, without_thoughts


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("<think>Hm, 1979?</think>Ann Lee.", "Ann Lee."),
        ("Hm.</think>Ann Lee.", "Ann Lee."),
        ("<think>never ends", ""),
        ("a < b", "a < b"),
    ],
)
def test_thoughts_are_no_part_of_a_completion(text: str, told: str):
    assert without_thoughts(text) == told


@pytest.mark.parametrize("size", [1, 3, 50])
def test_thoughts_are_not_streamed(size: int):
    text = "Before. <think>a secret < plan</think>After <b>."
    heard: list[str] = []
    pieces = ThoughtFilter(heard.append)
    for at in range(0, len(text), size):
        pieces(text[at : at + size])
    assert "".join(heard) == "Before. After <b>."
