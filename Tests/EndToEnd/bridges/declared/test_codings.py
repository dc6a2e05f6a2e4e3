"""Messages and answers that are texts of some form, declared in footbridge.yaml, in Chromium."""

import base64

import pytest

from footbridge_process import serve


@pytest.fixture
def start(tmp_path):
    """Starts servers of one document whose bridge `acme` has the section."""
    servers = []

    def start(section):
        root = tmp_path / "site"
        root.mkdir()
        (root / "index.html").write_text("<!doctype html><title>App</title><script>window.heard = [];</script>")
        config = tmp_path / "footbridge.yaml"
        config.write_text(f"bridges:\n  acme:\n{section}")
        servers.append(serve("--root", root, "--config", config, "--ephemeral"))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


CHANNEL = "    channels: { acme: { reply: true } }\n    name: [/type, other]\n    answers: { login: { reply: { user: !from /user } }, other: { reply: !from '' } }\n"


def post(page, message):
    return page.evaluate("(message) => webkit.messageHandlers.acme.postMessage(message)", message)


@pytest.mark.parametrize(("decode", "message", "reply"), [
    ("json", '{"type":"login","user":"eva"}', {"user": "eva"}),
    ("json", "{broken", "{broken"),
    ("json", {"type": "login", "user": "eva"}, {"user": "eva"}),
    ("[{ prefix: C }, json]", 'C{"type":"login","user":"eva"}', {"user": "eva"}),
    ("[{ prefix: C }, json]", '{"type":"login"}', '{"type":"login"}'),
    ("query", "type=login&user=eva%20b", {"user": "eva b"}),
    ("query", "?a=1&a=2&b=", {"a": ["1", "2"], "b": ""}),
    ("[base64, json]", base64.b64encode('{"type":"login","user":"ë"}'.encode()).decode(), {"user": "ë"}),
    ("[base64, json]", "no base64!", "no base64!"),
    ("[json, list]", '[{"type":"login","user":"a"},{"x":1}]', [{"user": "a"}, {"x": 1}]),
    ("[json, list, json]", '["{\\"x\\":1}"]', [{"x": 1}]),
    ("[{ split: ';' }, query]", "a=1;type=login&user=b;", [{"a": "1"}, {"user": "b"}]),
])
def test_a_message_is_decoded_step_by_step(start, page, decode, message, reply):
    page.goto(start(f"{CHANNEL}    decode: {decode}").url)
    assert post(page, message) == reply


@pytest.mark.parametrize(("encode", "reply"), [
    ("json", '{"user":"ë"}'),
    ("[json, { prefix: R }]", 'R{"user":"ë"}'),
    ("base64", base64.b64encode('{"user":"ë"}'.encode()).decode()),
    ("query", "user=%C3%AB"),
    ("[list, json]", '[{"user":"ë"}]'),
    ("[list, { split: ';' }]", '{"user":"ë"}'),
])
def test_a_reply_is_encoded_step_by_step(start, page, encode, reply):
    page.goto(start(f"{CHANNEL}    encode: {encode}").url)
    assert post(page, {"type": "login", "user": "ë"}) == reply


def test_an_error_and_an_answer_without_a_value_are_not_encoded(start, page):
    page.goto(start("    channels: { acme: { reply: true } }\n    name: ''\n    encode: json\n    answers: { a: { error: Broken }, b: { event: x } }").url)
    assert page.evaluate("webkit.messageHandlers.acme.postMessage('a').catch(({ message }) => message)") == "Broken"
    assert page.evaluate("webkit.messageHandlers.acme.postMessage('b').then((value) => value === undefined)")


def test_calls_events_and_variables_are_encoded(start, page):
    section = """
    channels: { acme: { reply: true } }
    name: go
    encode: json
    answers:
      go:
        - { call: take, args: [{ a: 1 }, two] }
        - { event: seen, detail: { b: 1 } }
        - { event: message, data: { c: 1 } }
        - { set: last, value: { d: 1 } }
    """
    page.goto(start(section).url)
    page.evaluate("""
      window.take = (...list) => heard.push(list);
      addEventListener("seen", ({ detail }) => heard.push(detail));
      addEventListener("message", ({ data }) => heard.push(data));
      webkit.messageHandlers.acme.postMessage(null);
    """)
    page.wait_for_function("window.last")
    assert page.evaluate("[...heard, last]") == [['{"a":1}', '"two"'], '{"b":1}', '{"c":1}', '{"d":1}']


def test_a_channel_has_its_own_way(start, page):
    section = "    channels: { acme: { reply: true, decode: query, encode: json }, plain: { reply: true } }\n    decode: json\n    answers: { acme: { reply: !from '' }, plain: { reply: !from '' } }"
    page.goto(start(section).url)
    assert post(page, "a=1") == '{"a":"1"}'
    assert page.evaluate("webkit.messageHandlers.plain.postMessage('[1]')") == [1]


def test_methods_of_objects_decode_their_message_and_encode_their_result(start, page):
    section = """
    objects: { Host: { ask: { now: true }, later: { promise: true }, version: { returns: { a: 1 } } } }
    decode: [json, list]
    encode: json
    answers: { ask: { reply: !from /x }, later: { reply: !from /x } }
    """
    page.goto(start(section).url)
    assert page.evaluate("[Host.ask('{\"x\":1}'), Host.ask('[{\"x\":1},{\"x\":2}]'), Host.version()]") == ["1", "[1,2]", '{"a":1}']
    assert page.evaluate("Host.later('[{\"x\":1},{\"x\":2}]')") == "[1,2]"
