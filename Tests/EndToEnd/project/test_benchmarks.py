"""The table and the picture of the benchmarks, from made-up results: nothing here asserts a time."""

import json
import pathlib
import re
import sys
import types
import xml.etree.ElementTree

import pytest

from footbridge_process import PROJECT

sys.path.insert(0, str(PROJECT / "Benchmarks"))

import parts as benchmark_parts
import plot
import report
from instruction_record import InstructionRecord
from result import Result

RESULTS = [
    Result("messages", "many", 900.0, "/s", "C echo", 1000.0, at_least=0.9),
    Result("messages", "one", 12.0, "µs", "C echo", 10.0, at_most=1.1),
    Result("start", "to the first answer", 20.0, "ms", at_most=25),
    Result("start", "the C echo's", 4.0, "ms"),
]


@pytest.mark.parametrize("result, is_met", list(zip(RESULTS, [True, False, True, None])))
def test_a_goal_applies_to_the_ratio_or_else_to_the_value(result, is_met):
    assert result.is_met is is_met


def test_the_table_has_a_line_for_each_result_and_says_which_goals_are_missed():
    heading, *lines = report.lines(RESULTS)
    assert "goal" in heading
    assert [line.split()[-1] == "MISSED" for line in lines] == [False, True, False, False]
    assert lines[0].split() == "messages: many 900 /s C echo 1,000 0.90 ≥ 0.9 met".split()


def test_a_goal_that_only_some_rounds_meet_beside_a_varying_peer_is_too_noisy():
    calm, restless = [100, 101, 104], [100, 80, 104]

    def verdicts(value):
        return [Result.of_rounds("messages", "many", [value] * 3, "/s", "C echo", peers, at_least=0.9).verdict for peers in (calm, restless)]

    assert (verdicts(95), verdicts(85), verdicts(50)) == (["met", "met"], ["MISSED", "too noisy"], ["MISSED", "MISSED"])


def test_each_line_of_rounds_shows_their_range():
    compared = Result.of_rounds("messages", "many", [80, 90, 100], "/s", "C echo", [100, 100, 100], at_least=0.9)
    alone = Result.of_rounds("start", "alone", [20, 22.5, 30], "ms", at_most=25)
    assert [re.split("  +", line)[-3] for line in report.lines([compared, alone])[1:]] == ["0.80 to 1.00", "20 to 30"]


def test_a_part_that_fails_leaves_the_results_of_the_others(capsys):
    def fail(is_quick):
        raise FileNotFoundError("wrk is not there")

    parts = {
        "first": types.SimpleNamespace(measure=lambda is_quick: RESULTS[:1]), "second": types.SimpleNamespace(measure=fail),
        "third": types.SimpleNamespace(measure=lambda is_quick: RESULTS[1:2]),
    }
    written = []
    measured = benchmark_parts.measured(list(parts), True, parts, lambda results, failures: written.append((list(results), dict(failures))))
    assert measured == (RESULTS[:2], {"second": "FileNotFoundError: wrk is not there"})
    # An interrupted run has the results of the parts before.
    assert written == [(RESULTS[:1], {}), (RESULTS[:1], measured[1]), measured]
    assert "fail" in capsys.readouterr().err


def test_missing_programs_are_named_before_the_first_part_starts():
    parts = {"first": types.SimpleNamespace(PROGRAMS=["sh"]), "second": types.SimpleNamespace(PROGRAMS=["sh", "no-such-program"]), "third": types.SimpleNamespace()}
    assert benchmark_parts.missing(list(parts), parts) == {"second": ["no-such-program"]}


VERSIONS = {"compiler": "1", "library": "2"}


@pytest.mark.parametrize("count, is_good", [(900, True), (1030, True), (1031, False)])
def test_instructions_may_grow_by_three_percent(count, is_good):
    recorded = InstructionRecord(VERSIONS, {"query": 1000, "purchase": 5000})
    lines, verdict = recorded.compared(InstructionRecord(VERSIONS, {"query": count, "purchase": 5000}))
    assert verdict is is_good
    assert any("above the record: query." in line for line in lines) is not is_good


