// The JavaScript kit itself. test_playwright_kit.py runs this file.

import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ControlError, ExpectationError, Server, fixtures } from "../../web/testing/footbridge.mjs";

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

/** A test's information as Playwright Test gives it, and what is attached. */
function testInfo(status) {
  const attached = new Map();
  return { title: "a test", status, expectedStatus: "passed", attached, attach: async (name, { body }) => { attached.set(name, body); } };
}

/** Runs the fixtures as Playwright Test does, down to the context. */
async function runFixtures(info, body) {
  const context = { cookies: [], addCookies: async (cookies) => { context.cookies.push(...cookies); } };
  const options = fixtures.footbridgeOptions[0];
  await fixtures.footbridge({ footbridgeServer: server, footbridgeOptions: options }, async (footbridge) => {
    await fixtures.context({ context, footbridge }, () => body(footbridge, context));
  }, info);
}

test("a purchase that never comes fails in time and says what was there", async () => {
  await server.inSession({}, async (session) => {
    await rejects(session.expectPurchase("coins").approve({}, { timeout: 100 }), (error) => {
      ok(error instanceof ExpectationError);
      match(error.message, /^No payment sheet for coins was open within 100 ms\.\n/u);
      return true;
    });
  });
});

test("what was waited for is told with what came nearest", async () => {
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

test("the error of a failed test has the journal, and the transcript is in a file", async () => {
  let secret;
  const failing = server.inSession({ name: "buys/coins" }, async (session) => {
    secret = session.cookies()[0].value;
    await session.change({ account: "built-in" });
    throw new Error("not what was expected");
  });
  await rejects(failing, (error) => {
    match(error.message, /^not what was expected\n\nFootbridge session [0-9a-f]{16}\n/u);
    match(error.message, /Transcript \(JSON Lines\): .*buys-coins\.jsonl$/u);
    equal(error.cause.message, "not what was expected");
    ok(!error.message.includes(secret));
    return true;
  });
  const transcript = await readFile(join(folder, "transcripts", "buys-coins.jsonl"), "utf8");
  for (const line of transcript.trimEnd().split("\n")) JSON.parse(line);
  ok(!transcript.includes(secret));
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

test("the fixtures attach the transcript of a test that failed", async () => {
  const info = testInfo("passed");
  await runFixtures(info, async (footbridge) => {
    await footbridge.change({ account: "built-in" });
    info.status = "failed";
  });
  deepEqual([...info.attached.keys()], ["footbridge.txt", "footbridge.jsonl"]);
  for (const line of info.attached.get("footbridge.jsonl").trimEnd().split("\n")) JSON.parse(line);
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
