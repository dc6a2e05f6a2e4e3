"""The tests of the suite for Node's test runner and Playwright's library, with the JavaScript kit and with mocks in the page."""

import json
import pathlib

import playwright

import servers

DRIVER = pathlib.Path(playwright.__file__).parent / "driver"
#: What both begin with. Each file of tests has its own browser.
BEGIN = """
import { after, before, test } from "node:test";
import { chromium } from PLAYWRIGHT;
const executablePath = process.env.FOOTBRIDGE_CHROMIUM;
let browser;
before(async () => { browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] }); });
after(() => browser.close());

async function press(context, url, button, outcome, answer) {
  try {
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole("button", { name: button }).click();
    await answer?.();
    await page.getByRole("status").getByText(outcome).waitFor();
  } finally {
    await context.close();
  }
}
"""
TESTS = {
    "javascript kit": BEGIN + """
import { Server } from KIT;
let server;
before(async () => { server = await Server.find(["--config", "footbridge.yaml"]); });
after(() => server.stop());

const sessions = {
  "Log in": [{}, (session) => session.expectLogin().approve({ account: "built-in" })],
  Buy: [{ account: "built-in" }, (session) => session.expectPurchase("com.example.coins").approve()],
  Restore: [{ account: "built-in" }],
  Photograph: [{ present: "auto" }],
  Rate: [{}],
};
for (let number = 0; number < ROUNDS; number++) for (const [button, outcome] of OUTCOMES) {
  const [options, answer] = sessions[button];
  test(`${button} ${number}`, () => server.inSession(options, async (session) => {
    const context = await browser.newContext();
    await session.enter(context);
    await press(context, session.url, button, outcome, answer && (() => answer(session)));
  }));
}
""",
    "javascript mock": BEGIN + """
for (let number = 0; number < ROUNDS; number++) for (const [button, outcome] of OUTCOMES) {
  test(`${button} ${number}`, async () => {
    const context = await browser.newContext();
    await context.addInitScript(MOCK);
    await press(context, process.env.PLAIN_SITE, button, outcome);
  });
}
""",
}


def command(project, kind, rounds, workers, values):
    """Writes the tests, a file for each worker with its share of the rounds. `values` are constants of the tests, by their names. Returns the
    command that runs them."""
    paths = {"PLAYWRIGHT": DRIVER / "package" / "index.mjs", "KIT": servers.PROJECT / "web" / "testing" / "footbridge.mjs"}
    text = TESTS[kind]
    for name, path in paths.items():
        text = text.replace(f"from {name};", f"from {json.dumps(str(path))};")
    files = []
    for worker in range(workers):
        files.append(f"worker-{worker}.test.mjs")
        share = {"ROUNDS": rounds // workers + (worker < rounds % workers)}
        constants = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in (share | values).items())
        (project / files[-1]).write_text(constants + text)
    return [DRIVER / "node", "--test", "--test-reporter=tap", f"--test-concurrency={workers}", *files]