def test_instructions_of_another_compiler_are_shown_and_not_judged():
    recorded = InstructionRecord({**VERSIONS, "compiler": "0"}, {"query": 1000})
    lines, is_good = recorded.compared(InstructionRecord(VERSIONS, {"query": 2000}))
    assert is_good
    assert lines == ["query: 2,000 instructions, +100.0% from the recorded 1,000", "Not comparable: recorded with compiler 0 (here 1)."]


def test_the_lower_one_of_two_counts_is_judged():
    recorded = InstructionRecord(VERSIONS, {"query": 1000, "purchase": 5000})
    assert recorded.lowest({"query": 1100, "purchase": 4900}) == InstructionRecord(VERSIONS, {"query": 1000, "purchase": 4900})


def test_a_record_is_read_as_it_was_written(tmp_path):
    record = InstructionRecord(VERSIONS, {"query": 1000})
    record.write(tmp_path / "record.json")
    assert InstructionRecord.read(tmp_path / "record.json") == record


SVG = "{http://www.w3.org/2000/svg}"
MACHINE = {"processor": "Abacus & Sons", "cores": 2, "system": "Debian 12", "load": 0.1}


def picture_of(*results):
    return xml.etree.ElementTree.fromstring(plot.svg(results, "2026-11-22", MACHINE))


def texts(picture):
    return ["".join(text.itertext()) for text in picture.iter(SVG + "text")]


def bars(picture):
    """Returns the bars, without the background and the legend."""
    return [bar for bar in picture.iter(SVG + "rect") if bar.get("x")]


def test_the_picture_has_a_bar_for_each_throughput_on_the_side_of_the_faster_one():
    faster = Result("messages", "many", 2000.0, "/s", "Node ws", 1000.0)
    picture = picture_of(*RESULTS, faster)
    same = float(picture.find(f"{SVG}line[@class='same']").get("x1"))
    assert [float(bar.get("x")) >= same for bar in bars(picture)] == [False, True]
    assert texts(picture).count("2.00 × Node ws") == 1
    assert texts(picture).count("2,000 messages/s") == 1


def test_the_picture_says_when_and_where_it_was_measured_and_how_to_read_it():
    said = " ".join(texts(picture_of(*RESULTS)))
    assert "Measured 2026-11-22 on Abacus & Sons, 2 cores, Debian 12" in said
    assert "logarithmic" in said
    assert "C echo: a bare echo server" in said


def test_bars_and_goals_stay_within_the_scale_of_the_picture():
    picture = picture_of(
        Result("messages", "many", 900_000.0, "/s", "C echo", 1000.0),
        Result("proxy", "one", 1.0, "/s", "nginx", 300.0, at_least=2000),
    )
    scale = [float(line.get("x1")) for line in picture.iter(SVG + "line") if line.get("class") in ("grid", "same")]
    goal = float(picture.find(f"{SVG}line[@class='goal']").get("x1"))
    assert min(scale) <= goal <= max(scale)
    for bar in bars(picture):
        assert min(scale) <= float(bar.get("x")) < float(bar.get("x")) + float(bar.get("width")) <= max(scale)


@pytest.mark.parametrize("value, kind, verdict", [(960.0, "missed", "≥ 1.1, missed"), (1200.0, "faster", "≥ 1.1, met")])
def test_the_picture_shows_whether_a_goal_is_missed(value, kind, verdict):
    picture = picture_of(Result("messages", "many", value, "/s", "C echo", 1000.0, at_least=1.1))
    assert [bar.get("class") for bar in bars(picture)] == [kind]
    assert texts(picture).count(verdict) == 1


def test_the_picture_in_the_manual_is_drawn_from_its_numbers():
    docs = pathlib.Path(plot.__file__).resolve().parents[1] / "docs"
    record = json.loads((docs / "benchmarks.json").read_text())
    results = [Result.from_dictionary(result) for result in record["results"]]
    assert (docs / "benchmarks.svg").read_text() == plot.svg(results, record["date"], record["machine"])
