// The JavaScript kit itself. test_playwright_kit.py runs this file.

import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { after, before, test } from "node:test";
import { ControlError, ExpectationError, Server, fixtures } from "../../web/testing/footbridge.mjs";

let server;

before(async () => {
  server = await Server.start();
});

after(async () => {
  await server?.stop();
});

/** Runs the fixtures as Playwright Test does, down to the context. */
async function runFixtures(body) {
  const context = { cookies: [], addCookies: async (cookies) => { context.cookies.push(...cookies); } };
  const options = fixtures.footbridgeOptions[0];
  await fixtures.footbridge({ footbridgeServer: server, footbridgeOptions: options }, async (footbridge) => {
    await fixtures.context({ context, footbridge }, () => body(footbridge, context));
  }, { title: "a test" });
}

test("a purchase that never comes fails in time and says what was there", async () => {
  await server.inSession({}, async (session) => {
    await rejects(session.expectPurchase("coins").approve({}, { timeout: 100 }), (error) => {
      ok(error instanceof ExpectationError);
      match(error.message, /^No payment sheet for coins was open within 100 ms\.\nOpen is: no sheet\.$/u);
      return true;
    });
  });
});

test("a session ends with its test, also when that fails", async () => {
  await rejects(server.inSession({}, async () => { throw new Error("no"); }));
  await server.inSession({}, async (session) => {
    const { sessions } = await server.request("GET", "/sessions");
    deepEqual(sessions.map(({ id }) => id), [session.id]);
  });
  deepEqual((await server.request("GET", "/sessions")).sessions, []);
});

test("a refused request says what was wrong", async () => {
  await rejects(server.newSession({ account: "nobody" }), (error) => {
    ok(error instanceof ControlError);
    equal(error.status, 422);
    match(error.message, /account/u);
    return true;
  });
});

test("the fixtures put the context of a test into a session of its own", async () => {
  const ids = [];
  for (let count = 0; count < 2; count += 1) {
    await runFixtures(async (footbridge, context) => {
      ids.push(footbridge.id);
      deepEqual(context.cookies, footbridge.cookies());
      equal(context.cookies[0].url, server.url);
    });
  }
  equal(new Set(ids).size, 2);
});

test("the fixtures have the form that Playwright Test reads", () => {
  // It takes the names of what a fixture needs from the source of the function.
  const needs = (fixture) => /^async \(\{([^}]*)\}, use/u.exec(String(fixture))?.[1].split(",").map((name) => name.trim());
  deepEqual(needs(fixtures.footbridgeServer[0]), ["footbridgeServeOptions"]);
  deepEqual(needs(fixtures.footbridge), ["footbridgeServer", "footbridgeOptions"]);
  deepEqual(needs(fixtures.context), ["context", "footbridge"]);
  deepEqual(fixtures.footbridgeServer[1], { scope: "worker" });
  deepEqual(fixtures.footbridgeServeOptions[1], { option: true, scope: "worker" });
  deepEqual(fixtures.footbridgeOptions[1], { option: true });
});

test("the server of the fixtures lives as long as their worker", async () => {
  let url;
  await fixtures.footbridgeServer[0]({ footbridgeServeOptions: [] }, async (own) => {
    url = own.url;
    await (await own.newSession()).end();
  });
  await rejects(fetch(url));
});

test("a server that cannot start says why", async () => {
  await rejects(Server.start(["--root", "nowhere"]), /footbridge serve did not start\.[^]*nowhere/u);
});
