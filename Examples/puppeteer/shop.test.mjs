// A test of a shop with Puppeteer and Node's test runner. The shop is Footbridge's demo.

import { Server } from "footbridge";
import { test } from "node:test";
import puppeteer from "puppeteer";

test("paid credits are counted", async () => {
  const server = await Server.find(["--config", "footbridge.yaml"], { directory: new URL(".", import.meta.url) });
  const browser = await puppeteer.launch();
  try {
    await server.inSession({ account: "eva" }, async (footbridge) => {
      const page = await browser.newPage();
      await page.goto(await footbridge.enterURL("/"));
      await page.locator("::-p-text(Buy 10 credits)").click();
      await footbridge.expectPurchase("daylight.credits.10").approve();
      await page.locator("::-p-text(10 left)").wait();
    });
  } finally {
    await browser.close();
    await server.stop();
  }
});
