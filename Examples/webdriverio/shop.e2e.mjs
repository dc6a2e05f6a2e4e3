// A test of a shop with WebdriverIO and Mocha. The shop is Footbridge's demo.

import { $, browser } from "@wdio/globals";
import { Server } from "footbridge";

describe("the shop", () => {
  let server;

  before(async () => {
    server = await Server.find(["--config", "footbridge.yaml"], { directory: new URL(".", import.meta.url) });
  });

  after(() => server.stop());

  it("counts paid credits", () => server.inSession({ account: "eva" }, async (footbridge) => {
    await browser.url(await footbridge.enterURL("/"));
    await $("button*=Buy 10 credits").click();
    await footbridge.expectPurchase("daylight.credits.10").approve();
    await $("*=10 left").waitForDisplayed();
  }));
});
