"""Rules as the dashboard writes them to be copied: each text makes the rule that it was written from, and that rule decides the next call."""

import json
import subprocess
import sys

import pytest

from footbridge_process import PROJECT, serve
from promises import wait_for_promise

sys.path.append(str(PROJECT / "web" / "testing"))

from pytest_footbridge.server import Server

DASHBOARD = PROJECT / "web" / "dashboard"
KIT = PROJECT / "web" / "testing" / "footbridge.mjs"

#: A rule for each way to end, with values that are something else in YAML, Python or JavaScript if they are written as they are.
RULES = [
    {"on": "onside.loadProducts", "where": {"productIdentifiers": ["coins"]}, "times": "once", "then": {"error": "connectionError"}},
    {"on": "onside.getTransactions", "times": "always", "then": {"result": []}},
    {"on": "onside.logout", "times": {"nth": 2}, "then": {"result": None}},
    {"on": "onside.loadProducts", "times": [1, 3], "then": {"gate": "on"}},
    {"on": "onside.loadProducts", "times": {"first": 3}, "then": {"delay": 800}},
    {"on": "onside.loadProducts", "times": {"from": 2, "probability": 0.25}, "then": {"delay": {"from": 0, "to": 800}, "error": "cancelled"}},
    {"on": "onside.onTransactionsUpdated", "where": {"transactions": {"$contains": {"transactionState": "purchased"}}}, "times": "once", "then": {"drop": True}},
    {"on": "onside.onTransactionsUpdated", "times": "once", "then": {"reorder": True}},
    {"on": "onside.onTransactionsUpdated", "times": "once", "then": {"double": True, "gate": "door.1"}},
    {"on": "onside.purchase", "times": "once", "then": {"cutSocket": True}},
    {"on": "onside.purchase", "times": "once", "then": {"kill": True}},
    {"on": "footbridge.sheet.payment", "times": "once", "then": {"result": {"approved": False}}},
    {"on": "footbridge.sheet.login", "times": "once", "then": {"result": {"approved": True, "fields": {"account": "built-in"}}}},
    {"on": "onside.merchantAPI", "times": "once", "then": {"error": {"status": 429, "retryAfter": 10}}},
    {"on": "today.refreshToken", "times": "once", "then": {"error": "refused"}},
    {"on": "nfc.read", "times": "once", "then": {"unknownId": True}},
    {"on": "nfc.read", "times": "once", "then": {"raw": "{"}},
    {"on": "logout", "bridge": "gbg", "times": "once", "then": {"status": "cancelled"}},
    {"on": "nfc.read", "times": "once", "then": {"error": {"code": "BUSY", "message": "no: #1 'so' \"so\" \\ \n\t\u2028\x7f\x85 ‹😀›", "recoverable": True}}},
    {
        "on": "nfc.read", "times": "once",
        "where": {
            "yes": "yes", "no": "No", "null": "null", "1": "1", "a b": "~", "empty": "", "dash": "- a", "tag": "!from", "anchor": "&a *b", "key: #": "{}",
            "date": "2026-01-31", "hex": "0x1F", "dotted": "a.b-c", "__proto__": {"x": 1}, "constructor": [None, True, False, -1.5, 1e21, []], "in": {},
        },
        "then": {"status": "success", "result": {"read": True, "class": "e"}},
    },
]

#: Writes all rules in all forms.
WRITE = """
import { readFileSync } from "node:fs";
const { FORMS } = await import("data:text/javascript;base64," + readFileSync(process.argv[1]).toString("base64"));
const rules = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(Object.fromEntries(FORMS.map(({ label, write }) => [label, rules.map(write)]))));
"""

#: Runs statements, each in a session of its own, and tells the rules that it then has.
RUN = """
import { readFileSync } from "node:fs";
const { Server } = await import(process.argv[1]);
const { url, token, texts } = JSON.parse(readFileSync(0, "utf8"));
const server = new Server(url, token);
const made = [];
for (const text of texts) {
  const session = await server.newSession();
  await new (async () => {}).constructor("footbridge", text)(session);
  made.push((await session.request("GET", "/rules")).rules);
  await session.end();
}
console.log(JSON.stringify(made));
"""


def node(script, argument, data):
    result = subprocess.run(["node", "--input-type=module", "-e", script, argument], input=json.dumps(data), capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def texts():
    return node(WRITE, str(DASHBOARD / "rule-text.js"), RULES)


@pytest.fixture(scope="module")
def server(texts, shop_root, catalog, tmp_path_factory):
    """Runs the shop with each YAML as a scenario."""
    config = tmp_path_factory.mktemp("rules") / "footbridge.yaml"
    scenarios = (f"  s{index}:\n" + "".join(f"    {line}\n" for line in text.splitlines()) for index, text in enumerate(texts["YAML"]))
    config.write_text("scenarios:\n" + "".join(scenarios))
    with serve("--root", shop_root, "--catalog", catalog, "--config", config, "--ephemeral") as server:
        server.api = server.control()
        yield server


@pytest.fixture(scope="module")
def kit(server):
    return Server(server.url, server.api.token)


def essence(rule):
    """A rule without what it has done, and without what says nothing."""
    return {name: rule[name] for name in ("on", "bridge", "where", "times", "then") if rule.get(name) or name in ("on", "then")}


def assert_made(made, index):
    [rule] = made
    wanted = RULES[index]
    found = essence(rule)
    # The server may tell the bridge of an action that belongs to one anyway.
    if "bridge" not in wanted:
        found.pop("bridge", None)
    assert found == wanted


def test_the_copied_yaml_adds_each_rule(server, texts):
    for index in range(len(RULES)):
        session = server.api.session(scenario=f"s{index}")
        assert_made(server.api("GET", f"/sessions/{session['id']}/rules")["rules"], index)


def test_the_copied_pytest_line_adds_each_rule(kit, texts):
    for index, text in enumerate(texts["pytest"]):
        footbridge = kit.new_session()
        exec(compile(text, f"rule {index}", "exec"), {"footbridge": footbridge})
        assert_made(footbridge.get("/rules")["rules"], index)


def test_the_copied_javascript_line_adds_each_rule(server, texts):
    made = node(RUN, KIT.as_uri(), {"url": server.url, "token": server.api.token, "texts": texts["JavaScript"]})
    for index, rules in enumerate(made):
        assert_made(rules, index)


def test_each_copied_text_decides_the_next_call(server, kit, texts, new_context):
    """A rule is the same however it was made, so one that fails a call stands for all."""
    def outcome(context):
        page = context.new_page()
        page.goto(server.url)
        return wait_for_promise(page, "() => onside.loadProducts({ productIdentifiers: ['coins'] }).then(() => 'loaded', Object.keys)")

    context = new_context()
    server.api.enter(context, server.api.session(scenario="s0"))
    assert outcome(context) == ["connectionError"]
    context = new_context()
    session = server.api.session()
    server.api.enter(context, session)
    assert outcome(context) == "loaded"
    footbridge = kit.new_session()
    exec(texts["pytest"][0], {"footbridge": footbridge})
    context = new_context()
    context.add_cookies(footbridge.cookies())
    assert outcome(context) == ["connectionError"]
