"""`footbridge record`: from what a real app says to a bridge in footbridge.yaml, by way of the recorder."""

import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from footbridge_process import PROJECT, run, serve

#: What the device's page does, and sees.
PAGE = """<!doctype html><title>App</title>%s<script>
window.app = { heard: [], onReply(message) { app.heard.push(message); } };
addEventListener("acme:seen", ({ detail }) => app.heard.push(detail));
window.post = (message, name = "acme") => webkit.messageHandlers[name].postMessage(message)
  .then((value) => ({ value }), (error) => ({ error: String(error) }));
const heard = async (count) => { while (app.heard.length < count) await new Promise((done) => setTimeout(done, 10)); };
window.journey = async () => [
  await post({ type: "login", id: 7, password: "hunter2" }),
  await post({ type: "login", id: 8, password: "hunter2" }),
  await post({ type: "fail" }),
  (await post({ type: "silent", callbackId: "c1" }), await heard(2), app.heard),
  await post(JSON.stringify({ action: "theme" }), "texts"),
];
</script>"""

DEVICE = """
bridges:
  acme:
    channels: { acme: { reply: true }, texts: { reply: json, text: true } }
    name: [/type, /action]
    answers:
      login: { reply: { id: !from /id, user: eva, accessToken: s3cret } }
      fail: { error: Not today }
      silent: [{ event: "acme:seen", detail: 1 }, { call: app.onReply, args: [{ callbackId: !from /callbackId, ok: true }] }]
      theme: { reply: { dark: true } }
"""


@pytest.fixture
def desk():
    """Where the recorder posts to: the transcript so far, and an event that is set when a text has come."""
    lines = []
    come = threading.Condition()

    class Desk(BaseHTTPRequestHandler):
        def do_POST(self):
            text = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self.send_response(204)
            self.end_headers()
            with come:
                lines.append(text)
                come.notify_all()

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Desk)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def wait(part):
        with come:
            assert come.wait_for(lambda: part in "".join(lines), 60), "".join(lines)
            return "".join(lines)

    server.wait = wait
    yield server
    server.shutdown()
    server.server_close()


def site(path, config, head="", page=PAGE):
    (path / "site").mkdir(parents=True, exist_ok=True)
    (path / "site" / "index.html").write_text(page % head)
    (path / "footbridge.yaml").write_text(config)
    return serve("--root", path / "site", "--config", path / "footbridge.yaml", "--ephemeral", environment={"PYTHONPATH": str(PROJECT / "web" / "testing")})


@pytest.mark.parametrize("kind", ["answers", "handler"])
def test_a_recording_of_a_device_is_played_back(tmp_path, page, desk, kind):
    recorder = f"/__footbridge/recorder.js?to=http://127.0.0.1:{desk.server_port}/&calls=app.onReply&events=acme:seen"
    with site(tmp_path / "device", DEVICE, f"<script src='{recorder}'></script>") as device:
        page.goto(device.url)
        page.evaluate("new Promise((done) => setTimeout(done, 100))")
        seen = page.evaluate("journey()")
        transcript = desk.wait('"dark')
    assert "hunter2" not in transcript and "s3cret" not in transcript
    desk_folder = tmp_path / "desk"
    desk_folder.mkdir()
    (desk_folder / "transcript.jsonl").write_text(transcript)
    arguments = ["--handler", desk_folder / "acme.py"] if kind == "handler" else []
    result = run("record", desk_folder / "transcript.jsonl", "--name", "acme", *arguments)
    assert result.returncode == 0, result.stderr
    config = result.stdout.replace(str(desk_folder / "acme.py"), "acme.py").replace("[python3,", f"[{sys.executable},")
    assert "hunter2" not in config and "s3cret" not in config
    with site(desk_folder, config) as server:
        page.goto(server.url)
        replayed = page.evaluate("journey()")
    for login in seen[:2]:
        login["value"]["accessToken"] = "‹secret›"
    assert replayed == seen
    assert sorted(map(str, seen[3])) == ["1", "{'callbackId': 'c1', 'ok': True}"]


def test_a_journal_can_be_used_as_a_transcript(tmp_path, page):
    with site(tmp_path, DEVICE) as server:
        page.goto(server.url)
        page.evaluate("journey()")
        control = server.control()
        session = control("GET", "/sessions")["sessions"][0]["id"]
        (tmp_path / "journal.json").write_text(json.dumps(control("GET", f"/sessions/{session}/journal")))
    result = run("record", tmp_path / "journal.json", "--name", "acme")
    assert result.returncode == 0, result.stderr
    assert "login: { reply:" in result.stdout and 'id: !from "/id"' in result.stdout
    assert "texts: { reply: json" in result.stdout or "texts: { reply: true" in result.stdout


