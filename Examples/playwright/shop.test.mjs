// Tests of a shop, written as by its developers, with Node's test runner. The shop is Footbridge's demo.

import { equal } from "node:assert/strict";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { Server } from "../../web/testing/footbridge.mjs";

const credits = "daylight.credits.10";

/** @type {Server} */
let server;
/** @type {import("playwright-core").Browser} */
let browser;

before(async () => {
  server = await Server.find(["--config", "footbridge.yaml"], { directory: new URL(".", import.meta.url) });
  browser = await chromium.launch({
    executablePath: process.env.FOOTBRIDGE_CHROMIUM ?? "/usr/bin/chromium",
    args: process.getuid() === 0 ? ["--no-sandbox"] : [],
  });
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/**
 * Runs a test in its own session and browser context, with the shop open.
 * @param {string} name
 * @param {import("../../web/testing/footbridge.mjs").SessionOptions} options
 * @param {(shop: import("playwright-core").Page, footbridge: import("../../web/testing/footbridge.mjs").Session) => Promise<void>} body
 */
function shopTest(name, options, body) {
  test(name, () => server.inSession({ name, ...options }, async (footbridge) => {
    const context = await browser.newContext({ locale: "en-US" });
    await footbridge.enter(context);
    try {
      const shop = await context.newPage();
      await shop.goto(footbridge.url);
      await body(shop, footbridge);
    } finally {
      await context.close();
    }
  }));
}

/**
 * @param {import("playwright-core").Page} page
 * @param {string} product
 */
const buy = (page, product) => page.getByRole("button", { name: `Buy ${product}` }).click();

/** @param {import("playwright-core").Page} page */
const queue = (page) => page.getByRole("list", { name: "Payment queue" });

shopTest("a signed out buyer is asked to log in before paying", {}, async (shop, footbridge) => {
  await buy(shop, "10 credits");
  await footbridge.expectLogin().approve({ account: "eva" });
  await footbridge.expectSheet("priceChange").approve(); // instead of the payment sheet: in Spain, the price is in euros
  await shop.getByText("10 left").waitFor();
});

shopTest("a declined payment credits nothing", { account: "eva" }, async (shop, footbridge) => {
  await buy(shop, "10 credits");
  await footbridge.expectPurchase(credits).decline();
  await queue(shop).getByText("failed").waitFor();
  await shop.getByText("0 left", { exact: true }).waitFor();
});

shopTest("a payment in progress credits nothing", { account: "eva" }, async (shop, footbridge) => {
  const gate = await footbridge.when("onside.payment", { product: credits }).gate();
  await buy(shop, "10 credits");
  await footbridge.expectPurchase(credits).approve();
  await queue(shop).getByText("purchasing").waitFor();
  await shop.getByText("0 left", { exact: true }).waitFor();
  await gate.release();
  await shop.getByText("10 left").waitFor();
});

shopTest("credits are counted once when the next launch delivers them again", { account: "eva" }, async (shop, footbridge) => {
  await buy(shop, "10 credits");
  await footbridge.expectPurchase(credits).approve();
  await shop.getByText("10 left").waitFor();
  await footbridge.relaunch();
  await shop.reload();
  await queue(shop).getByText("purchased").waitFor();
  await shop.getByText("10 left").waitFor();
});

shopTest("the shop shows a connection error", { scenario: "offline" }, async (shop) => {
  await shop.getByText("There is no connection to the store.").waitFor();
});

shopTest("two phones do not share purchases", { account: "eva" }, async (shop, footbridge) => {
  const other = await server.newSession({ account: "eva" });
  await buy(shop, "10 credits");
  await footbridge.expectPurchase(credits).approve();
  await shop.getByText("10 left").waitFor();
  equal((await other.request("GET", "")).unfinishedTransactions, 0);
  await other.end();
});
