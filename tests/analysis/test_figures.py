"""The marks of figures: each has its tip, and the SVG holds each mark; pixels are not tested."""

import re
from pathlib import Path

import matplotlib as mpl
import pytest

from seminar.analysis.figures import positions, questions, systems, topics
from seminar.analysis.figures.confidence import calibration_chart, risk_coverage_chart
from seminar.analysis.figures.questions import squarify
from seminar.analysis.figures.style import COLOURS, Tips, drawing, ink_on, new_figure
from seminar.analysis.outcomes import Outcome, answer_sets, join
from seminar.analysis.report.writing import render
from tests.analysis.corpus import AMBIGUOUS, FIRST, FRAME, SECOND

JOINED = join(FRAME, {"first": FIRST, "net@10": SECOND, "net@100": FIRST})
SETS = answer_sets(AMBIGUOUS, {"one": [Outcome("m2", "1871", 1, answers=("1871",))]})
CHARTS = [
    questions.question_sunburst(FRAME["question"]),
    questions.question_treemap(FRAME["question"]),
    positions.position_chart(FRAME),
    positions.transition_chart(FRAME),
    positions.chunks_chart(FRAME),
    positions.shares_chart(FRAME),
    topics.topics_by_length_chart(FRAME),
    topics.run_lengths_chart(FRAME),
    topics.flow_chart(FRAME),
    topics.kinds_chart(FRAME),
    systems.curve(JOINED, "turn"),
    systems.curve(JOINED, "distance"),
    systems.latency_chart(JOINED),
    systems.data_size_chart(JOINED),
    systems.answer_sets_chart(SETS),
    risk_coverage_chart(JOINED),
    calibration_chart(JOINED),
]


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.name)
def test_every_mark_with_a_tip_is_in_the_svg(chart, tmp_path: Path):
    assert not chart.lacks
    svg = render(chart, tmp_path)
    assert chart.tips
    assert set(chart.tips) <= set(re.findall(r'id="([^"]+)"', svg))
    assert (tmp_path / f"{chart.name}.png").read_bytes().startswith(b"\x89PNG")


def test_the_same_data_give_the_same_svg(tmp_path: Path):
    chart = topics.run_lengths_chart(FRAME)
    again = topics.run_lengths_chart(FRAME)
    assert render(chart, tmp_path) == render(again, tmp_path)


def test_sunburst_counts_the_questions_once():
    frame = questions.question_sunburst(FRAME["question"]).frame
    assert frame["questions"].sum() == 7


def test_boxes_of_a_treemap_have_areas_in_proportion():
    sizes = [6.0, 6.0, 4.0, 3.0, 2.0, 2.0, 1.0]
    boxes = squarify(sizes, (0, 0, 6, 4))
    assert [width * height for _, _, width, height in boxes] == pytest.approx(sizes)
    assert squarify([], (0, 0, 1, 1)) == []
    assert squarify([0.0], (0, 0, 1, 1)) == [(0, 0, 0, 0)]


def test_shares_of_training_data_come_from_names():
    table = systems.data_size_chart(JOINED).frame
    assert table[["network", "percent"]].to_numpy().tolist() == [["net", 10], ["net", 100]]


def test_the_callers_settings_of_matplotlib_stay():
    before = dict(mpl.rcParams)
    with drawing():
        assert mpl.rcParams["svg.fonttype"] == "none"
    assert dict(mpl.rcParams) == before


def test_texts_of_users_are_no_formulas(tmp_path: Path):
    tips = Tips("x")
    with drawing():
        figure = new_figure()
        tips.add(figure.add_subplot().bar(["$x_1$ <b>"], [1])[0], "a")
        figure.savefig(tmp_path / "x.svg")
    assert "$x_1$ &lt;b&gt;" in (tmp_path / "x.svg").read_text()


@pytest.mark.parametrize("colour", COLOURS)
def test_text_on_colours_has_contrast(colour: str):
    def luminance(code: str) -> float:
        channels = [int(code[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    ground = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    light, dark = sorted((luminance(colour), luminance(ink_on(ground))), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 4.5
