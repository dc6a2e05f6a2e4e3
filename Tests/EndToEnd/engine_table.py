"""The table of docs/browsers.md: what was tested in which engine. Each test counts for the feature of its file, or for that of its own mark."""

import pathlib
import re

import engines

#: What the tests of a file are about, in the order of the table.
FEATURES = {
    "test_onside.py": "`window.onside`: functions, callbacks, errors, sheets",
    "test_purchase.py": "purchases, two tabs, two profiles, lost sockets",
    "test_today.py": "Today: tokens, cookies, trust of frames",
    "test_gbg.py": "GBG: journeys, capture from a camera or a file",
    "test_adapters.py": "adapters, messages that are navigations",
    "test_own_bridge.py": "the samples of the manual",
    "test_frames.py": "frames whose documents no server sends",
    "test_sheet_outcomes.py": "notices of how a payment ended",
    "test_engines.py": "what engines do differently",
    "test_phone.py": "like a phone",
    "test_device.py": "the device",
}
START, END = "<!-- The tests print this table: make browsers -->\n", "<!-- The end of the table -->\n"


class Cell:
    """The tests of a feature in one engine."""

    def __init__(self):
        self.passed = self.failed = 0
        self.reasons = []

    def __str__(self):
        total = self.passed + self.failed + len(self.reasons)
        if not total:
            return ""
        return f"**{self.failed} of {total} fail**" if self.failed else f"{self.passed}" + (f" of {total}" if self.reasons else "")


def cells(reports):
    """Returns the cells by feature and engine."""
    found = {}
    for report in reports:
        properties = dict(report.user_properties)
        file = pathlib.PurePath(report.nodeid.split("::")[0]).name
        if "engine" not in properties or file not in FEATURES:
            continue
        cell = found.setdefault((properties.get("feature", FEATURES[file]), properties["engine"]), Cell())
        if report.outcome == "skipped":
            cell.reasons.append(report.longrepr[2].removeprefix("Skipped: "))
        elif report.outcome == "failed":
            cell.failed += 1
        elif report.when == "call":
            cell.passed += 1
    return found


def table(reports):
    """Returns the lines of the table, and below it the reasons of what does not run in an engine."""
    found = cells(reports)
    present = [engine for engine in engines.TITLES if any(engine == other for _, other in found)]
    features = sorted({feature for feature, _ in found}, key=lambda feature: (list(FEATURES.values()) + [feature]).index(feature))
    yield "| what was tested | " + " | ".join(engines.TITLES[engine] for engine in present) + " |"
    yield "|---" * (len(present) + 1) + "|"
    for feature in features:
        yield f"| {feature} | " + " | ".join(str(found.get((feature, engine), "")) for engine in present) + " |"
    totals = [sum(cell.passed for (_, other), cell in found.items() if other == engine) for engine in present]
    yield "| **all tests that pass** | " + " | ".join(f"**{total:,}**" for total in totals) + " |"
    reasons = {}
    for cell in found.values():
        for reason in cell.reasons:
            reasons[reason] = reasons.get(reason, 0) + 1
    if reasons:
        yield ""
        yield "Where a number says *of*, the other tests are not for this engine:"
        yield ""
        for reason, count in sorted(reasons.items()):
            yield f"- {reason} ({count} {'test' if count == 1 else 'tests'})"


def summarize(reporter):
    """Prints the table after a run in several engines, and writes it into the manual if the run asks for it."""
    if engines.ENGINES == [engines.CHROMIUM]:
        return
    lines = list(table([report for name in ("passed", "failed", "error", "skipped") for report in reporter.stats.get(name, [])]))
    reporter.section("engines")
    for line in lines:
        reporter.line(line)
    if page := reporter.config.getoption("--engine-table"):
        path = pathlib.Path(page)
        text = re.sub(f"(?<={re.escape(START)}).*(?={re.escape(END)})", lambda _: "\n" + "\n".join(lines) + "\n\n", path.read_text(), flags=re.DOTALL)
        path.write_text(text)
