"""The benchmarks' own table and picture, from results that were not measured: nothing here asserts a time."""

import pathlib
import sys
import xml.etree.ElementTree

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Benchmarks"))

import plot
import report
from result import Result

RESULTS = [
    Result("messages", "many", 900.0, "/s", "C echo", 1000.0, at_least=0.9),
    Result("messages", "one", 12.0, "µs", "C echo", 10.0, at_most=1.1),
    Result("start", "to the first answer", 20.0, "ms", at_most=25),
    Result("start", "the C echo's", 4.0, "ms"),
]


@pytest.mark.parametrize("result, is_met", list(zip(RESULTS, [True, False, True, None])))
def test_a_goal_is_one_for_the_ratio_or_else_for_the_value(result, is_met):
    assert result.is_met is is_met


def test_the_table_has_a_line_for_each_result_and_says_which_goals_are_missed():
    heading, *lines = report.lines(RESULTS)
    assert "goal" in heading
    assert [line.split()[-1] == "MISSED" for line in lines] == [False, True, False, False]
    assert lines[0].split() == "messages: many 900 /s C echo 1,000 0.90 ≥ 0.9 met".split()


def test_the_picture_has_a_bar_for_each_throughput_on_the_side_of_who_is_faster():
    faster = Result("messages", "many", 2000.0, "/s", "Node ws", 1000.0)
    picture = xml.etree.ElementTree.fromstring(plot.svg([*RESULTS, faster]))
    bars = [bar for bar in picture.iter("{http://www.w3.org/2000/svg}rect") if bar.get("x")]
    same = float(picture.find("{http://www.w3.org/2000/svg}line").get("x1"))
    assert [float(bar.get("x")) >= same for bar in bars] == [False, True]
    assert [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")][-1] == "2 × Node ws"
