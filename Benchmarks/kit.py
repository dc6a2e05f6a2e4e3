"""Measures what a test costs more with the pytest kit than the same test with a mock in the page, which a developer has written by hand."""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import chromium
import machine
import servers
from result import Result

#: Programs that this part runs.
PROGRAMS = ["nginx"]

PAGE = """<!doctype html><html lang="en"><title>Shop</title><button>Buy coins</button><p>0 coins</p><script>
onside.onTransactionsUpdated = transactions => {
  for (const each of transactions.filter(each => each.transactionState === "purchased")) {
    document.querySelector("p").textContent = "100 coins";
    onside.finishTransaction(each.id);
  }
};
document.querySelector("button").onclick = async () => {
  await onside.loadProducts({ productIdentifiers: ["com.example.coins"] });
  await onside.purchase({ productIdentifier: "com.example.coins" });
};
</script></html>"""
PRODUCT = {"productID": "com.example.coins", "type": "Consumable", "displayPrice": "0.99", "referenceName": "Coins"}

#: Both tests take turns in one run, on the same server and browser. Each notes how long it takes, with what comes before and after it.
TESTS = """
import json, os, shutil, time
import pytest
from playwright.sync_api import expect

MOCK = '''window.onside = {
  loadProducts: async () => ({ products: [], invalidProductIdentifiers: [] }),
  purchase: async () => queueMicrotask(() => onside.onTransactionsUpdated([{ id: "1", transactionState: "purchased" }])),
  finishTransaction: async () => {},
}'''
ROUNDS = range(int(os.environ["ROUNDS"]))


def pytest_generate_tests(metafunc):
    metafunc.parametrize("number", ROUNDS)


@pytest.fixture
def mocked(page):
    page.add_init_script(MOCK)
    return page


def test_with_mock(number, mocked, footbridge_server):
    mocked.goto(os.environ["PLAIN_SITE"])
    mocked.get_by_role("button", name="Buy coins").click()
    expect(mocked.get_by_text("100 coins")).to_be_visible()


@pytest.mark.footbridge(account="built-in", present="auto")
def test_without_sheet(number, page, footbridge):
    page.goto(footbridge.url)
    page.get_by_role("button", name="Buy coins").click()
    expect(page.get_by_text("100 coins")).to_be_visible()


@pytest.mark.footbridge(account="built-in")
def test_with_sheet(number, page, footbridge):
    page.goto(footbridge.url)
    page.get_by_role("button", name="Buy coins").click()
    footbridge.expect_purchase("com.example.coins").approve()
    expect(page.get_by_text("100 coins")).to_be_visible()
"""
PLUGIN = """
import json, os

def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.callspec.params["number"])

DURATIONS = {}

def pytest_runtest_logreport(report):
    assert report.outcome == "passed", report.longreprtext
    DURATIONS[report.nodeid] = DURATIONS.get(report.nodeid, 0) + report.duration

def pytest_sessionfinish():
    with open(os.environ["DURATIONS"], "w") as file:
        json.dump(DURATIONS, file)
"""


def measure(is_quick):
    """Measures a purchase, without and with a sheet that the test answers."""
    durations = _durations(2 if is_quick else 60)
    mock, plain, with_sheet = (statistics.median(durations[f"test_with{kind}"]) for kind in ("_mock", "out_sheet", "_sheet"))
    return [
        Result("kit", "a test with a mock in the page", mock, "ms"),
        Result("kit", "a test with the kit, longer by", plain - mock, "ms", at_most=15),
        Result("kit", "a test that answers a sheet, longer by", with_sheet - mock, "ms", at_most=10),
    ]


def _durations(rounds):
    """Returns how long each kind of test has taken, in milliseconds, without the first, which starts the browser and the server."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        folder.chmod(0o755)
        site = folder / "site"
        site.mkdir()
        (site / "index.html").write_text(PAGE)
        (folder / "Products.storekit").write_text(json.dumps({"products": [PRODUCT]}))
        (folder / "test_it.py").write_text(TESTS)
        example = servers.PROJECT / "Examples" / "pytest" / "conftest.py"
        (folder / "conftest.py").write_text(example.read_text() + PLUGIN)
        (folder / "pytest.ini").write_text("[pytest]\nfootbridge_options = --config footbridge.yaml\n")
        # The mock asks no store either. By default, a call that does takes 50 ms on purpose.
        (folder / "footbridge.yaml").write_text("root: site\ncatalog: Products.storekit\nonside: { roundTrip: 0 }\n")
        with servers.nginx(folder, None, core=machine.SERVER_CORE) as plain:
            environment = {
                "FOOTBRIDGE": str(servers.FOOTBRIDGE), "FOOTBRIDGE_CHROMIUM": chromium.PROGRAM, "ROUNDS": str(rounds + 1),
                "PYTHONPATH": str(servers.PROJECT / "web" / "testing"), "DURATIONS": str(folder / "durations.json"),
                "PLAIN_SITE": f"http://127.0.0.1:{plain.port}/",
            }
            command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
            ran = subprocess.run(command, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True)
            if ran.returncode != 0:
                raise RuntimeError(ran.stdout + ran.stderr)
        seconds = json.loads((folder / "durations.json").read_text())
    kinds = {}
    for name, duration in seconds.items():
        test, number = name.split("::")[1].rstrip("]").split("[")
        if number != "0":
            kinds.setdefault(test, []).append(duration * 1000)
    return kinds
