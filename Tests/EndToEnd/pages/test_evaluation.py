"""Scripts that native evaluates in a page, in Chromium: their values, what they declare, and the policies of pages."""

import json

import pytest

from engines import CHROMIUM, FIREFOX, WEBKIT
from footbridge_process import serve

DOCUMENT = "<!doctype html><html><head>{head}<title>App</title></head><body>{body}</body></html>"

#: Lets the document call `native.evaluate` itself, also where no server can reach it.
ADAPTER = 'native.object("AcmeHost", { evaluate: (script) => native.evaluate(script) });'


@pytest.fixture
def start(tmp_path):
    """Starts a server of one document with this text in its head and its body, and this field as its policy."""
    servers = []

    def start(head="", body="", policy="", files=None):
        root = tmp_path / "site"
        root.mkdir(exist_ok=True)
        for name, content in {"index.html": DOCUMENT.format(head=head, body=body), **(files or {})}.items():
            (root / name).write_text(content)
        (tmp_path / "acme.js").write_text(ADAPTER)
        config = tmp_path / "footbridge.yaml"
        config.write_text("bridges: { acme: { adapter: acme.js, frames: all, channels: { acme: { reply: true } } } }")
        more = ["--response-header", f"Content-Security-Policy: {policy}"] if policy else []
        servers.append(serve("--root", root, "--config", config, "--ephemeral", *more))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def evaluate(page):
    """Opens the document of a server, and returns a function that evaluates a script in it by the control API. The value comes, or the error's text."""
    controls = {}

    def open_document(server, path="/"):
        page.goto(server.url + path)
        control = controls[server] = controls.get(server) or server.control()
        session = control("GET", "/sessions")["sessions"][0]["id"]
        control("POST", f"/sessions/{session}/journal/wait", {"until": {"kind": "page", "action": "listening"}})

        def run(script):
            answer = control("POST", f"/sessions/{session}/bridges/acme/calls", {"evaluate": script, "page": f"page-{len(opened)}"})
            return answer.get("error", answer.get("result"))

        opened.append(path)
        return run

    opened = []

    return open_document


#: Scripts with their values. Each is a script of its own page.
VALUES = {
    "1 + 1": 2,
    "1 + 1; // two": 2,
    "/* a; b */ 'c;d' ;": "c;d",
    "var a = 1\na\n+ 1": 2,
    "var a = 2; a": 2,
    "const a = { b: 3 }\na.b": 3,
    "function a() { return 4; }\na()": 4,
    "function a() { return 4; } a()": 4,
    "class A { static b = 5 }; A.b": 5,
    "if (true)\n 6": 6,
    "if (true) { 'a' } else { 'b' }": "a",
    "let a = 7; try { a } catch { 0 }": 7,
    "for (const a of [1, 8]) { a }": 8,
    "`a;\nb`": "a;\nb",
    "1 // 2; 3": 1,
    "var f = (x) => x * 2\n;[4.5].map(f)[0]": 9,
    "var f = (x) => x * 3\nvar g = f\n(3)": None,
    "{ a: 10 }": 10,
    "let a = 1": None,
    "var a = 1": None,
    "function a() {}": None,
    "Promise.resolve(11)": 11,
    "(function () { return 12; })();": 12,
    "'use strict'; (function () { return this === undefined; })()": True,
    "[13][0]": 13,
    "x = 1; (x)\n": 1,
    "": None,
}


@pytest.mark.parametrize("script", VALUES)
def test_a_script_has_the_value_of_its_last_statement(start, evaluate, script):
    assert evaluate(start())(script) == VALUES[script]


def test_a_script_runs_once(start, evaluate):
    run = evaluate(start(head="<script>var count = 0</script>"))
    assert [run("count++; if (count) { count }"), run("count++;\ncount"), run("(() => ++count)()"), run("count")] == [1, 2, 3, 3]


@pytest.mark.parametrize("policy", ["", "script-src 'self'"])
def test_a_declaration_of_an_evaluation_is_global_for_the_page_and_later_evaluations(start, evaluate, page, engine, policy):
    run = evaluate(start(policy=policy))
    run("const a = 1; let b = 2; class C { static d = 3 }")
    run("var e = 4; function f() { return 5; }")
    assert run("[a, b, C.d, e, f(), 'a' in window, 'e' in window]") == [1, 2, 3, 4, 5, False, True]
    assert run("let b = 6; b") == "SyntaxError: " + {
        CHROMIUM: "Identifier 'b' has already been declared", WEBKIT: "Can't create duplicate variable: 'b'", FIREFOX: "redeclaration of let b",
    }[engine]
    assert run("b") == 2


