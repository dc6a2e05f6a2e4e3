"""A run with everything on: no secret of it stands in what it leaves behind."""

import json
import pathlib
import resource
import signal
import sys
import urllib.parse

import pytest

from buyer import PRODUCT
from footbridge_process import PROJECT, serve
from postgresql import PostgreSQL, state_key
from promises import wait_for_promise
from test_today import SITE
from upstream_services import TokenEndpoint
from upstreams import upstream

CONTROL, MERCHANT, CLIENT = "control-token-of-this-run", "merchant-secret-of-this-run-quite-long", "client-secret-of-this-run"
COOKIE, PIN, REPLY, CALL = "cookie-of-the-site", "pin-of-the-person", "token-of-a-reply", "token-of-a-call"
PAGE_TOKEN = "token-of-the-page"

#: Answers with a token, calls the page with another one, asks the person for a PIN, and writes down the token of its session.
HANDLER = f"""
import pathlib
import sys

from pytest_footbridge.handler import Handler

acme = Handler()


@acme.on("login")
def login(message):
    message.call("app.onToken", {{"token": "{CALL}"}})
    return {{"token": "{REPLY}"}}


@acme.on("control")
def control(message):
    print(message.control._token, file=sys.stderr, flush=True)
    pathlib.Path("session-token").write_text(message.control._token)


@acme.on("confirm")
def confirm(message):
    return {{"pin": message.sheet("PIN", fields=[{{"name": "pin", "type": "password"}}], buttons=["Pay"]).fields["pin"]}}


acme.run()
"""

#: What a page does: it buys, so that its session is stored, and uses what gives it secrets in the same turn.
RUN = """async (product) => {
  window.app = { onToken: (told) => { window.told = told; } };
  const today = (type, more) => webkit.messageHandlers.todayWebViewBridge.postMessage({ type, ...more });
  const acme = (message) => webkit.messageHandlers.acme.postMessage(message);
  await onside.loadProducts({ productIdentifiers: [product] });
  const turn = () => Promise.all([
    onside.purchase({ productIdentifier: product }), today("refreshToken"), today("headers"), acme({ type: "login", token: "%s" }),
    today("establishSession", { refresh: true }),
  ]);
  const answers = [await turn(), await turn()];
  await fetch("/api/private?access_token=" + encodeURIComponent(answers[1][1].authorization.split(" ")[1]));
  return answers;
}""" % PAGE_TOKEN


