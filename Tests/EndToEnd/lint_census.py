"""What the linter finds in the pages of all tests, and whether each of them breaks its contract on purpose: `make lint-census`.

Each server of the tests tells its findings to a file, with the test whose page it was. This module then compares them with `lint_expected.txt`."""

import json
import os
import pathlib
import re
import sys
import urllib.request
from dataclasses import dataclass

#: A finding in the log of a server: the linter tells the first one of each rule and session there.
FINDING = re.compile(r"Session (\w+): (L\d\d) (error|warning|information): (.*)")
#: The first line of a log about a session.
FIRST_PAGE = re.compile(r"The first page of session (\w+) is here")
#: The findings that tests cause on purpose.
EXPECTED = pathlib.Path(__file__).with_name("lint_expected.txt")


class Census:
    """Appends findings to a file. Several processes may do so at once."""

    def __init__(self, path):
        self.path = path
        #: The test that has opened a session's first page. A server can outlive it, and tell of the session during a later test.
        self.tests = {}

    def take(self, line):
        """Takes a line of a server's log."""
        if begun := FIRST_PAGE.search(line):
            self.tests[begun[1]] = running_test()
        if found := FINDING.search(line):
            self.note(*found.groups())

    def note(self, session, rule, severity, about):
        finding = {"rule": rule, "severity": severity, "test": self.tests.get(session) or running_test(), "about": about}
        # One short write at the end of the file is not mixed with others.
        with open(self.path, "a") as file:
            file.write(json.dumps(finding) + "\n")

    def conclude(self, line):
        """Has a server that is about to stop tell what only the end of a session shows. `line` is what it has printed of its control API."""
        url, _, token = line.removeprefix("footbridge: control ").partition(" token=")

        def call(method, path):
            request = urllib.request.Request(url + path, method=method, headers={"Authorization": f"Bearer {token}"})
            with urllib.request.urlopen(request, timeout=20) as response:
                return json.load(response)

        try:
            for session in call("GET", "/sessions")["sessions"]:
                call("POST", f"/sessions/{session['id']}/lint/conclude")
        except OSError:
            # Its test may have stopped it, or given it another token or a certificate.
            pass


def running_test():
    """The test that runs now, such as `test_purchase.py::test_a_purchase[auto]`."""
    file, separator, test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0].partition("::")
    return file.rpartition("/")[2] + separator + test


@dataclass
class Expectation:
    """A line of the list: this rule finds something in the pages of these tests, for a reason."""

    rule: str
    tests: str
    reason: str
    #: Whether it has come up.
    occurred: bool = False

    def fits(self, finding):
        pattern = ".*".join(map(re.escape, self.tests.split("*")))
        return finding["rule"] == self.rule and re.fullmatch(pattern, finding["test"], re.DOTALL) is not None


def read_expectations(text):
    """Reads a list: on each line a rule, the tests with `*` for any text, and the reason, between two or more spaces."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [Expectation(*re.split(r"\s{2,}", line.strip(), maxsplit=2)) for line in lines]


def judge(findings, expectations):
    """Returns the findings that no expectation fits, one for each test and rule. Marks the expectations that have come up."""
    unlisted = {}
    for finding in findings:
        fitting = [each for each in expectations if each.fits(finding)]
        for each in fitting:
            each.occurred = True
        if not fitting:
            unlisted.setdefault((finding["test"], finding["rule"]), finding)
    return [unlisted[key] for key in sorted(unlisted)]


def main(path):
    findings = [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]
    expectations = read_expectations(EXPECTED.read_text())
    unlisted = judge(findings, expectations)
    for finding in unlisted:
        print(f"{finding['test']}\n  {finding['rule']} {finding['severity']}: {finding['about']}")
    for each in expectations:
        if not each.occurred:
            print(f"Nothing has come up for this line of {EXPECTED.name}: {each.rule}  {each.tests}  ({each.reason})")
    print(f"{len(findings)} findings, {len(unlisted)} tests and rules that {EXPECTED.name} does not list.")
    return 1 if unlisted else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
