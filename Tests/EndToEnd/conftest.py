"""Fixtures for browsers, and for servers that run for one test."""

import os
import shutil

import pytest
from playwright.sync_api import expect, sync_playwright

import device_table
import engine_table
import engines
import packages
import short_form
from browser_profiles import CHROMIUM, profiles
from footbridge_process import FIXTURES, LONG, PLAIN_NAME, Process, serve
from lint_census import Census
from postgresql import PostgreSQL
from upstream_services import TokenEndpoint


def pytest_addoption(parser):
    parser.addoption("--lint-census", metavar="FILE", help="append what the linter finds in the pages of all tests to this file")
    parser.addoption("--engine-table", metavar="FILE", help="write the table of what was tested in which engine into this page of the manual")
    parser.addoption("--device-table", metavar="FILE", help="write the table of what of the device a page notices into this page of the manual")


def pytest_configure(config):
    # A slow machine may need longer than usual.
    expect.set_options(timeout=LONG * 1000)
    config.addinivalue_line("markers", "only_engines(engines, because): runs in these browser engines only")
    config.addinivalue_line("markers", "engine_feature(name): what the test is about, in the table of the engines")
    engine_table.check(config)
    if path := config.getoption("--lint-census"):
        Process.census = Census(path)


def pytest_ignore_collect(collection_path):
    is_elsewhere = engines.ENGINES != [engines.CHROMIUM] and collection_path.match("test_*.py") and not engine_table.feature(collection_path)
    return is_elsewhere or collection_path.name in short_form.left_out() or None


def pytest_generate_tests(metafunc):
    engines.parametrize(metafunc)


def pytest_collection_modifyitems(config, items):
    selected = short_form.selected([item for item in items if engines.takes_part(item)], engines.ENGINES)
    for item in selected:
        engines.prepare(item)
    config.hook.pytest_deselected(items=list(set(items) - set(selected)))
    items[:] = selected


@pytest.fixture(scope="session", autouse=True)
def state_home(tmp_path_factory):
    """Keeps the state of servers out of the home directory, and servers from being found by others."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state-home"))
    os.environ["XDG_RUNTIME_DIR"] = str(tmp_path_factory.mktemp("runtime"))


@pytest.fixture(scope="session")
def launch():
    """Launches Chromium with the arguments of a test."""
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:

        def launch(*more, **options):
            return playwright.chromium.launch(args=[*arguments, *more], **{"executable_path": CHROMIUM, **options})

        yield launch


@pytest.fixture(scope="session")
def browser(launch):
    """One Chromium for all tests; each test makes its own contexts."""
    browser = launch(f"--host-resolver-rules=MAP {PLAIN_NAME} 127.0.0.1")
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def caching_browser(launch):
    """A Chromium with a page cache. The headless shell has none."""
    chromium = os.environ.get("FOOTBRIDGE_CHROMIUM") or shutil.which("chromium")
    browser = launch(executable_path=chromium, ignore_default_args=["--disable-back-forward-cache"])
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def engine(request):
    """The engine that a test runs in."""
    return getattr(request, "param", engines.CHROMIUM)


@pytest.fixture(scope="session")
def drivers(engine):
    """The browsers that WebDriver drives; None in Chromium."""
    drivers = engines.Drivers(engine) if engine != engines.CHROMIUM else None
    yield drivers
    if drivers:
        drivers.stop()


@pytest.fixture
def new_context(request, drivers):
    """Makes browser profiles, and closes them after the test."""
    with drivers.contexts() if drivers else profiles(request.getfixturevalue("browser")) as make:
        yield make


@pytest.fixture
def page(new_context):
    """A page in a browser profile that has never seen the site."""
    return new_context().new_page()


@pytest.fixture(scope="session")
def shop_root(tmp_path_factory):
    """A site that does nothing by itself: tests call `window.onside` in it and record the arguments of the callbacks."""
    root = tmp_path_factory.mktemp("shop")
    (root / "index.html").write_text(
        """<!doctype html><html lang="en"><head><title>Shop</title><script>
        window.seen = [];
        const record = (name) => (value) => { window.seen.push({ name, value: structuredClone(value) }); };
        for (const name of ["onTransactionsUpdated", "onTransactionsRemoved", "onStorefrontChanged",
          "onRestoreCompletedTransactionsFinished", "onRestoreCompletedTransactionsFailedWithError"]) {
          window.onside[name] = record(name);
        }
        </script></head><body><h1>Shop</h1><button>Something to focus</button></body></html>"""
    )
    return root


@pytest.fixture(scope="session")
def journey_root(tmp_path_factory):
    """A site that does nothing by itself. `ask` posts a request, and its promise resolves with the payload of the answer."""
    root = tmp_path_factory.mktemp("journey")
    (root / "index.html").write_text(
        """<!doctype html><html lang="en"><head><title>Journey</title><script>
        window.inbox = [];
        window.sockets = [];
        const post = message => webkit.messageHandlers.gbgBridge.postMessage(message);
        addEventListener("gbgbridge:message", event => inbox.push(event.detail));
        const ask = (action, data, correlationId = `web/${Math.random()}`) => new Promise(resolve => {
          addEventListener("gbgbridge:message", function listener({ detail }) {
            if (detail.correlationId !== correlationId) return;
            removeEventListener("gbgbridge:message", listener);
            resolve(detail.payload);
          });
          post({ version: "1.0", correlationId, type: "request", timestamp: Date.now(), payload: { action, data } });
        });
        </script></head><body><h1>Journey</h1></body></html>"""
    )
    return root


@pytest.fixture(scope="session")
def catalog():
    """The catalogue of OnsideKit's own example."""
    return FIXTURES / "onsidekit-example.storekit"


