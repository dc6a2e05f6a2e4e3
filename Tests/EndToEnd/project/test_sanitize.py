"""The script around the commands of `make sanitize`: a sanitizer's report makes the run fail, even if the tests pass."""

import subprocess

import pytest

from footbridge_process import PROJECT

WATCHED = PROJECT / "scripts" / "watched"


@pytest.mark.parametrize("command, code, said", [
    ("true", 0, ""), ("exit 3", 3, ""), (": > $1.1", 0, ""), ("echo 'a data race' > $1.17", 1, "a data race"),
    ("echo 'a data race' > $1.17; exit 3", 3, "a data race"),
])
def test_a_sanitizer_report_is_printed_and_fails_the_run(tmp_path, command, code, said):
    report = tmp_path / "report"
    (tmp_path / "report.1").write_text("of an earlier run")
    result = subprocess.run([WATCHED, report, "sh", "-c", command, "sh", report], capture_output=True, text=True)
    assert result.returncode == code
    assert result.stderr.strip() == said
