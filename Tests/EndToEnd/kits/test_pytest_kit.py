"""The pytest plugin as its users run it: another pytest, in its own folder."""

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
import urllib.request
from types import SimpleNamespace

import pytest

from browser_profiles import CHROMIUM
from coin_shop import write_shop
from footbridge_process import BUILD, PROJECT, serve
from ports import free_port
from upstreams import program

EXAMPLE = PROJECT / "Examples" / "pytest"
TOKEN = "a-control-token-of-the-tests"


def run_pytest(folder, *arguments, command=(), environment=None):
    """Runs the tests in a folder, with `command` in front if there is one."""
    return subprocess.run(
        [*map(str, command), sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *map(str, arguments)],
        cwd=folder,
        env={
            **os.environ,
            "FOOTBRIDGE": str(BUILD / "footbridge"),
            "FOOTBRIDGE_CHROMIUM": CHROMIUM,
            "PYTHONPATH": str(PROJECT / "web" / "testing"),
            **(environment or {}),
        },
        capture_output=True,
        text=True,
        timeout=580,
    )


@pytest.fixture
def tests(tmp_path):
    """Writes tests for the demo, with the fixtures of the example, and runs them."""
    shutil.copy(EXAMPLE / "conftest.py", tmp_path)

    def run(text, *arguments, options="", **how):
        (tmp_path / "pytest.ini").write_text(f"[pytest]\nfootbridge_options = {options}\n")
        (tmp_path / "test_it.py").write_text(text)
        return run_pytest(tmp_path, *arguments, **how)

    return run


#: What a conftest.py needs to write down how the tests of each file have ended, and what their reports say.
RECORD = '''

def pytest_runtest_logreport(report):
    import json
    if report.when == "call" or report.failed:
        text = "\\n".join([report.longreprtext, *(f"- {title}\\n{content}" for title, content in report.sections)])
        with open(report.nodeid.split("::")[0] + "l", "a") as file:
            print(json.dumps({"outcome": report.outcome, "text": text}), file=file)
'''


class SharedRun:
    """One run of several files with tests: their server and their browser start once."""

    def __init__(self, folder, texts, *arguments):
        with (folder / "conftest.py").open("a") as conftest:
            conftest.write((EXAMPLE / "conftest.py").read_text() + RECORD)
        for name, text in texts.items():
            (folder / f"{name}.py").write_text(text)
        self.folder = folder
        self.output = run_pytest(folder, *(f"{name}.py" for name in texts), *arguments).stdout

    def of(self, name):
        """Returns what has become of the tests of a file: how many have passed, the reports of those that have failed, and
        the transcripts."""
        reports = [json.loads(line) for line in (self.folder / f"{name}.pyl").read_text().splitlines()]
        failures = [report["text"] for report in reports if report["outcome"] == "failed"]
        transcripts = list((self.folder / "footbridge-transcripts").glob(f"{name}.py-*"))
        return SimpleNamespace(passed=len(reports) - len(failures), failures=failures, transcripts=transcripts)


#: The tests of the shared run, by the name of our test that is about them.
SHARED = {}


def shared(text):
    """Runs these tests together with others, for the test that it decorates. `inner` is what has become of them."""

    def share(test):
        SHARED[test.__name__] = text
        return test

    return share


