"""Objects that native puts into `window`, declared in footbridge.yaml, in Chromium."""

import sys

import pytest

from footbridge_process import serve

HANDLER = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message.get("name") == "getTheme":
        print(json.dumps({"message": message["message"], "reply": [message["body"], message["now"]]}), flush=True)
    elif "message" not in message and message.get("name") == "track":
        place = {"session": message["session"], "page": message["page"]}
        print(json.dumps({**place, "event": "tracked", "detail": message["body"]}), flush=True)
"""


@pytest.fixture
def start(tmp_path):
    """Starts servers of one document whose bridge `acme` has the section."""
    servers = []

    def start(section, script="", more="", body=""):
        root = tmp_path / "site"
        root.mkdir(exist_ok=True)
        (root / "index.html").write_text(f"<!doctype html><title>App</title><script>{script}</script>{body}")
        (root / "frame.html").write_text("<!doctype html><title>Frame</title>")
        (tmp_path / "acme.py").write_text(HANDLER)
        config = tmp_path / "footbridge.yaml"
        config.write_text(f"{more}\nbridges:\n  acme:\n{section}")
        servers.append(serve("--root", root, "--config", config, "--ephemeral"))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def messages(server):
    """Returns the names and the bodies of the messages of the only session."""
    control = server.control()
    session = control("GET", "/sessions")["sessions"][0]["id"]
    entries = control("GET", f"/sessions/{session}/journal?kind=request")["entries"]
    return [(entry["action"], entry["data"]["value"]) for entry in entries if entry["kind"] == "request"]


METHODS = """
    objects:
      AcmeHost:
        getTheme: { now: true }
        getItem: { now: true, args: [key, usual] }
        isReady: { returns: true }
        echo: { returns: !from /text }
        track: { message: true }
        login: { promise: true }
        version: { value: { major: 7, parts: [1, 2] } }
"""


def test_a_method_returns_the_answer_at_once(start, page):
    section = METHODS + "    answers: { getTheme: { reply: dark }, getItem: { reply: [!from /key, !from /usual] } }"
    page.goto(start(section, "window.first = AcmeHost.getTheme();").url)
    assert page.evaluate("[first, AcmeHost.getTheme(), AcmeHost.getItem('a', 1), AcmeHost.getItem('b')]") == ["dark", "dark", ["a", 1], ["b", None]]


def test_a_rule_and_an_error_decide_what_a_method_returns(start, page):
    more = "scenario: s\nscenarios: { s: [{ on: acme.getTheme, times: { nth: 1 }, then: { result: ruled } }] }"
    page.goto(start(METHODS + "    answers: { getTheme: { error: { message: Broken, code: 7 } } }", more=more).url)
    ask = "(() => { try { return AcmeHost.getTheme(); } catch (error) { return [error.message, error.code]; } })()"
    assert page.evaluate(f"[{ask}, {ask}]") == ["ruled", ["Broken", 7]]


def test_a_handler_answers_a_method_and_gets_messages_that_nobody_waits_for(start, page):
    server = start(METHODS + f"    handler: {{ run: [{sys.executable}, acme.py] }}")
    page.goto(server.url)
    assert page.evaluate("AcmeHost.getTheme('a')") == ["a", True]
    heard = page.evaluate("""new Promise((resolve) => {
      addEventListener("tracked", ({ detail }) => resolve(detail));
      if (AcmeHost.track("x", 2) !== undefined) resolve("a value");
    })""")
    assert heard == ["x", 2]


def test_a_method_returns_a_constant_and_still_sends_its_message(start, page):
    server = start(METHODS)
    page.goto(server.url)
    assert page.evaluate("[AcmeHost.isReady(), AcmeHost.echo({ text: 'hi' }), AcmeHost.track()]") == [True, "hi", None]
    assert page.evaluate("AcmeHost.echo('{\"text\":\"read\"}')") == "read"
    page.evaluate("AcmeHost.getTheme()")
    assert messages(server) == [
        ("acme.isReady", None), ("acme.echo", {"text": "hi"}), ("acme.track", None), ("acme.echo", {"text": "read"}), ("acme.getTheme", None),
    ]
    assert [line for line in server.log if "Nothing answers" in line and "getTheme" not in line] == []


def test_a_method_gives_a_promise(start, page):
    answers = "    answers: { login: [{ where: { user: eva }, reply: { token: abc } }, { error: { message: Unknown, code: 404 } }] }"
    page.goto(start(METHODS + answers).url)
    assert page.evaluate("AcmeHost.login({ user: 'eva' })") == {"token": "abc"}
    assert page.evaluate("AcmeHost.login({ user: 'bob' }).catch(({ message, code }) => [message, code])") == ["Unknown", 404]
    assert page.evaluate("AcmeHost.login(() => {}).catch(({ name }) => name)") == "DataCloneError"


def test_arguments_are_the_body(start, page):
    server = start(METHODS)
    page.goto(server.url)
    page.evaluate("""
      AcmeHost.track(), AcmeHost.track(null), AcmeHost.track("7"), AcmeHost.track('[1]', '{"a":1}', "{broken"), AcmeHost.track([1, 2]),
      AcmeHost.getTheme();
    """)
    assert [body for _, body in messages(server)[:-1]] == [None, None, "7", [[1], {"a": 1}, "{broken"], [1, 2]]


def test_properties_and_methods_are_own_and_configurable(start, page):
    page.goto(start(METHODS).url)
    assert page.evaluate("AcmeHost.version") == {"major": 7, "parts": [1, 2]}
    assert page.evaluate("Object.keys(AcmeHost).sort()") == ["echo", "getItem", "getTheme", "isReady", "login", "track", "version"]
    described = page.evaluate("""[Object.getOwnPropertyDescriptor(window, "AcmeHost"), Object.getOwnPropertyDescriptor(AcmeHost, "track")]
      .map(({ configurable, enumerable, writable }) => [configurable, enumerable, writable])""")
    assert described == [[True, True, True]] * 2
    assert page.evaluate("AcmeHost.track.name") == "track"


def test_a_message_of_a_method_is_named_by_what_is_in_it(start, page):
    section = """
    objects: { chrome.webview: { postMessage: { message: true } }, AcmeHost: { call: { promise: true } } }
    name: /type
    answers: { login: { reply: 1 }, AcmeHost.call: { reply: 2 } }
    """
    server = start(section)
    page.goto(server.url)
    assert page.evaluate("Promise.all([AcmeHost.call('{\"type\":\"login\"}'), AcmeHost.call()])") == [1, 2]
    page.evaluate("chrome.webview.postMessage({ type: 'seen' }), chrome.webview.postMessage('text'), AcmeHost.call()")
    page.evaluate("AcmeHost.call()")
    assert [name for name, _ in messages(server)[2:4]] == ["acme.seen", "acme.chrome.webview.postMessage"]


def test_an_object_of_the_browser_gets_more_methods(start, page):
    section = "    objects: { navigator: { share: { promise: true } } }\n    answers: { share: { reply: shared } }"
    page.goto(start(section).url)
    assert page.evaluate("navigator.share({ title: 'a' })") == "shared"
    assert page.evaluate("typeof navigator.userAgent") == "string"


def test_only_main_frames_have_an_object_unless_the_section_says_all(start, page):
    body = "<iframe src=frame.html></iframe>"
    page.goto(start(METHODS, body=body).url)
    assert page.evaluate("typeof frames[0].AcmeHost") == "undefined"
    page.goto(start("    frames: all\n" + METHODS + "    answers: { getTheme: { reply: dark } }", body=body).url)
    assert page.frames[1].evaluate("AcmeHost.getTheme()") == "dark"


ANDROID = """
    preset: android
    objects:
      Android:
        getToken: { now: true }
        save: { now: true, args: [key, value] }
        track: { message: true }
      Other: { ping: { returns: pong } }
