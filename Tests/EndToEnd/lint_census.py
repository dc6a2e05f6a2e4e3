"""What the linter finds in the pages of all tests: `make lint-census`.

Each server of the tests tells its findings to a file, with the test that ran. This module prints them as a table."""

import json
import os
import pathlib
import re
import sys
import urllib.request

#: A finding in the log of a server: the linter tells the first one of each rule and session there.
FINDING = re.compile(r"(L\d\d) (error|warning|information): (.*)")


class Census:
    """Appends findings to a file. Several processes may do so at once."""

    def __init__(self, path):
        self.path = path

    def take(self, line):
        """Takes a line of a server's log."""
        if found := FINDING.search(line):
            rule, severity, about = found.groups()
            test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0].removeprefix("Tests/EndToEnd/")
            finding = {"rule": rule, "severity": severity, "test": test, "about": about}
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


def main(path):
    findings = [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]
    for rule in sorted({finding["rule"] for finding in findings}):
        of_rule = [finding for finding in findings if finding["rule"] == rule]
        print(f"{rule} {of_rule[0]['severity']}: {len(of_rule)}")
        for test in sorted({finding["test"] for finding in of_rule}):
            abouts = [finding["about"] for finding in of_rule if finding["test"] == test]
            print(f"  {test}: {len(abouts)}: {abouts[0][:160]}")


if __name__ == "__main__":
    main(sys.argv[1])