def journal_of(path, *actions):
    """Writes a journal, as JSON Lines, with a message for each of these actions."""
    entries = [{"cursor": 1, "kind": "page", "action": "opened", "page": "p", "data": {"url": "http://127.0.0.1/"}, "time": 1}]
    for cursor, action in enumerate(actions, 2):
        data = {"channel": "c", "value": {"type": action.split(".")[1]}} if action != "onside.purchase" else {}
        entries.append({"cursor": cursor, "kind": "request", "action": action, "page": "p", "correlationId": f"footbridge-{cursor}", "data": data, "time": 1})
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return path


@pytest.mark.parametrize("arguments, actions, error", [
    ([], ["house.open", "acme.login"], "is a journal: name the bridge with --name. It has messages of: acme, house."),
    (["--name", "acmee"], ["house.open", "acme.login"], "is a journal without messages of acmee. It has messages of: acme, house."),
    (["--name", "onside"], ["acme.login", "onside.purchase"], "is a journal without messages of onside. It has messages of: acme."),
])
def test_the_error_about_a_journal_lists_its_bridges(tmp_path, arguments, actions, error):
    file = journal_of(tmp_path / "journal.jsonl", *actions)
    result = run("record", file, *arguments)
    assert (result.returncode, result.stdout) == (64, "") and f"{file} {error}" in result.stderr


def test_a_journal_without_messages_of_a_declared_bridge_is_refused(tmp_path):
    result = run("record", journal_of(tmp_path / "journal.jsonl", "onside.purchase"))
    assert (result.returncode, result.stdout) == (65, "") and "without messages of a bridge that footbridge.yaml declares" in result.stderr


def test_the_only_bridge_of_a_journal_needs_no_name(tmp_path):
    result = run("record", journal_of(tmp_path / "journal.jsonl", "onside.purchase", "acme.login", "acme.pay"))
    assert result.returncode == 0 and result.stdout.startswith("bridges:\n  acme:\n"), result.stderr


def test_the_recorder_writes_only_ascii(tmp_path, page):
    source = (PROJECT / "web" / "recorder" / "recorder.js").read_bytes()
    assert source.isascii()
    with site(tmp_path, DEVICE, "<script src='/__footbridge/recorder.js'></script>") as server:
        page.goto(server.url)
        page.evaluate("""post({ type: "login", id: "Zoë 🙂 \\u2028", password: "hunter2", inside: JSON.stringify({ name: "Ἑλένη", token: "t" }) })""")
        page.evaluate("""void post({ type: "Zoë", big: 1n }).catch(() => {})""")
        transcript = page.evaluate("footbridgeTranscript()")
    assert transcript.isascii()
    body = json.loads(transcript.splitlines()[1])["body"]
    assert (body["id"], body["password"]) == ("Zoë 🙂 \u2028", "‹secret›")
    assert json.loads(body["inside"]) == {"name": "Ἑλένη", "token": "‹secret›"}


def test_the_transcript_can_be_copied_from_the_console(tmp_path, page):
    with site(tmp_path, DEVICE, "<script src='/__footbridge/recorder.js'></script>") as server:
        page.goto(server.url)
        page.evaluate("post({ type: 'login', id: 7 })")
        lines = [json.loads(line) for line in page.evaluate("footbridgeTranscript()").splitlines()]
    assert lines[0] == {"page": server.url + "/"}
    assert lines[1] == {"message": 1, "channel": "acme", "body": {"type": "login", "id": 7}}
    assert lines[2]["reply"]["user"] == "eva"