def test_an_error_of_a_script_is_its_answer_and_no_error_of_the_page(start, evaluate, page, engine):
    run = evaluate(start(head="<script>var seen = []; onerror = (text) => { seen.push(text); }</script>"))
    for script, error in {"a = ;": "SyntaxError", "1; none()": "ReferenceError", "throw new TypeError('x')": "TypeError: x", "throw 'text'": "text"}.items():
        assert error in run(script)
    assert run("seen") == []
    # An error that a listener of the page throws is the page's.
    assert run("addEventListener('a', () => { throw new Error('own'); }); dispatchEvent(new Event('a')); 'done'") == "done"
    assert run("seen") == [{CHROMIUM: "Uncaught Error: own", WEBKIT: "Error: own", FIREFOX: "Error: own"}[engine]]


def test_the_page_sees_no_element_of_a_script(start, evaluate):
    script = """<script>var seen = []; new MutationObserver((all) => { for (const { addedNodes } of all) for (const node of addedNodes) seen.push(node.localName); })
      .observe(document, { childList: true, subtree: true });</script>"""
    run = evaluate(start(head=script))
    assert run("let a = 1; if (a) { document.currentScript }") is None
    assert "script" not in run("seen")


POLICIES = {
    "self": "script-src 'self'",
    "none": "default-src 'none'",
    "a nonce": "script-src 'nonce-page'",
    "strict-dynamic": "script-src 'nonce-page' 'strict-dynamic'",
    "inline": "script-src 'unsafe-inline'",
    "a hash": "script-src 'unsafe-inline' 'sha256-x='",
    "another host": "script-src https://cdn.example",
    "elements apart": "script-src 'none'; script-src-elem 'self'",
    "trusted types": "script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'",
    "trusted types alone": "require-trusted-types-for 'script'; trusted-types mine",
}


@pytest.mark.parametrize("is_meta", [False, True])
@pytest.mark.parametrize("name", POLICIES)
def test_scripts_run_whatever_the_policy_of_the_page_is(start, evaluate, page, name, is_meta):
    policy = POLICIES[name]
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    run = evaluate(start(head=meta) if is_meta else start(policy=policy))
    assert run("let a = 2; document.title + a") == "App2"
    assert run("a++; [a]") == [3]
    assert page.evaluate("AcmeHost.evaluate('a++; a')") == 4


def test_a_statement_without_a_value_under_the_policy_says_so(start, evaluate, page):
    run = evaluate(start(policy="script-src 'self'"))
    with page.expect_console_message(lambda message: "forbids eval" in message.text):
        assert run("var a = 1; if (a) { a = 2 }") is None
    assert run("a") == 2


def test_scripts_run_under_the_policy_of_a_later_document(start, evaluate, page):
    strict = DOCUMENT.format(head="<meta http-equiv=Content-Security-Policy content=\"script-src 'self'\">", body="")
    server = start(files={"strict.html": strict})
    run = evaluate(server)
    assert run("let a = 1; a") == 1
    run = evaluate(server, "/strict.html")
    assert run("let a = 2; a") == 2


def test_a_policy_that_a_script_adds_later_blocks_scripts_with_a_reason(start, evaluate, page):
    run = evaluate(start())
    page.evaluate("""() => {
      const meta = document.createElement("meta");
      Object.assign(meta, { httpEquiv: "Content-Security-Policy", content: "script-src 'self'" });
      document.head.append(meta);
    }""")
    assert run("1 + 1") == "Error: The page's Content-Security-Policy has not allowed the script."


@pytest.mark.parametrize("sandbox", ["allow-scripts", "allow-scripts allow-same-origin"])
@pytest.mark.parametrize("policy", ["", "script-src 'self'"])
def test_scripts_run_in_sandboxed_frames(start, evaluate, page, sandbox, policy):
    inner = DOCUMENT.format(head="", body="")
    evaluate(start(body=f'<iframe sandbox="{sandbox}" src="/inner.html"></iframe>', policy=policy, files={"inner.html": inner}))
    frame = page.frames[1]
    frame.wait_for_load_state()
    assert frame.evaluate("[AcmeHost.evaluate('let a = 1; document.title + a'), AcmeHost.evaluate('a')]") == ["App1", 1]


def test_a_srcdoc_frame_has_the_policy_and_the_scripts_of_its_page(start, evaluate, page):
    evaluate(start(body='<iframe srcdoc="&lt;!doctype html>&lt;title>In&lt;/title>"></iframe>', policy="script-src 'self'"))
    frame = page.frames[1]
    frame.wait_for_load_state()
    assert frame.evaluate("AcmeHost.evaluate('let a = 1; document.title + a')") == "In1"


def test_a_script_that_evaluates_another_gets_its_value(start, evaluate):
    run = evaluate(start())
    assert run("const one = AcmeHost.evaluate('const two = 2; two * 2'); one + 1") == 5


def test_a_long_script_has_its_value(start, evaluate):
    lines = "".join(f"var v{index} = {json.dumps('x;}' * 3)};\n" for index in range(2000))
    run = evaluate(start())
    assert run(f"{lines}(function () {{\n{lines}return v1999; }})()") == "x;}" * 3
