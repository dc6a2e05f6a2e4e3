"""What the next server has of a session, whether the server before it was told to end or was killed."""

import contextlib
import json
import signal
import sys

import jwt
import pytest

from buyer import PRODUCT
from footbridge_process import serve
from ports import free_port
from postgresql import state_key
from test_handlers import HANDLER
from test_take_over import until
from test_today_proxy import ORIGIN, establish, fetch, running_site
from upstream_services import TokenEndpoint
from wire_page import WirePage

TOKEN = "t" * 32
SCRIPT = """
window.answers = {};
window.keep = (name, promise) => void promise.then((value) => { answers[name] = value; }, (error) => { answers[name] = String(error); });
window.capture = () => new Promise((resolve) => {
  addEventListener("gbgbridge:message", ({ detail }) => detail.correlationId === "capture" && resolve(detail.payload));
  webkit.messageHandlers.gbgBridge.postMessage({ version: "1.0", correlationId: "capture", type: "request", timestamp: 1,
    payload: { action: "camera.document.capture", data: {} } });
});
window.ask = () => webkit.messageHandlers.acme.postMessage({ type: "sheet", sheet: { title: "Pay?", fields: [{ name: "pin", type: "password" }], buttons: ["Pay"] } });
"""


class SteadyEndpoint(TokenEndpoint):
    """An endpoint that does not rotate its refresh token, as the manual asks for servers that share a database."""

    def answer(self, number, body):
        status, answer = super().answer(number, body)
        if status == 200:
            self.refresh_tokens.pop()
            del answer["refresh_token"]
        return status, answer


@pytest.fixture
def start(catalog, tmp_path, database):
    """Starts servers on one database and in front of one site, all with these settings of Today's token."""
    (tmp_path / "acme.py").write_text(HANDLER)
    key = state_key(tmp_path)
    database.clear()
    acme = {"channels": {"acme": {"reply": True}}, "name": "/type", "handler": {"run": [sys.executable, "acme.py"]}}
    with contextlib.ExitStack() as running:
        site = running.enter_context(running_site())

        def start(token):
            config = tmp_path / "footbridge.yaml"
            config.write_text(json.dumps({"today": {"token": token}, "bridges": {"acme": acme}}))
            server = running.enter_context(serve(
                "--proxy", site.url, "--config", config, "--catalog", catalog, "--site-origin", ORIGIN, "--state", database.url, "--state-key", key,
                "--replica-lease", 2, "--drain-timeout", 1, "--control-token", TOKEN, port=free_port(), environment=database.environment))
            server.api = server.control(TOKEN)
            return server

        yield start


@pytest.fixture(params=["SIGTERM", "SIGKILL"])
def end(request):
    """Ends a server."""
    return lambda server: server.signal(getattr(signal, request.param))


def test_a_session_created_by_a_program_exists_at_the_next_server(start, end, database):
    owner, other = start({"lifetime": 600}), start({"lifetime": 600})
    # Nothing but the program that has made it says that this one lasts.
    plain = owner.api.session()
    driven = owner.api.session(account="built-in", platform="macos", present="control", clock={"frozen": True, "now": "2031-05-01T12:00:00Z"})
    path = f"/sessions/{driven['id']}"
    owner.api("PATCH", path + "/settings", {"askToBuy": True})
    rules = [owner.api("POST", path + "/rules", rule) for rule in (
        {"on": "onside.loadProducts", "times": {"first": 2}, "then": {"error": "connectionError"}},
        {"on": "onside.purchase", "then": {"gate": "held"}})]
    owner.api("POST", path + "/purchases", {"product": PRODUCT})
    page = WirePage(other.port, driven["cookie"]["value"])
    with pytest.raises(Exception, match="connectionError"):
        page.call("onside.loadProducts", productIdentifiers=[PRODUCT])

    def state():
        members = ("", "/settings", "/rules", "/clock", "/purchases", "/gates")
        values = [other.api("GET", path + part) for part in members]
        # The journal begins anew, and pages have other names.
        return [{name: value for name, value in each.items() if name not in ("pages", "entries", "cursor", "lastActivity", "lint", "lintErrors")} for each in values]

    before = state()
    end(owner)
    assert state() == before
    assert [rule["id"] for rule in other.api("GET", path + "/rules")["rules"]] == [rule["id"] for rule in rules]
    # The rule still decides once, not twice.
    with pytest.raises(Exception, match="connectionError"):
        page.call("onside.loadProducts", productIdentifiers=[PRODUCT])
    page.call("onside.loadProducts", productIdentifiers=[PRODUCT])
    # Its cookie is good for a browser that comes now.
    later = WirePage(other.port, plain["cookie"]["value"])
    later.call("onside.getCurrentStorefront")
    later.close()
    page.close()
    assert other.api("GET", f"/sessions/{plain['id']}")["id"] == plain["id"]
    assert database.query("SELECT DISTINCT isLasting FROM footbridge.session") == [["1"]]
    assert page.violations == []