"""

CATCH = "window.attempt = (run) => { try { return run(); } catch (error) { return `${error}`; } };"


def test_the_android_preset_has_methods_as_those_of_a_web_view(start, page):
    server = start(ANDROID + "    answers: { Android.getToken: { reply: { token: abc } }, Android.save: { reply: null } }", CATCH)
    page.goto(server.url)
    assert page.evaluate("[Android.getToken(), Other.ping(), String(Android), typeof Android.none]") == [
        '{"token":"abc"}', "pong", "[object Object]", "undefined",
    ]
    assert page.evaluate("[Android.save('a', '{\"b\":1}') === undefined, Object.keys(Android), Android.getToken.name, Android.getToken.length]") == [
        True, ["getToken", "save", "track"], "", 0,
    ]
    page.evaluate("""() => { "use strict"; Android.getToken = () => "mine"; delete Android.getToken; Android.own = 1; }""")
    assert page.evaluate("[Android.getToken(), Android.own, 'getToken' in Android]") == ['{"token":"abc"}', 1, True]
    assert messages(server)[2] == ("acme.Android.save", {"key": "a", "value": {"b": 1}})


@pytest.mark.parametrize(("call", "error"), [
    ("new Android.getToken()", "Error: Java bridge method can't be invoked as a constructor"),
    ("(0, Android.getToken)()", "Error: Java bridge method can't be invoked on a non-injected object"),
    ("Android.getToken.call({})", "Error: Java bridge method can't be invoked on a non-injected object"),
    ("Android.getToken.call(Other)", "Error: Error invoking getToken: Method not found"),
    ("Android.save('a')", "Error: Error invoking save: Method not found"),
    ("Android.getToken()", "Error: Error invoking getToken: Java object is gone"),
    ("Android.save('a', 'b')", "Error: Error invoking save: Java exception was raised during method invocation"),
])
def test_the_android_preset_throws_as_a_web_view_does(start, page, call, error):
    answers = "    answers: { Android.getToken: { error: Java object is gone }, Android.save: { error: No such key } }"
    page.goto(start(ANDROID + answers, CATCH).url)
    assert page.evaluate(f"attempt(() => {call})") == error


def test_the_android_preset_passes_no_objects_to_java(start, page):
    server = start(ANDROID)
    page.goto(server.url)
    with page.expect_console_message(lambda message: "native gets the text undefined" in message.text):
        page.evaluate("Android.track({ a: 1 }, undefined, [1, 'a'], 2, null)")
    page.evaluate("Other.ping(), Android.getToken()")
    assert messages(server)[0] == ("acme.Android.track", ["undefined", "undefined", [1, "a"], 2, None])


def test_the_android_preset_puts_its_objects_into_all_frames(start, page):
    page.goto(start(ANDROID, body="<iframe src=frame.html></iframe>").url)
    assert page.frames[1].evaluate("Other.ping()") == "pong"
