"""What the tests of each file have come to in each engine. Each run with `--engine-table` replaces the results of the files and engines that it ran."""

import json
import pathlib

import device_table

FOLDER = pathlib.Path(__file__).parent
FILE = FOLDER / "engine_results.json"


def path(nodeid):
    """Returns the file of a test, below the folder of the tests."""
    return nodeid.split("::")[0].removeprefix("Tests/EndToEnd/")


def outcomes(reports):
    """Returns the outcome of each test, with its engine, its feature and its reason. A test whose end fails has failed."""
    found = {}
    for report in reports:
        properties = dict(report.user_properties)
        if "engine" not in properties or (report.when != "call" and report.outcome == "passed"):
            continue
        reason = report.longrepr[2].removeprefix("Skipped: ") if report.outcome == "skipped" else None
        if found.get(report.nodeid, (None, None, "passed"))[2] != "failed":
            found[report.nodeid] = (properties["engine"], properties.get("feature"), report.outcome, reason)
    return found


def counted(reports, feature_of):
    """Returns the results by file, engine and feature."""
    results = {}
    for nodeid, (engine, feature, outcome, reason) in outcomes(reports).items():
        file = path(nodeid)
        if not feature_of(file):
            continue
        by_feature = results.setdefault(file, {}).setdefault(engine, {})
        result = by_feature.setdefault(device_table.title(feature or feature_of(file)), {"passed": 0, "skipped": {}, "failed": []})
        if outcome == "passed":
            result["passed"] += 1
        elif outcome == "skipped":
            result["skipped"][reason] = result["skipped"].get(reason, 0) + 1
        else:
            result["failed"].append(nodeid.split("::", 1)[1])
    return results


def merged(stored, new):
    """Returns the stored results with those of a run in place of what it ran, and without files that are no longer there."""
    files = {file: {**stored.get(file, {}), **new.get(file, {})} for file in {*stored, *new}}
    return {file: files[file] for file in sorted(files) if file in new or (FOLDER / file).exists()}


def update(new):
    """Stores the results of a run, and returns all."""
    results = merged(json.loads(FILE.read_text()) if FILE.exists() else {}, new)
    FILE.write_text(json.dumps(results, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
    return results
