"""The table of docs/device.md: what of the device a page notices in which engine, as the tests of `pages/test_device.py` have found it."""

import pathlib
import re

import engines

START, END = "<!-- The tests print this table: make device-table -->\n", "<!-- The end of the table -->\n"
#: What the features of these tests begin with.
PREFIX = "the device: "


def title(feature):
    """Returns the feature as the table of docs/browsers.md has it: the device is one row there."""
    return PREFIX.rstrip(": ") if feature.startswith(PREFIX) else feature


def answer(reports):
    """Says whether a page notices something, by the tests about it in one engine."""
    if any(report.outcome == "failed" for report in reports):
        return "**no**"
    reasons = {report.longrepr[2].removeprefix("Skipped: ").split(": ", 1)[1] for report in reports if report.outcome == "skipped"}
    return f"no: {', '.join(sorted(reasons))}" if reasons else "yes"


def table(reports):
    """Returns the lines of the table; nothing without tests of the device. Features with the same answers share a row."""
    found = {}
    for report in reports:
        properties = dict(report.user_properties)
        feature = properties.get("feature", "")
        if feature.startswith(PREFIX) and "engine" in properties and (report.when == "call" or report.outcome != "passed"):
            found.setdefault(feature.removeprefix(PREFIX), {}).setdefault(properties["engine"], []).append(report)
    if not found:
        return
    present = [engine for engine in engines.TITLES if any(engine in row for row in found.values())]
    yield "| what | " + " | ".join(engines.TITLES[engine] for engine in present) + " |"
    yield "|---" * (len(present) + 1) + "|"
    order = features()
    rows = {}
    for feature in sorted(found, key=order.index):
        rows.setdefault(tuple(answer(found[feature].get(engine, [])) for engine in present), []).append(feature)
    for answers, sharing in rows.items():
        yield f"| {'; '.join(sharing)} | " + " | ".join(answers) + " |"


def features():
    """Returns what the tests are about, in their order."""
    text = (pathlib.Path(__file__).parent / "pages/test_device.py").read_text()
    marks = [line.removeprefix(f'@feature("{PREFIX}').removesuffix('")') for line in text.splitlines() if line.startswith(f'@feature("{PREFIX}')]
    return list(dict.fromkeys(marks))


def listed(page):
    """Returns what the table of a page is about, sorted."""
    text = page.split(START)[1].split(END)[0].strip()
    return sorted(feature for line in text.splitlines()[2:] for feature in line.split(" | ")[0].removeprefix("| ").split("; "))


def summarize(reporter):
    """Prints the table after a run in several engines, and writes it into the manual if the run asks for it."""
    page = reporter.config.getoption("--device-table")
    if engines.ENGINES == [engines.CHROMIUM] and not page:
        return
    lines = list(table([report for name in ("passed", "failed", "error", "skipped") for report in reporter.stats.get(name, [])]))
    if not lines:
        return
    reporter.section("device")
    for line in lines:
        reporter.line(line)
    if page:
        path = pathlib.Path(page)
        text = re.sub(f"(?<={re.escape(START)}).*(?={re.escape(END)})", lambda _: "\n" + "\n".join(lines) + "\n\n", path.read_text(), flags=re.DOTALL)
        path.write_text(text)