@pytest.fixture(params=["folder", "database"])
def state(request, tmp_path):
    """The options of the state, what the server needs in its environment, and a function that returns everything that is stored."""
    if request.param == "folder":
        folder = tmp_path / "state"
        yield ("--state", folder), {}, lambda: {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        return
    key = state_key(tmp_path)
    with PostgreSQL() as database:
        environment = dict(database.environment)

        def stored():
            # Also what deleted rows have left, and the database's own log.
            files = [path for path in pathlib.Path(database.folder).rglob("*") if path.is_file()]
            return {"dump": database.client("pg_dump"), **{str(path): path.read_bytes() for path in files}}

        yield ("--state", database.url, "--state-key", key), environment, stored


def site(exchange, request):
    if request.target == "/api/cookie":
        return exchange.answer(b"{}", f"Set-Cookie: embed_bearer={COOKIE}; Path=/api/; Secure; HttpOnly; Max-Age=600", content_type="application/json")
    exchange.answer(b"<!doctype html><title>Today</title>", content_type="text/html")


def forms(secret):
    """How a text may be written."""
    return {secret, urllib.parse.quote(secret), urllib.parse.quote(secret, safe=""), json.dumps(secret)[1:-1]}


def test_no_secret_of_a_run_is_left_anywhere(state, endpoint, page, catalog, tmp_path):
    options, environment, stored = state
    (tmp_path / "acme.py").write_text(HANDLER)
    config = tmp_path / "footbridge.yaml"
    config.write_text(json.dumps({
        "today": {"token": {"url": endpoint.url, "refreshToken": TokenEndpoint.FIRST, "clientId": "client", "clientSecret": CLIENT}},
        "onside": {"merchant": {"id": "m", "secret": MERCHANT, "keyId": "k"}},
        "bridges": {"acme": {
            "channels": {"acme": {"reply": True}}, "name": "/type", "secret": ["pin"], "handler": {"run": [sys.executable, "acme.py"]}}},
    }))
    left = {name: tmp_path / name for name in ("access.log", "traffic.har", "session.json")}
    arguments = [
        "--config", config, "--catalog", catalog, "--site-origin", SITE, "--control-token", CONTROL,
        "--log-level", "trace", "--access-log", left["access.log"], "--har", left["traffic.har"], "--export-on-exit", left["session.json"],
    ]
    environment = {**environment, "PYTHONPATH": str(PROJECT / "web" / "testing")}
    log, texts = [], {}
    with upstream(site) as behind:
        arguments += ["--proxy", behind.url]
        with serve(*arguments, *options, environment=environment) as server:
            control = server.control(CONTROL)
            page.goto(server.url)
            endpoint.wait_for_launch(page)
            control("PATCH", f"/sessions/{control('GET', '/sessions')['sessions'][0]['id']}", {"present": "control", "account": "built-in"})
            answers = page.evaluate(RUN, PRODUCT)
            assert answers[1][1]["authorization"].removeprefix("Bearer ") in endpoint.issued and answers[1][3] == {"token": REPLY}
            page.evaluate("() => fetch('/api/cookie').then(response => response.text())")
            [session] = control("GET", "/sessions")["sessions"]
            path = f"/sessions/{session['id']}"
            page.evaluate("void (window.confirmed = webkit.messageHandlers.acme.postMessage({ type: 'confirm' }))")
            wait_for_promise(page, "() => window.told")
            with control.events(session["id"], headers={"Last-Event-ID": "0"}) as events:
                while not (sheets := [each for each in control("GET", path + "/sheets")["sheets"] if each["kind"] == "acme"]):
                    next(events)
            control("POST", f"{path}/sheets/{sheets[0]['id']}/answer", {"approved": True, "fields": {"pin": PIN}})
            assert page.evaluate("confirmed") == {"pin": PIN}
            page.evaluate("webkit.messageHandlers.acme.postMessage({ type: 'control' })")
            control("PUT", "/snapshots/before", {"session": session["id"]})
            secrets = [
                *endpoint.secrets, (tmp_path / "session-token").read_text(), CONTROL, MERCHANT, CLIENT, COOKIE, PIN, REPLY, CALL, PAGE_TOKEN,
                *(cookie["value"] for cookie in page.context.cookies()),
            ]
            texts["journal"] = control.request("GET", path + "/journal?limit=1000&format=jsonl").text
            texts["export"] = control.request("GET", path + "/export?transcript=true").text
            # A part is in the write-ahead log, as long as the server runs.
            running = stored()
            log += server.log
        with serve(*arguments, *options, environment=environment) as server:
            control = server.control(CONTROL)
            # What is sealed is there.
            assert control("GET", path)["account"] == "built-in"
            page.goto(server.url)
            page.evaluate("() => fetch('/api/after').then(response => response.text())")
            log += server.log
    texts |= {name: file.read_bytes() for name, file in left.items()}
    texts["log"] = "\n".join(log).encode()
    texts |= {f"{name} (while it runs)": content for name, content in running.items()} | stored()
    found = {(form, place) for place, text in texts.items() for secret in secrets for form in forms(secret) if form.encode() in text}
    assert found == set()


def test_a_server_that_crashes_leaves_no_core_dump(shop_root, tmp_path, monkeypatch):
    # The system writes it to the working directory, or gives it to a program that asks for the limit.
    monkeypatch.chdir(tmp_path)
    usual, highest = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (highest, highest))
    try:
        with serve("--root", shop_root, "--ephemeral") as server:
            limits = pathlib.Path(f"/proc/{server.process.pid}/limits").read_text().splitlines()
            assert [line.split()[4] for line in limits if line.startswith("Max core file size")] == ["0"]
            # The Swift runtime itself handles the signals of its own crashes.
            assert server.signal(signal.SIGXCPU) == -signal.SIGXCPU
    finally:
        resource.setrlimit(resource.RLIMIT_CORE, (usual, highest))
    assert list(tmp_path.iterdir()) == []
