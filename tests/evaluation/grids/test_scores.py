from seminar.evaluation.grids.scores import scored
from seminar.evaluation.predictions import Prediction, Ranked, Timed
from seminar.evaluation.suites.catalog import find_task
from seminar.examples import Evidence, Example, Gold

PRAGMATIC = find_task("pragmaticqa/val", "pragmatic")


def asked(name: str, *answers: str) -> Example:
    return Example(name, name, "Who?", Gold(answers, answerable=bool(answers)))


def test_binary_f1_is_of_all_questions_together():
    predictions = [
        (asked("a", "Kit"), Timed(Prediction("a", "unanswerable"))),
        (asked("b", "Kit"), Timed(Prediction("b", "Kit"))),
        (asked("c"), Timed(Prediction("c", "Unanswerable."))),
        (asked("d"), Timed(Prediction("d", "Kit"))),
    ]
    row = scored(("EM answerable", "binary F1"), find_task("qaconv/tst-chunk"), predictions)
    # Two are called unanswerable and two are, one of them is both: 2 * 1 / (2 + 2).
    assert row.figures == {"binary F1": 50.0}
    assert {column: score.mean for column, score in row.scores.items()} == {"EM answerable": 50.0}


def test_seconds_are_a_mean_and_memory_is_the_peak():
    predictions = [
        (asked("a", "Kit"), Timed(Prediction("a", "Kit"), 0.25, 512.0)),
        (asked("b", "Kit"), Timed(Prediction("b", "Kit"), 0.75, 2048.0)),
    ]
    columns = ("parameters M", "seconds", "memory GB")
    row = scored(columns, find_task("nq_open/dev"), predictions, parameters=1_500_000)
    assert row.figures == {"parameters M": 1.5, "seconds": 0.5, "memory GB": 2.0}
    assert row.scores == {}


def test_figures_that_a_file_lacks_are_left_out():
    predictions = [(asked("a", "Kit"), Timed(Prediction("a", "Kit")))]
    assert scored(("seconds", "parameters M"), find_task("nq_open/dev"), predictions).figures == {}


def test_recall_counts_the_blocks_of_the_gold_spans():
    gold = Gold(
        literal=(Evidence("Vale is a sailor", elements=("k1", "k2")),),
        pragmatic=(Evidence("His parrot is Inkpot", elements=("k3", "k3")),),
    )
    example = Example("a", "a", "Who is Vale?", gold, sources=("Lindmere",))
    found = (Ranked("Lindmere/k9", 2.0), Ranked("Lindmere/k1", 1.0))
    predictions = Prediction("a", literal=("a sailor",), pragmatic=("a parrot",), ranking=found)
    measures = PRAGMATIC.measure(example, predictions)
    assert (measures["R@k"], measures["R-All@k"]) == (1.0, 0.0)
    assert round(measures["F1-lit"], 3) == 0.5  # sailor, of vale is sailor
    assert round(measures["F1-prag"], 3) == 0.5  # parrot, of his parrot inkpot


def test_quality_is_both_ways_and_its_mean():
    def judge(sources, targets):
        return [-float(len(source)) for source in sources]

    predictions = [(asked("a", "Kit"), Timed(Prediction("a", "Orrin")))]
    row = scored(("Q",), PRAGMATIC, predictions, judge=judge)
    assert row.scores["Q"].mean == -4.0  # five letters there, three back


def test_a_reply_without_a_span_has_no_block_to_find():
    gold = Gold(literal=(Evidence("Yes"),))
    example = Example("a", "a", "Is he?", gold, sources=("Lindmere",))
    assert "R@k" not in PRAGMATIC.measure(example, Prediction("a", literal=("Yes",)))
