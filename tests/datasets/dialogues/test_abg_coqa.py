from pathlib import Path

from seminar.datasets.catalog import load
from seminar.examples import Evidence, Gold, Reading


def test_an_ambiguous_turn_has_readings_and_clarifications(files: Path):
    plain, ambiguous, last = load("abg_coqa/val", files)
    assert plain.gold == Gold(
        answers=("Pip",), spans=((0, 13),), evidence=(Evidence("Pip the otter"),)
    )
    assert ambiguous.id == "otter1|2|1"
    assert ambiguous.dialogue_id == "otter1"
    assert ambiguous.history == (("Who lived by the pier?", "Pip"),)
    assert ambiguous.gold.clarifications == ("Do you mean in the morning?", "To the fish?")
    assert ambiguous.gold.annotations == (
        (
            Reading(("He stole a fish.", "stole one fish"), "Yes"),
            Reading(("He lived by the pier.",), "No, all day"),
        ),
        (Reading(("He stole it",), "Yes"),),
    )
    assert (last.question, last.turn, last.domain) == ("When?", 3, "mctest")