@pytest.fixture(scope="module")
def database():
    """A PostgreSQL for the tests of one file."""
    with PostgreSQL() as database:
        yield database


@pytest.fixture(scope="session")
def auto_shop(shop_root, catalog):
    """The shop; the server approves every sheet at once."""
    with serve("--root", shop_root, "--catalog", catalog, "--present", "auto") as server:
        yield server


@pytest.fixture(scope="session")
def shop(shop_root, catalog):
    """The shop; the person in the page answers sheets."""
    with serve("--root", shop_root, "--catalog", catalog) as server:
        yield server


@pytest.fixture
def behind():
    """Starts Footbridge in front of an upstream."""
    servers = []

    def start(site, *arguments, **options):
        server = serve("--proxy", site if isinstance(site, str) else site.url, "--ephemeral", *arguments, **options)
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.stop()


@pytest.fixture(scope="session")
def echo_server():
    """Runs EchoServer on a free port."""
    with Process("EchoServer", 0) as server:
        yield server


def print_slowest_files(terminalreporter, count=15):
    """Prints the files that have taken the longest, with what comes before and after their tests."""
    seconds = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            if hasattr(report, "duration"):
                name = report.nodeid.split("::")[0].split("/")[-1]
                seconds[name] = seconds.get(name, 0) + report.duration
    if len(seconds) < 2:
        return
    terminalreporter.section(f"slowest {count} files, of {sum(seconds.values()):,.0f} s")
    for name, duration in sorted(seconds.items(), key=lambda item: -item[1])[:count]:
        terminalreporter.line(f"{duration:,.0f} s {name}")


def pytest_terminal_summary(terminalreporter):
    """Prints the slowest files, what the short form leaves out, and the figures that tests have recorded with `record_property`, with the sum for
    the cases of one test."""
    print_slowest_files(terminalreporter)
    if short_form.IS_SHORT:
        terminalreporter.section("short form")
        for line in short_form.summary():
            terminalreporter.line(line)
    engine_table.summarize(terminalreporter)
    device_table.summarize(terminalreporter)
    figures = {}
    for report in terminalreporter.stats.get("passed", []):
        name = report.nodeid.split("[")[0].split("::")[-1].removeprefix("test_").replace("_", " ")
        for figure, value in report.user_properties:
            if figure in ("engine", "feature"):
                continue
            figures[name, figure] = figures.get((name, figure), 0) + value
    if figures:
        terminalreporter.section("figures")
    for (name, figure), value in sorted(figures.items()):
        terminalreporter.line(f"{value:,} {figure}: {name}")


@pytest.fixture(scope="session")
def packaging_tools():
    """The Python and the generate-manual that `make dist` uses."""
    return packages.packaging_tools()


@pytest.fixture(scope="session")
def packed_program(tmp_path_factory):
    """The program for the packages."""
    return packages.packed_program(tmp_path_factory.mktemp("packed"))


@pytest.fixture
def endpoint():
    """A real OAuth 2.0 token endpoint."""
    endpoint = TokenEndpoint()
    yield endpoint
    endpoint.gate.set()
    endpoint.stop()