@pytest.mark.parametrize(
    ("transcript", "error"),
    [
        ('{"page": "x"}\n{"message": 1', "transcript.jsonl:2: this is not JSON"),
        ("[]", "transcript.jsonl:1: a line must be a JSON object"),
        ('{"channel": "acme"}', "transcript.jsonl:1: a message must have its number"),
        ('\n\n{"nonsense": 1}', "transcript.jsonl:3: expected a line of the recorder"),
        ('{"call": 7}', "transcript.jsonl:1: call must be the path"),
        ('{"call": ["app", 1e19]}', "transcript.jsonl:1: call must be the path"),
        ("[" * 100_000, "transcript.jsonl:1: this is not JSON"),
        ('{"page": "' + "x" * 16_900_000 + '"}', "transcript.jsonl:1: a line may have 16842752 bytes"),
        ('{"message": 1, "channel": "a"}\n' * 10_001, "transcript.jsonl:10001: a transcript may have 10000 messages"),
    ],
)
def test_the_error_about_a_broken_transcript_names_the_line(tmp_path, transcript, error):
    (tmp_path / "transcript.jsonl").write_text(transcript)
    result = run("record", tmp_path / "transcript.jsonl")
    assert (result.returncode, result.stdout) == (65, "")
    assert error in result.stderr


def test_names_and_values_of_a_hostile_transcript_are_escaped(tmp_path):
    body = {"type": "x: }\n  evil: [", "id": 1}
    lines = [
        {"message": 1, "channel": "a, b: {}", "body": body},
        {"message": 1, "reply": {"id": 1, "}": "\u2028'\"\n# no", "on": "yes"}},
        {"message": 2, "channel": "acme", "body": "ready"},
        {"call": ["x", "import os"], "args": ["\"\"\"", None, True, 1.5]},
    ]
    (tmp_path / "transcript.jsonl").write_text("\n".join(map(json.dumps, lines)))
    result = run("record", tmp_path / "transcript.jsonl", "--name", "acme", "--handler", tmp_path / "acme.py")
    assert result.returncode == 0, result.stderr
    compile((tmp_path / "acme.py").read_text(), "acme.py", "exec")
    result = run("record", tmp_path / "transcript.jsonl", "--name", "acme")
    (tmp_path / "site").mkdir()
    (tmp_path / "footbridge.yaml").write_text(result.stdout)
    with serve("--root", tmp_path / "site", "--config", tmp_path / "footbridge.yaml", "--ephemeral"):
        pass


