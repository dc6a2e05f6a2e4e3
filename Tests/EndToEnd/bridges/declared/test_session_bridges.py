"""Bridges that a test declares for its session alone, by the control API."""

import pytest

from footbridge_process import serve

PAGE = """<!doctype html><title>App</title><script>
window.post = (message, name = "acme") => webkit.messageHandlers[name].postMessage(message)
  .then((value) => ({ value }), (error) => ({ error: String(error) }));
</script>"""

ACME = {
    "channels": {"acme": {"reply": True}}, "name": ["/type"], "secret": ["pin"],
    "answers": {"login": {"reply": {"id": {"!from": "/id"}, "text": {"!json": {"id": {"!from": "/id"}}}}}},
    "scripts": [{"text": "window.native = 'of the session';"}],
}


@pytest.fixture
def start(tmp_path):
    servers = []

    def start(config=""):
        (tmp_path / "index.html").write_text(PAGE)
        (tmp_path / "footbridge.yaml").write_text(config)
        servers.append(serve("--root", tmp_path, "--config", tmp_path / "footbridge.yaml", "--ephemeral"))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def open_page(new_context):
    def open_page(server, session):
        context = new_context()
        context.add_cookies([session["cookie"]])
        page = context.new_page()
        page.goto(server.url)
        return page

    return open_page


def test_a_bridge_declared_for_a_session_works_in_its_next_document_only(start, open_page):
    server = start()
    control = server.control()
    own, other = (control("POST", "/sessions", {}) for _ in range(2))
    page = open_page(server, own)
    control("PUT", f"/sessions/{own['id']}/bridges/acme", ACME)
    assert page.evaluate("webkit.messageHandlers.acme === undefined")
    page.reload()
    assert page.evaluate("post({ type: 'login', id: 7, pin: '4711' })") == {"value": {"id": 7, "text": '{"id":7}'}}
    assert page.evaluate("native") == "of the session"
    assert open_page(server, other).evaluate("[webkit.messageHandlers.acme, window.native].every((it) => it === undefined)")
    [entry] = [entry for entry in control("GET", f"/sessions/{own['id']}/journal")["entries"] if entry.get("action") == "acme.login" and entry["kind"] == "request"]
    assert entry["data"]["value"] == {"type": "login", "id": 7, "pin": "‹secret›"}
    sheet = {"name": "footbridge.sheet.acme"}
    acme = {"name": "acme", "declared": True, "own": True, "handler": False, "prefix": "acme.", "values": True, "actions": [sheet], "answers": ["login"]}
    assert acme in control("GET", f"/sessions/{own['id']}/bridges")["bridges"]


@pytest.mark.parametrize("event", ["relaunch", "reset"])
def test_a_bridge_declared_for_a_session_survives_a_launch(start, open_page, event):
    server = start()
    control = server.control()
    session = control("POST", "/sessions", {})
    control("PUT", f"/sessions/{session['id']}/bridges/acme", ACME)
    control("POST", f"/sessions/{session['id']}/{event}")
    assert open_page(server, session).evaluate("post({ type: 'login', id: 7 })")["value"]["id"] == 7


def test_the_api_description_has_the_keys_of_a_bridges_section(start):
    control = start().control()
    refused = control.request("PUT", f"/sessions/{control.session()['id']}/bridges/acme", {"unknown": 1}).json["detail"]
    keys = refused.split("Known are: ")[1].rstrip(".").split(", ")
    assert sorted(control("GET", "/openapi.json")["components"]["schemas"]["NewBridge"]["properties"]) == keys


def test_a_bridge_declared_for_a_session_survives_a_restart(tmp_path, open_page):
    (tmp_path / "index.html").write_text(PAGE)
    arguments = ("--root", tmp_path, "--state", tmp_path.with_name(f"{tmp_path.name}-state"), "--control-token", "t" * 32)
    with serve(*arguments) as server:
        control = server.control("t" * 32)
        session = control("POST", "/sessions", {})
        for name in ("first", "acme"):
            control("PUT", f"/sessions/{session['id']}/bridges/acme", {**ACME, "channels": {name: {"reply": True}}})
        control("POST", f"/sessions/{session['id']}/reset")
    with serve(*arguments, port=server.port) as server:
        page = open_page(server, session)
        assert page.evaluate("post({ type: 'login', id: 7 })")["value"]["id"] == 7
        assert page.evaluate("[native, webkit.messageHandlers.first === undefined]") == ["of the session", True]