@pytest.fixture(scope="module")
def shared_run(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("shared")
    (folder / "pytest.ini").write_text("[pytest]\nfootbridge_options = --site-origin https://today.example\n")
    # A bridge of one's own, as the manual prints it.
    section = (PROJECT / "docs" / "embedding.md").read_text().split("## Its part of the test kits")[1]
    (folder / "conftest.py").write_text(section.split("```python\n")[1].split("```")[0])
    wanted = {item.name for item in request.session.items if item.path == request.path}
    return SharedRun(folder, {name: text for name, text in SHARED.items() if name in wanted})


@pytest.fixture
def inner(request, shared_run):
    return shared_run.of(request.node.name)


@pytest.mark.timeout(600)
def test_the_pytest_example_passes(tmp_path):
    result = run_pytest(EXAMPLE, "-o", f"footbridge_transcripts={tmp_path}")
    assert result.returncode == 0, result.stdout
    assert not list(tmp_path.iterdir())


def test_an_installed_kit_can_be_named_in_a_conftest(tests, tmp_path):
    kit = PROJECT / "web" / "testing"
    project = tomllib.loads((kit / "pyproject.toml").read_text())["project"]
    installed = tmp_path / "installed" / "pytest_footbridge.dist-info"
    installed.mkdir(parents=True)
    (installed / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 7.0\n")
    entries = [f"{name} = {module}\n" for name, module in project["entry-points"]["pytest11"].items()]
    (installed / "entry_points.txt").write_text("[pytest11]\n" + "".join(entries))
    result = tests("def test_it(): pass", environment={"PYTHONPATH": f"{kit}{os.pathsep}{installed.parent}"})
    assert result.returncode == 0, result.stdout + result.stderr
    assert "footbridge-testing-7.0" in result.stdout


def printed_test(manual):
    """The first pytest.ini and the first test of a page of the manual."""
    text = (PROJECT / manual).read_text()
    return [text.split(f"```{language}\n")[1].split("```")[0] for language in ("ini", "python")]


def printed(page, section, number=0, indent="    "):
    """A Python sample below a heading of the manual."""
    text = (PROJECT / "docs" / page).read_text().split(f"# {section}\n", 1)[1].split("\n## ")[0]
    return textwrap.indent(re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)[number], indent)


TEST = """
import pytest
from playwright.sync_api import expect

@pytest.mark.footbridge(account="built-in")
def test_it(page, footbridge):
"""
VISIT = """
    page.goto(footbridge.url)
"""
BUY = """
    page.get_by_role("button", name="Buy coins").click()
"""
PAID = """
    footbridge.expect_purchase("com.example.coins").approve()
    expect(page.get_by_text("100 coins")).to_be_visible()
"""
MISTAKE = """
    page.evaluate("() => onside.purchase({ productIdentifier: 'gone' }).catch(() => {})")
"""
#: A script with which the shop loads its products at once, and says so meanwhile.
LOADING = """<script>
document.querySelector("p").textContent = "Loading";
onside.loadProducts({ productIdentifiers: ["com.example.coins"] }).then(() => { document.querySelector("p").textContent = "Ready"; });
</script>"""

#: The samples of the manual, each completed to a whole file.
SAMPLES = {
    "the readme": printed_test("README.md")[1],
    "the manual": printed_test("docs/testing.md")[1],
    "sheets": TEST + VISIT + BUY + printed("testing.md", "Sheets"),
    "the store": TEST + printed("testing.md", "The store"),
    "the network": TEST + VISIT + printed("testing.md", "Pages and the network"),
    "the journal": TEST + VISIT + BUY + printed("testing.md", "What happened"),
    "checks": TEST + VISIT + BUY + printed("testing.md", "What must have happened"),
    "patterns": TEST + VISIT + BUY + PAID + printed("testing.md", "What must have happened", 1),
    "analytics": TEST + VISIT + BUY + PAID + """
    page.evaluate("() => { for (const name of ['levelCompleted', 'purchaseCompleted']) onside.trackEvent({ name, parameters: { level: 3 } }); }")
""" + printed("testing.md", "What must have happened", 2),
    "the time of the page": TEST + printed("testing.md", "The time of the page") + """
    assert page.evaluate("new Date().toISOString()") == "2026-03-02T12:00:00.000Z"
""",
    "a state that many tests begin with": "import pytest\n" + printed("testing.md", "Many tests from one state", indent="") + """
    assert footbridge.store.purchases()[0].members["revokedAt"]
""",
    "a finding that is expected": TEST + VISIT + MISTAKE + printed("lint.md", "Silence a rule"),
    "a price increase": TEST + VISIT + printed("onside.md", "Price increases") + """
    footbridge.clock.advance(days=32)
    assert footbridge.store.purchases()[-1].members["price"]["value"] == 12.99
""",
}


GATE = TEST + printed("testing.md", "Rules and gates") + """
    expect(page.get_by_text("Ready")).to_be_visible()
"""


def run_samples(folder, samples, more=""):
    """Runs samples with the pytest.ini of the manual and its shop, whose page has `more`."""
    (folder / "pytest.ini").write_text(printed_test("docs/testing.md")[0])
    write_shop(folder)
    page = folder / "site" / "index.html"
    page.write_text(page.read_text() + more)
    return SharedRun(folder, {f"test_{name.replace(' ', '_')}": text for name, text in samples.items()})


@pytest.fixture(scope="module")
def samples_run(tmp_path_factory):
    return run_samples(tmp_path_factory.mktemp("samples"), SAMPLES)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_python_sample_of_the_manual_works_as_printed(samples_run, name):
    inner = samples_run.of(f"test_{name.replace(' ', '_')}")
    assert (inner.passed, inner.failures) == (1, [])


def test_the_readme_has_the_pytest_ini_of_the_manual():
    assert printed_test("README.md")[0] == printed_test("docs/testing.md")[0]


def test_the_sample_of_a_gate_works_as_printed(tmp_path):
    inner = run_samples(tmp_path, {"a gate": GATE}, LOADING).of("test_a_gate")
    assert (inner.passed, inner.failures) == (1, [])


def test_unregistering_a_worker_removes_its_cached_document_without_the_shim(tests, tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("<!doctype html><title>Kept</title>")
    (site / "worker.js").write_text("""
      addEventListener('activate', event => event.waitUntil(clients.claim()));
      addEventListener('fetch', event => event.respondWith(caches.match(event.request, { ignoreVary: true }).then(kept => kept || fetch(event.request))));""")
    result = tests(
        """
def test_workers(page, footbridge):
    page.goto(footbridge.url)
    # What a script fetches has no shim.
    page.evaluate('''caches.open("kept").then(cache => cache.add("/")).then(() => navigator.serviceWorker.register("/worker.js"))
      .then(() => navigator.serviceWorker.ready).then(() => true)''')
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    page.goto(footbridge.url)
    assert page.evaluate("typeof onside") == "undefined"
    assert footbridge.unregister_service_workers() == [footbridge.url + "/"]
    page.goto(footbridge.url)
    assert page.evaluate("typeof onside") == "object"
    assert footbridge.unregister_service_workers() == []
""",
        options="--root site",
    )
    assert result.returncode == 0, result.stdout


def test_the_core_of_the_kits_contains_no_name_of_a_bridge():
    kits = PROJECT / "web" / "testing"
    listed = [kits / "pytest_footbridge" / "__init__.py", kits / "footbridge.mjs"]
    core = [file for pattern in ("pytest_footbridge/*.py", "core/*.mjs", "*.mjs") for file in kits.glob(pattern) if file not in listed]
    # The store of handlers is any bridge's.
    named = re.compile(r"onside|today|gbg|expect_?purchase", re.IGNORECASE)
    assert len(core) > 15
    assert [f"{file.name}: {line}" for file in core for line in file.read_text().splitlines() if named.search(line)] == []


@shared("""
def test_it(page, footbridge, monkeypatch):
    page.goto(footbridge.url)
    page.evaluate("webkit.messageHandlers.gbgBridge.postMessage({ version: '1.0', correlationId: crypto.randomUUID(), type: 'request', "
                  "timestamp: Date.now(), payload: { action: 'doorbell.message', data: {} } })")
    assert footbridge.wait_for_ring()["action"] == "doorbell.message"
    asked = []
    monkeypatch.setattr(footbridge.server.control, "get", lambda path: asked.append(path) or {"presses": 2})
    assert footbridge.presses() == 2
    assert asked == [f"/sessions/{footbridge.id}/doorbell"]
    assert footbridge.store and footbridge.token
""")
def test_a_custom_bridge_adds_its_part_to_the_kit_as_in_the_manual(inner):
    assert inner.passed and inner.failures == []


@shared("""
import pytest

@pytest.mark.footbridge(account="built-in")
def test_it(page, footbridge):
    page.goto(footbridge.url)
    page.get_by_role("button", name="Buy 10 credits").click()
    footbridge.expect_purchase("daylight.credits.10").wait()
    footbridge.expect_purchase("daylight.credits.50").approve(timeout=300)
""")
def test_a_wait_for_a_missing_purchase_fails_with_the_nearest_entries(inner):
    [failure] = inner.failures
    assert "No payment sheet for daylight.credits.50 was open within 300 ms." in failure
    assert "Open sheets: payment for daylight.credits.10." in failure
    assert 'productIdentifier is "daylight.credits.10"; it should be "daylight.credits.50"' in failure


@shared("""
import pytest

@pytest.mark.footbridge(account="built-in")
def test_it(page, footbridge):
    page.goto(footbridge.url)
    page.get_by_role("button", name="Buy 10 credits").click()
    page.get_by_role("dialog", name="Buy 10 credits?").get_by_role("button", name="Buy").click()
    page.get_by_text("10 left").wait_for()
    footbridge.expect_purchase("daylight.credits.10").approve(timeout=300)
""")
def test_a_sheet_that_was_answered_is_not_answered_again(inner):
    [failure] = inner.failures
    assert "It was opened before and is answered: #" in failure


@shared("""
def test_it(page, footbridge):
    footbridge.set_launch(window={"version": "3.1"}, cookies=[{"name": "sid", "value": "8d1f", "httpOnly": True}])
    page.goto(footbridge.url)
    assert page.evaluate("version") == "3.1"
    assert [cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "sid"] == ["8d1f"]
""")
def test_a_test_sets_what_native_sets_before_the_page(inner):
    assert inner.passed == 1, inner.failures


@shared("""
def test_it(page, footbridge):
    footbridge.device.set(size={"width": 390, "height": 844}, colorScheme="dark")
    page.goto(footbridge.url)
    footbridge.device.set(orientation="landscape", colorScheme="light")
    assert page.viewport_size == {"width": 844, "height": 390}
    page.wait_for_function("innerWidth === 844 && matchMedia('(prefers-color-scheme: light)').matches")
    footbridge.device.background()
    # A suspended page has no timers by which Playwright could wait.
    while page.evaluate("document.visibilityState") != "hidden":
        continue
    assert footbridge.device.members["state"] == "suspended"
    footbridge.device.background(suspended=False)
    assert footbridge.device.members["state"] == "background"
    footbridge.device.foreground()
    page.wait_for_function("document.visibilityState === 'visible'")
    page.evaluate("window.isFormer = true")
    footbridge.device.memory_warning()
    page.wait_for_function("!window.isFormer")
    address = footbridge.device.open(link="https://shop.example/?offer=7")
    page.wait_for_url(address)
    assert footbridge.device.members["opening"] == {"link": "https://shop.example/?offer=7"}
""")
def test_a_test_changes_the_device_and_playwrights_pages_follow(inner):
    assert inner.passed == 1, inner.failures


def test_the_report_of_a_failed_test_has_the_transcript_and_no_secret(tests, tmp_path):
    result = tests(
        """
import pathlib
import pytest

@pytest.mark.footbridge(account="built-in")
def test_it(page, footbridge):
    page.goto(footbridge.url)
    page.get_by_role("button", name="Buy 10 credits").click()
    footbridge.expect_purchase("daylight.credits.10").approve()
    page.get_by_text("10 left").wait_for()
    pathlib.Path("cookie").write_text(footbridge.cookies()[0]["value"])
    assert False
""",
        environment={"FOOTBRIDGE_CONTROL_TOKEN": TOKEN},
    )
    assert result.returncode == 1
    report = result.stdout.split("- Footbridge session ")[1]
    assert "sheetOpened" in report and "onside.purchase" in report and "daylight.credits.10" in report
    # The server of the run is gone.
    assert "Dashboard:" not in report
    assert "Transcript (JSON Lines): footbridge-transcripts/test_it.py-test_it.jsonl" in report
    assert "footbridge show footbridge-transcripts/test_it.py-test_it.jsonl" in report
    transcript = (tmp_path / "footbridge-transcripts" / "test_it.py-test_it.jsonl").read_text()
    entries = [json.loads(line) for line in transcript.splitlines()]
    assert any(entry.get("action") == "onside.purchase" for entry in entries)
    assert [entry["cursor"] for entry in entries] == sorted(entry["cursor"] for entry in entries)
    for secret in (TOKEN, (tmp_path / "cookie").read_text()):
        assert secret not in result.stdout + result.stderr + transcript


def test_the_report_of_a_failed_test_has_what_a_handler_has_printed_before_it_ended(tests, tmp_path):
    (tmp_path / "handler.py").write_text("import no_such_module\n")
    (tmp_path / "footbridge.yaml").write_text(
        f"bridges: {{ acme: {{ channels: {{ acme: {{ reply: true }} }}, name: /type, handler: {{ run: ['{sys.executable}', handler.py] }} }} }}\n")
    result = tests("""
def test_it(page, footbridge):
    page.goto(footbridge.url)
    page.evaluate("webkit.messageHandlers.acme.postMessage({ type: 'login' })")
""", options="--config footbridge.yaml")
    assert result.returncode == 1
    report = result.stdout.split("- Footbridge: the end of the handlers' log -")[1]
    assert "ModuleNotFoundError: No module named 'no_such_module'" in report


@shared("def test_it(footbridge): footbridge.calls('nfc.read').exactly(1, timeout=50)\n")
def test_the_report_of_a_test_without_entries_says_so(inner):
    [failure] = inner.failures
    assert "The journal of the session is empty: is the browser in the session" in failure
    [transcript] = inner.transcripts
    assert f"Transcript (JSON Lines): footbridge-transcripts/{transcript.name}" in failure
    assert transcript.read_text() == ""


@shared("""
import pytest

HINT = "is the browser in the session, and has it opened the page?"

@pytest.mark.footbridge(account="built-in")
def test_hint(page, footbridge):
    def hints():
        waits = [
            lambda: footbridge.expect_purchase("coins").wait(timeout=1), lambda: footbridge.calls("nfc.read").exactly(1, timeout=1),
            lambda: footbridge.in_order(["nfc.read"], timeout=1), lambda: footbridge.wait_for(kind="sheetOpened", after=1, timeout=1),
        ]
        for wait in waits:
            with pytest.raises(AssertionError) as caught:
                wait()
            yield str(caught.value).count(HINT)

    assert [*hints()] == [1, 1, 1, 1]
    footbridge.change_settings(askToBuy=True)
    assert [*hints()] == [1, 1, 1, 1]
    page.goto(footbridge.url)
    footbridge.wait_for(kind="page", action="opened")
    assert [*hints()] == [0, 0, 0, 0]
""")
def test_a_wait_says_that_no_page_has_opened_until_one_has(inner):
    assert (inner.passed, inner.failures) == (1, [])


def test_a_test_has_one_session_from_before_its_context_which_ends_with_the_test(tests):
    result = tests("""
import pytest

def sessions(server):
    return [session["id"] for session in server.control.get("/sessions")["sessions"]]

@pytest.fixture
def prepared(footbridge_server):
    with footbridge_server.snapshot("owner", account="built-in"):
        pass

@pytest.fixture
def seen(footbridge_server):
    return sessions(footbridge_server)

@pytest.mark.footbridge(account="built-in")
def test_marked(seen, page, footbridge, footbridge_server):
    assert seen == sessions(footbridge_server) == [footbridge.id]
    assert "built-in" in str(footbridge.get(""))

@pytest.mark.footbridge(from_="owner")
def test_prepared(prepared, footbridge):
    assert "built-in" in str(footbridge.get(""))

def test_without(footbridge_server):
    assert sessions(footbridge_server) == []

class TestOwn:
    @pytest.fixture
    def footbridge_of_test(self, new_footbridge_session):
        return new_footbridge_session(account="built-in", name="own")

    @pytest.mark.footbridge(size=1)
    def test_it(self, footbridge):
        assert footbridge.name == "own"

    def test_two(self, footbridge, new_footbridge_session, footbridge_server):
        assert {footbridge.id, new_footbridge_session().id} == set(sessions(footbridge_server))

def test_end(footbridge_server):
    assert sessions(footbridge_server) == []

@pytest.mark.footbridge(size=1)
def test_wrong(footbridge):
    pass
""")
    assert "6 passed, 1 error" in result.stdout, result.stdout
    assert "422 the body has an unknown key, size" in result.stdout


@shared("""
import pytest
from pytest_footbridge import ControlError

@pytest.mark.footbridge(account="built-in")
def test_it(footbridge):
    footbridge.timeout = 600_000
    footbridge.bridge("acme", {"channels": {"acme": {"reply": True}}, "name": "/type"})
    wait = footbridge.store.wait_for_transaction
    refused = [
        (lambda: footbridge.expect_sheet("paymnt").approve(), ControlError, "paymnt.*Did you mean payment. There are: acme, capture, login"),
        (lambda: wait("coins", state="purchasd"), ValueError, "state of a transaction is never 'purchasd'. It is one of: 'purchasing'"),
        (lambda: wait("coins", waitingFor="aproval"), ValueError, "waitingFor of a transaction is never 'aproval'"),
        (lambda: wait("coins", stat="purchased"), ValueError, "has no member stat. It has: state,"),
        (lambda: footbridge.expect_message("acmee.login").reply(), ValueError, "The session has no bridge acmee. It has: .*acme"),
        (lambda: footbridge.call("onEvent", bridge="acmee"), ValueError, "has no bridge acmee"),
        (lambda: footbridge.dispatch("acme:seen", bridge="acmee"), ValueError, "has no bridge acmee"),
        (lambda: footbridge.evaluate("1", bridge="acmee"), ValueError, "has no bridge acmee"),
        (lambda: footbridge.calls("onside.finishTransactions").never(), ControlError, "Did you mean onside.finishTransaction. There are: "),
        (lambda: footbridge.calls("today.track").never(), ControlError, "no page makes such a request. There are: today.message"),
        (lambda: footbridge.calls("acmee.login").never(), ControlError, r"no bridge has this name. Did you mean acme.login\\?.*\\{ \\$equals: acmee.login \\}"),
        (lambda: footbridge.when("acmee.login").fails("NO"), ControlError, "must be acme.login, or used with bridge: gbg"),
    ]
    for call, kind, text in refused:
        with pytest.raises(kind, match=text):
            call()
""")
def test_sheets_states_bridges_and_requests_that_do_not_exist_are_refused_at_once(inner):
    assert (inner.passed, inner.failures) == (1, [])


@shared("""
import pytest

@pytest.mark.footbridge(account="built-in")
def test_it(page, footbridge):
    page.goto(footbridge.url)
    footbridge.store.add_transaction("daylight.credits.10", waitingFor="approval")
    page.evaluate("onside.purchase({ productIdentifier: 'gone' }).catch(() => {})")
    footbridge.wait_for(kind="lint", action="L04")
    if "strict" in footbridge.name:
        footbridge.check_lint()
    pytest.fail("as it should")

test_strict = test_it
""")
def test_a_report_tells_the_state_of_a_transaction_before_it_cuts_the_line_and_a_finding_once(inner):
    expected = '"data":{"productIdentifier":"daylight.credits.10","state":"purchasing","waitingFor":"approval",'
    for failure in inner.failures:
        assert expected in failure
        assert len(re.findall(r"^(?:E  |linter:|#.* lint) +L04 ", failure, re.MULTILINE)) == 1, failure
    assert len(inner.failures) == 2


def test_the_summary_of_a_failed_test_has_the_text_of_its_error(tests):
    result = tests("""
def test_wait(footbridge):
    footbridge.expect_purchase("coins").approve(timeout=1)


def test_refused(footbridge):
    footbridge.change(account="nobody")
""", "-rf", environment={"COLUMNS": "300"})
    assert "FAILED test_it.py::test_wait - ExpectationError: No payment sheet for coins was open within 1 ms." in result.stdout
    assert re.search(r"FAILED test_it.py::test_refused - ControlError: PATCH /sessions/[0-9a-f]{16}: 422 ", result.stdout)


@shared("""
def test_it(page, footbridge):
    page.route("**/consent", lambda route: route.fulfill(body="yes"))
    page.goto(footbridge.url)
    page.evaluate("() => { fetch('/consent').then(() => onside.requestLogin()); }")
    footbridge.expect_login().approve()
    page.get_by_role("button", name="Sign out").wait_for()
""")
def test_routes_of_playwright_are_served_while_the_kit_waits(inner):
    assert inner.passed and inner.failures == []


@shared("""
import datetime
import pytest

CREDITS, PRO = "daylight.credits.10", "daylight.pro.monthly"
ASK_TODAY = "m => webkit.messageHandlers.todayWebViewBridge.postMessage(m).then(v => v, e => ({ rejected: e.message }))"
BUYER = pytest.mark.footbridge(account="built-in", present="auto")

def told(footbridge, state, after=0):
    data = {"transactions": [{"transactionState": state}]}
    return footbridge.wait_for(kind="event", action="onside.onTransactionsUpdated", data=data, after=after)["cursor"]

@pytest.fixture
def shop(page, footbridge):
    page.goto(footbridge.url)
    page.evaluate("ids => onside.loadProducts({ productIdentifiers: ids })", [CREDITS, PRO])
    return page

@BUYER
def test_transactions(shop, footbridge):
    footbridge.change_settings(askToBuy=True)
    last = 0
    for decide, state in [(lambda t: t.approve(), "purchased"), (lambda t: t.decline(), "failed"), (lambda t: t.fail(), "failed")]:
        shop.evaluate("productIdentifier => onside.purchase({ productIdentifier })", CREDITS)
        decide(footbridge.store.wait_for_transaction(CREDITS, waitingFor="approval"))
        last = told(footbridge, state, last)
    assert [(each.state, each.error) for each in footbridge.store.transactions()] == [
        ("purchased", None), ("failed", "cancelled"), ("failed", "cancelled")]
    footbridge.store.add_transaction(CREDITS, waitingFor="interruption").approve()
    told(footbridge, "purchased", last)

@BUYER
def test_purchases(shop, footbridge):
    then = datetime.datetime(2026, 1, 31, 12, tzinfo=datetime.timezone.utc)
    bought = footbridge.store.add_purchase(CREDITS, purchased_at=then)
    assert bought.members["purchasedAt"] == "2026-01-31T12:00:00.000Z"
    footbridge.clock.freeze("2026-02-01T12:00:00Z")
    assert footbridge.store.add_purchase(CREDITS, purchased_at="2026-01-31T12:00:00Z").members["purchasedAt"] == "2026-01-31T12:00:00.000Z"
    bought.refund()
    assert footbridge.store.purchases()[0].members["revokedAt"]
    footbridge.store.add_purchase(CREDITS, finished=False)
    told(footbridge, "purchased")
    footbridge.store.add_purchase(PRO).renew()
    assert [each.members["reason"] for each in footbridge.store.purchases() if each.product == PRO] == ["PURCHASE", "RENEWAL"]
    last = footbridge.store.purchases()[-1]
    last.cancel()
    assert [each["renewsAutomatically"] for each in footbridge.store.subscriptions()] == [False]
    last.expire()
    assert footbridge.store.subscriptions() == []

@pytest.mark.footbridge(account="built-in")
def test_devices(footbridge):
    other = footbridge.new_session(device_of=footbridge)
    order = other.store.add_purchase(PRO, account="built-in")
    footbridge.reinstall()
    [same] = footbridge.store.purchases()
    assert same.id == order.id
    same.request_price_increase(99)
    same.consent_to_price_increase()
    order.request_price_increase("101.50")
    order.decline_price_increase()
    [subscription] = other.store.subscriptions()
    assert subscription["priceIncrease"]["status"] == "declined" and not subscription["renewsAutomatically"]

@BUYER
def test_store_controls(footbridge):
    store = footbridge.store
    order = store.add_purchase(PRO, appAccountToken="player-1")
    assert order.members["appAccountToken"] == "player-1"
    renews = lambda: [each["renewsAutomatically"] for each in store.subscriptions()]
    store.cancel(PRO)
    assert renews() == [False]
    store.resume(PRO, account="built-in")
    order.cancel()
    order.resume()
    assert renews() == [True]
    store.renew(PRO)
    assert [each.members["reason"] for each in store.purchases()] == ["PURCHASE", "RENEWAL"]
    store.expire(PRO)
    assert store.subscriptions() == []
    store.purchases()[0].delete()
    assert len(store.purchases()) == 1
    store.add_transaction(CREDITS, waitingFor="approval").delete()
    assert store.transactions() == []
    store.add_transaction(CREDITS, waitingFor="approval")
    store.clear()
    assert (store.purchases(), store.transactions()) == ([], [])
    footbridge.change_settings(askToBuy=True, locale="de_DE")
    footbridge.restore_settings()
    assert footbridge.settings()["askToBuy"] is False
    keys = store.rotate_signing_key(publish_former_for=60)
    assert keys == store.signing_keys() and [key["current"] for key in keys][:2] == [True, False]

@pytest.fixture(scope="session")
def paid(footbridge_server):
    with footbridge_server.snapshot("paid", account="built-in") as session:
        session.store.add_purchase(CREDITS)

@pytest.mark.parametrize("number", range(3))
@pytest.mark.footbridge(from_="paid")
def test_snapshot(paid, footbridge, number):
    [bought] = footbridge.store.purchases()
    bought.refund()

@BUYER
def test_export(footbridge, new_footbridge_session):
    bought = footbridge.store.add_purchase(CREDITS, finished=False)
    exported = footbridge.export(transcript=True)
    assert exported["version"] == 1 and exported["transcript"]
    again = new_footbridge_session(from_=exported)
    [transaction] = again.store.transactions()
    assert [each.product for each in again.store.purchases()] == [bought.product] and transaction.state == "purchased"
    footbridge.snapshot("bought")
    assert len(new_footbridge_session(from_="bought").store.purchases()) == 1

def test_token(page, footbridge):
    page.goto(footbridge.url)
    assert "authorization" in page.evaluate(ASK_TODAY, {"type": "refreshToken"})
    footbridge.token.fail_next("invalidResponse")
    assert "rejected" in page.evaluate(ASK_TODAY, {"type": "refreshToken"})
    footbridge.token.expire()
    assert footbridge.token.metadata["hasToken"] is False
    page.evaluate(ASK_TODAY, {"type": "establishSession"})
    assert footbridge.token.metadata["hasToken"] is True
    assert [cookie["name"] for cookie in footbridge.jar()] != [] and "value" not in footbridge.jar()[0]
    footbridge.token.revoke()
    assert "rejected" in page.evaluate(ASK_TODAY, {"type": "refreshToken"})

def test_pages(page, footbridge):
    page.goto(footbridge.url)
    page.evaluate("void (window.inbox = [], addEventListener('gbgbridge:message', ({ detail }) => inbox.push(detail)))")
    ask = "data => webkit.messageHandlers.gbgBridge.postMessage({ version: '1.0', correlationId: crypto.randomUUID(), type: 'request', " \\
          "timestamp: Date.now(), payload: { action: 'nfc.read', data } })"
    received = "action => inbox.find(m => m.payload.action === action)?.payload"
    page.evaluate(ask, {"chip": 1})
    footbridge.wait_for_request("nfc.read", chip=1).respond(read=True)
    page.wait_for_function(received, arg="nfc.read")
    assert page.evaluate(received, "nfc.read")["data"] == {"read": True}
    page.evaluate("inbox.length = 0")
    page.evaluate(ask, {"chip": 2})
    footbridge.wait_for_request("nfc.read", chip=2).fail("NFC_OFF", recoverable=True)
    page.wait_for_function(received, arg="nfc.read")
    assert page.evaluate(received, "nfc.read")["error"] == {"code": "NFC_OFF", "message": "NFC_OFF", "recoverable": True}
    footbridge.send("journey.cancel", reason="user")
    page.wait_for_function(received, arg="journey.cancel")
    last = footbridge.journal()[-1]["cursor"]
    footbridge.disconnect()
    lost = footbridge.wait_for(kind="page", action="disconnected", after=last)["cursor"]
    footbridge.wait_for(kind="page", action="listening", after=lost)
    [only] = footbridge.pages()
    assert only.listening and only.requests() == []


def test_offline(browser, page, footbridge):
    page.goto(footbridge.url)
    load = "() => fetch('/').then(() => true, () => false)"
    footbridge.offline()
    assert page.evaluate(load) is False
    assert page.evaluate("onside.getTransactions()") == []
    later = browser.new_context(**footbridge.context_options())
    footbridge.enter(later)
    with pytest.raises(Exception, match="ERR_INTERNET_DISCONNECTED"):
        later.new_page().goto(footbridge.url)
    later.close()
    footbridge.offline(False)
    assert page.evaluate(load) is True

def test_offline_without_a_browser(footbridge):
    with pytest.raises(TypeError, match="needs an open context"):
        footbridge.offline()
""")
def test_the_kit_has_a_function_for_each_decision_of_the_host(inner):
    assert inner.passed and inner.failures == []


@shared("""
import pytest
from pytest_footbridge import contains

CREDITS = "daylight.credits.10"
UPDATED = "onside.onTransactionsUpdated"

@pytest.fixture
def shop(page, footbridge):
    def open_shop():
        last = max((entry["cursor"] for entry in footbridge.journal()), default=0)
        page.goto(footbridge.url)
        # The demo has its own callbacks, which it sets after the page has loaded, before this call.
        footbridge.wait_for(kind="request", action="onside.getTransactions", after=last)
        page.evaluate("async id => { window.seen = []; "
                      "onside.onTransactionsUpdated = ts => seen.push(...ts.map(t => t.transactionState)); "
                      "await onside.loadProducts({ productIdentifiers: [id] }) }", CREDITS)
    open_shop()
    page.open_shop = open_shop
    page.buy = lambda: page.evaluate("productIdentifier => onside.purchase({ productIdentifier })", CREDITS)
    page.saw = lambda *states: page.wait_for_function("states => JSON.stringify(seen) === JSON.stringify(states)", arg=list(states))
    return page

pytestmark = pytest.mark.footbridge(account="built-in", present="auto")

def test_callbacks(shop, footbridge):
    footbridge.when(UPDATED, where={"transactions": contains({"transactionState": "purchased"})}).double()
    footbridge.when(UPDATED, product=CREDITS).reorder()
    shop.buy()
    shop.saw("purchased", "purchased", "purchasing")
    footbridge.when(UPDATED, product=CREDITS, times={"first": 2}).drop()
    gate = footbridge.when("onside.shouldContinueTransaction", product=CREDITS).gate()
    last = footbridge.journal()[-1]["cursor"]
    shop.buy()
    gate.release()
    footbridge.wait_for(kind="store", action="transaction", data={"state": "purchased"}, after=last)
    shop.saw("purchased", "purchased", "purchasing")

def test_chance(shop, footbridge):
    rule = footbridge.when("onside.getTransactions", times={"from": 2, "probability": 0.5}).delay(1, up_to=5)
    shop.evaluate("async () => { for (let i = 0; i < 40; i++) await onside.getTransactions() }")
    assert all(1 <= entry["data"]["delay"] <= 5 for entry in footbridge.journal(kind="decision"))
    assert footbridge.unused_rules() == []
    rule.remove()

def test_kill(shop, footbridge):
    footbridge.when("onside.payment").kill()
    shop.buy()
    footbridge.wait_for(kind="page", action="ended")
    assert footbridge.store.purchases() == []
    footbridge.change(storefront=None)
    shop.open_shop()
    assert shop.evaluate("onside.getCurrentStorefront()") is None

def test_answers(page, footbridge):
    page.goto(footbridge.url)
    page.evaluate("void (window.inbox = [], addEventListener('gbgbridge:message', ({ detail }) => inbox.push(detail)))")
    footbridge.when("camera.selfie.capture").unknown_id()
    footbridge.when("camera.selfie.capture").raw("{")
    for _ in range(2):
        page.evaluate("webkit.messageHandlers.gbgBridge.postMessage({ version: '1.0', correlationId: crypto.randomUUID(), type: 'request', "
                      "timestamp: Date.now(), payload: { action: 'camera.selfie.capture' } })")
    page.wait_for_function("inbox.includes('{') && inbox.some(m => m.correlationId?.startsWith('unknown-'))")
""")
def test_the_kit_has_functions_for_callbacks_probabilities_and_kills(inner):
    assert inner.passed and inner.failures == []


#: Makes calls of GBGBridge in a page of the demo, one after another, each as `action` or `[action, data]`.
CALLS = """
import pytest
from pytest_footbridge import ExpectationError, absent, anything, contains, matches

@pytest.fixture
def call(page, footbridge):
    page.goto(footbridge.url)
    def call(*actions):
        for action, data in actions:
            page.evaluate(
                "([action, data]) => webkit.messageHandlers.gbgBridge.postMessage({ version: '1.0', correlationId: crypto.randomUUID(), "
                "type: 'request', timestamp: Date.now(), payload: { action, data } })", [action, data])
            # The message is on its way. A check that is right too early would pass.
            footbridge.calls(action, data).at_least(1)
    return call
"""


@shared(
    CALLS
    + """
def test_it(call, footbridge):
    call(("nfc.read", {"chip": 1}), ("nfc.write", {"action": "a"}), ("nfc.read", {"chip": 2}))
    [first] = footbridge.calls("nfc.read", chip=1).exactly(1)
    assert first["data"] == {"chip": 1}
    assert len(footbridge.calls("nfc.read").exactly(2)) == 2
    assert len(footbridge.calls("nfc.read").at_least(1)) == 2
    footbridge.calls("nfc.write", {"action": "a"}).exactly(1)
    footbridge.calls("nfc.read", chip=1, after=first["cursor"]).never()
    footbridge.calls("nfc.read", chip=3).exactly(0)
    footbridge.calls(matches(r"^nfc\\.")).exactly(3)
    footbridge.calls("nfc.write", {"action": contains("a"), "chip": absent}).exactly(1)
    footbridge.calls("nfc.read", chip=anything).exactly(2)
    order = ["nfc.read", footbridge.calls("nfc.write"), footbridge.calls("nfc.read", chip=2)]
    assert [entry["action"] for entry in footbridge.in_order(order)] == ["nfc.read", "nfc.write", "nfc.read"]
    for check in [
        lambda: footbridge.calls("nfc.read").exactly(1),
        lambda: footbridge.calls("nfc.read", chip=1).exactly(2, timeout=50),
        lambda: footbridge.calls("nfc.read", chip=3).at_least(1, timeout=50),
        lambda: footbridge.calls("nfc.read").never(),
        lambda: footbridge.in_order(["nfc.write", footbridge.calls("nfc.read", chip=1)], timeout=50),
    ]:
        with pytest.raises(ExpectationError):
            check()

def test_a_check_of_calls_waits_for_later_calls(call, page, footbridge):
    page.evaluate("() => setTimeout(() => webkit.messageHandlers.gbgBridge.postMessage({ version: '1.0', correlationId: 'a/9', "
                  "type: 'request', timestamp: Date.now(), payload: { action: 'nfc.late', data: {} } }), 300)")
    footbridge.calls("nfc.late").exactly(1)
    page.evaluate("() => setTimeout(() => webkit.messageHandlers.gbgBridge.postMessage({ version: '1.0', correlationId: 'a/10', "
                  "type: 'request', timestamp: Date.now(), payload: { action: 'nfc.later', data: {} } }), 300)")
    with pytest.raises(ExpectationError):
        footbridge.calls("nfc.later").never(during=20_000)

def test_a_wait_can_be_longer_than_one_request(footbridge):
    footbridge.LONGEST_TURN = 20
    with pytest.raises(ExpectationError, match="within 100 ms"):
        footbridge.wait_for(kind="request", timeout=100)

def test_events_are_compared_as_the_host_recorded_them(page, footbridge):
    page.goto(footbridge.url)
    page.evaluate('''() => {
      onside.trackEvent({ name: "levelCompleted", parameters: { level: 3, title: "t".repeat(101), nested: [[1]], none: null } });
      onside.trackEvent({ name: "onside_mine" });
      return webkit.messageHandlers.todayWebViewBridge.postMessage({ type: "track", ename: "opened", parameters: { from: "feed", all: [1] } });
    }''')
    [entry] = footbridge.events("levelCompleted", level=3).exactly(1)
    assert entry["data"]["parameters"] == {"level": 3, "title": "t" * 100}
    assert entry["data"]["cut"] == [{"parameter": "title", "reason": "tooLong"}]
    assert entry["data"]["dropped"] == [{"parameter": "nested", "reason": "nestedArray"}, {"parameter": "none", "reason": "null"}]
    footbridge.events("levelCompleted", nested=anything).never()
    footbridge.events("onside_mine").never()
    footbridge.events("onside_mine", accepted=False).exactly(1)
    footbridge.events("opened", {"from": "feed", "all": absent}).exactly(1)
    footbridge.in_order([footbridge.events("levelCompleted"), footbridge.events("opened")])
    with pytest.raises(ExpectationError, match="the event levelCompleted was tracked once within 50 ms; it should be tracked exactly twice"):
        footbridge.events("levelCompleted").exactly(2, timeout=50)
"""
)
def test_calls_are_counted_compared_and_put_in_order(inner):
    assert inner.passed and inner.failures == []


#: Checks that fail after nfc.read, nfc.write and nfc.read, and their errors.
FAILURES = {
    'calls("nfc.read", chip=9).exactly(1, timeout=50)': [
        'nfc.read with {"chip":9} was never called within 50 ms; it should be called exactly once.', "data.chip is 2; it should be 9"],
    'calls("nfc.read").exactly(1)': ["nfc.read was called twice; it should be called exactly once.", '{"chip":1}', '{"chip":2}'],
    'calls("nfc.read", chip=1).at_least(3, timeout=50)': [
        'nfc.read with {"chip":1} was called once within 50 ms; it should be called at least 3 times.', "data.chip is 2; it should be 1"],
    'calls("nfc.write").never()': ["nfc.write was called; it should never be called.", '{"data":{"chip":5}}'],
    'in_order(["nfc.write", "nfc.read", footbridge.calls("nfc.read", chip=1)], timeout=50)': [
        'nfc.read with {"chip":1} was not called within 50 ms after #', "It was called before that:", "These calls came in this order:"],
}


@shared(
    CALLS
    + f"""
@pytest.mark.parametrize("number", range({len(FAILURES)}))
def test_it(call, footbridge, number):
    call(("nfc.read", {{"chip": 1}}), ("nfc.write", {{"chip": 5}}), ("nfc.read", {{"chip": 2}}))
    [{", ".join(f"lambda: footbridge.{check}" for check in FAILURES)}][number]()
"""
)
def test_a_failed_check_of_calls_lists_the_calls(inner):
    for report, words in zip(inner.failures, FAILURES.values(), strict=True):
        error = "".join(line.removeprefix("E   ") for line in report.splitlines() if line.startswith("E   "))
        assert [word for word in words if word not in error] == [], report


@shared("""
import pytest

@pytest.mark.footbridge(account="built-in", clock={"frozen": True, "now": "2026-01-31T12:00:00Z"})
def test_it(page, footbridge):
    footbridge.clock.install(page)
    page.goto(footbridge.url)
    now = lambda: page.evaluate("new Date().toISOString()")
    assert now() == "2026-01-31T12:00:00.000Z"
    page.evaluate("void setTimeout(() => { window.woken = new Date().toISOString(); }, 20 * 24 * 3600e3)")
    footbridge.clock.advance(days=30)
    assert (now(), page.evaluate("window.woken")) == ("2026-03-02T12:00:00.000Z", "2026-03-02T12:00:00.000Z")
    # What the host says arrives while the clock stands still.
    footbridge.when("onside.payment").delay(60_000)
    page.get_by_role("button", name="Buy 10 credits").click()
    footbridge.expect_purchase("daylight.credits.10").approve()
    footbridge.wait_for(kind="decision", action="onside.payment")
    footbridge.clock.advance(minutes=1)
    page.get_by_text("10 left").wait_for()
    assert footbridge.store.purchases()[0].members["purchasedAt"] == now() == "2026-03-02T12:01:00.000Z"
    footbridge.clock.set("2026-05-01T00:00:00Z")
    assert now() == "2026-05-01T00:00:00.000Z"
    footbridge.clock.run()
    page.wait_for_function("Date.now() > Date.parse('2026-05-01T00:00:00Z')")
    footbridge.clock.advance(hours=1)
    assert now() > "2026-05-01T01:00:00.000Z"
    footbridge.clock.freeze("2026-01-31T00:00:00Z")
    assert now() == "2026-01-31T00:00:00.000Z"
    footbridge.clock.advance(months=1, hours=2)
    assert now() == "2026-02-28T02:00:00.000Z"
    footbridge.clock.advance(years=1)
    assert now() == "2027-02-28T02:00:00.000Z"
""")
def test_a_page_has_the_time_of_its_session_once_the_clock_is_installed_in_it(inner):
    assert inner.passed and inner.failures == []


UNFITTING = """
def test_unfitting(page, footbridge):
    footbridge.when("onside.loadProducts", where={"productIdentifiers": ["a"]}, times="always").fails("connectionError")
    page.goto(footbridge.url)
    footbridge.calls("onside.loadProducts").at_least(1)
"""
RULES = UNFITTING + """
import pytest

def test_used(page, footbridge):
    footbridge.when("onside.loadProducts").fails("connectionError")
    footbridge.when("onside.setAppearance").returns().remove()
    page.goto(footbridge.url)
    page.get_by_text("There is no connection to the store.").wait_for()

@pytest.mark.footbridge(strict=False)
def test_not_strict(footbridge):
    footbridge.when("onside.logout").returns()

@pytest.mark.footbridge(scenario="offline")
def test_scenario(footbridge):
    pass

def test_ended(footbridge):
    footbridge.when("onside.logout").returns()
    footbridge.end()
"""


@shared(UNFITTING + "    assert False\n")
def test_unused_rules_are_in_the_report_of_a_failed_test(inner):
    [failure] = inner.failures
    report = failure.split("- Footbridge session ")[1]
    rule = 'onside.loadProducts where {"productIdentifiers":["a"]}, times "always", then {"error":"connectionError"}'
    assert f"\nrule that never decided: {rule}\n" in report
    assert "These rules never decided" not in failure


@pytest.fixture(scope="module")
def strict_run(tmp_path_factory):
    """Runs tests that are to fail because of rules and of findings of the linter."""
    folder = tmp_path_factory.mktemp("strict")
    shutil.copy(EXAMPLE / "footbridge.yaml", folder)
    (folder / "pytest.ini").write_text("[pytest]\nfootbridge_options = --config footbridge.yaml\n")
    return SharedRun(folder, {"test_rules": RULES, "test_lint": LINT}, "-o", "footbridge_strict=true")


def test_an_unused_rule_fails_a_strict_test(strict_run):
    inner = strict_run.of("test_rules")
    [failure] = inner.failures
    assert inner.passed == 4
    assert "FAILED test_rules.py::test_unfitting - Failed: These rules never decided a call:" in strict_run.output
    assert "another exception" not in failure
    called = next(line for line in failure.splitlines() if line.startswith("The pages called: "))
    assert "onside.loadProducts" in called


LINT = """
import pytest

def mistake(page, footbridge):
    page.goto(footbridge.url)
    page.evaluate("() => onside.purchase({ productIdentifier: 'gone' }).catch(() => {})")

def test_expected(page, footbridge):
    mistake(page, footbridge)
    footbridge.expect_lint("L04")
    footbridge.check_lint()
    assert [(each["rule"], each["expected"]) for each in footbridge.lint()] == [("L04", True)]

def test_unexpected(page, footbridge):
    mistake(page, footbridge)

@pytest.mark.footbridge(strict=False)
def test_not_strict(page, footbridge):
    mistake(page, footbridge)

@pytest.mark.footbridge(strict=False)
def test_missing(footbridge):
    footbridge.expect_lint("L04")

def test_misspelled(footbridge):
    with pytest.raises(Exception, match=r"Did you mean L01\\?"):
        footbridge.expect_lint("L1")
"""


def test_a_lint_error_fails_a_strict_test_and_an_expected_one_must_occur(strict_run):
    inner = strict_run.of("test_lint")
    assert (len(inner.failures), inner.passed) == (2, 3)
    found = (
        r"L04 error: purchase of gone, which loadProducts has not returned in this launch\. \(#\d+\) "
        r"purchase takes only products .* unknownProduct\. \(JS bridge, purchase\) Call loadProducts first, .*\.\n")
    beginning = re.escape("The linter has found errors (docs/lint.md):\n  ")
    # In CI, pytest repeats the whole message in its summary.
    [report] = [report for report in inner.failures if re.search(beginning + found, report)]
    assert len(re.findall(found, report)) == 1, report
    assert "\nThe linter should have found something by L04, and has not.\n" in strict_run.output
    failed = [line.split(" - ")[0] for line in strict_run.output.splitlines() if line.startswith("FAILED test_lint.py")]
    assert failed == ["FAILED test_lint.py::test_unexpected", "FAILED test_lint.py::test_missing"]


OTHERS = """
def test_lint(footbridge):
    footbridge.new_session().expect_lint("L04")

def test_rules(footbridge):
    footbridge.strict = True
    footbridge.new_session(device_of=footbridge).when("onside.purchase").fails("loginDiscarded")

def test_report(footbridge):
    footbridge.new_session().new_session().change(account="built-in")
    assert not "the test has failed"

def test_ended(footbridge):
    other = footbridge.new_session()
    other.expect_lint("L04")
    other.end()
"""


@shared(OTHERS)
def test_another_device_of_a_session_is_checked_and_reported_with_it(inner):
    assert (len(inner.failures), inner.passed) == (3, 1)
    linted, ruled, _ = inner.failures
    assert "The linter should have found something by L04, and has not.\n" in linted
    assert "These rules never decided a call:\n" in ruled
    written = sorted(path.name.split(".py-")[1] for path in inner.transcripts)
    assert written == [
        "test_lint-2.jsonl", "test_lint.jsonl", "test_report-2.jsonl", "test_report-3.jsonl", "test_report.jsonl", "test_rules-2.jsonl",
        "test_rules.jsonl",
    ]
    assert '"account"' in next(path for path in inner.transcripts if path.name.endswith("test_report-3.jsonl")).read_text()


@shared("""
def test_it(page, footbridge, monkeypatch):
    ask = "webkit.messageHandlers.gbgBridge.postMessage({ version: '1.0', correlationId: crypto.randomUUID(), type: 'request', " \\
          "timestamp: Date.now(), payload: { action: 'nfc.read', data: {} } })"
    page.goto(footbridge.url)
    page.evaluate(ask)
    first = footbridge.wait_for_request("nfc.read")
    former = footbridge.pages()
    page.reload()
    page.evaluate(ask)
    footbridge.wait_for(kind="page", action="ended")
    pages = footbridge.pages
    monkeypatch.setattr(footbridge, "pages", lambda: [*former, *pages()])
    assert footbridge.wait_for_request("nfc.read").correlation_id != first.correlation_id
""")
def test_a_page_that_ends_meanwhile_has_no_pending_requests(inner):
    assert inner.passed and inner.failures == []


@shared("""
def test_it(page, footbridge):
    page.goto(footbridge.url)
    page.evaluate("void (window.inbox = [], addEventListener('gbgbridge:message', ({ detail }) => inbox.push(detail)))")
    received = "action => inbox.find(m => m.payload.action === action)?.payload.data"
    for number, chip in enumerate(["first", "second"]):
        page.evaluate(
            "([chip, id]) => webkit.messageHandlers.gbgBridge.postMessage({ version: '1.0', correlationId: id, type: 'request', "
            "timestamp: Date.now(), payload: { action: 'nfc.read', data: { action: chip, timeout: 1, self: 2 } } })", [chip, f"a/{number}"])
    request = footbridge.wait_for_request("nfc.read", {"action": "second", "timeout": 1, "self": 2})
    assert (request.correlation_id, request.data["action"]) == ("a/1", "second")
    assert footbridge.wait_for_request("nfc.read", action="first").correlation_id == "a/0"
    request.respond({"status": "read", "data": 1, "self": 2}, more=3)
    page.wait_for_function(received, arg="nfc.read")
    assert page.evaluate(received, "nfc.read") == {"status": "read", "data": 1, "self": 2, "more": 3}
    footbridge.send("journey.first", {"action": "a", "status": "b", "self": "c"}, data="d")
    page.wait_for_function(received, arg="journey.first")
    assert page.evaluate(received, "journey.first") == {"action": "a", "status": "b", "self": "c", "data": "d"}
    footbridge.pages()[0].send("journey.second", action="a", status="b")
    page.wait_for_function(received, arg="journey.second")
    assert page.evaluate(received, "journey.second") == {"action": "a", "status": "b"}
""")
def test_members_of_any_name_can_be_passed_as_a_dict(inner):
    assert inner.passed and inner.failures == []


def test_a_server_that_cannot_start_raises_its_error(tests):
    result = tests("def test_it(footbridge): pass", options="--root nowhere")
    assert result.returncode == 1
    assert "footbridge serve did not start." in result.stdout
    assert "nowhere" in result.stdout


def test_options_of_the_ini_file_that_have_no_effect_are_a_warning(tests):
    result = tests("def test_it(footbridge): pass", options="--root .", command=[BUILD / "footbridge", "exec", "--"])
    assert result.returncode == 0
    assert "footbridge_options has no effect: FOOTBRIDGE_URL names a server that runs already" in result.stdout


def test_a_server_that_outlives_the_run_has_the_journals_of_failed_tests_and_the_report_has_their_links(tests):
    with serve("--ephemeral", environment={"FOOTBRIDGE_CONTROL_TOKEN": TOKEN}) as server:
        environment = {"FOOTBRIDGE_URL": server.url, "FOOTBRIDGE_CONTROL_TOKEN": TOKEN}
        result = tests("def test_fails(footbridge):\n    assert False\n\ndef test_passes(footbridge): pass\n", environment=environment)
        assert result.returncode == 1
        [(session, row)] = re.findall(r"Dashboard: http://127\.0\.0\.1:\d+/#/sessions/([0-9a-f]{16})\?row=(\d+)\n", result.stdout)
        control = server.control(TOKEN)
        assert control("GET", "/sessions")["sessions"] == []
        [failed] = control("GET", "/transcripts")["transcripts"]
        assert (failed["session"], failed["name"]) == (session, "test_fails")
        transcript = control("GET", f"/transcripts/{session}")["transcript"]
        assert failed["entries"] == len(transcript) and any(entry["cursor"] == int(row) for entry in transcript)
        assert control.request("GET", "/transcripts/0123456789abcdef").status == 404


def test_a_url_without_its_token_is_an_error(tests):
    environment = {"FOOTBRIDGE_URL": "http://127.0.0.1:1", "FOOTBRIDGE_CONTROL_TOKEN": ""}
    result = tests("def test_it(footbridge): pass", environment=environment)
    assert result.returncode == 1
    assert "FOOTBRIDGE_CONTROL_TOKEN is not" in result.stdout


def test_sessions_end_with_their_tests(tests):
    with serve("--ephemeral", environment={"FOOTBRIDGE_CONTROL_TOKEN": TOKEN}) as server:
        environment = {"FOOTBRIDGE_URL": server.url, "FOOTBRIDGE_CONTROL_TOKEN": TOKEN}
        result = tests(
            """
def test_one(footbridge, new_footbridge_session):
    other = new_footbridge_session(account="built-in")
    sessions = footbridge.server.control.get("/sessions")["sessions"]
    assert {session["id"] for session in sessions} == {footbridge.id, other.id}

def test_another(footbridge):
    assert len(footbridge.server.control.get("/sessions")["sessions"]) == 1
""",
            environment=environment,
        )
        assert result.returncode == 0, result.stdout
        request = urllib.request.Request(
            f"{server.url}/__footbridge/api/v1/sessions", headers={"Authorization": f"Bearer {TOKEN}"}
        )
        with urllib.request.urlopen(request, timeout=10) as response:
            assert json.load(response) == {"sessions": []}


@pytest.mark.timeout(600 * int(os.environ.get("FOOTBRIDGE_ROUNDS", 1)))
def test_fifty_tests_in_four_workers_share_one_server_and_no_state(tests):
    rounds = int(os.environ.get("FOOTBRIDGE_ROUNDS", 1))
    text = """
import pytest
from playwright.sync_api import expect

PRODUCTS = {"10 credits": 10, "50 credits": 50}

@pytest.mark.parametrize("number", range(50))
@pytest.mark.footbridge(account="built-in")
def test_it(page, footbridge, number):
    title = list(PRODUCTS)[number % 2]
    product = f"daylight.credits.{PRODUCTS[title]}"
    page.goto(footbridge.url)
    expect(page.get_by_text("0 left", exact=True)).to_be_visible()
    gate = footbridge.when("onside.payment", product=product).gate("same-for-all") if number % 3 == 0 else None
    page.get_by_role("button", name=f"Buy {title}").click()
    sheet = footbridge.expect_purchase(product)
    if number % 5 == 0:
        sheet.decline()
        expect(page.get_by_role("list", name="Payment queue")).to_contain_text("failed")
        expect(page.get_by_text("0 left", exact=True)).to_be_visible()
    else:
        sheet.approve()
        if gate:
            footbridge.wait_for(kind="decision", data={"gate": "same-for-all", "open": False})
            expect(page.get_by_role("list", name="Payment queue")).to_contain_text("purchasing")
            gate.release()
        expect(page.get_by_text(f"{PRODUCTS[title]} left")).to_be_visible()
    assert footbridge.get("")["unfinishedTransactions"] == 1
"""
    for _ in range(rounds):
        result = tests(text, "-n", 4, command=(BUILD / "footbridge", "exec", "--"))
        assert result.returncode == 0, result.stdout
        assert "50 passed" in result.stdout


def test_the_error_about_an_unreachable_server_names_its_variable(tests):
    address = "http://127.0.0.1:9"
    environment = {"FOOTBRIDGE_URL": address, "FOOTBRIDGE_CONTROL_TOKEN": TOKEN}
    result = tests("def test_it(footbridge): pass\n", environment=environment)
    assert result.returncode == 1
    assert f"The server at {address} cannot be reached" in result.stdout and "set FOOTBRIDGE_URL" in result.stdout


def test_the_error_about_a_missing_program_names_its_variable(tests):
    result = tests("def test_it(footbridge): pass\n", environment={"FOOTBRIDGE": "/does/not/exist"})
    assert result.returncode == 1
    assert "/does/not/exist cannot be run" in result.stdout and "Set FOOTBRIDGE to the path" in result.stdout


DECLARED = """
import pytest
from pytest_footbridge import ControlError, ExpectationError

SECTION = {
    "channels": {"acme": {"reply": True}}, "name": "/type", "scripts": ["native.js"],
    "answers": {"known": {"reply": {"id": {"!from": "/id"}}}},
}


@pytest.fixture
def post(page, footbridge):
    with open("native.js", "w") as file:
        file.write("window.acme = { list: [], onEvent(value) { this.list.push(value); return this.list.length; } };")
    footbridge.bridge("acme", SECTION)
    page.goto(footbridge.url)

    def post(message):
        page.evaluate("message => void (window.answer = webkit.messageHandlers.acme.postMessage(message).catch(String))", message)
        return lambda: page.evaluate("answer")

    return post
"""


@shared(
    DECLARED
    + """
def test_messages(post, footbridge):
    answer = post({"type": "login", "id": 7})
    footbridge.expect_message("acme.login", id=7).reply({"token": "abc"})
    assert answer() == {"token": "abc"}
    answer = post({"type": "login"})
    message = footbridge.expect_message("acme.login").wait()
    assert (message.value, message.channel) == ({"type": "login"}, "acme")
    message.fails("Not today")
    assert answer() == "Error: Not today"
    answer = post({"type": "logout"})
    footbridge.expect_message("acme.logout").reply()
    assert answer() is None
    with pytest.raises(ExpectationError):
        footbridge.expect_message("acme.login").wait(timeout=0)
    post({"type": "login"})
    footbridge.expect_message("acme.login", {}).wait()
    for other in (0, "", False, []):
        with pytest.raises(ExpectationError):
            footbridge.expect_message("acme.login", other).wait(timeout=0)


def test_what_native_does(post, page, footbridge):
    assert footbridge.call("acme.onEvent", {"id": 7}) == 1
    assert footbridge.call(["acme", "onEvent"], 8, bridge="acme") == 2
    assert footbridge.evaluate("acme.list") == [{"id": 7}, 8]
    page.evaluate("void addEventListener('acme:seen', ({ detail }) => acme.list.push(detail))")
    footbridge.dispatch("acme:seen", 9)
    page.wait_for_function("acme.list.length === 3")
    page.evaluate("void document.addEventListener('message', ({ constructor, data, origin }) => acme.list.push([constructor.name, data, origin]))")
    footbridge.dispatch("message", on="document", kind="MessageEvent", init={"data": {"a": 1}, "origin": "https://a.example"})
    footbridge.set("acme.user.name", "Eva")
    assert page.evaluate("[acme.list[3], acme.user]") == [["MessageEvent", {"a": 1}, "https://a.example"], {"name": "Eva"}]
    with pytest.raises(ExpectationError, match="is no event target"):
        footbridge.dispatch("x", on="acme.none")
    with pytest.raises(ExpectationError, match="thrown something that is no text"):
        footbridge.evaluate("(() => { throw Symbol('x'); })()")
    with pytest.raises(ExpectationError, match="window.acme.none is no function"):
        footbridge.call("acme.none")
    with pytest.raises(ValueError, match="no bridge other"):
        footbridge.call("x.y", bridge="other")


def test_rules_and_gates(post, footbridge):
    footbridge.when("acme.login", times={"nth": 2}).fails("Second")
    gate = footbridge.when("acme.known").hold("gate")
    known = post({"type": "known", "id": 7})
    footbridge.calls("acme.known").exactly(1)
    assert [held["action"] for held in gate.held] == ["acme.known"]
    gate.release()
    assert known() == {"id": 7}
    first = post({"type": "login"})
    footbridge.expect_message("acme.login").reply("first")
    assert (first(), post({"type": "login"})()) == ("first", "Error: Second")
    assert footbridge.wait_for(kind="request", action="acme.login")["data"]["value"] == {"type": "login"}
    footbridge.calls("acme.login").exactly(2)
    footbridge.in_order(["acme.known", "acme.login"])
"""
)
def test_the_kit_has_functions_for_a_declared_bridge(inner):
    assert inner.passed and inner.failures == []


def test_an_expected_message_that_is_answered_already_is_named_with_who_has_answered_it(tests):
    result = tests(
        DECLARED
        + """
def failure(body):
    with pytest.raises(ExpectationError) as caught:
        body()
    return str(caught.value).splitlines()[:2]


def test_answered(post, page, footbridge):
    seen = lambda **of: footbridge.wait_for(**of)["cursor"]
    post({"type": "known", "id": 7})()
    request, answer = seen(kind="request", action="acme.known"), seen(kind="response", action="acme.known")
    assert failure(lambda: footbridge.expect_message("acme.known", id=7).wait(timeout=1234.5)) == [
        'No message acme.known with {"id":7} was waiting for its answer within 1234.5 ms.',
        f"#{request} was answered by the declaration of acme for this session (#{answer}).",
    ]
    post({"type": "login"})
    footbridge.expect_message("acme.login").reply("abc")
    request, answer = seen(kind="request", action="acme.login"), seen(kind="response", action="acme.login")
    assert failure(lambda: footbridge.expect_message("acme.login").wait(timeout=0))[1] == f"#{request} was answered by the control API (#{answer})."
    rule = footbridge.when("acme.logout").fails("No")
    post({"type": "logout"})()
    request, answer = seen(kind="request", action="acme.logout"), seen(kind="response", action="acme.logout")
    assert failure(lambda: footbridge.expect_message("acme.logout").wait(timeout=0))[1] == f"#{request} was answered by the rule {rule.id} (#{answer})."
    post({"type": "late"})
    request = seen(kind="request", action="acme.late")
    page.goto("about:blank")
    footbridge.wait_for(kind="page", action="ended")
    assert failure(lambda: footbridge.expect_message("acme.late").wait(timeout=0))[1] == f"#{request} was not answered before its page ended."
    # Nothing of the kind has come.
    assert failure(lambda: footbridge.expect_message("acme.never").wait(timeout=12))[0].endswith("within 12 ms.")
    footbridge.timeout = 250
    assert failure(lambda: footbridge.call("acme.onEvent")) == [
        "No page could be called by acme within 250 ms.",
        f"When page-1 connected (#{seen(kind='page', action='listening')}): No page with the bridge acme is open.",
    ]


def test_other_bridges(page, footbridge):
    page.goto(footbridge.url)
    page.evaluate("webkit.messageHandlers.gbgBridge.postMessage({ version: '1.0', correlationId: 'a', type: 'request', timestamp: 1,"
                  " payload: { action: 'nfc.read' } })")
    footbridge.wait_for_request("nfc.read").respond({"ok": True})
    request, answer = (footbridge.wait_for(kind=kind, action="nfc.read")["cursor"] for kind in ("request", "response"))
    assert failure(lambda: footbridge.wait_for_request("nfc.read", timeout=0)) == [
        "No request nfc.read was waiting for its answer within 0 ms.", f"#{request} was answered by the control API (#{answer}).",
    ]
"""
    )
    assert result.returncode == 0, result.stdout


def test_a_message_that_footbridge_yaml_or_a_handler_has_answered_is_named(tests, tmp_path):
    (tmp_path / "handler.py").write_text(
        "from pytest_footbridge.handler import Handler\n\nacme = Handler()\n\n\n@acme.on('other')\ndef other(message):\n    return 2\n\n\nacme.run()\n"
    )
    (tmp_path / "footbridge.yaml").write_text(json.dumps({"bridges": {"acme": {
        "channels": {"acme": {"reply": True}}, "name": "/type", "answers": {"known": {"reply": 1}},
        "handler": {"run": [sys.executable, str(tmp_path / "handler.py")]},
    }}}))
    result = tests(
        """
import pytest
from pytest_footbridge import ExpectationError


@pytest.mark.parametrize("name, answer, who", [("known", 1, "footbridge.yaml"), ("other", 2, "the handler of acme")])
def test_it(page, footbridge, name, answer, who):
    page.goto(footbridge.url)
    assert page.evaluate("type => webkit.messageHandlers.acme.postMessage({ type })", name) == answer
    request, response = (footbridge.wait_for(kind=kind, action=f"acme.{name}")["cursor"] for kind in ("request", "response"))
    with pytest.raises(ExpectationError) as caught:
        footbridge.expect_message(f"acme.{name}").wait(timeout=0)
    assert str(caught.value).splitlines()[1] == f"#{request} was answered by {who} (#{response})."
""",
        options="--config footbridge.yaml",
    )
    assert result.returncode == 0, result.stdout


def test_scenarios_exec_and_seeds_work_with_a_declared_bridge(tests, tmp_path):
    (tmp_path / "footbridge.yaml").write_text(
        "bridges: { acme: { channels: { acme: { reply: true } }, name: /type, answers: { login: { reply: in } } } }\n"
        "scenarios: { out: [{ on: acme.login, then: { error: Out } }] }\n"
    )
    text = """
import pytest


@pytest.mark.footbridge(scenario="out")
def test_it(page, footbridge):
    page.goto(footbridge.url)
    post = "webkit.messageHandlers.acme.postMessage({ type: 'login' }).catch(String)"
    assert [page.evaluate(post), page.evaluate(post)] == ["Error: Out", "in"]
    footbridge.evaluate("1", bridge="acme")
    with open("ids.txt", "a") as file:
        print(footbridge.wait_for(kind="hostRequest", action="acme.evaluate")["correlationId"], file=file)
"""
    command = (BUILD / "footbridge", "exec", "--config", "footbridge.yaml", "--seed", "1", "--")
    for _ in range(2):
        result = tests(text, command=command)
        assert result.returncode == 0, result.stdout
    first, second = (tmp_path / "ids.txt").read_text().splitlines()
    assert first == second


STAND_IN = """
import os, shutil, types
import pytest
from playwright.sync_api import sync_playwright

pytest_plugins = ["pytest_footbridge.plugin"]


class PytestPlaywright:
    '''As much of pytest-playwright as the kit builds on, by the same names and scopes.'''

    @staticmethod
    @pytest.fixture(scope="session")
    def browser_name():
        # The other browsers are not here. Chromium stands in for them, so it gets what they would get.
        return os.environ.get("ENGINE", "chromium")

    @staticmethod
    @pytest.fixture(scope="session")
    def browser_type_launch_args():
        return {"executable_path": os.environ["FOOTBRIDGE_CHROMIUM"], "args": ["--no-sandbox"]}

    @staticmethod
    @pytest.fixture(scope="session")
    def browser(browser_type_launch_args):
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(**browser_type_launch_args)
            yield browser
            browser.close()

    @staticmethod
    @pytest.fixture
    def new_context(browser):
        contexts = []
        def make(**options):
            contexts.append(browser.new_context(**options))
            return contexts[-1]
        yield make
        for context in contexts:
            context.close()

    @staticmethod
    @pytest.fixture
    def context(new_context):
        return new_context()

    @staticmethod
    @pytest.fixture
    def page(context):
        return context.new_page()


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    config.pluginmanager.register(PytestPlaywright, "playwright")
"""


@pytest.fixture
def own_origin(tmp_path):
    """The recipe of docs/ci.md for sites under their own origins, with a server for the pages at a free port."""
    section = (PROJECT / "docs" / "ci.md").read_text().split("## Under the production address\n")[1].split("\n## ")[0]
    blocks = {language: section.split(f"```{language}\n")[1].split("```")[0] for language in ("ini", "python")}
    command = section.split("```sh\n")[2].split("```")[0]
    shutil.copy(EXAMPLE / "conftest.py", tmp_path)
    write_shop(tmp_path)
    (tmp_path / "conftest.py").write_text(STAND_IN)
    port = free_port()
    with program([sys.executable, "-m", "http.server", port, "--bind", "127.0.0.1", "--directory", tmp_path / "site"], port):
        here = f"localhost:{port}"
        (tmp_path / "pytest.ini").write_text(blocks["ini"].replace("localhost:3000", here))
        (tmp_path / "test_it.py").write_text(blocks["python"])
        yield tmp_path, command.replace("localhost:3000", here)


def test_the_recipe_for_sites_under_their_own_origins_works_as_printed(own_origin):
    folder, _ = own_origin
    result = run_pytest(folder)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("engine", ["firefox", "webkit"])
def test_sites_under_their_own_origins_need_no_flags_of_chromium_in_other_browsers(own_origin, monkeypatch, engine):
    folder, _ = own_origin
    monkeypatch.setenv("ENGINE", engine)
    with (folder / "test_it.py").open("a") as tests:
        tests.write("\n\ndef test_flags(browser_type_launch_args):\n    assert browser_type_launch_args['args'] == ['--no-sandbox']\n")
    result = run_pytest(folder)
    assert result.returncode == 0 and "2 passed" in result.stdout, result.stdout


def test_tests_beside_a_server_of_exec_have_its_sites_and_sessions_of_their_own(own_origin):
    folder, _ = own_origin
    (folder / "test_it.py").write_text(
        """
import pytest

@pytest.mark.parametrize("turn", [1, 2])
def test_one_session_for_all_pages(page, footbridge, turn):
    page.goto(footbridge.url)
    page.wait_for_function("window.onside !== undefined")
    assert footbridge.url == "https://app.example.com"
    assert [each.url for each in footbridge.pages()] == ["https://app.example.com/"]

def test_a_page_gets_the_proxy_without_naming_a_session(page):
    page.goto("https://app.example.com")
    assert page.evaluate("typeof onside") == "object"
"""
    )
    options = (folder / "pytest.ini").read_text().split("footbridge_options = ")[1].split()
    result = run_pytest(folder, "-o", "footbridge_options=", command=[BUILD / "footbridge", "exec", *options, "--"])
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_printed_browser_flags_open_the_page_at_its_own_url(own_origin):
    folder, command = own_origin
    (folder / "bin").mkdir()
    index = folder / "site" / "index.html"
    index.write_text(index.read_text() + "<script>document.body.dataset.host = typeof onside</script>")
    browser = folder / "bin" / "chromium"
    browser.write_text(f'#!/bin/sh\nexec {shutil.which("chromium")} --no-sandbox "$@"\n')
    browser.chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder / 'bin'}:{BUILD}:{os.environ['PATH']}", "TMPDIR": "/tmp"}
    result = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=100, env=environment)
    assert result.returncode == 0 and 'data-host="object"' in result.stdout, result.stderr
