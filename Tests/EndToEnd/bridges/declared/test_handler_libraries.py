"""The libraries for handlers, as handlers in Python and JavaScript use them: both do the same."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import playwright
import pytest

from browser_profiles import CHROMIUM
from footbridge_process import BUILD, PROJECT, serve

NODE = pathlib.Path(playwright.__file__).parent / "driver" / "node"
KITS = PROJECT / "web" / "testing"

PYTHON = """
from pytest_footbridge.control import ControlError
from pytest_footbridge.handler import UNDEFINED, Failure, Handler, PageError

acme = Handler()
heard = []


@acme.on("login")
def login(message):
    message.call("app.got", "called")
    message.event("acme:seen", "dispatched")
    return {"id": message.body["id"], "main": message.is_main_frame, "channel": message.channel}


@acme.on("fails")
def fails(message):
    raise Failure("Not today")


@acme.on("refuses")
def refuses(message):
    raise Failure("Not found", code=404)


@acme.on("breaks")
def breaks(message):
    raise KeyError("broken")


@acme.on("unsayable")
def unsayable(message):
    return {"at": {1, 2}}


@acme.on("nothing")
def nothing(message):
    return UNDEFINED


@acme.on("asks")
def asks(message):
    try:
        message.ask("app.none")
    except PageError as error:
        return [message.ask("app.add", 1, 2), message.evaluate("document.title"), str(error)]


@acme.on("confirm")
def confirm(message):
    answer = message.sheet("Confirm", "Enter your PIN.", ["pin"], ["Pay", {"name": "no", "cancel": True}])
    return [answer.approved, answer.button, answer.fields] if answer else "dismissed"


@acme.on("control")
def control(message):
    message.control.patch("/clock", {"frozen": True})
    try:
        message.control.get("/nothing")
    except ControlError as error:
        return [message.control.get("/clock")["frozen"], message.control.delete("/rules"), error.status]


@acme.on("waits")
def waits(message):
    return message.ask("app.never")


@acme.on("heard")
def all_heard(message):
    return heard


@acme.when("opened")
def opened(notice):
    heard.append(notice.state)
    notice.call("app.got", "opened")


@acme.others
def others(message):
    return f"other {message.name}"


acme.run()
"""

JAVASCRIPT = """
import { run } from "%s/handler.mjs";

const heard = [];

run({
  login(message) {
    message.call("app.got", "called");
    message.event("acme:seen", "dispatched");
    return { id: message.body.id, main: message.mainFrame, channel: message.channel };
  },
  fails() { throw "Not today"; },
  refuses() { throw Object.assign(new Error("Not found"), { code: 404 }); },
  breaks() { throw new TypeError("broken"); },
  unsayable: () => ({ at: 1n }),
  nothing() {},
  async asks(message) {
    const failure = await message.call("app.none").catch((error) => error.message);
    return [await message.call("app.add", 1, 2), await message.evaluate("document.title"), failure];
  },
  async confirm(message) {
    const answer = await message.sheet("Confirm", { text: "Enter your PIN.", fields: ["pin"], buttons: ["Pay", { name: "no", cancel: true }] });
    return answer.approved ? [answer.approved, answer.button, answer.fields] : "dismissed";
  },
  async control({ control }) {
    await control.patch("/clock", { frozen: true });
    const { status } = await control.get("/nothing").catch((error) => error);
    return [(await control.get("/clock")).frozen, await control.delete("/rules") ?? null, status];
  },
  waits: (message) => message.call("app.never"),
  heard: () => heard,
  "*": ({ name }) => `other ${name}`,
}, {
  opened(notice) {
    heard.push(notice.state);
    notice.call("app.got", "opened");
  },
});
""" % KITS.as_uri()

PAGE = """<!doctype html><title>App</title><script>
window.log = [];
window.app = { got: (text) => log.push(text), add: (a, b) => a + b, never: () => new Promise(() => {}) };
addEventListener("acme:seen", ({ detail }) => log.push(detail));
window.post = (message) => webkit.messageHandlers.acme.postMessage(message)
  .then((value) => ({ value }), (error) => ({ error: String(error) }));
