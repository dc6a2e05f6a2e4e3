"""Runners without a kit of their own: Selenium, curl, and those that have the page in a frame. docs/runners.md is their manual."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import textwrap

import pytest

from footbridge_process import BUILD, PROJECT, serve
from promises import wait_for_promise
from test_pytest_kit import run_pytest


@pytest.mark.skipif(not shutil.which("chromedriver"), reason="chromium-driver is not installed: make setup-test")
def test_the_selenium_example_passes(tmp_path):
    result = run_pytest(
        PROJECT / "Examples" / "selenium", "-o", f"footbridge_transcripts={tmp_path}",
        environment={"FOOTBRIDGE_CHROMIUM": shutil.which("chromium")})
    assert result.returncode == 0, result.stdout


@pytest.mark.skipif(not shutil.which("chromedriver"), reason="chromium-driver is not installed: make setup-test")
def test_the_sample_with_which_selenium_answers_a_sheet_works_as_printed(tmp_path):
    (tmp_path / "Examples").mkdir()
    for path in ("web", "Examples/demo"):
        (tmp_path / path).symlink_to(PROJECT / path)
    folder = pathlib.Path(shutil.copytree(PROJECT / "Examples" / "selenium", tmp_path / "Examples" / "selenium"))
    [sample] = re.findall(r"```python\n(sheet = .*?)```", (PROJECT / "docs" / "sheets.md").read_text(), flags=re.DOTALL)
    beginning, _ = (folder / "test_shop.py").read_text().split("    footbridge.expect_login()")
    test = beginning + textwrap.indent(sample, "    ") + '    footbridge.wait_for(kind="sheetAnswered", data={"approved": True})\n'
    (folder / "test_shop.py").write_text(test)
    result = run_pytest(folder, environment={"FOOTBRIDGE_CHROMIUM": shutil.which("chromium")})
    assert result.returncode == 0, result.stdout


def snippets(section):
    """The shell code of a section of the manual; of what stands before the first with None."""
    parts = re.split(r"^## ", (PROJECT / "docs" / "runners.md").read_text(), flags=re.MULTILINE)
    [part] = [part for part in parts if section is None and part is parts[0] or part.startswith(f"{section}\n")]
    return re.findall(r"```sh\n(.*?)```", part, flags=re.DOTALL)


def test_the_commands_for_curl_work_as_written(tmp_path):
    (tmp_path / "cart.html").write_text("<!doctype html><title>Cart</title>")
    [address] = snippets(None)
    [visit] = snippets("curl")
    script = f'{address}\n{visit}\napi "$API/sessions/$session" | jq -e .id\ncurl -sS -o again -w "%{{http_code}}" "$url"'
    result = subprocess.run(
        [BUILD / "footbridge", "exec", "--root", tmp_path, "--ephemeral", "--", "sh", "-ec", script],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, env={**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")})
    assert result.returncode == 0, result.stderr
    assert "/__footbridge/enter/" in result.stdout and result.stdout.count("<title>Cart</title>") == 2
    assert "footbridge_session" in (tmp_path / "jar").read_text() and result.stdout.endswith("410")


def test_the_curl_example_passes(tmp_path):
    example = PROJECT / "Examples" / "curl"
    result = subprocess.run(
        [BUILD / "footbridge", "exec", "--config", example / "footbridge.yaml", "--ephemeral", "--", example / "shop.sh"],
        capture_output=True, text=True, timeout=60, env={**os.environ, "XDG_STATE_HOME": str(tmp_path)})
    assert result.returncode == 0, result.stderr
    title, product, count = result.stdout.split("\n")[-4:-1]
    assert "<title>" in title and (product, count) == ("daylight.credits.10", "1")


@pytest.mark.parametrize("file", [
    "cypress/cypress.config.mjs", "cypress/cypress/e2e/shop.cy.js", "puppeteer/shop.test.mjs", "webdriverio/shop.e2e.mjs", "webdriverio/wdio.conf.mjs",
])
def test_the_other_examples_are_valid_scripts(file):
    assert subprocess.run(["node", "--check", PROJECT / "Examples" / file]).returncode == 0


@pytest.mark.parametrize("runner", ["cypress", "puppeteer", "webdriverio"])
def test_the_other_examples_install_what_they_import(runner):
    folder = PROJECT / "Examples" / runner
    package = json.loads((folder / "package.json").read_text())
    texts = [path.read_text() for path in folder.rglob("*") if path.suffix in (".js", ".mjs") and "node_modules" not in path.parts]
    imported = {name for text in texts for name in re.findall(r'^import .* from "([^."][^"]*)"', text, flags=re.MULTILINE) if not name.startswith("node:")}
    assert imported <= set(package["devDependencies"]) and package["scripts"]["test"]


CONSUMER = """
import { Server, type Entry, type Session } from "footbridge";

