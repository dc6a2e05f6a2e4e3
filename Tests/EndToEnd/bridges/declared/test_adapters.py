"""What an adapter of a declared bridge can use, in Chromium: immediate answers, dialogs, calls into the page, navigations."""

import sys

import pytest

from engines import CHROMIUM, only
from footbridge_process import serve

ADAPTER = """
native.object("AcmeHost", {
  theme: (scheme) => native.now("theme", { scheme }),
  login: (id) => native.send("login", { id }),
});
native.prompt((text) => text.startsWith("acme:"), (text, value) => native.now("ask", { text, value }));
native.confirm((text) => text.startsWith("acme:"), (text) => native.now("may", { text }));
native.alert((text) => text.startsWith("acme:"), (text) => native.now("told", { text }));
"""

HANDLER = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message.get("name") == "theme":
        print(json.dumps({"message": message["message"], "reply": [message["body"]["scheme"], message["now"]]}), flush=True)
"""


@pytest.fixture
def start(tmp_path):
    """Starts a server of one document, whose bridge `acme` has this adapter, these answers, and more lines in footbridge.yaml."""
    servers = []

    def start(answers="{}", script="", adapter=ADAPTER, body="", more="", section="", head="", files=None):
        root = tmp_path / "site"
        root.mkdir(exist_ok=True)
        (root / "index.html").write_text(f"<!doctype html><title>App</title>{head}<script>{script}</script>{body}")
        for name, content in {"acme.js": adapter, **(files or {})}.items():
            (tmp_path / name).write_text(content)
        config = tmp_path / "footbridge.yaml"
        config.write_text(f"{more}\nbridges:\n  acme:\n    adapter: acme.js\n    answers: {answers}\n{section}")
        servers.append(serve("--root", root, "--config", config, "--ephemeral"))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def rules(*rules):
    return f"scenario: s\nscenarios: {{ s: [{', '.join(rules)}] }}"


def the_session(server):
    """Returns the control API, and the id of the only session."""
    control = server.control()
    return control, control("GET", "/sessions")["sessions"][0]["id"]


def journal(server):
    """Returns the names of the messages, in the order in which the host got them."""
    control, session = the_session(server)
    entries = control("GET", f"/sessions/{session}/journal?kind=request")["entries"]
    return [entry["action"] for entry in entries if entry["kind"] == "request"]


FIRST = "window.first = AcmeHost.theme('dark');"


def test_a_synchronous_call_is_answered_before_the_socket_is_open(start, page):
    page.goto(start("{ theme: { reply: { of: !from /scheme } } }", FIRST).url)
    assert page.evaluate("first") == {"of": "dark"}


def test_a_rule_decides_a_synchronous_call(start, page):
    page.goto(start("{ theme: { reply: declared } }", FIRST, more=rules("{ on: acme.theme, then: { result: ruled } }")).url)
    assert page.evaluate("[first, AcmeHost.theme('dark')]") == ["ruled", "declared"]


def test_an_nth_rule_counts_synchronous_calls_and_throws_its_error(start, page):
    answers, more = "{ theme: { reply: in } }", rules("{ on: acme.theme, where: { scheme: light }, times: { nth: 2 }, then: { error: Broken } }")
    page.goto(start(answers, more=more).url)
    ask = "() => { try { return AcmeHost.theme('light') } catch (error) { return `${error}` } }"
    assert [page.evaluate(ask) for _ in range(3)] == ["in", "Error: Broken", "in"]


def test_a_rule_of_a_test_decides_the_next_synchronous_call(start, page):
    server = start("{ theme: { reply: declared } }")
    page.goto(server.url)
    assert page.evaluate("AcmeHost.theme()") == "declared"
    control, session = the_session(server)
    control("POST", f"/sessions/{session}/rules", {"on": "acme.theme", "then": {"result": "ruled"}})
    assert page.evaluate("[AcmeHost.theme(), AcmeHost.theme()]") == ["ruled", "declared"]


def test_a_handler_answers_a_synchronous_call(start, page):
    section = f"    handler: {{ run: [{sys.executable}, acme.py] }}\n"
    page.goto(start("{}", FIRST, section=section, files={"acme.py": HANDLER}).url)
    assert page.evaluate("first") == ["dark", True]


def test_a_synchronous_call_without_an_answer_returns_undefined(start, page):
    page.goto(start("{}", FIRST).url)
    assert page.evaluate("first === undefined")


def test_a_synchronous_call_held_too_long_gets_the_declared_reply_and_is_logged(start, page):
    server = start("{ theme: { reply: declared } }", more=rules("{ on: acme.theme, then: { gate: closed } }"))
    page.goto(server.url)
    with page.expect_console_message(lambda message: "no answer in time" in message.text):
        assert page.evaluate("AcmeHost.theme('dark')") == "declared"
    server.wait_for_log("A script of the page waits for this answer")


def test_a_synchronous_call_without_a_server_gets_the_declared_reply(start, page):
    server = start("{ theme: { reply: { of: !from /scheme } } }")
    page.goto(server.url)
    server.stop()
    with page.expect_console_message(lambda message: "has the reply of footbridge.yaml" in message.text):
        assert page.evaluate("AcmeHost.theme('dark')") == {"of": "dark"}


def test_synchronous_calls_arrive_once_and_in_order_with_the_others(start, page):
    script = """
    window.answers = [];
    AcmeHost.login(1).then((value) => answers.push(value));
    window.first = AcmeHost.theme('dark');
    AcmeHost.login(2).then((value) => answers.push(value));
    window.second = AcmeHost.theme('light');
    """
    server = start("{ theme: { reply: in }, login: { reply: !from /id } }", script)
    page.goto(server.url)
    page.wait_for_function("answers.length === 2")
    assert page.evaluate("[answers, first, second]") == [[1, 2], "in", "in"]
    assert journal(server) == ["acme.login", "acme.theme", "acme.login", "acme.theme"]


@pytest.mark.parametrize("policy", ["default-src 'none'; script-src 'unsafe-inline'", "default-src 'self' 'unsafe-inline'; connect-src 'none'"])
def test_a_content_security_policy_allows_synchronous_calls(start, page, policy):
    head = f"<meta http-equiv=Content-Security-Policy content=\"{policy}\">"
    more = rules("{ on: acme.theme, then: { result: ruled } }")
    page.goto(start("{ theme: { reply: declared } }", FIRST, head=head, more=more).url)
    assert page.evaluate("first") == "ruled"


def test_prompt_distinguishes_null_empty_text_and_text(start, page):
    more = rules(
        "{ on: acme.ask, where: { text: 'acme:null' }, then: { result: null } }",
        "{ on: acme.ask, where: { text: 'acme:empty' }, then: { result: '' } }",
    )
    page.goto(start("{ ask: { reply: !from /value } }", more=more).url)
    assert page.evaluate("[prompt('acme:null', 'x'), prompt('acme:empty', 'x'), prompt('acme:text', 'x'), prompt('acme:none')]") == [
        None, "", "x", "",
    ]


def test_confirm_and_alert_are_calls_of_the_bridge(start, page):
    server = start("{ may: { reply: true } }", more=rules("{ on: acme.may, where: { text: 'acme:no' }, then: { result: false } }"))
    page.goto(server.url)
    assert page.evaluate("[confirm('acme:no'), confirm('acme:yes'), alert('acme:x') === undefined]") == [False, True, True]
    assert journal(server) == ["acme.may", "acme.may", "acme.told"]


@pytest.mark.parametrize(("call", "kind"), [("prompt('Name?', 'x')", "prompt"), ("confirm('Sure?')", "confirm"), ("alert()", "alert")])
def test_other_dialogs_are_shown(start, page, call, kind):
    page.goto(start().url)
    seen = []
    page.once("dialog", lambda dialog: (seen.append((dialog.type, dialog.message)), dialog.dismiss()))
    assert page.evaluate(f"[{call}]") == [None if kind != "confirm" else False]
    assert seen == [(kind, {"prompt": "Name?", "confirm": "Sure?", "alert": ""}[kind])]


def test_an_adapter_evaluates_scripts_and_receives_calls(start, page):
    adapter = """
    native.onCall((path, list) => native.evaluate(`(window.log ??= []).push(${JSON.stringify([path, list])}); log.length`));
    native.object("AcmeHost", { one: () => native.evaluate("1 + 1") });
    """
    # The call may come before the script of the page.
    page.goto(start("{ opened: { call: got.it, args: [1, { a: 2 }] } }", "var one = AcmeHost.one();", adapter).url)
    page.wait_for_function("window.log?.length")
    assert page.evaluate("[log, one]") == [[[["got", "it"], [1, {"a": 2}]]], 2]


# Navigations.

NAVIGATIONS = """
native.navigation(/^(acme|unity):|^https:\\/\\/__loaded__\\/$/g, (seen) => log.push([seen.url, seen.frame]));
"""

WAYS = {
    "location.href = 'acme:x'": False,
    "location = 'acme:x'": False,
    "location.assign('acme:x')": False,
    "location.replace('acme:x')": False,
    "top.location = 'acme:x'": False,
    "window.open('acme:x')": False,
    "link('').click()": False,
    "link('_blank').click()": False,
    "form().submit()": False,
    "form().requestSubmit()": False,
    "(() => { const form = window.form(); form.innerHTML = '<button>'; form.firstChild.click(); })()": False,
    "document.createElement('p').appendChild(link('')).click()": False,
    "frame().src = 'acme:x'": True,
    "frame().setAttribute('SRC', 'acme:x')": True,
    "document.body.append(outside())": True,
    "document.body.innerHTML = '<iframe src=\"acme:x\"></iframe>'": True,
    "(() => { const one = outside(); document.documentElement.append(one); one.remove(); })()": True,
    "(() => { const one = outside(); document.body.append(one); setTimeout(() => one.remove(), 0); })()": True,
    "(() => { const box = document.createElement('div'); box.append(outside()); document.body.append(box); })()": True,
}

SCRIPT = """
window.log = [];
window.frame = () => { const frame = document.createElement("iframe"); document.documentElement.append(frame); return frame; };
window.outside = () => { const frame = document.createElement("iframe"); frame.src = "acme:x"; return frame; };
window.link = (target) => {
  const link = document.createElement("a");
  Object.assign(link, { target, href: "acme:x" });
  document.body.append(link);
  return link;
};
window.form = () => { const form = document.createElement("form"); form.action = "acme:x"; document.body.append(form); return form; };
"""


#: Only Chromium reports these.
UNWATCHED = only(CHROMIUM, because="no script can watch location")


@pytest.mark.parametrize("way", [pytest.param(way, marks=UNWATCHED) if "location" in way else way for way in WAYS])
def test_a_matching_navigation_is_a_message_and_does_not_navigate(start, page, way):
    page.goto(start(script=SCRIPT, adapter=NAVIGATIONS, body="<p>").url)
    page.evaluate(f"void ({way})")
    page.wait_for_function("log.length === 1")
    [[url, is_frame]] = page.evaluate("log")
    assert (url.rstrip("?"), is_frame) == ("acme:x", WAYS[way])
    assert page.evaluate("location.pathname") == "/"


@UNWATCHED
def test_navigations_are_delivered_in_order_after_the_script_and_its_microtasks_have_ended(start, page):
    page.goto(start(script=SCRIPT, adapter=NAVIGATIONS, body="<p>").url)
    seen = page.evaluate("""async () => {
      const one = frame(), two = outside();
      one.src = "acme:1";
      one.src = "acme:1";
      document.body.append(two);
      location.href = "acme:3";
      one.src = "acme:4";
      const during = [log.length];
      await null;
      during.push(log.length);
      while (log.length < 5) await new Promise(done => setTimeout(done));
      return [during, log.map(([url]) => url), one.src];
    }""")
    assert seen == [[0, 0], ["acme:1", "acme:1", "acme:x", "acme:3", "acme:4"], "acme:4"]


def test_frames_navigate_before_there_is_a_body(start, page):
    script = SCRIPT + "document.documentElement.append(outside()); window.hasBody = !!document.body;"
    page.goto(start(script=script, adapter=NAVIGATIONS).url)
    page.wait_for_function("log.length === 1")
    assert page.evaluate("[log, hasBody]") == [[["acme:x", True]], False]


@UNWATCHED
@pytest.mark.parametrize(("address", "seen"), [("https://__loaded__", "https://__loaded__/"), ("unity:form?msg=x", "unity:form?msg=x")])
def test_navigation_patterns_match_urls_as_browsers_write_them(start, page, address, seen):
    page.goto(start(script=SCRIPT, adapter=NAVIGATIONS, body="<p>").url)
    page.evaluate(f"void (frame().src = '{address}', location.href = '{address}')")
    page.wait_for_function("log.length === 2")
    assert page.evaluate("log") == [[seen, True], [seen, False]]


def test_navigations_that_do_not_match_navigate(start, page):
    server = start(script=SCRIPT, adapter=NAVIGATIONS, body="<a href='/?next'>Next</a>")
    page.goto(server.url)
    assert page.evaluate("(() => { const one = frame(); one.src = '/?in'; return one.src.endsWith('/?in'); })()")
    page.click("a")
    page.wait_for_url("**/?next")


@UNWATCHED
def test_an_error_in_an_adapter_leaves_dialogs_and_navigations_to_the_others(start, page):
    section = "  other: { adapter: other.js }\n"
    broken = """
    native.prompt(() => { throw new Error("broken test"); }, () => "");
    native.navigation(/^acme:/, () => { throw new Error("broken take"); });
    """
    other = """
    native.prompt((text) => text === "other", () => "fine");
    native.navigation(/^other:/, ({ url }) => log.push(url));
    """
    server = start(script="window.log = []; onerror = (text) => { log.push(text); };", adapter=broken, section=section, files={"other.js": other})
    page.goto(server.url)
    assert page.evaluate("prompt('other')") == "fine"
    page.evaluate("location.href = 'acme:x'")
    page.evaluate("location.href = 'other:x'")
    page.wait_for_function("log.includes('other:x')")
    assert any("broken take" in entry for entry in page.evaluate("log"))


def test_an_adapter_that_is_not_valid_script_leaves_the_rest_of_its_bridge(start, page):
    section = "    channels: { acme: { reply: true } }\n  other: { channels: { other: { reply: true } }, answers: { message: { reply: out } } }\n"
    page.goto(start("{ message: { reply: in } }", adapter="this is none", section=section).url)
    assert page.evaluate("webkit.messageHandlers.other.postMessage(1)") == "out"
    assert page.evaluate("webkit.messageHandlers.acme.postMessage(1)") == "in"


def test_an_adapter_gets_its_object_once(start, page):
    page.goto(start("{ login: { reply: { id: !from /id } } }").url)
    assert page.evaluate("AcmeHost.login(7)") == {"id": 7}
    assert page.evaluate("typeof document[Symbol.for('footbridge')].adapters.acme") == "undefined"
