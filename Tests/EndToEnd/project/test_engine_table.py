"""The table of what was tested in which engine: several runs put it together."""

from types import SimpleNamespace

import pytest

import engine_results
import engine_table

FILE = "pages/test_frames.py"
FEATURE = engine_table.feature(FILE)


def report(name, engine, outcome="passed", reason=None, when="call", file=FILE):
    return SimpleNamespace(nodeid=f"Tests/EndToEnd/{file}::{name}[{engine}]", user_properties=[("engine", engine)], outcome=outcome, when=when,
                           longrepr=(None, None, f"Skipped: {reason}"))


def counted(*reports):
    return engine_results.counted(reports, engine_table.feature)


def test_the_longest_path_says_what_a_test_is_about():
    assert engine_table.feature("pages/test_device.py") == "the device"
    assert engine_table.feature("pages/test_callbacks.py") == engine_table.FEATURES["pages/"]
    assert engine_table.feature("cluster/test_chaos.py") is None


def test_a_test_whose_end_fails_has_failed():
    results = counted(report("a", "webkit"), report("a", "webkit", "failed", when="teardown"), report("b", "webkit", when="setup"), report("b", "webkit"))
    assert results == {FILE: {"webkit": {FEATURE: {"passed": 1, "skipped": {}, "failed": ["a[webkit]"]}}}}


def test_a_run_replaces_the_results_of_its_files_and_engines_only():
    before = counted(report("a", "webkit"), report("a", "firefox"), report("c", "webkit", file="pages/test_device.py"))
    run = counted(report("a", "webkit"), report("b", "webkit"))
    both = engine_results.merged(before, run)
    assert {file: {engine: sum(each["passed"] for each in by_feature.values()) for engine, by_feature in by_engine.items()}
            for file, by_engine in both.items()} == {FILE: {"webkit": 2, "firefox": 1}, "pages/test_device.py": {"webkit": 1}}


def test_results_of_a_deleted_file_are_dropped():
    assert engine_results.merged(counted(report("a", "webkit", file="pages/test_deleted.py")), counted(report("a", "webkit"))).keys() == {FILE}


def test_the_table_has_numbers_reasons_and_failures():
    results = counted(
        report("a", "webkit"), report("b", "webkit", "skipped", "WebKitGTK: it cannot"), report("a", "firefox"), report("b", "firefox", "failed"))
    lines = list(engine_table.table(results))
    assert f"| {FEATURE} | 1 of 2 | **1 of 2 fail** |" in lines
    assert "- WebKitGTK: it cannot (1 test)" in lines
    assert engine_table.failures(results) == ["- Firefox: `b[firefox]`"]


@pytest.mark.parametrize(("keyword", "arguments"), [("some", ["Tests/EndToEnd"]), ("", [f"Tests/EndToEnd/{FILE}::test_one"])])
def test_the_table_is_not_written_by_a_run_of_a_part_of_a_file(keyword, arguments):
    config = SimpleNamespace(getoption=lambda name: "docs/browsers.md", option=SimpleNamespace(keyword=keyword), args=arguments)
    with pytest.raises(pytest.UsageError, match="whole files"):
        engine_table.check(config)
