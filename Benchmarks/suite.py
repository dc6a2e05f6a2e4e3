"""Measures a suite of 100 tests with the kits, pytest's and JavaScript's, beside the same tests with mocks in the page, which a developer has
written by hand, and beside tests of a page without a native host. One, two and four workers."""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import chromium
import javascript_suite
import machine
import servers
from result import Result

#: Programs that this part runs.
PROGRAMS = ["nginx"]

#: Each button has a call of one host, and shows its outcome.
PAGE = """<!doctype html><html lang="en"><title>App</title>
<button>Log in</button><button>Buy</button><button>Restore</button><button>Photograph</button><button>Rate</button><button>Nothing</button>
<p role="status">ready</p><script>
const show = text => { document.querySelector("p").textContent = text; };
const steps = {
  async "Log in"() { await onside.requestLogin(); show("logged in"); },
  async Buy() {
    await onside.loadProducts({ productIdentifiers: ["com.example.coins"] });
    await onside.purchase({ productIdentifier: "com.example.coins" });
  },
  Restore() { onside.onRestoreCompletedTransactionsFinished = () => show("restored"); onside.restoreCompletedTransactions(); },
  Photograph() {
    addEventListener("gbgbridge:message", ({ detail }) => detail.correlationId === "1" && detail.payload.status === "success" && show("photographed"));
    webkit.messageHandlers.gbgBridge.postMessage(
      { version: "1.0", correlationId: "1", type: "request", timestamp: Date.now(), payload: { action: "camera.document.capture", data: {} } });
  },
  async Rate() { show(await webkit.messageHandlers.app.postMessage({ type: "rate" })); },
  Nothing() { show("nothing"); },
};
if (window.onside) onside.onTransactionsUpdated = transactions => {
  for (const each of transactions.filter(each => each.transactionState === "purchased")) {
    show("100 coins");
    onside.finishTransaction(each.id);
  }
};
for (const button of document.querySelectorAll("button")) button.onclick = steps[button.textContent];
</script></html>"""
PRODUCT = {"productID": "com.example.coins", "type": "Consumable", "displayPrice": "0.99", "referenceName": "Coins"}
#: The mocks ask no store either. By default, a call that does takes 50 ms on purpose.
CONFIGURATION = """root: site
catalog: Products.storekit
onside: { roundTrip: 0 }
bridges: { app: { channels: { app: { reply: true } }, name: /type, answers: { rate: { reply: rated } } } }
"""
MOCK = """
window.onside = {
  requestLogin: async () => {}, loadProducts: async () => ({ products: [], invalidProductIdentifiers: [] }), restoreCompletedTransactions: async () => queueMicrotask(() => onside.onRestoreCompletedTransactionsFinished()),
  purchase: async () => queueMicrotask(() => onside.onTransactionsUpdated([{ id: "1", transactionState: "purchased" }])),
  finishTransaction: async () => {},
};
window.webkit = { messageHandlers: {
  gbgBridge: { postMessage: ({ correlationId }) => queueMicrotask(() => dispatchEvent(new CustomEvent("gbgbridge:message",
    { detail: { correlationId, payload: { status: "success" } } }))) },
  app: { postMessage: async () => "rated" },
} };
"""
#: The outcome of each button.
OUTCOMES = {"Log in": "logged in", "Buy": "100 coins", "Restore": "restored", "Photograph": "photographed", "Rate": "rated"}
#: Constants of the tests.
VALUES = {"OUTCOMES": list(OUTCOMES.items()), "MOCK": MOCK}
TESTS = {
    "kit": """
import pytest
from playwright.sync_api import expect


def press(page, footbridge, button, outcome):
    page.goto(footbridge.url)
    page.get_by_role("button", name=button).click()
    return expect(page.get_by_role("status"))


@pytest.mark.parametrize("number", range(ROUNDS))
class TestApp:
    def test_login(self, page, footbridge, number):
        status = press(page, footbridge, "Log in", "logged in")
        footbridge.expect_login().approve(account="built-in")
        status.to_have_text("logged in")

    @pytest.mark.footbridge(account="built-in")
    def test_purchase(self, page, footbridge, number):
        status = press(page, footbridge, "Buy", "100 coins")
        footbridge.expect_purchase("com.example.coins").approve()
        status.to_have_text("100 coins")

    @pytest.mark.footbridge(account="built-in")
    def test_restore(self, page, footbridge, number):
        press(page, footbridge, "Restore", "restored").to_have_text("restored")

    @pytest.mark.footbridge(present="auto")
    def test_capture(self, page, footbridge, number):
        press(page, footbridge, "Photograph", "photographed").to_have_text("photographed")

    def test_declared_bridge(self, page, footbridge, number):
        press(page, footbridge, "Rate", "rated").to_have_text("rated")
""",
    "mock": """
import os
import pytest
from playwright.sync_api import expect


@pytest.mark.parametrize("number", range(ROUNDS))
@pytest.mark.parametrize("button, outcome", OUTCOMES)
def test_app(page, number, button, outcome):
    page.add_init_script(MOCK)
    page.goto(os.environ["PLAIN_SITE"])
    page.get_by_role("button", name=button).click()
    expect(page.get_by_role("status")).to_have_text(outcome)
""",
    "plain": """
import os
import pytest
from playwright.sync_api import expect


@pytest.mark.parametrize("number", range(5 * ROUNDS))
def test_app(page, number):
    page.goto(os.environ["PLAIN_SITE"])
    page.get_by_role("button", name="Nothing").click()
    expect(page.get_by_role("status")).to_have_text("nothing")
""",
}
#: Fixtures of a project without the kit, by the names of pytest-playwright.
PLAIN_FIXTURES = """
import os
import pytest
from playwright.sync_api import sync_playwright


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["FOOTBRIDGE_CHROMIUM"], args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser):
    context = browser.new_context()
    yield context.new_page()
    context.close()
"""
#: With one worker: writes down how much memory the server has after a fifth of the tests, and after the last one.
MEMORY = """
import itertools

DONE = itertools.count(1)


@pytest.fixture(autouse=True)
def _memory(request, footbridge_server):
    yield
    total = len(request.session.items)
    if "PYTEST_XDIST_WORKER" not in os.environ and next(DONE) in (total // 5, total):
        status = open(f"/proc/{footbridge_server._process.pid}/status").read()
        with open("memory.txt", "a") as file:
            file.write(status.split("VmRSS:")[1].split()[0] + "\\n")
"""
KINDS = [*TESTS, *javascript_suite.TESTS]
WORKERS = [1, 2, 4]


