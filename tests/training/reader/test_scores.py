import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from seminar.examples import Example, Gold  # noqa: E402
from seminar.models.reader.layout import ANSWER_TYPES  # noqa: E402
from seminar.models.word_pieces import WordPieces  # noqa: E402
from seminar.networks.checkpoints import VOCABULARY  # noqa: E402
from seminar.networks.reader import ReaderOutput  # noqa: E402
from seminar.training.reader.scores import ReadingScores, predict  # noqa: E402

PIECES = WordPieces(VOCABULARY.parent)
BERN, OPEN = (PIECES.split(word)[0] for word in ("Bern", "open"))
FAR = "The road is long. " * 150


class Looks(torch.nn.Module):
    """Points at Bern wherever it stands, and says yes where it reads "open"."""

    def __init__(self, precision: torch.dtype) -> None:
        super().__init__()
        self.precision = precision

    def forward(self, ids, attended, segments, marks) -> ReaderOutput:
        found = ((ids == BERN) & segments.bool()).to(self.precision) * 4
        found[:, 0] = 2  # [CLS]: nothing is there
        types = torch.zeros(len(ids), len(ANSWER_TYPES), dtype=self.precision)
        said = (ids == OPEN).any(dim=1).to(self.precision)
        types[:, ANSWER_TYPES.index("yes")] = said
        types[:, ANSWER_TYPES.index("no")] = 1 - said
        return ReaderOutput(found, found, types, torch.zeros(len(ids), 3))


def asked(name: str, context: str, *answers: str, affirmation: str | None = None) -> Example:
    gold = Gold(answers, answerable=bool(answers), affirmation=affirmation)
    return Example(name, name, "Where is it?", gold, context=context)


@pytest.mark.parametrize("precision", [torch.float32, torch.bfloat16], ids=str)
def test_scores_are_those_of_the_answers_in_every_precision(precision):
    scores = ReadingScores(
        PIECES,
        squad=[
            asked("a", "Ann is in Bern.", "Bern"),
            asked("b", "Bo has gone."),
            asked("c", "It is in Bern.", "Kiel"),
            asked("d", "Di is in Bern."),
        ],
        quac=[asked("e", "She stays in Bern.", "Bern"), asked("f", "Nobody.", "CANNOTANSWER")],
        boolq=[
            asked("g", "It is open.", "yes", affirmation="yes"),
            asked("h", "It is shut.", "no", affirmation="no"),
            asked("i", "It is shut.", "yes", affirmation="yes"),
        ],
    ).measure(Looks(precision))
    assert scores["squad2_f1"] == 50.0
    assert scores["squad2_HasAns_f1"] == 50.0
    assert scores["squad2_NoAns_f1"] == 50.0
    assert scores["squad1_f1"] == 50.0
    assert scores["quac_f1"] == 100.0
    assert scores["boolq_accuracy"] == pytest.approx(66.67)


def test_an_answer_is_found_in_whatever_window_it_stands():
    [said] = predict(
        Looks(torch.float32), [asked("a", f"{FAR}Ann is in Bern.", "Bern")], PIECES, "squad"
    )
    assert (said.text, said.margin) == ("Bern", 4.0)
    [said] = predict(Looks(torch.float32), [asked("a", FAR)], PIECES, "squad")
    assert said.margin == -4.0
