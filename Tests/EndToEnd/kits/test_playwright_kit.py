"""The JavaScript kit, with Playwright's own Node."""

import json
import os
import pathlib
import re
import shutil
import subprocess

import playwright
import pytest

from browser_profiles import CHROMIUM
from coin_shop import write_shop
from footbridge_process import BUILD, PROJECT
from upstreams import upstream

DRIVER = pathlib.Path(playwright.__file__).parent / "driver"
NODE = DRIVER / "node"
#: Playwright Test's program in a project.
RUNNER = "node_modules/@playwright/test/index.mjs"


def run_node_test(file):
    """Runs a file of tests."""
    return subprocess.run(
        [NODE, "--test", file],
        cwd=PROJECT,
        env={**os.environ, "FOOTBRIDGE": str(BUILD / "footbridge"), "FOOTBRIDGE_CHROMIUM": CHROMIUM},
        capture_output=True,
        text=True,
        timeout=280,
    )


@pytest.mark.timeout(600)
@pytest.mark.parametrize("file", ["Examples/playwright/shop.test.mjs", "Tests/EndToEnd/playwright_kit.test.mjs"])
def test_a_node_test_file_passes(file):
    result = run_node_test(file)
    assert result.returncode == 0, result.stdout


def test_the_report_of_a_failed_node_test_has_its_line(tmp_path):
    lines = [
        f"import {{ Server }} from '{PROJECT}/web/testing/footbridge.mjs';",
        "import { after, test } from 'node:test';",
        "const server = await Server.start();",
        "after(() => server.stop());",
        "test('buys coins', () => server.inSession({}, async (session) => {",
        "  await session.expectPurchase('coins').approve({}, { timeout: 1 });",
        "}));",
    ]
    (tmp_path / "shop.test.mjs").write_text("\n".join(lines))
    result = subprocess.run(
        [NODE, "--test", "--test-reporter=tap", "shop.test.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=120,
        env={**os.environ, "FOOTBRIDGE": str(BUILD / "footbridge")},
    )
    assert result.returncode == 1
    stack = result.stdout.split("stack: |-\n")[1].split("...")[0]
    assert "shop.test.mjs:6:" in stack, result.stdout


#: A project of Playwright Test with sites under their own origins.
CONFIGURATION = """
import { defineConfig } from "@playwright/test";
export default defineConfig({ use: { footbridgeServeOptions: SERVE_OPTIONS } });
"""
SPECIFICATION = """
import { deepEqual, equal, rejects } from "node:assert/strict";
import { test as base } from "@playwright/test";
import { fixtures } from "footbridge";

const test = base.extend(fixtures);
const visits = (page) => page.locator("output").textContent();

test("the page has the site's own origin, and the host", async ({ page, footbridge }) => {
  equal(footbridge.url, "https://app.example.com");
  await page.goto("https://app.example.com/shop?a=b");
  deepEqual(await page.evaluate(() => [location.href, isSecureContext]), ["https://app.example.com/shop?a=b", true]);
  deepEqual(await page.evaluate(() => onside.getTransactions()), []);
  const login = page.evaluate(() => onside.requestLogin());
  await footbridge.expectLogin().approve({ account: "built-in" });
  await login;
});

test("each test is a browser and a session of its own, and one session spans the sites", async ({ page, footbridge }) => {
  await page.goto("https://app.example.com/");
  equal(await visits(page), "visits=1");
  await page.reload();
  equal(await visits(page), "visits=2");
  await page.goto("https://pay.example/");
  equal(await visits(page), "visits=1");
  deepEqual(await page.evaluate(() => onside.getTransactions()), []);
  const { pages } = await footbridge.request("GET", "/pages");
  deepEqual(pages.map(({ url }) => new URL(url).origin), ["https://pay.example"]);
});

test("another context of the test takes the proxy, and shares its session", async ({ browser, footbridge }) => {
  const context = await browser.newContext({ proxy: footbridge.proxy });
  try {
    const page = await context.newPage();
    await page.goto("https://app.example.com/");
    equal(await visits(page), "visits=1");
    deepEqual(await page.evaluate(() => onside.getTransactions()), []);
    equal((await footbridge.request("GET", "/pages")).pages.length, 1);
  } finally {
    await context.close();
  }
});

test("offline, the site's requests fail and native answers", async ({ browser, page, footbridge }) => {
  await page.goto("https://app.example.com/");
  const load = () => page.evaluate(() => fetch("/").then(() => true, () => false));
  await footbridge.offline();
  equal(await load(), false);
  deepEqual(await page.evaluate(() => onside.getTransactions()), []);
  const later = await browser.newContext({ proxy: footbridge.proxy });
  await footbridge.enter(later);
  await rejects((await later.newPage()).goto("https://app.example.com/"), /ERR_INTERNET_DISCONNECTED/u);
  await later.close();
  await footbridge.offline(false);
  equal(await load(), true);
});
"""


def site(exchange, request):
    """A page that counts the visits of a browser by its cookies."""
    cookies = dict(pair.split("=") for pair in (request.field("cookie") or "").split("; ") if "=" in pair)
    count = int(cookies.get("visits", 0)) + 1
    exchange.answer(
        f"<!doctype html><title>Shop</title><output>visits={count}</output>", f"Set-Cookie: visits={count}; Secure; HttpOnly",
        content_type="text/html",
    )


@pytest.fixture
def project(tmp_path):
    """A folder in which Playwright and the kit are installed."""
    modules = tmp_path / "node_modules"
    (modules / "@playwright" / "test").mkdir(parents=True)
    shutil.copy(PROJECT / "Tests" / "EndToEnd" / "playwright_test_stand_in.mjs", modules / "@playwright" / "test" / "index.mjs")
    (modules / "@playwright" / "test" / "package.json").write_text('{ "type": "module", "exports": "./index.mjs" }')
    (modules / "playwright-core").symlink_to(DRIVER / "package")
    (modules / "footbridge").symlink_to(PROJECT / "web" / "testing")
    (tmp_path / "package.json").write_text('{ "type": "module" }')
    return tmp_path


def run_node(project, file):
    """Runs a file of the project."""
    return subprocess.run(
        [NODE, file], cwd=project, capture_output=True, text=True, timeout=120,
        env={**os.environ, "FOOTBRIDGE": str(BUILD / "footbridge"), "CHROMIUM": CHROMIUM},
    )


def test_the_kits_fixtures_set_proxy_and_trust_for_a_page_under_its_own_origin(project):
    (project / "own-origin.spec.js").write_text(SPECIFICATION)
    with upstream(site) as shop:
        options = ["--site", f"https://app.example.com={shop.url}", "--site", f"https://pay.example={shop.url}"]
        (project / "playwright.config.js").write_text(CONFIGURATION.replace("SERVE_OPTIONS", json.dumps(options)))
        result = run_node(project, RUNNER)
    assert result.returncode == 0 and result.stdout.count("passed: ") == 4, result.stdout + result.stderr


OTHER_ENGINE = """
import { deepEqual, equal } from "node:assert/strict";
import { test as base } from "@playwright/test";
import { fixtures } from "footbridge";

const test = base.extend(fixtures);

test("a page under its own origin has no flags of Chromium", async ({ page, launchOptions, ignoreHTTPSErrors }) => {
  deepEqual(launchOptions.args, ["--no-sandbox"]);
  equal(ignoreHTTPSErrors, true);
  await page.goto("https://app.example.com/");
  deepEqual(await page.evaluate(() => onside.getTransactions()), []);
});
"""


@pytest.mark.parametrize("engine", ["firefox", "webkit"])
def test_the_kits_fixtures_set_proxy_and_trust_in_other_browsers(project, engine):
    (project / "own-origin.spec.js").write_text(OTHER_ENGINE)
    configuration = CONFIGURATION.replace("{ footbridgeServeOptions", f"{{ browserName: {engine!r}, footbridgeServeOptions")
    with upstream(site) as shop:
        (project / "playwright.config.js").write_text(configuration.replace("SERVE_OPTIONS", json.dumps(["--site", f"https://app.example.com={shop.url}"])))
        result = run_node(project, RUNNER)
    assert result.returncode == 0 and result.stdout.count("passed: ") == 1, result.stdout + result.stderr


# The manual, followed on a site of its own.


def printed(page, section, number=0):
    """A JavaScript sample below a heading of the manual."""
    text = (PROJECT / "docs" / page).read_text().split(f"# {section}\n", 1)[1].split("\n## ")[0]
    return re.findall(r"```js\n(.*?)```", text, flags=re.DOTALL)[number]


@pytest.fixture
def shop(project):
    """The project of a shop, with the kit copied as the manual says."""
    write_shop(project)
    kit = PROJECT / "web" / "testing"
    shutil.copy(kit / "footbridge.mjs", project)
    for folder in ("core", "bridges"):
        shutil.copytree(kit / folder, project / folder)
    return project


def test_the_playwright_test_of_the_manual_passes_as_printed(shop):
    (shop / "playwright.config.js").write_text("export default {};\n")
    (shop / "coins.spec.js").write_text(printed("testing.md", "JavaScript"))
    result = run_node(shop, RUNNER)
    assert result.returncode == 0 and result.stdout == "passed: paid coins are counted\n", result.stdout + result.stderr


HEAD = """
import { deepEqual, equal } from "node:assert/strict";
import { test as base } from "@playwright/test";
import { chromium } from "playwright-core";

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
const serveOptions = ["--root", "site", "--catalog", "Products.storekit"];
"""
KIT = 'import { Server } from "./footbridge.mjs";\n'
START = "const server = await Server.find(serveOptions);\n"
VISIT = """
  const [context = await browser.newContext()] = browser.contexts();
  const page = await context.newPage();
  await footbridge.enter(context);
  await page.goto(footbridge.url);
"""
BUY = '  await page.getByRole("button", { name: "Buy coins" }).click();\n'
PAID = '  await page.getByText("100 coins").waitFor();\n'
REFUND = """
  const [purchase] = await footbridge.store.purchases();
  equal(purchase.product, "com.example.coins");
  await purchase.refund();
"""
RING = """
await server.inSession({}, async (footbridge) => {
  VISIT
  await page.evaluate(() => webkit.messageHandlers.gbgBridge.postMessage({
    version: "1.0", correlationId: "ring", type: "request", timestamp: Date.now(), payload: { action: "doorbell.message", data: {} },
  }));
  equal((await footbridge.waitForRing()).action, "doorbell.message");
  const asked = [];
  footbridge.request = async (...call) => { asked.push(call); return { presses: 2 }; };
  equal(await footbridge.presses(), 2);
  deepEqual(asked, [["GET", "/doorbell"]]);
});
equal(typeof test, "function");
""".replace("VISIT", VISIT)
MISUSE = """
await server.inSession({ account: "built-in" }, async (footbridge) => {
  VISIT
  await page.evaluate(() => onside.purchase({ productIdentifier: "com.example.coins" }).catch(() => {}));
""".replace("VISIT", VISIT)
STOP = "await server.stop();\n"
END = """
await browser.close();
console.log("done");
"""

#: The samples that are no whole files, each completed to one.
SAMPLES = {
    "an address to enter by": HEAD + "const page = await browser.newPage();\n" + printed("runners.md", "Puppeteer, WebdriverIO and others").replace(
        "// …", BUY).replace("approve();\n", "approve();\n" + PAID) + END,
    "a state that many tests begin with": HEAD + KIT + START + printed("testing.md", "Many tests from one state").replace("…", REFUND) + STOP + END,
    "a bridge of one's own": HEAD + KIT + printed("embedding.md", "Its part of the test kits") + RING + STOP + END,
    "a finding that is expected": HEAD + KIT + START + MISUSE + printed("lint.md", "Silence a rule") + "});\n" + STOP + END,
}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_javascript_sample_of_the_manual_works_as_printed(shop, name):
    (shop / "sample.mjs").write_text(SAMPLES[name])
    result = run_node(shop, "sample.mjs")
    assert result.returncode == 0 and result.stdout == "done\n", result.stdout + result.stderr
