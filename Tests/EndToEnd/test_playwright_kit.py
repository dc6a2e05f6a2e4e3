"""The JavaScript kit, with Playwright's own Node."""

import json
import os
import pathlib
import shutil
import subprocess

import playwright
import pytest

from browser_profiles import CHROMIUM
from footbridge_process import BUILD, PROJECT
from upstreams import upstream

DRIVER = pathlib.Path(playwright.__file__).parent / "driver"
NODE = DRIVER / "node"


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


@pytest.mark.timeout(300)
@pytest.mark.parametrize("file", ["Examples/playwright/shop.test.mjs", "Tests/EndToEnd/playwright_kit.test.mjs"])
def test_passes(file):
    result = run_node_test(file)
    assert result.returncode == 0, result.stdout


#: A project of Playwright Test with sites under their own origins.
CONFIGURATION = """
import { defineConfig } from "@playwright/test";
export default defineConfig({ use: { footbridgeServeOptions: SERVE_OPTIONS } });
"""
SPECIFICATION = """
import { deepEqual, equal } from "node:assert/strict";
import { test as base } from "@playwright/test";
import { fixtures } from "footbridge-testing";

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
"""


def site(exchange, request):
    """A page that counts the visits of a browser by its cookies."""
    cookies = dict(pair.split("=") for pair in (request.field("cookie") or "").split("; ") if "=" in pair)
    count = int(cookies.get("visits", 0)) + 1
    exchange.answer(
        f"<!doctype html><title>Shop</title><output>visits={count}</output>", f"Set-Cookie: visits={count}; Secure; HttpOnly",
        content_type="text/html",
    )


def test_a_page_under_its_own_origin_has_proxy_and_trust_by_the_kits_fixtures(tmp_path):
    modules = tmp_path / "node_modules"
    (modules / "@playwright" / "test").mkdir(parents=True)
    shutil.copy(pathlib.Path(__file__).parent / "playwright_test_stand_in.mjs", modules / "@playwright" / "test" / "index.mjs")
    (modules / "@playwright" / "test" / "package.json").write_text('{ "type": "module", "exports": "./index.mjs" }')
    (modules / "playwright-core").symlink_to(DRIVER / "package")
    (modules / "footbridge-testing").symlink_to(PROJECT / "web" / "testing")
    (tmp_path / "package.json").write_text('{ "type": "module" }')
    (tmp_path / "own-origin.spec.js").write_text(SPECIFICATION)
    with upstream(site) as shop:
        options = ["--site", f"https://app.example.com={shop.url}", "--site", f"https://pay.example={shop.url}"]
        (tmp_path / "playwright.config.js").write_text(CONFIGURATION.replace("SERVE_OPTIONS", json.dumps(options)))
        result = subprocess.run(
            [NODE, modules / "@playwright" / "test" / "index.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=120,
            env={**os.environ, "FOOTBRIDGE": str(BUILD / "footbridge"), "CHROMIUM": CHROMIUM},
        )
    assert result.returncode == 0 and result.stdout.count("passed: ") == 3, result.stdout + result.stderr