def test_the_bridges_declared_for_a_session_have_a_common_size_limit(start):
    control = start().control()
    session = control("POST", "/sessions", {})
    script = {"scripts": [{"text": "x" * (6 << 20)}]}
    answers = [control.request("PUT", f"/sessions/{session['id']}/bridges/{name}", script) for name in ("a", "b", "c", "a")]
    assert [answer.status for answer in answers] == [204, 204, 422, 204]
    assert answers[2].json["detail"].endswith("the bridges of a session have at most 16777216 bytes together.")


def test_a_bridge_declared_for_a_session_overrides_one_of_the_file(start, open_page):
    server = start("bridges: { acme: { channels: { acme: { reply: true } }, name: /type, answers: { login: { reply: of the file } } } }")
    control = server.control()
    own, other = (control("POST", "/sessions", {}) for _ in range(2))
    for answer in ("first", "second"):
        control("PUT", f"/sessions/{own['id']}/bridges/acme", {**ACME, "answers": {"login": {"reply": answer}}})
    assert open_page(server, own).evaluate("post({ type: 'login' })") == {"value": "second"}
    assert open_page(server, other).evaluate("post({ type: 'login' })") == {"value": "of the file"}


def test_rules_work_with_a_bridge_declared_for_a_session(start, open_page):
    server = start()
    control = server.control()
    session = control("POST", "/sessions", {})
    control("PUT", f"/sessions/{session['id']}/bridges/acme", ACME)
    control("POST", f"/sessions/{session['id']}/rules", {"on": "acme.login", "where": {"id": 7}, "then": {"result": "by rule"}})
    page = open_page(server, session)
    assert page.evaluate("post({ type: 'login', id: 8 })")["value"]["id"] == 8
    assert page.evaluate("post({ type: 'login', id: 7 })") == {"value": "by rule"}


@pytest.mark.parametrize(
    ("name", "section", "text"),
    [
        ("acme", {"chanels": {}}, "the body has an unknown key, chanels."),
        ("acme", {"channels": {"gbgBridge": {}}}, "bridges.acme.channels.gbgBridge is a message handler of gbg, too."),
        ("acme", {"channels": {"other": {}}}, "bridges.acme.channels.other is a message handler of other, too."),
        ("gbg", {}, "the body must be given another name: gbg is a bridge of the server."),
        ("payment", {}, "the body must be given another name: onside has sheets of the kind payment."),
        ("a-b", {}, "the body must be given another name: letters and digits, and not footbridge."),
        ("acme", {"scripts": ["/etc/passwd"]}, "scripts[0] in the body must be left out, since the control API reads no files"),
        ("acme", {"adapter": "/etc/passwd"}, "adapter in the body must be left out, since the control API reads no files"),
        ("acme", {"handler": {"run": ["sh"]}}, "handler.run in the body must be left out: the control API starts no programs."),
        ("acme", {"enabled": False}, "the body must be a bridge that is switched on."),
        ("acme", {"answers": {"x": {"reply": {"!from": "no"}}}}, "answers.x.reply.!from in the body must be a JSON pointer"),
    ],
)
def test_the_error_about_a_bridge_declared_for_a_session_is_that_of_the_file(start, name, section, text):
    control = start("bridges: { other: { channels: { other: {} } } }").control()
    session = control("POST", "/sessions", {})
    answer = control.request("PUT", f"/sessions/{session['id']}/bridges/{name}", section)
    assert answer.status == 422 and answer.json["detail"].startswith(text)
    assert not [bridge for bridge in control("GET", f"/sessions/{session['id']}/bridges")["bridges"] if bridge["name"] == "acme"]