def test_a_token_issued_by_one_server_verifies_at_the_next_one(start, end, new_context):
    owner, other = start({"lifetime": 600}), start({"lifetime": 600})
    session = owner.api.session()
    context = new_context()
    other.api.enter(context, session)
    page = context.new_page()
    page.goto(other.url)
    before = page.evaluate("call({ type: 'refreshToken' })")["authorization"].removeprefix("Bearer ")
    end(owner)
    after = page.evaluate("call({ type: 'refreshToken' })")["authorization"].removeprefix("Bearer ")
    assert before != after
    keys = jwt.PyJWKSet.from_dict(page.evaluate("fetch('/__footbridge/today/.well-known/jwks.json').then(answer => answer.json())"))
    for each in (before, after):
        assert jwt.decode(each, keys[jwt.get_unverified_header(each)["kid"]].key, algorithms=["ES256"], options={"verify_aud": False})["jti"]


def test_open_calls_of_other_bridges_continue_at_the_next_server(start, end, new_context):
    endpoint = SteadyEndpoint()
    token = {"url": endpoint.url, "refreshToken": TokenEndpoint.FIRST}
    owner, other = start(token), start(token)
    session = owner.api.session(present="control")
    path = f"/sessions/{session['id']}"
    context = new_context()
    other.api.enter(context, session)
    page = context.new_page()
    page.add_init_script(SCRIPT)
    page.goto(other.url)
    establish(page)
    fetch(page, "/api/set?set=embed_bearer%3Dlasting%3B%20Path%3D%2Fapi%2F%3B%20Secure%3B%20HttpOnly%3B%20Max-Age%3D600")
    cookies = other.api("GET", path + "/cookies")
    assert [cookie["expires"] is not None for cookie in cookies["cookies"]] == [True]
    # A capture and a sheet of the app's own are open, and a refresh is on its way.
    page.evaluate("keep('capture', capture())")
    page.evaluate("keep('acme', ask())")
    endpoint.gate.clear()
    asked = len(endpoint.posts)
    page.evaluate("keep('refresh', call({ type: 'refreshToken' }))")
    endpoint.wait_for(lambda: len(endpoint.posts) > asked)

    def sheets():
        return {sheet["kind"]: f"{path}/sheets/{sheet['id']}/answer" for sheet in other.api("GET", path + "/sheets")["sheets"]}

    before = until(sheets, lambda open: len(open) == 2)
    end(owner)
    after = until(sheets, lambda open: open.keys() == before.keys())
    assert other.api("GET", path + "/cookies") == cookies
    assert page.evaluate("answers") == {}
    endpoint.gate.set()
    page.wait_for_function("answers.refresh")
    other.api("POST", after["capture"], {"approved": True})
    other.api("POST", after["acme"], {"approved": True, "fields": {"pin": "4711"}})
    page.wait_for_function("Object.keys(answers).length === 3")
    answers = page.evaluate("answers")
    assert answers["refresh"]["authorization"] in [f"Bearer {token}" for token in endpoint.issued]
    assert answers["capture"]["status"] == "success" and answers["acme"]["fields"] == {"pin": "4711"}
    endpoint.stop()
