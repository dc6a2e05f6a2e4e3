// The JavaScript kit itself. test_playwright_kit.py runs this file.

import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  absent, anything, contains, ControlError, ExpectationError, fixtures, fixturesFor, matches, Server, Session,
} from "../../web/testing/footbridge.mjs";

let server;
let folder;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "footbridge-"));
  server = await Server.start();
  server.transcripts = join(folder, "transcripts");
});

after(async () => {
  await server?.stop();
  await rm(folder, { recursive: true });
});

/** A page without a browser, which does not reconnect after it loses its socket. */
class WirePage {
  #socket;
  #messages = [];
  #readers = [];

  constructor(session) {
    const [{ name, value }] = session.cookies();
    const address = `${session.url.replace("http", "ws")}/__footbridge/bridge?page=${randomUUID().replaceAll("-", "")}`;
    this.#socket = new WebSocket(address, { protocols: ["footbridge.v1"], headers: { Cookie: `${name}=${value}` } });
    this.#socket.addEventListener("message", ({ data }) => {
      this.#messages.push(JSON.parse(data));
      for (const read of this.#readers) read();
    });
    this.#socket.addEventListener("open", () => this.ask("footbridge.hello", { url: "", referrer: "", received: 0, topFrame: true }, "hello"));
    this.opened = this.received("footbridge.hello");
    this.closed = new Promise((resolve) => { this.#socket.addEventListener("close", resolve); });
  }

  ask(action, data, correlationId) {
    this.#socket.send(JSON.stringify({ version: "1.0", correlationId, type: "request", timestamp: Date.now(), payload: { action, data } }));
  }

  /** Answers questions of the host with this action, those that have come and those that come. */
  answer(action, data) {
    const answered = new Set();
    const read = () => {
      for (const { type, correlationId, payload } of this.#messages) {
        if (type !== "request" || payload.action !== action || answered.has(correlationId)) continue;
        answered.add(correlationId);
        const answer = { action, status: "success", data: data(payload.data) };
        this.#socket.send(JSON.stringify({ version: "1.0", correlationId, type: "response", timestamp: Date.now(), payload: answer }));
      }
    };
    this.#readers.push(read);
    read();
  }

  /** Waits for the first message with an action. */
  received(action) {
    return new Promise((resolve) => {
      const read = () => {
        const message = this.#messages.find(({ payload }) => payload.action === action);
        if (message) resolve(message);
      };
      this.#readers.push(read);
      read();
    });
  }
}

/** The information about a test from Playwright Test, and its attachments. */
function testInfo(status) {
  const attached = new Map();
  return { title: "a test", status, expectedStatus: "passed", attached, attach: async (name, { body }) => { attached.set(name, body); } };
}

/** Runs the fixtures as Playwright Test does, down to the context. */
async function runFixtures(info, body, footbridgeStrict = false) {
  const context = { cookies: [], addCookies: async (cookies) => { context.cookies.push(...cookies); } };
  const options = fixtures.footbridgeOptions[0];
  await fixtures.footbridge({ footbridgeServer: server, footbridgeOptions: options, footbridgeStrict }, async (footbridge) => {
    await fixtures.context({ context, footbridge }, () => body(footbridge, context));
  }, info);
}

test("a one-time address puts a browser into the session", () => server.inSession({ name: "entry" }, async (footbridge) => {
  const address = await footbridge.enterURL("/cart");
  const entered = await fetch(address, { redirect: "manual" });
  equal(entered.status, 303);
  equal(entered.headers.get("location"), "/cart");
  const [{ name, value }] = footbridge.cookies();
  ok(entered.headers.get("set-cookie").startsWith(`${name}=${value};`));
  equal((await fetch(address, { redirect: "manual" })).status, 410);
  await rejects(footbridge.enterURL("//evil.example"), ControlError);
}));

test("a test sets what native sets before the page", () => server.inSession({}, async (footbridge) => {
  await footbridge.setLaunch({ cookies: [{ name: "sid", value: "8d1f", httpOnly: true }] });
  const [{ name, value }] = footbridge.cookies();
  const document = await fetch(`${footbridge.url}/`, {
    headers: { Cookie: `${name}=${value}`, "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate" },
  });
  ok(document.headers.get("set-cookie")?.includes("sid=8d1f; Path=/; HttpOnly"));
}));

test("a test changes the device, and Playwright's pages follow", () => server.inSession({ device: { state: "inactive" } }, async (footbridge) => {
  const seen = [];
  const page = { setViewportSize: async (size) => seen.push(size), emulateMedia: async (media) => seen.push(media) };
  await footbridge.enter({ addCookies: async () => {}, pages: () => [page] });
  equal((await footbridge.device.members()).state, "inactive");
  await footbridge.device.set({ size: { width: 390, height: 844 } });
  await footbridge.device.set({ orientation: "landscape", colorScheme: "dark" });
  deepEqual(seen, [{ width: 390, height: 844 }, { width: 844, height: 390 }, { colorScheme: "dark" }]);
  await footbridge.device.background();
  equal((await footbridge.device.members()).state, "suspended");
  await footbridge.device.background({ suspended: false });
  equal((await footbridge.device.members()).state, "background");
  await footbridge.device.foreground();
  await footbridge.device.memoryWarning();
  match(await footbridge.device.open({ push: { order: 7 } }), /\/$/u);
  const { state, opening } = await footbridge.device.members();
  deepEqual([state, opening], ["active", { push: { order: 7 } }]);
}));

test("a wait for a missing purchase fails with what was there", async () => {
  await server.inSession({}, async (session) => {
    await rejects(session.expectPurchase("coins").approve({}, { timeout: 100 }), (error) => {
      ok(error instanceof ExpectationError);
      match(error.message, /^No payment sheet for coins was open within 100 ms\.\n/u);
      return true;
    });
  });
});

test("the error about an unreachable server names its variable", async () => {
  await rejects(new Server("http://127.0.0.1:9", "token").newSession(), /The server at http:\/\/127\.0\.0\.1:9 cannot be reached: .+ set FOOTBRIDGE_URL/u);
});

test("the stack of each error has the line of the test", () => server.inSession({ account: "built-in" }, async (session) => {
  const options = { timeout: 1 };
  await session.bridge("acme", { channels: { acme: { reply: true } }, name: "/type" });
  session.timeout = 1;
  const checks = {
    waitFor: () => session.waitFor({ kind: "request" }, options),
    "sheet wait": () => session.expectSheet("login").wait(options),
    "sheet approve": () => session.expectPurchase("coins").approve({}, options),
    transaction: () => session.store.waitForTransaction("coins", { state: "purchased" }, options),
    request: () => session.waitForRequest("nfc.read", undefined, options),
    message: () => session.expectMessage("acme.login").reply(1, options),
    call: () => session.call("acme.onEvent"),
    evaluate: () => session.evaluate("1"),
    exactly: () => session.calls("nfc.read").exactly(1, options),
    "at least": () => session.calls("nfc.read").atLeast(1, options),
    never: () => session.calls({ $exists: false }).never(),
    order: () => session.inOrder(["nfc.read"], options),
    change: () => session.change({ account: "nobody" }),
    rule: () => session.when("onside.purchas").fails("cancelled"),
    gate: () => session.when("onside.purchas").hold("g"),
    scenario: () => session.play("none"),
    lint: () => session.expectLint("L99"),
    export: () => server.newSession({ from: "nothing" }),
    settings: () => session.changeSettings({ askToBy: true }),
  };
  const without = [];
  for (const [name, check] of Object.entries(checks)) {
    const error = await check().then(() => ({ stack: "no error" }), (error) => error);
    if (!/at .*playwright_kit\.test\.mjs:\d+/u.test(error.stack)) without.push([name, error.stack]);
  }
  deepEqual(without, []);
}));

test("a wait says that no page has opened until one has", () => server.inSession({ account: "built-in" }, async (session) => {
  const hint = /is the browser in the session, and has it opened the page\?/gu;
  const count = async (check) => {
    const error = await check().then(() => ok(false), (error) => error);
    return error.message.match(hint)?.length ?? 0;
  };
  const waits = [
    () => session.expectPurchase("coins").wait({ timeout: 1 }), () => session.calls("nfc.read").exactly(1, { timeout: 1 }),
    () => session.inOrder(["nfc.read"], { timeout: 1 }), () => session.waitFor({ kind: "request" }, { after: 1, timeout: 1 }),
  ];
  for (const wait of waits) equal(await count(wait), 1);
  await session.changeSettings({ askToBuy: true });
  for (const wait of waits) equal(await count(wait), 1);
  await new WirePage(session).opened;
  for (const wait of waits) equal(await count(wait), 0);
}));

test("sheets, states, bridges and requests that do not exist are refused at once", () => server.inSession({ account: "built-in" }, async (session) => {
  session.timeout = 600_000;
  await session.bridge("acme", { channels: { acme: { reply: true } }, name: "/type" });
  await rejects(session.expectSheet("paymnt").approve(), /paymnt.*Did you mean payment\? There are: acme, capture, login/u);
  await rejects(session.store.waitForTransaction("coins", { state: "purchasd" }), /state of a transaction is never "purchasd"\. It is one of: "purchasing"/u);
  await rejects(session.store.waitForTransaction("coins", { waitingFor: "aproval" }), /waitingFor .* is never "aproval"/u);
  await rejects(session.store.waitForTransaction("coins", { stat: "purchased" }), /has no member stat\. It has: state,/u);
  await rejects(session.expectMessage("acmee.login").reply(), /The session has no bridge acmee\. It has: .*acme/u);
  await rejects(session.call({ path: "onEvent", bridge: "acmee" }), /has no bridge acmee/u);
  await rejects(session.dispatch("acme:seen", 1, { bridge: "acmee" }), /has no bridge acmee/u);
  await rejects(session.calls("onside.finishTransactions").never(), /Did you mean onside\.finishTransaction\? There are: /u);
  await rejects(session.calls("today.track").never(), /no page makes such a request\. There are: today\.message/u);
  await rejects(session.calls("acmee.login").never(), /no bridge has this name\. Did you mean acme\.login\?/u);
  await rejects(session.evaluate("1", { bridge: "acmee" }), /has no bridge acmee/u);
}));

test("a report tells the state of a transaction before it cuts the line, and a finding once", () => server.inSession({ account: "built-in" }, async (session) => {
  const page = new WirePage(session);
  await page.opened;
  await session.store.addTransaction("daylight.credits.10", { waitingFor: "approval" });
  page.ask("onside.purchase", { productIdentifier: "daylight.credits.10" }, "footbridge-1");
  const { action } = await session.waitFor({ kind: "lint" });
  const report = await session.report();
  match(report, /store transaction \{"cause":\d+,"data":\{"productIdentifier":"daylight\.credits\.10","state":"purchasing","waitingFor":"approval",/u);
  equal(report.split("\n").filter((line) => line.includes(`${action} `)).length, 1, report);
  const error = await session.checkLint().then(() => undefined, (error) => error);
  ok(error.message.includes(`${action} error`));
  ok(!(await session.report()).includes(`${action} error`));
}));

test("a failed wait lists the nearest entries", async () => {
  await server.inSession({ account: "built-in" }, async (session) => {
    const until = { kind: "store", action: "account", data: { account: { id: "eva" } } };
    await rejects(session.waitFor(until, { timeout: 100 }), (error) => {
      ok(error instanceof ExpectationError);
      equal(error.misses[0].entry.kind, "store");
      match(error.message, /Nearest misses:\n  #1 store account .*\n    data\.account\.id is "built-in"; it should be "eva"/u);
      return true;
    });
    equal((await session.waitFor({ kind: "store" })).action, "account");
  });
});

test("the error of a failed test has the journal, and its transcript is written to a file", async () => {
  let secret;
  const failing = server.inSession({ name: "buys/coins" }, async (session) => {
    secret = session.cookies()[0].value;
    await session.change({ account: "built-in" });
    throw new Error("not what was expected");
  });
  await rejects(failing, (error) => {
    match(error.message, /^not what was expected\n\nFootbridge session [0-9a-f]{16}\n/u);
    // The server of the run is gone when someone reads it.
    ok(!error.message.includes("Dashboard:"));
    match(error.message, /\nTranscript \(JSON Lines\): .*buys-coins\.jsonl\n.*footbridge show .*buys-coins\.jsonl'?$/u);
    equal(error.cause.message, "not what was expected");
    match(error.stack, /^Error: not what was expected\n[^]*\n    at .*playwright_kit\.test\.mjs:\d+/u);
    ok(!error.message.includes(secret));
    return true;
  });
  const transcript = await readFile(join(folder, "transcripts", "buys-coins.jsonl"), "utf8");
  for (const line of transcript.trimEnd().split("\n")) JSON.parse(line);
  ok(!transcript.includes(secret));
});

test("a session ends with its test, also if the test fails", async () => {
  await rejects(server.inSession({}, async () => { throw new Error("no"); }));
  await server.inSession({}, async (session) => {
    const { sessions } = await server.request("GET", "/sessions");
    deepEqual(sessions.map(({ id }) => id), [session.id]);
  });
  deepEqual((await server.request("GET", "/sessions")).sessions, []);
});

test("the error about a refused request says what was wrong", async () => {
  await rejects(server.newSession({ account: "nobody" }), (error) => {
    ok(error instanceof ControlError);
    equal(error.status, 422);
    match(error.message, /account/u);
    return true;
  });
});

test("the kit has a function for each decision of the store", async () => {
  const [coins, pro] = ["daylight.credits.10", "daylight.pro.monthly"];
  await server.inSession({ account: "built-in", onsideContract: "1.3" }, async ({ store }) => {
    const left = [];
    for (const waitingFor of ["approval", "interruption", "approval"]) left.push(await store.addTransaction(coins, { waitingFor }));
    await left[0].decline();
    await left[1].approve();
    await (await store.waitForTransaction(coins, { waitingFor: "approval" })).fail("presentationFailed");
    const ended = (await store.transactions()).map(({ state, error }) => [state, error]);
    deepEqual(ended, [["failed", "cancelled"], ["purchased", null], ["failed", "presentationFailed"]]);

    const bought = await store.addPurchase(coins, { purchasedAt: new Date("2026-01-31T12:00:00Z") });
    equal(bought.members.purchasedAt, "2026-01-31T12:00:00.000Z");
    const again = await store.addPurchase(coins, { purchasedAt: "2026-01-31T12:00:00Z" });
    equal(again.members.purchasedAt, "2026-01-31T12:00:00.000Z");
    await bought.refund();
    ok((await store.purchases()).find(({ id }) => id === bought.id).members.revokedAt);
    await (await store.addPurchase(pro)).renew();
    const renewed = (await store.purchases()).at(-1);
    deepEqual([renewed.product, renewed.account, renewed.members.reason], [pro, "built-in", "RENEWAL"]);
    await renewed.cancel();
    deepEqual((await store.subscriptions()).map(({ renewsAutomatically }) => renewsAutomatically), [false]);
    await renewed.expire();
    deepEqual(await store.subscriptions(), []);
  });
  await server.inSession({ account: "built-in" }, async (session) => {
    const { store } = session;
    const order = await store.addPurchase(pro, { appAccountToken: "player-1" });
    equal(order.members.appAccountToken, "player-1");
    const renews = async () => (await store.subscriptions()).map(({ renewsAutomatically }) => renewsAutomatically);
    await store.cancel(pro);
    deepEqual(await renews(), [false]);
    await store.resume(pro, { account: "built-in" });
    await order.cancel();
    await order.resume();
    deepEqual(await renews(), [true]);
    await store.renew(pro);
    await store.expire(pro);
    deepEqual([(await store.purchases()).length, await store.subscriptions()], [2, []]);
    await order.delete();
    await (await store.addTransaction(coins, { waitingFor: "approval" })).delete();
    deepEqual([(await store.purchases()).length, await store.transactions()], [1, []]);
    await store.clear();
    deepEqual(await store.purchases(), []);
    await session.changeSettings({ askToBuy: true });
    await session.restoreSettings();
    equal((await session.settings()).askToBuy, false);
    const keys = await store.rotateSigningKey({ publishFormerFor: 60 });
    deepEqual([keys, keys[1].current], [await store.signingKeys(), false]);
  });
});

test("a backend gets a test notification, and a delivered one again", async () => {
  const backend = createServer((request, response) => request.resume().on("end", () => response.end())).listen(0, "127.0.0.1");
  await once(backend, "listening");
  const configuration = join(folder, "notifications.yaml");
  await writeFile(configuration, `onside: { notifications: { url: "http://127.0.0.1:${backend.address().port}/" } }`);
  const own = await Server.start(["--config", configuration]);
  try {
    await own.inSession({}, async (session) => {
      const sent = await session.store.sendTestNotification();
      const delivered = { kind: "store", action: "notification", data: { state: "delivered", id: sent.id, type: "TEST" } };
      const { cursor } = await session.waitFor(delivered, { timeout: 15000 });
      const [listed] = await session.store.notifications();
      deepEqual([listed.id, listed.type, listed.state], [sent.id, "TEST", "delivered"]);
      await listed.resend();
      await session.waitFor(delivered, { after: cursor, timeout: 15000 });
    });
  } finally {
    await own.stop();
    backend.close();
  }
});

test("two devices of one person share orders, also after a reinstallation", async () => {
  await server.inSession({ account: "built-in" }, async (phone) => {
    const tablet = await server.newSession({ deviceOf: phone });
    const order = await tablet.store.addPurchase("daylight.pro.monthly", { account: "built-in" });
    await phone.reinstall();
    const [same] = await phone.store.purchases();
    equal(same.id, order.id);
    await same.requestPriceIncrease(99);
    await same.consentToPriceIncrease();
    await order.requestPriceIncrease("101.50");
    await order.declinePriceIncrease();
    const [{ priceIncrease, renewsAutomatically }] = await tablet.store.subscriptions();
    deepEqual([priceIncrease.price.value, priceIncrease.status, renewsAutomatically], [101.5, "declined", false]);
    await tablet.end();
  });
});

test("a session can start with a snapshot or an exported session", async () => {
  await server.snapshot("paid", { account: "built-in" }, (session) => session.store.addPurchase("daylight.credits.10"));
  for (let round = 0; round < 2; round += 1) {
    await server.inSession({ from: "paid" }, async (session) => {
      const [bought, ...others] = await session.store.purchases();
      deepEqual([others, bought.members.revokedAt], [[], null]);
      await bought.refund();
      const exported = await session.export({ transcript: true });
      ok(exported.transcript.length);
      await server.inSession({ from: exported }, async (again) => ok((await again.store.purchases())[0].members.revokedAt));
    });
  }
});

test("the kit has a function for each event of Today's token", async () => {
  await server.inSession({}, async ({ token }) => {
    await token.failNext("invalidGrant");
    equal((await token.metadata()).failsNext, true);
    await token.expire();
    equal((await token.metadata()).hasToken, false);
    await token.revoke();
    equal((await token.metadata()).revoked, true);
  });
});

test("a page that ends meanwhile has no pending requests", () => server.inSession({ name: "meanwhile" }, async (session) => {
  const first = new WirePage(session);
  await first.opened;
  const [{ id }] = await session.pages();
  const second = new WirePage(session);
  await second.opened;
  first.ask("nfc.read", {}, "a/1");
  await session.waitForRequest("nfc.read");
  second.ask("nfc.read", {}, "a/2");
  const pages = session.pages.bind(session);
  const gone = () => Promise.reject(new ControlError("GET /requests", 404, {}));
  session.pages = async () => (await pages()).map((page) => page.id === id ? { id, request: gone } : page);
  equal((await session.waitForRequest("nfc.read")).correlationId, "a/2");
}));

test("the kit answers a page's requests, sends events and cuts its socket", async () => {
  await server.inSession({}, async (session) => {
    const page = new WirePage(session);
    await page.opened;
    page.ask("nfc.read", { chip: 1 }, "a/1");
    const request = await session.waitForRequest("nfc.read", { chip: 1 });
    deepEqual([request.correlationId, request.data], ["a/1", { chip: 1 }]);
    await request.respond({ read: true });
    deepEqual((await page.received("nfc.read")).payload.data, { read: true });
    page.ask("nfc.write", {}, "a/2");
    await (await session.waitForRequest("nfc.write")).fail("NFC_OFF", { recoverable: true });
    deepEqual((await page.received("nfc.write")).payload.error, { code: "NFC_OFF", message: "NFC_OFF", recoverable: true });
    await session.send("journey.cancel", { reason: "user" });
    deepEqual((await page.received("journey.cancel")).payload.data, { reason: "user" });
    deepEqual(await session.jar(), []);
    const [{ listening }] = await session.pages();
    equal(listening, true);
    await session.disconnect();
    await page.closed;
    await session.waitFor({ kind: "page", action: "disconnected" });
    await rejects((await session.pages())[0].disconnect(), (error) => error.status === 409);
  });
});

test("the kit ends service workers, in pages with the shim and without it", () => server.inSession({}, async (session) => {
  const page = new WirePage(session);
  await page.opened;
  const asked = page.received("footbridge.script").then(({ payload }) => {
    equal(payload.data.name, "workers.js?task=unregister");
    page.ask("footbridge.workers.unregistered", { workers: ["http://localhost/b/"], caches: ["kept"] }, "workers");
  });
  const gone = () => Promise.reject(new Error("The page is closed."));
  await session.enter({
    addCookies: async () => {},
    pages: () => [{ evaluate: async () => ["http://localhost/a/", "http://localhost/b/"] }, { evaluate: gone }],
  });
  deepEqual(await session.unregisterServiceWorkers(), ["http://localhost/a/", "http://localhost/b/"]);
  await asked;
}));

test("offline() names a session without a browser, and changes nothing then", () => server.inSession({}, async (session) => {
  await rejects(session.offline(), /needs an open browser context/u);
  const routed = [];
  await session.enter({ addCookies: async () => {}, route: async (url) => routed.push(url) });
  deepEqual(routed, []);
}));

test("the kit has functions for callbacks, probabilities and kills", () => server.inSession({ name: "messages" }, async (session) => {
  const page = new WirePage(session);
  await page.opened;
  const updated = "onside.onTransactionsUpdated";
  await session.when(updated, { product: "coins", times: [1, 3] }).drop();
  await session.when(updated, { times: { from: 2, probability: 0.5 } }).double();
  await session.when(updated, { times: { first: 3 } }).reorder();
  await session.when("onside.getTransactions").delay(1, 5);
  await session.when("camera.selfie.capture").unknownId();
  await session.when("camera.document.capture").raw("{");
  await session.when("onside.merchantAPI").fails({ status: 429, retryAfter: 3 });
  equal((await session.unusedRules()).length, 7);
  page.ask("onside.getTransactions", {}, "one");
  await page.received("onside.getTransactions");
  equal((await session.unusedRules()).length, 6);
  await session.when("onside.getCurrentStorefront").kill();
  page.ask("onside.getCurrentStorefront", {}, "two");
  await page.closed;
  await session.waitFor({ kind: "page", action: "ended" });
}));

test("calls are counted, compared and ordered, and a failed check lists the calls", async () => {
  await server.inSession({}, async (session) => {
    const page = new WirePage(session);
    await page.opened;
    page.ask("nfc.read", { chip: 1 }, "a/1");
    page.ask("nfc.write", { chip: 5 }, "a/2");
    page.ask("nfc.read", { chip: 2 }, "a/3");
    const [first, second] = await session.calls("nfc.read").exactly(2);
    deepEqual([first.data, second.data], [{ chip: 1 }, { chip: 2 }]);
    equal((await session.calls("nfc.read").atLeast(1)).length, 2);
    await session.calls("nfc.read", { chip: 1 }, { after: first.cursor }).never();
    await session.calls("nfc.read", { chip: 3 }).exactly(0);
    await session.calls(matches("^nfc\\.(read|write)$")).exactly(3);
    await session.calls(contains("write"), { chip: 5 }).exactly(1);
    await session.calls("nfc.read", { chip: anything, name: absent }).exactly(2);
    const order = await session.inOrder(["nfc.read", session.calls("nfc.write"), session.calls("nfc.read", { chip: 2 })]);
    deepEqual(order.map(({ action }) => action), ["nfc.read", "nfc.write", "nfc.read"]);

    const options = { timeout: 50 };
    const fails = async (check, ...words) => rejects(check, (error) => {
      ok(error instanceof ExpectationError);
      for (const word of words) match(error.message, word);
      return true;
    });
    await fails(session.calls("nfc.read").exactly(1), /^nfc\.read was called twice; it should be called exactly once\.\n  #.*"chip":1.*\n  #.*"chip":2/u);
    await fails(session.calls("nfc.read", { chip: 9 }).atLeast(1, options), /was never called within 50 ms; it should be called at least once/u,
      /data\.chip is 2; it should be 9/u);
    await fails(session.calls("nfc.write").never(), /^nfc\.write was called; it should never be called\.\n  #/u);
    await fails(session.inOrder(["nfc.write", session.calls("nfc.read", { chip: 1 })], options), /was not called within 50 ms after #/u,
      /It was called before that:\n  #.*"chip":1/u, /These calls came in this order:\n  #.*"chip":5/u);
    const never = session.calls("nfc.late").never({ during: 20_000 });
    page.ask("nfc.late", {}, "a/4");
    await fails(never, /^nfc\.late was called/u);
  });
});

test("events are compared as the host recorded them", () => server.inSession({}, async (session) => {
  const page = new WirePage(session);
  await page.opened;
  page.ask("onside.trackEvent", { name: "levelCompleted", parameters: { level: 3, title: "t".repeat(101), nested: [[1]] } }, "footbridge-1");
  page.ask("onside.trackEvent", { name: "$$mine" }, "footbridge-2");
  const [{ data }] = await session.events("levelCompleted", { level: 3, nested: absent }).exactly(1);
  deepEqual(data.parameters, { level: 3, title: "t".repeat(100) });
  deepEqual([data.cut, data.dropped], [[{ parameter: "title", reason: "tooLong" }], [{ parameter: "nested", reason: "nestedArray" }]]);
  await session.events("$$mine").never();
  await session.events("$$mine", undefined, { accepted: false }).atLeast(1);
  await session.inOrder(["onside.trackEvent", session.events("levelCompleted")]);
  await rejects(session.events(contains("level"), { level: 4 }).exactly(1, { timeout: 50 }), (error) => {
    match(error.message, /^the event \{"\$contains":"level"\} with \{"level":4\} was never tracked within 50 ms; it should be tracked exactly once\./u);
    match(error.message, /data\.parameters\.level is 3; it should be 4/u);
    return true;
  });
}));

test("a page has the time of its session once the clock is installed in it", async () => {
  const [start, then] = [Date.parse("2026-01-31T12:00:00Z"), Date.parse("2026-05-01T00:00:00Z")];
  await server.inSession({ clock: { frozen: true, now: "2026-01-31T12:00:00Z" } }, async ({ clock }) => {
    const done = [];
    const names = ["install", "setFixedTime", "setSystemTime", "fastForward"];
    await clock.install({ clock: Object.fromEntries(names.map((name) => [name, async (value) => { done.push([name, value]); }])) });
    await clock.advance({ minutes: 1 });
    await clock.set(new Date(then));
    deepEqual(done.splice(0), [
      ["install", { time: start }], ["setFixedTime", start], ["setFixedTime", start + 60_000], ["fastForward", 60_000], ["setFixedTime", then],
    ]);
    await clock.run();
    await clock.advance({ seconds: 1 });
    deepEqual(done.map(([name]) => name), ["setSystemTime", "fastForward"]);
  });
});

test("the fixtures give each test's context its own session", async () => {
  const ids = [];
  for (let count = 0; count < 2; count += 1) {
    const info = testInfo("passed");
    await runFixtures(info, async (footbridge, context) => {
      ids.push(footbridge.id);
      deepEqual(context.cookies, footbridge.cookies());
      equal(context.cookies[0].url, server.url);
    });
    equal(info.attached.size, 0);
  }
  equal(new Set(ids).size, 2);
});

test("the fixtures attach the transcript of a failed test", async () => {
  const info = testInfo("passed");
  await runFixtures(info, async (footbridge) => {
    await footbridge.change({ account: "built-in" });
    info.status = "failed";
  });
  deepEqual([...info.attached.keys()], ["footbridge.txt", "footbridge.jsonl"]);
  for (const line of info.attached.get("footbridge.jsonl").trimEnd().split("\n")) JSON.parse(line);
});

test("a lint error fails a strict test, and an expected one must occur", async () => {
  const mistake = async (session) => {
    const page = new WirePage(session);
    await page.opened;
    page.ask("onside.trackEvent", { name: "1st" }, "footbridge-1");
    await session.waitFor({ kind: "lint", action: "L11" });
  };
  await server.inSession({}, mistake);
  await rejects(server.inSession({}, (session) => session.expectLint("L11")), /^Error: The linter should have found something by L11, and has not\./u);
  await rejects(server.inSession({}, (session) => session.expectLint("L1")), /Did you mean L01\?/u);
  server.strict = true;
  try {
    await rejects(server.inSession({}, mistake), (error) => {
      const found = String.raw`L11 error: 1st: rejected name: malformed\. \(#\d+\) The name of an event must match .* \(JS bridge, trackEvent\) Give the event another name\.`;
      match(error.message, new RegExp(String.raw`^The linter has found errors \(docs/lint\.md\):\n  ${found}\n`, "u"));
      equal(error.message.match(/\bL11\b/gu).length, 1);
      return true;
    });
    await server.inSession({}, async (session) => {
      await mistake(session);
      await session.expectLint("L11");
      equal((await session.lint())[0].expected, true);
    });
  } finally {
    server.strict = false;
  }
});

test("another device of the test is checked, reported and ended with it", async () => {
  const other = async (session) => {
    const device = await session.newSession({ deviceOf: session });
    equal(device.name, session.name);
    return device;
  };
  let device;
  await rejects(server.inSession({ name: "two" }, async (session) => {
    device = await other(session);
    await device.expectLint("L11");
  }), (error) => {
    match(error.message, /^The linter should have found something by L11, and has not\.\n\nFootbridge session /u);
    match(error.message, new RegExp(`Footbridge session ${device.id}\\n[^]*two-2\\.jsonl`, "u"));
    return true;
  });
  await rejects(device.report(), (error) => error instanceof ControlError && error.status === 404);
  await readFile(join(server.transcripts, "two-2.jsonl"), "utf8");

  const info = testInfo("passed");
  await rejects(runFixtures(info, async (session) => {
    await (await other(session)).when("onside.purchase").fails("loginDiscarded");
  }, true), /never decided a call/u);
  deepEqual([...info.attached.keys()], ["footbridge.txt", "footbridge.jsonl", "footbridge-2.txt", "footbridge-2.jsonl"]);

  await server.inSession({}, async (session) => {
    const ended = await other(session);
    await ended.when("onside.purchase").fails("loginDiscarded");
    await ended.end();
    deepEqual(session.withOthers(), [session]);
  });
});

test("an unused rule is in the report, and fails a strict test", async () => {
  const text = 'onside.payment where {"productIdentifier":"coins"}, times {"nth":2}, then {"error":"cancelled"}';
  const make = (session) => session.when("onside.payment", { product: "coins", times: { nth: 2 } }).fails("cancelled");
  await server.inSession({}, async (session) => {
    await make(session);
    ok((await session.report()).split("\n").includes(`rule that never decided: ${text}`));
    const removed = await session.when("nfc.read").returns({});
    await removed.remove();
    deepEqual((await session.unusedRules()).map(({ on }) => on), ["onside.payment"]);
  });
  server.strict = true;
  try {
    await rejects(server.inSession({}, make), (error) => {
      match(error.message, /^These rules never decided a call:\n  onside\.payment .*\nThe pages called: nothing\./u);
      return true;
    });
    await server.inSession({}, async (session) => {
      const page = new WirePage(session);
      await page.opened;
      await session.when("nfc.read", { times: "always" }).returns({ read: true });
      page.ask("nfc.read", {}, "a/1");
      deepEqual((await page.received("nfc.read")).payload.data, { read: true });
    });
  } finally {
    server.strict = false;
  }
  const info = testInfo("passed");
  await rejects(runFixtures(info, make, true), /These rules never decided/u);
  deepEqual([...info.attached.keys()], ["footbridge.txt", "footbridge.jsonl"]);
  await runFixtures(testInfo("passed"), make);
});

test("the fixtures have the form of Playwright Test", () => {
  // Playwright Test reads the names of a fixture's dependencies from the source of the function.
  const needs = (fixture) => /^async \(\{([^}]*)\}, use/u.exec(String(fixture))?.[1].split(",").map((name) => name.trim());
  deepEqual(needs(fixtures.footbridgeServer[0]), ["footbridgeServeOptions"]);
  deepEqual(needs(fixtures.footbridge), ["footbridgeServer", "footbridgeOptions", "footbridgeStrict"]);
  deepEqual(fixtures.footbridgeStrict[1], { option: true });
  deepEqual(needs(fixtures.context), ["context", "footbridge"]);
  deepEqual(fixtures.footbridgeServer[1], { scope: "worker" });
  deepEqual(fixtures.footbridgeServeOptions[1], { option: true, scope: "worker" });
  deepEqual(fixtures.footbridgeOptions[1], { option: true });
});

test("the fixtures' server runs until their worker ends", async () => {
  let url;
  await fixtures.footbridgeServer[0]({ footbridgeServeOptions: [] }, async (own) => {
    url = own.url;
    await (await own.newSession()).end();
  });
  await rejects(fetch(url));
});

test("a custom bridge adds its part to sessions, with the fixtures and without", async () => {
  const withDoorbell = (base) => class extends base {
    waitForRing() {
      return this.waitFor({ kind: "request", action: "doorbell.message" });
    }
  };
  class HouseSession extends withDoorbell(Session) {}
  await fixturesFor(HouseSession).footbridgeServer[0]({ footbridgeServeOptions: [] }, async (own) => {
    await own.inSession({}, async (session) => {
      const page = new WirePage(session);
      await page.opened;
      page.ask("doorbell.message", {}, "a/1");
      equal((await session.waitForRing()).correlationId, "a/1");
      deepEqual(await session.jar(), []);
    });
  });
});

test("a server that cannot start throws its error", async () => {
  await rejects(Server.start(["--root", "nowhere"]), /footbridge serve did not start\.[^]*nowhere/u);
});

test("the kit has functions for a declared bridge", () => server.inSession({ name: "declared" }, async (session) => {
  await session.bridge("acme", { frames: "all", channels: { acme: { reply: true } }, answers: { known: { reply: { id: { "!from": "/id" } } } } });
  const page = new WirePage(session);
  await page.opened;
  page.ask("acme.login", { channel: "acme", value: { id: 7 } }, "1");
  await session.expectMessage("acme.login", { id: 7 }).reply({ token: "abc" });
  deepEqual((await page.received("acme.login")).payload.data, { value: { token: "abc" } });
  page.ask("acme.pay", { channel: "acme", value: {} }, "2");
  const message = await session.expectMessage("acme.pay").wait();
  equal(message.channel, "acme");
  await message.fails("Not today");
  equal((await page.received("acme.pay")).payload.error.message, "Not today");
  await session.when("acme.known").hold("gate");
  page.ask("acme.known", { channel: "acme", value: { id: 8 } }, "3");
  await session.waitFor({ kind: "request", action: "acme.known" });
  await session.request("POST", "/gates/gate/release");
  deepEqual((await page.received("acme.known")).payload.data, { value: { id: 8 } });
  await session.calls("acme.login").exactly(1);

  const calls = Promise.allSettled([
    session.call("acme.onEvent", { id: 7 }), session.call({ path: ["app", "none"], bridge: "acme" }), session.evaluate("1 + 1"),
  ]);
  page.answer("acme.call", (data) => (data.path[0] === "acme" ? { value: data.args } : { error: "no function" }));
  page.answer("acme.evaluate", ({ script }) => ({ value: script }));
  const [called, failed, evaluated] = await calls;
  deepEqual(called.value, [{ id: 7 }]);
  equal(failed.reason.message, "The page has failed: no function");
  equal(evaluated.value, "1 + 1");
  await session.dispatch("acme:seen", 9);
  deepEqual((await page.received("acme.event")).payload.data, { name: "acme:seen", detail: 9 });
  /** @type {any[]} */
  const seen = [];
  for (const kind of ["dispatch", "set"]) page.answer(`acme.${kind}`, (data) => (seen.push(data), {}));
  await session.dispatch("message", undefined, { on: "document", kind: "MessageEvent", init: { data: 1 } });
  await session.set("acme.user", { name: "Eva" });
  deepEqual(seen, [
    { name: "message", on: ["document"], kind: "MessageEvent", init: { data: 1 } }, { path: ["acme", "user"], value: { name: "Eva" } },
  ]);
  await rejects(session.call({ path: "x.y", bridge: "other" }), /has no bridge other/u);
}));

test("an expected message that is answered already is named with who has answered it", () => server.inSession({ name: "answered" }, async (session) => {
  await session.bridge("acme", { frames: "all", channels: { acme: { reply: true } }, answers: { known: { reply: 1 } } });
  const page = new WirePage(session);
  await page.opened;
  page.ask("acme.known", { channel: "acme", value: { id: 7 } }, "1");
  page.ask("acme.login", { channel: "acme", value: {} }, "2");
  await session.expectMessage("acme.login").reply();
  const rule = await session.when("acme.logout").fails("No");
  page.ask("acme.logout", { channel: "acme", value: {} }, "3");
  const cursor = async (/** @type {string} */ kind, /** @type {string} */ action) => (await session.waitFor({ kind, action })).cursor;
  const failure = async (/** @type {Promise<unknown>} */ waiting) => {
    const error = await waiting.then(() => undefined, (reason) => reason);
    ok(error instanceof ExpectationError);
    return error.message.split("\n").slice(0, 2);
  };
  const answered = async (/** @type {string} */ name, /** @type {string} */ who) => (
    `#${await cursor("request", name)} was answered ${who} (#${await cursor("response", name)}).`
  );
  deepEqual(await failure(session.expectMessage("acme.known", { id: 7 }).wait({ timeout: 34.5 })), [
    'No message acme.known with {"id":7} was waiting for its answer within 34.5 ms.',
    await answered("acme.known", "by the declaration of acme for this session"),
  ]);
  equal((await failure(session.expectMessage("acme.login").wait({ timeout: 0 })))[1], await answered("acme.login", "by the control API"));
  equal((await failure(session.expectMessage("acme.logout").wait({ timeout: 0 })))[1], await answered("acme.logout", `by the rule ${rule.id}`));
  match((await failure(session.expectMessage("acme.never").wait({ timeout: 12 })))[0], /within 12 ms\.$/u);
}));

test("a bridge declared for a test can have its scripts in files", () => server.inSession({ name: "files" }, async (session) => {
  const file = join(folder, "native.js");
  await writeFile(file, "window.native = 1;");
  await session.bridge("acme", { scripts: [{ file, at: "end" }], adapter: file });
  const { name, declared } = (await session.request("GET", "/bridges")).bridges.at(-1);
  deepEqual({ name, declared }, { name: "acme", declared: true });
}));

test("a session of a server with sites has the proxy and browser arguments", async () => {
  const proxying = await Server.start(["--site", "https://app.example.com=http://localhost:9", "--site", "https://pay.example=http://localhost:9"]);
  try {
    const [certificates] = proxying.launchArguments;
    match(certificates, /^--ignore-certificate-errors-spki-list=/u);
    equal(proxying.launchArguments.length, 1);
    const session = await proxying.newSession();
    equal(session.url, "https://app.example.com");
    equal(session.proxy.server, proxying.url);
    ok(session.proxy.username && session.proxy.password);
    deepEqual(session.cookies().map(({ url }) => url), ["https://app.example.com", "https://pay.example"]);

    const given = async (name, needs) => {
      const fixture = [fixtures[name]].flat()[0];
      let value;
      await fixture(needs, async (used) => { value = used; });
      return value;
    };
    const launch = (browserName, footbridgeServer) => given("launchOptions", { launchOptions: { args: ["--a"] }, browserName, footbridgeServer });
    deepEqual(await launch("chromium", proxying), { args: ["--a", certificates] });
    deepEqual(await launch("firefox", proxying), { args: ["--a"] });
    deepEqual(await launch("chromium", server), { args: ["--a"] });
    equal(await given("ignoreHTTPSErrors", { browserName: "webkit", footbridge: session }), true);
    equal(await given("ignoreHTTPSErrors", { browserName: "chromium", footbridge: session }), false);
    deepEqual(await given("proxy", { footbridge: session }), session.proxy);
    deepEqual(await given("proxy", { proxy: { server: "http://other" }, footbridge: session }), { server: "http://other" });
  } finally {
    await proxying.stop();
  }
});