const server: Server = await Server.find(["--root", "site"]);
await server.inSession({ account: "eva" }, async (footbridge: Session) => {
  const url: string = await footbridge.enterURL("/cart");
  await footbridge.expectPurchase("coins").approve();
  const entries: Entry[] = await footbridge.journal();
  const two = await footbridge.store.addPurchase("coins", { quantity: 2, finished: false });
  await two.refund();
  const phone: Session = await footbridge.newSession({ deviceOf: footbridge, storefront: null });
  await phone.change({ storefront: null });
  // @ts-expect-error
  await footbridge.store.addPurchase("coins", { quantity: "2" });
  // @ts-expect-error
  await footbridge.enterURL(7);
  // @ts-expect-error
  await footbridge.nothing();
  console.log(url, entries);
});
"""


def test_the_javascript_kit_is_a_package_with_types(tmp_path):
    subprocess.run([sys.executable, PROJECT / "packaging" / "kit.py", tmp_path], check=True)
    [package] = tmp_path.glob("*.tgz")
    with tarfile.open(package) as archive:
        archive.extractall(tmp_path, filter="data")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "package").rename(tmp_path / "node_modules" / "footbridge")
    (tmp_path / "consumer.mts").write_text(CONSUMER)
    options = ["--strict", "--noEmit", "--target", "ES2022", "--module", "node16", "--moduleResolution", "node16", "--lib", "ES2022,DOM"]
    result = subprocess.run(["tsc", *options, "consumer.mts"], cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout
    (tmp_path / "run.mjs").write_text("import { Server } from 'footbridge'; import 'footbridge/handler'; console.log(typeof Server.find);")
    assert subprocess.run(["node", "run.mjs"], cwd=tmp_path, capture_output=True, text=True).stdout == "function\n"


# The page in a frame of the runner's page, as with Cypress.

MESSAGE = "webkit.messageHandlers.todayWebViewBridge.postMessage({ type: 'headers' })"


@pytest.fixture
def framed(shop_root, catalog, tmp_path, new_context):
    """Starts a server, and opens its page in a frame of a page that a runner serves at the same address. Returns page and frame."""
    (tmp_path / "footbridge.yaml").write_text("today: { feedExtraHeaders: { X-Feed: '1' } }\n")
    (shop_root / "outer.html").write_text("<!doctype html><title>Outer</title><iframe src='/'></iframe>")
    servers = []

    def start(*options, path="/"):
        server = serve(
            "--root", shop_root, "--catalog", catalog, "--config", tmp_path / "footbridge.yaml", "--ephemeral", *options,
            "--site-origin", "https://today.example")
        servers.append(server)
        page = new_context().new_page()
        runner = f"<!doctype html><title>Runner</title><iframe src='{path}' width=600 height=600></iframe>"
        page.route("**/__runner/", lambda route: route.fulfill(body=runner, content_type="text/html"))
        page.goto(server.url + "/__runner/")
        return page, page.frames[1]

    yield start
    for server in servers:
        server.stop()


def test_the_framed_app_is_the_main_frame(framed):
    page, frame = framed("--framed-app", "--present", "page")
    assert frame.evaluate(MESSAGE)["X-Feed"] == "1"
    assert frame.evaluate("[__todayWebView.platform, typeof onside]") == ["ios", "object"]
    frame.evaluate("void onside.requestLogin()")
    frame.get_by_role("button", name="Sign in").click()
    wait_for_promise(frame, "async () => onside.getCurrentStorefront()")


def test_the_framed_app_has_gbgbridge(framed):
    page, frame = framed("--framed-app")
    query = {"version": "1.0", "correlationId": "1", "type": "request", "payload": {"action": "capability.query", "data": {}}}
    answer = frame.evaluate("""(query) => new Promise((resolve) => {
      GBGBridge.onNativeMessage = (message) => { if (message.correlationId === query.correlationId) resolve(message); };
      webkit.messageHandlers.gbgBridge.postMessage({ ...query, timestamp: Date.now() });
    })""", query)
    assert answer["payload"]["status"] == "success" and "capabilities" in answer["payload"]["data"], answer


def test_without_the_option_a_framed_app_is_a_frame(framed):
    page, frame = framed()
    assert frame.evaluate(MESSAGE) is None
    assert frame.evaluate("typeof __todayWebView") == "undefined"


def test_frames_of_the_framed_app_stay_frames(framed):
    page, frame = framed("--framed-app", path="/outer")
    inner = page.frames[-1]
    assert inner.parent_frame == frame and inner.url == frame.url.removesuffix("outer")
    assert inner.evaluate(MESSAGE) is None
    assert inner.evaluate("typeof __todayWebView") == "undefined"


def test_frames_of_an_unframed_app_stay_frames(framed):
    page, frame = framed("--framed-app")
    page.goto(frame.url + "outer")
    inner = page.frames[-1]
    assert inner.evaluate(MESSAGE) is None
    assert page.evaluate(MESSAGE)["X-Feed"] == "1"
