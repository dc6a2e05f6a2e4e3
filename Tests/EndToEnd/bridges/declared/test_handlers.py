"""Handlers of declared bridges: programs that answer messages of pages over pipes."""

import os
import select
import signal
import sys

import pytest

from engines import CHROMIUM, FIREFOX, expect, only
from footbridge_process import LONG, StartFailure, serve

HANDLER = """
import json, os, sys

def say(**members):
    print(json.dumps(members), flush=True)

waiting = {}
heard = []

for line in sys.stdin:
    message = json.loads(line)
    place = {name: message[name] for name in ("session", "page") if name in message}
    name = message.get("name", message.get("state"))
    if "state" in message:
        heard.append({key: value for key, value in message.items() if key in ("state", "url", "now", "frozen")})
    if "id" in message:
        say(message=waiting.pop("ask"), reply={key: value for key, value in message.items() if key in ("result", "error", "id")})
    if "sheet" in message:
        say(message=waiting.pop("sheet"), reply={key: value for key, value in message.items() if key in ("approved", "button", "fields")})
    if name == "ask":
        waiting["ask"] = message["message"]
        say(**{**place, "id": "question", **message["body"]["ask"]})
    elif name == "sheet":
        waiting["sheet"] = message["message"]
        say(sheet=9, session=message["session"], **message["body"]["sheet"])
    elif name == "heard":
        say(message=message["message"], reply=heard)
    elif name == "secrets":
        inherited = [name for name in os.environ if name.startswith(("FOOTBRIDGE", "PG"))]
        say(message=message["message"], reply=[inherited, sorted(int(number) for number in os.listdir("/proc/self/fd"))[:-1]])
    if name == "login":
        say(**place, call="app.got", args=["before"])
        say(message=message["message"], reply={"id": message["body"]["id"], "main": message["mainFrame"]})
        say(**place, event="acme:seen", detail=1)
    elif name == "fail":
        say(message=message["message"], error="Not today")
    elif name == "control":
        print("I got", line, file=sys.stderr, flush=True)
        say(message=message["message"], reply=message["control"])
    elif name == "nothing":
        say(message=message["message"])
    elif name == "opened":
        say(**place, call="app.got", args=["opened"])
    elif name == "told":
        say(**place, event="acme:seen", detail="message" in message)
    elif name == "nonsense":
        print("this is no JSON", flush=True)
        say(message=message["message"], reply="still there")
    elif name == "end":
        print("I am leaving", file=sys.stderr, flush=True)
        os._exit(3)
"""

PAGE = """<!doctype html><title>App</title><script>
window.log = [];
window.app = {
  got: (text) => log.push(text), add: (a, b) => a + b, later: async (value) => value, nothing() {}, fail() { throw new Error("broken"); },
};
addEventListener("acme:seen", ({ detail }) => log.push(detail));
window.post = (message, name = "acme") => webkit.messageHandlers[name].postMessage(message)
  .then((value) => { log.push("reply"); return { value }; }, (error) => ({ error: String(error) }));
</script>"""

FILE = """
bridges:
  acme:
    channels: { acme: { reply: true }, quiet: {} }
    name: [/type]
    handler: { run: [%s, acme.py] }
    answers: { declared: { reply: from the file } }
"""