def measure(is_quick):
    """Measures the time and the CPU time of each suite, in turns."""
    rounds, tests = (1, 1) if is_quick else (3, 20)
    results = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        folder.chmod(0o755)
        site = _write(folder, tests)
        with servers.nginx(site.parent, None, core=machine.SERVER_CORE) as plain:
            for workers in WORKERS[:1] if is_quick else WORKERS:
                runs = {kind: [] for kind in KINDS}
                for _ in range(rounds):
                    for kind in KINDS:
                        runs[kind].append(_run(folder / kind, kind, f"http://127.0.0.1:{plain.port}/", workers, tests))
                results += _results(runs, workers, 5 * tests)
            results.append(_memory(folder / "kit"))
    return results


def _write(folder, tests):
    """Writes the page and a project for each kind of suite. Returns the folder of the page."""
    for kind in KINDS:
        project = folder / kind
        (project / "site").mkdir(parents=True)
        (project / "site" / "index.html").write_text(PAGE)
        (project / "Products.storekit").write_text(json.dumps({"products": [PRODUCT]}))
        (project / "footbridge.yaml").write_text(CONFIGURATION)
        if kind not in TESTS:
            continue
        values = {"ROUNDS": tests, **VALUES}
        (project / "test_it.py").write_text("".join(f"{name} = {value!r}\n" for name, value in values.items()) + TESTS[kind])
        kit = (servers.PROJECT / "Examples" / "pytest" / "conftest.py").read_text()
        (project / "conftest.py").write_text(kit + MEMORY if kind == "kit" else PLAIN_FIXTURES)
        options = "footbridge_options = --config footbridge.yaml\n" if kind == "kit" else ""
        (project / "pytest.ini").write_text(f"[pytest]\n{options}")
    return folder / "plain" / "site"


def _run(project, kind, plain_site, workers, tests):
    """Runs a suite. Returns its seconds, and the CPU seconds of the runner, the browsers and the server."""
    environment = {
        "FOOTBRIDGE": str(servers.FOOTBRIDGE), "FOOTBRIDGE_CHROMIUM": chromium.PROGRAM, "PLAIN_SITE": plain_site,
        "PYTHONPATH": str(servers.PROJECT / "web" / "testing"),
    }
    if kind in TESTS:
        distribution = ["-n", str(workers)] if workers > 1 else []
        command, passed = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *distribution], f"{5 * tests} passed"
    else:
        command, passed = javascript_suite.command(project, kind, tests, workers, VALUES), f"# pass {5 * tests}\n"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    ran = subprocess.run(command, cwd=project, env={**os.environ, **environment}, capture_output=True, text=True)
    seconds = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if ran.returncode != 0 or passed not in ran.stdout:
        raise RuntimeError(ran.stdout + ran.stderr)
    return seconds, (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def _results(runs, workers, count):
    name = f"{count} tests, {workers} {'worker' if workers == 1 else 'workers'}"

    def values(kind, index):
        return [run[index] for run in runs[kind]]

    return [
        Result.of_rounds("suite", f"{name}, time", values("kit", 0), "s", "mocks", values("mock", 0), at_most=1.06),
        Result.of_rounds("suite", f"{name}, time", values("kit", 0), "s", "plain pages", values("plain", 0)),
        Result.of_rounds("suite", f"{name}, CPU time", values("kit", 1), "s", "mocks", values("mock", 1)),
        Result.of_rounds(
            "suite", f"{name}, JavaScript, time", values("javascript kit", 0), "s", "mocks", values("javascript mock", 0), at_most=1.06),
    ]


def _memory(project):
    """Returns the memory of the server of one worker after the last test of each run, beside that after a fifth of them."""
    kilobytes = [int(line) for line in (project / "memory.txt").read_text().split()]
    early, late = kilobytes[::2], kilobytes[1::2]
    return Result.of_rounds(
        "suite", "memory of the server after the last test", [each / 1000 for each in late], "MB", "after a fifth of the tests",
        [each / 1000 for each in early], at_most=1.05)