def test_a_recorded_handler_answers_with_the_library_of_the_kit(tmp_path):
    lines = [
        {"call": ["app", "opened"], "args": []},
        {"message": 1, "channel": "acme", "body": {"type": "login", "id": 7}},
        {"message": 1, "reply": {"id": 7}},
        {"call": ["app", "done"], "args": ["late"]},
        {"message": 2, "channel": "acme", "body": {"type": "pay"}},
        {"message": 2, "error": "refused"},
        {"message": 3, "channel": "acme", "body": {"type": "seen"}},
    ]
    (tmp_path / "transcript.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert run("record", tmp_path / "transcript.jsonl", "--name", "acme", "--handler", tmp_path / "acme.py").returncode == 0
    received = [
        {"state": "opened", "session": "s", "page": "p"},
        {"message": 1, "name": "login", "body": {"id": 8}},
        {"message": 2, "name": "pay", "body": {}},
        {"message": 3, "name": "seen", "body": {}},
    ]
    common = {"session": "s", "page": "p", "channel": "acme", "mainFrame": True}
    handler = subprocess.run(
        [sys.executable, tmp_path / "acme.py"],
        input="".join(json.dumps({**common, **line}) + "\n" for line in received),
        env={"PYTHONPATH": str(PROJECT / "web" / "testing")},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    said = [json.loads(line) for line in handler.stdout.splitlines()]
    place = {"session": "s", "page": "p"}
    expected = [
        {**place, "call": ["app", "opened"], "args": []},
        {**place, "call": ["app", "done"], "args": ["late"]},
        {"message": 1, "reply": {"id": 8}},
        {"message": 2, "error": "refused"},
        {"message": 3},
    ]
    assert sorted(map(str, said)) == sorted(map(str, expected))


def test_an_existing_handler_file_is_not_overwritten(tmp_path):
    (tmp_path / "transcript.jsonl").write_text("")
    (tmp_path / "acme.py").write_text("mine")
    result = run("record", tmp_path / "transcript.jsonl", "--handler", tmp_path / "acme.py")
    assert result.returncode == 64 and "already exists" in result.stderr
    assert (tmp_path / "acme.py").read_text() == "mine"


def test_secret_members_are_left_out_by_name(tmp_path):
    lines = [{"message": 1, "channel": "acme", "body": {"type": "pay", "iban": "DE1"}}, {"message": 1, "reply": {"iban": "DE1", "ok": True}}]
    (tmp_path / "transcript.jsonl").write_text("\n".join(map(json.dumps, lines)))
    result = run("record", tmp_path / "transcript.jsonl", "--secret", "I-BAN")
    assert "DE1" not in result.stdout and "‹secret›" in result.stdout


PER_METHOD = """{"page":"https://app.example/"}
{"message":1,"channel":"openScan","body":{}}
{"call":"onScan","args":["abc"]}
{"message":2,"channel":"getUser","body":null}
{"message":2,"reply":{"name":"Eva"}}
"""


@pytest.mark.parametrize("kind", ["answers", "handler"])
def test_an_app_with_a_message_handler_for_each_function_is_played(tmp_path, page, kind):
    (tmp_path / "transcript.jsonl").write_text(PER_METHOD)
    arguments = ["--handler", tmp_path / "app.py"] if kind == "handler" else []
    config = run("record", tmp_path / "transcript.jsonl", "--name", "app", *arguments).stdout
    with site(tmp_path, config.replace("[python3,", f"[{sys.executable},")) as server:
        page.goto(server.url)
        page.evaluate("void (window.scans = [], window.onScan = (text) => scans.push(text))")
        assert page.evaluate("post(null, 'getUser')") == {"value": {"name": "Eva"}}
        assert page.evaluate("scans") == []
        page.evaluate("void post({}, 'openScan')")
        page.wait_for_function("scans.length")
        assert page.evaluate("scans") == ["abc"]


@pytest.mark.parametrize("kind", ["answers", "handler"])
def test_answers_that_depend_on_the_message_are_played(tmp_path, page, kind):
    lines = []
    for number, (user, reply) in enumerate([(1, "Eva"), (2, "Bob"), (1, "Eva")], 1):
        lines += [{"message": number, "channel": "acme", "body": {"type": "user", "user": user}}, {"message": number, "reply": reply}]
    (tmp_path / "transcript.jsonl").write_text("\n".join(map(json.dumps, lines)))
    arguments = ["--handler", tmp_path / "app.py"] if kind == "handler" else []
    config = run("record", tmp_path / "transcript.jsonl", "--name", "app", *arguments).stdout
    with site(tmp_path, config.replace("[python3,", f"[{sys.executable},")) as server:
        page.goto(server.url)
        assert [page.evaluate("(user) => post({ type: 'user', user })", user) for user in (2, 1)] == [{"value": "Bob"}, {"value": "Eva"}]
        assert not [line for line in server.log if "did different things" in line]


def test_each_start_warns_about_answers_that_a_recording_could_not_tell_apart(tmp_path):
    lines = [
        {"message": 1, "channel": "acme", "body": {"type": "next"}}, {"message": 1, "reply": {"n": 1}},
        {"message": 2, "channel": "acme", "body": {"type": "next"}}, {"message": 2, "reply": {"n": 2}},
    ]
    (tmp_path / "transcript.jsonl").write_text("\n".join(map(json.dumps, lines)))
    config = run("record", tmp_path / "transcript.jsonl", "--name", "app").stdout
    assert "# Native did different things in 2 cases" in config
    with site(tmp_path, config) as server:
        server.wait_for_log("bridges.app: next: native did different things in 2 cases")


def test_secrets_in_texts_are_left_out_by_the_recorder_too(tmp_path, page):
    with site(tmp_path, DEVICE, "<script src='/__footbridge/recorder.js'></script>") as server:
        page.goto(server.url)
        page.evaluate("""post(JSON.stringify({ action: "theme", password: "hunter2", list: [{ access_token: "s3cret" }] }), "texts")""")
        transcript = page.evaluate("footbridgeTranscript()")
        assert "hunter2" not in transcript and "s3cret" not in transcript
        assert json.loads(json.loads(transcript.splitlines()[1])["body"]) == {
            "action": "theme", "password": "‹secret›", "list": [{"access_token": "‹secret›"}]}
        control = server.control()
        session = control("GET", "/sessions")["sessions"][0]["id"]
        assert "hunter2" not in json.dumps(control("GET", f"/sessions/{session}/journal"))


def test_what_a_page_has_said_never_runs(tmp_path):
    separators = ["\u2028", "\u2029", "\u0085", "\n", "\r", "\v", "\f", "\x1c"]
    entries = [{"action": "opened", "cursor": 1, "data": {"url": "http://127.0.0.1/"}, "kind": "page", "page": "page-1", "time": 1}]
    for number, separator in enumerate(separators, 2):
        command = f"touch {tmp_path}/ran-{number}"
        text = separator.join(["a", "      b: { reply: 1 }", f"    handler: {{ run: [sh, -c, '{command}'] }}", "    #"])
        data = {"channel": "app", "value": {"type": text}}
        entries.append({"action": f"app.{text}", "correlationId": f"footbridge-{number}", "cursor": number, "data": data, "kind": "request", "page": "page-1", "time": 2})
    (tmp_path / "journal.json").write_text(json.dumps({"dropped": 0, "entries": entries, "next": len(entries)}))
    result = run("record", tmp_path / "journal.json", "--name", "app")
    assert result.returncode == 0, result.stderr
    hidden = [character for character in result.stdout if not character.isprintable() and character != "\n"]
    assert hidden == [] and "handler:" not in [line.split("#")[0].strip()[:8] for line in result.stdout.splitlines()]
    with site(tmp_path, result.stdout) as server:
        # The server has started, and with it what the section names.
        assert server.control()("GET", "/sessions") is not None
    assert not list(tmp_path.glob("ran-*"))


EVENTS_PAGE = """<!doctype html><title>App</title>%s<script>
const heard = [];
window.AcmePort = { onmessage: (event) => heard.push([event.constructor.name, event.data, event.origin]) };
window.app = {};
document.addEventListener("ready", (event) => heard.push([event.constructor.name, event.bubbles]));
addEventListener("storage", (event) => heard.push([event.key, event.newValue]));
window.journey = async () => {
  for (const type of ["open", "say", "store", "user"]) await webkit.messageHandlers.acme.postMessage({ type, id: `${type}-1` });
  while (heard.length < 3 || !app.user) await new Promise((done) => setTimeout(done, 10));
  return [heard, app.user];
};
</script>"""

EVENTS = """
bridges:
  acme:
    channels: { acme: { reply: true } }
    name: /type
    answers:
      open: [{ event: ready, on: document, kind: Event, init: { bubbles: true } }, { reply: 1 }]
      say: [{ event: message, on: AcmePort, data: !from /id, origin: "https://acme.example" }, { reply: 2 }]
      store: [{ event: storage, kind: StorageEvent, init: { key: theme, newValue: dark } }, { reply: 3 }]
      user: [{ set: app.user, value: { name: Eva, id: !from /id } }, { reply: 4 }]
"""


@pytest.mark.parametrize("kind", ["answers", "handler"])
def test_events_on_objects_of_the_page_and_variables_are_recorded_played_and_verified(tmp_path, page, desk, kind):
    more = "calls=&events=ready@document,message@AcmePort,storage&sets=app.user"
    recorder = f"<script src='/__footbridge/recorder.js?to=http://127.0.0.1:{desk.server_port}/&{more}'></script>"
    with site(tmp_path / "device", EVENTS, recorder, EVENTS_PAGE) as device:
        page.goto(device.url)
        # The recorder has found what the page's script has made.
        page.wait_for_function("() => Object.getOwnPropertyDescriptor(app, 'user')?.set && AcmePort.onmessage.length === 0")
        seen = page.evaluate("journey()")
        transcript = desk.wait('"message":4,"reply"')
    assert seen == [
        [["Event", True], ["MessageEvent", "say-1", "https://acme.example"], ["theme", "dark"]], {"name": "Eva", "id": "user-1"}]
    folder = tmp_path / "desk"
    folder.mkdir()
    (folder / "transcript.jsonl").write_text(transcript)
    arguments = ["--handler", folder / "acme.py"] if kind == "handler" else []
    result = run("record", folder / "transcript.jsonl", "--name", "acme", *arguments)
    assert result.returncode == 0, result.stderr
    config = result.stdout.replace(str(folder / "acme.py"), "acme.py").replace("[python3,", f"[{sys.executable},")
    with site(folder, config, "", EVENTS_PAGE) as server:
        page.goto(server.url)
        assert page.evaluate("journey()") == seen
        journal = server.control()("GET", f"/sessions/{server.control()('GET', '/sessions')['sessions'][0]['id']}/journal?limit=1000")
    # Both the transcript and the journal of what was played say the same as the section.
    (folder / "journal.json").write_text(json.dumps(journal))
    for file in ("transcript.jsonl", "journal.json"):
        verified = run(
            "verify", folder / file, "--config", folder / "footbridge.yaml", "--bridge", "acme",
            environment={"PYTHONPATH": str(PROJECT / "web" / "testing")})
        assert verified.returncode == 0, verified.stdout + verified.stderr