</script>"""


@pytest.fixture(params=["python", "javascript"])
def server(request, tmp_path):
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / "acme.py").write_text(PYTHON)
    (tmp_path / "acme.mjs").write_text(JAVASCRIPT)
    run = [sys.executable, "acme.py"] if request.param == "python" else [str(NODE), "acme.mjs"]
    config = tmp_path / "footbridge.yaml"
    config.write_text(f"bridges: {{ acme: {{ channels: {{ acme: {{ reply: true }} }}, name: /type, handler: {{ run: {run} }} }} }}")
    with serve("--root", tmp_path, "--config", config, "--ephemeral", environment={"PYTHONPATH": str(KITS)}) as server:
        yield server


@pytest.fixture
def post(server, page):
    page.goto(server.url)
    page.wait_for_function("log.length === 1")
    return lambda message: page.evaluate("message => post(message)", message)


def test_the_return_value_of_a_function_is_the_reply(post, page):
    assert post({"type": "login", "id": 7}) == {"value": {"id": 7, "main": True, "channel": "acme"}}
    assert page.evaluate("log") == ["opened", "called", "dispatched"]
    assert post({"type": "nothing"}).get("value") is None
    assert post({"type": "unheard"}) == {"value": "other unheard"}
    assert post({"type": "heard"}) == {"value": ["opened"]}


def test_an_exception_in_a_function_rejects_the_promise(post, server):
    assert post({"type": "fails"}) == {"error": "Error: Not today"}
    assert "broken" in post({"type": "breaks"})["error"]
    server.wait_for_log("handler of acme: ", "broken")


def test_a_failure_that_a_handler_raises_can_have_more_members(post, server):
    assert post({"type": "refuses"}) == {"error": "Error: Not found"}
    control = server.control()
    session = control("GET", "/sessions")["sessions"][0]["id"]
    entries = control("GET", f"/sessions/{session}/journal")["entries"]
    [answer] = [entry for entry in entries if entry["kind"] == "response"]
    assert answer["data"] == {"error": {"message": "Not found", "code": 404}}


def test_a_reply_that_json_cannot_express_rejects_the_promise(post, server):
    assert "TypeError" in post({"type": "unsayable"})["error"]
    server.wait_for_log("handler of acme: ", "TypeError")
    assert post({"type": "login", "id": 7})["value"]["id"] == 7


def test_a_function_asks_the_page(post):
    assert post({"type": "asks"}) == {"value": [3, "App", "TypeError: window.app.none is no function"]}


def test_a_function_uses_the_control_api_of_its_session(post):
    assert post({"type": "control"}) == {"value": [True, None, 404]}


def test_a_function_shows_a_sheet(post, page):
    page.evaluate("void (window.answer = post({ type: 'confirm' }))")
    page.get_by_role("textbox", name="pin").fill("4711")
    # While a person thinks, other messages are answered.
    assert post({"type": "heard"}) == {"value": ["opened"]}
    page.get_by_role("button", name="Pay").click()
    assert page.evaluate("answer") == {"value": [True, "Pay", {"pin": "4711"}]}
    page.evaluate("void (window.answer = post({ type: 'confirm' }))")
    page.get_by_role("button", name="no").click()
    assert page.evaluate("answer") == {"value": "dismissed"}


def test_a_session_whose_messages_wait_leaves_the_handler_to_others(post, page, new_context, server):
    page.evaluate("""() => { for (let n = 0; n < 101; n++) post({ type: "waits" }).then((outcome) => window.outcome = outcome); }""")
    assert page.wait_for_function("window.outcome").json_value() == {"error": "Error: Too many messages wait for the handler."}
    other = new_context().new_page()
    other.goto(server.url)
    other.evaluate("""() => { post({ type: "login", id: 7 }).then((outcome) => window.outcome = outcome); }""")
    assert other.wait_for_function("window.outcome").json_value()["value"]["id"] == 7


def test_the_handler_library_imports_only_the_standard_library():
    program = "import sys; from pytest_footbridge.handler import Handler; assert 'pytest' not in sys.modules; Handler().run()"
    environment = {**os.environ, "PYTHONPATH": str(KITS)}
    subprocess.run([sys.executable, "-c", program], check=True, stdin=subprocess.DEVNULL, env=environment, timeout=20)


def test_a_handler_in_python_can_read_lines_from_a_websocket(tmp_path, page):
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / "footbridge.yaml").write_text("bridges: { acme: { channels: { acme: { reply: true } }, name: /type, handler: connect } }")
    with serve("--root", tmp_path, "--config", tmp_path / "footbridge.yaml", "--ephemeral") as server:
        control = server.control()
        program = f"""
