"""The table of docs/browsers.md: what was tested in which engine. Each test counts for the feature of its file, or for that of its own mark."""

import collections
import pathlib
import re

import pytest

import engine_results
import engines

#: What the tests are about, by the beginning of their path, in the order of the table. The longest one counts. All others run in Chromium alone.
FEATURES = {
    "bridges/onside/": "`window.onside`: functions, callbacks, errors, sheets",
    "bridges/onside/test_purchase.py": "purchases, two tabs, two profiles, lost sockets",
    "bridges/today/": "Today: tokens, cookies, trust of frames",
    "bridges/gbg/": "GBG: journeys, capture from a camera or a file",
    "bridges/declared/": "declared bridges: calls, answers, handlers, codings",
    "bridges/declared/test_adapters.py": "adapters",
    "bridges/declared/test_navigations.py": "messages that are navigations",
    "bridges/declared/test_resources.py": "resources of an app under its own scheme",
    "bridges/declared/test_presets.py": "presets",
    "bridges/declared/test_mini_app_presets.py": "presets",
    "bridges/declared/test_vendor_presets.py": "presets",
    "bridges/declared/test_vendors": "presets",
    "bridges/declared/test_store_of_bridges.py": "presets that sell",
    "bridges/declared/test_storekit_js.py": "presets that sell",
    "bridges/declared/test_adapty.py": "presets that sell",
    "bridges/declared/test_cordova_purchase.py": "presets that sell",
    "bridges/declared/test_qonversion.py": "presets that sell",
    "bridges/declared/test_revenuecat.py": "presets that sell",
    "pages/": "messages: order, callbacks, promises, evaluation",
    "pages/test_injection.py": "documents and their handlers",
    "pages/test_rewritten_documents.py": "documents and their handlers",
    "pages/test_unknown_documents.py": "documents and their handlers",
    "pages/test_plain_name.py": "documents and their handlers",
    "pages/test_frames.py": "frames whose documents no server sends",
    "pages/test_leaving.py": "pages that leave, and come back",
    "pages/test_page_cache.py": "pages that leave, and come back",
    "pages/test_passing.py": "pages that leave, and come back",
    "pages/test_offline.py": "pages without a network",
    "pages/test_service_workers.py": "service workers",
    "pages/test_lint.py": "the linter",
    "pages/test_launch.py": "what native sets before the page",
    "pages/test_phone.py": "like a phone",
    "pages/test_device.py": "the device",
    "pages/test_engines.py": "what engines do differently",
    "sheets/": "sheets: keys, layout, words, hostile pages",
    "sheets/test_sheet_outcomes.py": "notices of how a payment ended",
    "site/": "sites: folders, proxies, policies",
    "server/": "rules, the control API, the demo",
}
START, END = "<!-- The tests print this table: make browsers -->\n", "<!-- The end of the table -->\n"


def feature(path):
    """Returns what the tests of a file are about, or None if they run in Chromium alone."""
    path = pathlib.Path(path)
    file = (path.relative_to(engine_results.FOLDER) if path.is_absolute() else path).as_posix()
    return FEATURES.get(max(filter(file.startswith, FEATURES), key=len, default=None))


class Cell:
    """The tests of a feature in one engine."""

    def __init__(self):
        self.passed = self.skipped = 0
        self.failed = []

    def add(self, result):
        self.passed += result["passed"]
        self.skipped += sum(result["skipped"].values())
        self.failed += result["failed"]

    def __str__(self):
        total = self.passed + self.skipped + len(self.failed)
        if not total:
            return ""
        return f"**{len(self.failed)} of {total} fail**" if self.failed else f"{self.passed:,}" + (f" of {total:,}" if self.skipped else "")


def cells(results):
    """Returns the cells by feature and engine."""
    found = {}
    for by_engine in results.values():
        for engine, by_feature in by_engine.items():
            for name, result in by_feature.items():
                found.setdefault((name, engine), Cell()).add(result)
    return found


def reasons(results):
    """Returns why tests do not run in an engine, with their numbers."""
    found = collections.Counter()
    for by_engine in results.values():
        for by_feature in by_engine.values():
            for result in by_feature.values():
                found.update(result["skipped"])
    return sorted(found.items())


def table(results):
    """Returns the lines of the table, and below it the reasons of what does not run in an engine."""
    found = cells(results)
    present = [engine for engine in engines.TITLES if any(engine == other for _, other in found)]
    features = sorted({name for name, _ in found}, key=lambda name: ((list(FEATURES.values()) + [name]).index(name), name))
    yield "| what was tested | " + " | ".join(engines.TITLES[engine] for engine in present) + " |"
    yield "|---" * (len(present) + 1) + "|"
    for name in features:
        yield f"| {name} | " + " | ".join(str(found.get((name, engine), "")) for engine in present) + " |"
    totals = [sum(cell.passed for (_, other), cell in found.items() if other == engine) for engine in present]
    yield "| **all tests that pass** | " + " | ".join(f"**{total:,}**" for total in totals) + " |"
    if skipped := reasons(results):
        yield ""
        yield "Where a number says *of*, the other tests are not for this engine:"
        yield ""
        for reason, count in skipped:
            yield f"- {reason} ({count} {'test' if count == 1 else 'tests'})"


def failures(results):
    """Returns the lines about what fails."""
    failed = [(engines.TITLES[engine], test) for (_, engine), cell in cells(results).items() for test in cell.failed]
    return [f"- {title}: `{test}`" for title, test in sorted(failed)]


def check(config):
    """Refuses to write the table of a part of a file: it would lose the rest."""
    if config.getoption("--engine-table") and (config.option.keyword or any("::" in argument for argument in config.args)):
        raise pytest.UsageError("--engine-table: run whole files, without -k and names of tests")


def summarize(reporter):
    """Prints the table after a run in several engines. If the run asks for it, stores its results and writes the table of all stored ones into the manual."""
    page = reporter.config.getoption("--engine-table")
    if engines.ENGINES == [engines.CHROMIUM] and not page:
        return
    reports = [report for name in ("passed", "failed", "error", "skipped") for report in reporter.stats.get(name, [])]
    results = engine_results.counted(reports, feature)
    reporter.section("engines")
    for line in [*table(results), *failures(results)]:
        reporter.line(line)
    if page:
        path = pathlib.Path(page)
        lines = "\n".join(table(engine_results.update(results)))
        text = re.sub(f"(?<={re.escape(START)}).*(?={re.escape(END)})", lambda _: f"\n{lines}\n\n", path.read_text(), flags=re.DOTALL)
        path.write_text(text)
