"""Measures a suite of 100 tests with the pytest kit beside the same tests with mocks in the page, which a developer has written by hand, and beside
tests of a page without a native host. One, two and four workers."""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import chromium
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
                runs = {kind: [] for kind in TESTS}
                for _ in range(rounds):
                    for kind in TESTS:
                        runs[kind].append(_run(folder / kind, f"http://127.0.0.1:{plain.port}/", workers, 5 * tests))
                results += _results(runs, workers, 5 * tests)
    return results


def _write(folder, tests):
    """Writes the page and a project for each kind of suite. Returns the folder of the page."""
    for kind, text in TESTS.items():
        project = folder / kind
        (project / "site").mkdir(parents=True)
        (project / "site" / "index.html").write_text(PAGE)
        (project / "Products.storekit").write_text(json.dumps({"products": [PRODUCT]}))
        (project / "footbridge.yaml").write_text(CONFIGURATION)
        values = {"ROUNDS = ": tests, "OUTCOMES = ": list(OUTCOMES.items()), "MOCK = ": MOCK}
        (project / "test_it.py").write_text("".join(f"{name}{value!r}\n" for name, value in values.items()) + text)
        kit = (servers.PROJECT / "Examples" / "pytest" / "conftest.py").read_text()
        (project / "conftest.py").write_text(kit if kind == "kit" else PLAIN_FIXTURES)
        options = "footbridge_options = --config footbridge.yaml\n" if kind == "kit" else ""
        (project / "pytest.ini").write_text(f"[pytest]\n{options}")
    return folder / "plain" / "site"


def _run(project, plain_site, workers, count):
    """Runs a suite. Returns its seconds, and the CPU seconds of the runner, the browsers and the server."""
    environment = {
        "FOOTBRIDGE": str(servers.FOOTBRIDGE), "FOOTBRIDGE_CHROMIUM": chromium.PROGRAM, "PLAIN_SITE": plain_site,
        "PYTHONPATH": str(servers.PROJECT / "web" / "testing"),
    }
    distribution = ["-n", str(workers)] if workers > 1 else []
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *distribution]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    ran = subprocess.run(command, cwd=project, env={**os.environ, **environment}, capture_output=True, text=True)
    seconds = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if ran.returncode != 0 or f"{count} passed" not in ran.stdout:
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
    ]