from websockets.sync.client import connect
from pytest_footbridge.handler import Handler

acme = Handler()
acme.on("ask")(lambda message: message.evaluate("document.title"))
address = "{control.url.replace('http', 'ws')}/bridges/acme/handler"
with connect(address, additional_headers={{"Authorization": "Bearer {control.token}"}}) as socket:
    acme.run(socket, socket.send)
"""
        environment = {**os.environ, "PYTHONPATH": str(KITS)}
        with subprocess.Popen([sys.executable, "-c", program], env=environment) as handler:
            page.goto(server.url)
            assert page.evaluate("post({ type: 'ask' })") == {"value": "App"}
            handler.terminate()


def blocks(language):
    """The code of a language in the manual's page about handlers, and in its section about tests."""
    handlers, bridges = ((PROJECT / "docs" / name).read_text() for name in ("handlers.md", "own-bridge.md"))
    return re.findall(rf"```{language}\n(.*?)```", handlers + bridges.split("## In a test")[1].split("## Scripts")[0], re.DOTALL)


@pytest.mark.parametrize("language", ["python", "js"])
def test_the_handlers_of_the_manual_answer(tmp_path, page, language):
    (tmp_path / "index.html").write_text(
        "<!doctype html><title>the shop</title><script>window.log = []; window.app = { onProgress: (done) => log.push(done) };"
        "addEventListener('acme:ready', ({ detail }) => log.push(detail));"
        "window.post = (message) => webkit.messageHandlers.acme.postMessage(message).catch(String);</script>"
    )
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "footbridge").symlink_to(KITS)
    program, file = (sys.executable, "acme.py") if language == "python" else (str(NODE), "acme.mjs")
    (tmp_path / file).write_text(blocks(language)[0])
    config = tmp_path / "footbridge.yaml"
    config.write_text(blocks("yaml")[0].replace("[python3, acme.py]", f"[{program}, {file}]"))
    with serve("--root", tmp_path, "--config", config, "--ephemeral", environment={"PYTHONPATH": str(KITS)}) as server:
        page.goto(server.url)
        assert page.evaluate("post({ type: 'login', user: 'eva' })") == {"token": "abc"}
        assert page.evaluate("post({ type: 'login', user: 'adam' })") == "Error: Unknown user"
        assert page.evaluate("log") == [{"page": "page-1"}, 100]
        page.evaluate("void (window.answer = post({ type: 'pay' }))")
        page.get_by_role("dialog", name="Pay in the shop?").get_by_label("PIN").fill("4711")
        page.get_by_role("button", name="Pay").click()
        assert page.evaluate("answer") == {"paid": True}


def test_the_handler_test_of_the_manual_passes(tmp_path):
    shutil.copy(PROJECT / "Examples" / "pytest" / "conftest.py", tmp_path)
    (tmp_path / "test_it.py").write_text(blocks("python")[-1])
    environment = {
        **os.environ, "FOOTBRIDGE": str(BUILD / "footbridge"), "FOOTBRIDGE_CHROMIUM": CHROMIUM, "PYTHONPATH": str(KITS),
    }
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "pytest_footbridge.plugin"]
    result = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=100)
    assert result.returncode == 0, result.stdout