@pytest.fixture
def site(tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text(PAGE)
    (tmp_path / "acme.py").write_text(HANDLER)
    (tmp_path / "footbridge.yaml").write_text(FILE % sys.executable)
    return tmp_path


@pytest.fixture
def server(site):
    with serve("--root", site / "site", "--config", site / "footbridge.yaml", "--ephemeral") as server:
        yield server


def session_of(control):
    return control("GET", "/sessions")["sessions"][0]["id"]


def journal(control, kind):
    return control("GET", f"/sessions/{session_of(control)}/journal?kind={kind}")["entries"]


def notes(control):
    return [entry["note"] for entry in journal(control, "decision") if entry["action"] == "acme.handler"]


def test_a_handler_replies_calls_and_dispatches_in_order(server, page):
    page.goto(server.url)
    page.wait_for_function("log.length === 1")
    assert page.evaluate("post({ type: 'login', id: 7 })") == {"value": {"id": 7, "main": True}}
    page.wait_for_function("log.length === 4")
    assert page.evaluate("log") == ["opened", "before", "reply", 1]


def test_an_error_of_the_handler_rejects_the_promise(server, page):
    page.goto(server.url)
    assert page.evaluate("post({ type: 'fail' })") == {"error": "Error: Not today"}
    assert page.evaluate("post({ type: 'nothing' }).then(({ value }) => value === undefined)")


def test_declared_answers_override_the_handler(server, page):
    page.goto(server.url)
    assert page.evaluate("post({ type: 'declared' })") == {"value": "from the file"}


def test_a_message_without_a_reply_has_no_number(server, page):
    page.goto(server.url)
    page.evaluate("post({ type: 'told' }, 'quiet')")
    page.wait_for_function("log.includes(false)")


def test_malformed_lines_do_not_end_the_handler(server, page):
    page.goto(server.url)
    assert page.evaluate("post({ type: 'nonsense' })") == {"value": "still there"}
    server.wait_for_log("The handler of the bridge acme has written a line that is not JSON: ")
    control = server.control()
    assert "has written a line that is not JSON: " in notes(control)[0]


def test_a_handler_that_has_ended_is_started_again_and_messages_wait_for_it(server, page):
    page.goto(server.url)
    assert page.evaluate("post({ type: 'end' })") == {"error": "Error: The handler has ended before it answered."}
    assert page.evaluate("post({ type: 'login', id: 8 })")["value"]["id"] == 8
    server.wait_for_log("I am leaving")
    server.wait_for_log("The handler of the bridge acme has ended (code 3; bridges.acme.handler in ", "It starts again in 100 ms.")
    assert any("has ended (code 3" in note for note in notes(server.control()))


def test_a_handler_gets_the_results_of_its_calls_to_a_page(server, page):
    page.goto(server.url)

    def ask(what):
        answer = page.evaluate(f"post({{ type: 'ask', ask: {what} }})")
        assert "value" in answer, (what, answer)
        answer = answer["value"]
        assert answer.pop("id") == "question"
        return answer

    assert ask("{ call: 'app.add', args: [1, 2] }") == {"result": 3}
    assert ask("{ call: 'app.later', args: [null] }") == {"result": None}
    assert ask("{ call: 'app.nothing' }") == {}
    assert ask("{ call: 'app.fail' }") == {"error": "Error: broken"}
    assert ask("{ call: 'app.missing' }") == {"error": "TypeError: window.app.missing is no function"}
    assert ask("{ evaluate: 'document.title' }") == {"result": "App"}
    assert ask("{ evaluate: 'not a script' }")["error"].startswith("SyntaxError")
    # The host refuses a result with too many values.
    assert "values" in ask("{ evaluate: 'Array(10_001).fill(1)' }")["error"]
    assert ask("{ page: 'page-9', evaluate: '1' }")["error"].startswith("There is no such page")


SHEET = """{ title: 'Confirm', text: 'Enter your PIN.', buttons: ['Pay', { name: 'later', label: 'Pay later' }, { name: 'no', cancel: true }],
  fields: [{ name: 'pin', label: 'PIN', type: 'password', required: true }, { name: 'keep', type: 'checkbox' },
    { name: 'card', type: 'choice', options: ['visa', { value: 'mc', label: 'Mastercard' }] }] }"""


def test_the_journal_hides_the_shown_value_of_a_secret_field(server, page):
    page.goto(server.url)
    sheet = SHEET.replace("required: true", "value: '4711'")
    page.evaluate(f"void post({{ type: 'sheet', sheet: {sheet} }})")
    expect(page.get_by_label("PIN")).to_have_value("4711")
    [opened] = journal(server.control(), "sheetOpened")
    assert opened["data"]["content"]["fields"][0]["value"] == "‹secret›"


def test_a_sheet_is_a_native_screen_in_the_page(server, page):
    page.goto(server.url)
    page.evaluate(f"void (window.answer = post({{ type: 'sheet', sheet: {SHEET} }}))")
    page.get_by_role("button", name="Pay", exact=True).click()
    page.get_by_label("PIN").fill("4711")
    page.get_by_role("radio", name="Mastercard").check()
    page.get_by_role("checkbox", name="keep").check()
    page.get_by_role("button", name="Pay later").click()
    fields = {"pin": "4711", "keep": True, "card": "mc"}
    assert page.evaluate("answer") == {"value": {"approved": True, "button": "later", "fields": fields}}
    control = server.control()
    [entry] = journal(control, "sheetAnswered")
    assert entry["action"] == "acme" and entry["data"]["fields"] == {**fields, "pin": "‹secret›", "button": "later"}


def test_the_enter_key_presses_the_first_button_of_a_sheet_and_escape_dismisses_it(server, page):
    page.goto(server.url)
    ask = "void (window.answer = post({ type: 'sheet', sheet: { title: 'Your name', fields: ['name'] } }))"
    page.evaluate(ask)
    page.get_by_role("textbox", name="name").fill("Eva Example")
    page.keyboard.press("Enter")
    assert page.evaluate("answer") == {"value": {"approved": True, "fields": {"name": "Eva Example"}}}
    page.evaluate(ask)
    page.get_by_role("dialog", name="Your name").wait_for()
    page.keyboard.press("Escape")
    assert page.evaluate("answer") == {"value": {"approved": False}}


def test_a_sheet_is_answered_by_the_control_api_with_what_it_offers(server, page):
    page.goto(server.url)
    page.evaluate(f"void (window.answer = post({{ type: 'sheet', sheet: {SHEET} }}))")
    page.get_by_role("dialog").wait_for()
    control = server.control()
    session = f"/sessions/{session_of(control)}"
    [sheet] = control("GET", f"{session}/sheets")["sheets"]
    assert (sheet["kind"], sheet["content"]["title"]) == ("acme", "Confirm")
    path = f"{session}/sheets/{sheet['id']}/answer"
    answer = control.request("POST", path, {"approved": True, "fields": {"card": "amex"}})
    assert (answer.status, answer.json["detail"]) == (422, 'fields.card in the body must be one of: visa, mc. It is "amex".')
    control("POST", path, {"approved": True, "fields": {"pin": "1"}})
    expected = {"approved": True, "button": "Pay", "fields": {"pin": "1", "keep": False, "card": "visa"}}
    assert page.evaluate("answer") == {"value": expected}


def test_a_rule_answers_a_sheet(site, page):
    rules = "scenario: s\nscenarios: { s: [{ on: footbridge.sheet.acme, then: { result: { approved: true, fields: { pin: '2' } } } }] }\n"
    (site / "footbridge.yaml").write_text(rules + (site / "footbridge.yaml").read_text())
    with serve("--root", site / "site", "--config", site / "footbridge.yaml", "--ephemeral") as server:
        page.goto(server.url)
        assert page.evaluate(f"post({{ type: 'sheet', sheet: {SHEET} }})")["value"]["fields"]["pin"] == "2"


def test_sheets_are_approved_as_shown_in_auto_mode(site, page):
    with serve("--root", site / "site", "--config", site / "footbridge.yaml", "--ephemeral", "--present", "auto") as server:
        page.goto(server.url)
        assert page.evaluate(f"post({{ type: 'sheet', sheet: {SHEET} }})")["value"]["fields"] == {"pin": "", "keep": False, "card": "visa"}


@only(CHROMIUM, FIREFOX, because="the next page can open before the host hears that this one is gone")
def test_a_handler_gets_the_states_of_pages_and_its_session(server, page):
    page.goto(server.url)
    page.wait_for_function("log.length === 1")
    page.evaluate("history.pushState(null, '', '/next?a=1#b')")
    page.goto(server.url + "/?second")
    control = server.control()
    session = f"/sessions/{session_of(control)}"
    control.request("PATCH", f"{session}/clock", {"frozen": True, "now": "2030-01-01T00:00:00Z"})
    control("POST", f"{session}/relaunch")
    control("POST", f"{session}/reset")
    page.goto(server.url + "/?third")
    heard = page.evaluate("post({ type: 'heard' })")["value"]
    states = [notice["state"] for notice in heard]
    assert states == ["opened", "navigated", "gone", "opened", "clock", "gone", "relaunched", "reset", "opened"]
    assert [notice["url"].removeprefix(server.url) for notice in heard if "url" in notice] == ["/", "/next?a=1#b", "/?second", "/?third"]
    assert heard[4] == {"state": "clock", "now": "2030-01-01T00:00:00.000Z", "frozen": True}


def test_a_handler_inherits_no_secret_and_no_open_file_of_the_server(site, page):
    options = ["--root", site / "site", "--config", site / "footbridge.yaml", "--state", site / "state"]
    with serve(*options, environment={"FOOTBRIDGE_CONTROL_TOKEN": "very-secret-token", "PGPASSWORD": "very-secret-password"}) as server:
        page.goto(server.url)
        assert page.evaluate("post({ type: 'secrets' })") == {"value": [[], [0, 1, 2]]}


@pytest.fixture
def control_of(page):
    """What the handler gets of the control API with a message, and the path of the session there."""

    def control_of(server, page=page):
        page.goto(server.url)
        access = page.evaluate("post({ type: 'control' })")["value"]
        return access, access["url"].removeprefix(f"http://127.0.0.1:{server.port}/__footbridge/api/v1")

    return control_of


def test_a_handler_gets_the_address_of_its_session_in_the_control_api_and_a_token(server, control_of):
    access, path = control_of(server)
    control = server.control()
    assert path == f"/sessions/{session_of(control)}"
    answer = control.request("GET", path, token=access["token"])
    assert (answer.status, answer.json["id"]) == (200, session_of(control))
    assert control.request("PATCH", path + "/clock", {"frozen": True}, token=access["token"]).status == 200
    assert control("GET", path + "/clock")["frozen"] is True


def test_the_token_of_a_session_is_refused_for_all_else(server, control_of):
    access, path = control_of(server)
    control = server.control()
    other = control.session()["id"]
    refused = [
        ("GET", "/sessions"), ("POST", "/sessions"), ("GET", f"/sessions/{other}"), ("DELETE", f"/sessions/{other}"), ("GET", f"{path}0"),
        ("GET", f"/sessions/../sessions/{other}"), ("GET", "/bridges/acme/handler"), ("GET", "/openapi.json"), ("POST", "/dashboard"),
        ("GET", f"/events?session={other}"), ("GET", "/snapshots"), ("GET", "/nothing"), ("GET", ""),
    ]
    answers = [control.request(method, target, token=access["token"]) for method, target in refused]
    assert [answer.status for answer in answers] == [403] * len(refused)
    assert {answer.json["detail"] for answer in answers} == {
        f"This token is good for one session alone: for /__footbridge/api/v1{path} and what is below it. The rest needs the server's token."
    }
    assert other in [session["id"] for session in control("GET", "/sessions")["sessions"]]
    # Below its own session, errors are the usual ones.
    assert control.request("GET", path + "/nothing", token=access["token"]).status == 404
    assert control.request("GET", f"{path}/../{other}", token=access["token"]).status == 404
    wrong = access["token"][:-1] + ("0" if access["token"][-1] != "0" else "1")
    for token in (wrong, access["token"].split(".")[1], f"{other}.{access['token'].split('.')[1]}"):
        assert control.request("GET", path, token=token).status == 401


def test_the_token_of_a_session_outlives_a_relaunch_and_ends_with_the_session(server, control_of):
    access, path = control_of(server)
    control = server.control()
    for change in ("relaunch", "reset"):
        control("POST", f"{path}/{change}", token=access["token"])
    assert control_of(server) == (access, path)
    assert control.request("DELETE", path, token=access["token"]).status == 204
    answer = control.request("GET", path, token=access["token"])
    assert (answer.status, answer.json["detail"]) == (401, "This token of a session has expired: the session has ended, or runs at another server.")
    # The browser's cookie makes a session of the same id. It is another one.
    again, same = control_of(server)
    assert same == path and again["token"] != access["token"]
    assert control.request("GET", path, token=access["token"]).status == 401


def test_a_handler_that_writes_down_its_lines_puts_no_token_into_log_and_journal(server, control_of):
    access, path = control_of(server)
    secret = access["token"].split(".")[1]
    server.wait_for_log("handler of acme: I got", "‹secret›")
    control = server.control()
    texts = [control.request("GET", path + more).text.decode() for more in ("", "/journal?limit=1000", "/journal?format=jsonl", "/export?transcript=true")]
    assert [text for text in [*texts, *server.log] if secret in text] == []


@pytest.mark.parametrize("command, error", [
    ("no-such-program", "must be a command, such as [python3, acme.py], whose program exists and can be run."),
    ("python3, -u, gone.py", "must be a command whose files exist: there is no gone.py in "),
])
def test_a_handler_that_cannot_start_is_an_error(site, command, error):
    (site / "footbridge.yaml").write_text(f"bridges: {{ acme: {{ handler: {{ run: [{command}] }} }} }}")
    with pytest.raises(StartFailure) as failure:
        serve("--root", site / "site", "--config", site / "footbridge.yaml", "--ephemeral")
    assert "bridges.acme.handler.run in" in failure.value.log and error in failure.value.log


#: Starts a child that holds its output open, and tells the numbers of both processes. Only the child ignores SIGTERM.
PARENT = """
import json, os, signal, sys, time

child = os.fork()
if not child:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print("{}", flush=True)
    while True:
        time.sleep(1)
for line in sys.stdin:
    message = json.loads(line)
    if message.get("name") == "processes":
        print(json.dumps({"message": message["message"], "reply": [os.getpid(), child]}), flush=True)
    elif message.get("name") == "signals":
        status = dict(line.split(":", 1) for line in open("/proc/self/status"))
        print(json.dumps({"message": message["message"], "reply": [status["SigBlk"].strip(), status["SigIgn"].strip()]}), flush=True)
    elif message.get("name") == "end":
        os._exit(3)
"""


@pytest.fixture
def family(site):
    """A server whose handler has a child."""
    (site / "acme.py").write_text(PARENT)
    with serve("--root", site / "site", "--config", site / "footbridge.yaml", "--ephemeral") as server:
        yield server


def processes(page):
    """Opens the handler's process and that of its child. Each can be read once it has ended, whoever gets its number then."""
    return [os.pidfd_open(number) for number in page.evaluate("post({ type: 'processes' })")["value"]]


def wait_for_end(descriptors):
    for descriptor in descriptors:
        assert select.select([descriptor], [], [], LONG)[0], "the process runs on"
        os.close(descriptor)


def test_a_handler_starts_with_no_signal_blocked_and_none_ignored(family, page):
    page.goto(family.url)
    blocked, ignored = page.evaluate("post({ type: 'signals' })")["value"]
    assert int(blocked, 16) == 0
    # Python itself ignores SIGPIPE and SIGXFSZ, and posix_spawn the two signals of the C library, 32 and 33.
    own = sum(1 << number - 1 for number in (signal.SIGPIPE, signal.SIGXFSZ, 32, 33))
    assert int(ignored, 16) & ~own == 0


def test_a_handler_and_its_children_end_with_the_server_even_if_they_ignore_sigterm(family, page):
    page.goto(family.url)
    both = processes(page)
    assert family.stop() == 0
    wait_for_end(both)


def test_a_handler_and_its_children_end_when_the_server_is_killed(family, page):
    page.goto(family.url)
    both = processes(page)
    family.signal(signal.SIGKILL)
    wait_for_end(both)


#: Leaves a file when it is asked to end. It waits for the signal by sigwait: a signal that comes between the end of the input and
#: signal.pause() would be lost, since its handler runs only after that.
LEAVING = """
import json, os, pathlib, signal, sys, threading

def answer():
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("name") == "processes":
            print(json.dumps({"message": message["message"], "reply": [os.getpid()]}), flush=True)

signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
threading.Thread(target=answer, daemon=True).start()
signal.sigwait([signal.SIGTERM])
pathlib.Path("left").touch()
os._exit(0)
"""


@pytest.mark.parametrize("end", [lambda server: server.stop(), lambda server: server.signal(signal.SIGKILL)], ids=["stopped", "killed"])
def test_a_handler_is_asked_to_end_before_it_is_killed(site, page, end):
    (site / "acme.py").write_text(LEAVING)
    with serve("--root", site / "site", "--config", site / "footbridge.yaml", "--ephemeral") as server:
        page.goto(server.url)
        process = processes(page)
        end(server)
        wait_for_end(process)
    assert (site / "left").exists()


def test_the_end_of_a_handler_is_noticed_while_a_child_holds_its_output_open(family, page):
    page.goto(family.url)
    both = processes(page)
    page.evaluate("void post({ type: 'end' })")
    wait_for_end(both)
    # The next one is started, with a child of its own.
    wait = page.evaluate("post({ type: 'processes' })")
    assert len(wait["value"]) == 2
