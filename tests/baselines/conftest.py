import pytest

from seminar.examples import Example, Gold

SECTION = (
    "Mira Holt built the lighthouse in 1871. She lit it with whale oil. "
    "The lamp was replaced in 1904. CANNOTANSWER"
)


@pytest.fixture
def dialog() -> list[Example]:
    """Three turns about a section of three sentences; the last question has no answer."""
    turns = [
        ("Who built the lighthouse?", ("Mira Holt built the lighthouse",)),
        ("What did she burn?", ("whale oil", "She lit it with whale oil.", "CANNOTANSWER")),
        ("Who paid?", ("CANNOTANSWER", "1904")),
    ]
    return [
        Example(
            id=f"d_q#{number}",
            dialogue_id="d",
            question=question,
            gold=Gold(answers=answers, answerable=number < 2),
            history=tuple((asked, given[0]) for asked, given in turns[:number]),
            context=SECTION,
            turn=number + 1,
        )
        for number, (question, answers) in enumerate(turns)
    ]
