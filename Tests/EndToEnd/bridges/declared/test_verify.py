"""`footbridge verify`: a recording is played again, and what native answers now is compared with it."""

import json
import sys
import xml.etree.ElementTree as xml

import pytest

from footbridge_process import FIXTURES, run, serve

CONFIG = """
bridges:
  acme:
    channels: { acme: { reply: true }, notes: {}, texts: { reply: json, text: true } }
    name: [/type, message]
    answers:
      opened: { call: app.ready }
      login: { reply: { user: eva, id: !from /id, at: "2026-11-27T10:00:00Z" }, delay: 60000 }
      fail: { error: Not today }
      scan: [{ call: app.onScan, args: [abc] }, { event: "acme:seen", detail: 1 }]
      theme: { reply: { dark: true } }
      note: { call: app.noted, args: [!from /text] }
"""

TRANSCRIPT = """{"page":"https://app.example/start?x=1"}
{"call":"app.ready","args":[]}
{"message":1,"channel":"acme","body":{"type":"login","id":7}}
{"message":1,"reply":{"user":"eva","id":7,"at":"2025-01-01T00:00:00Z"}}
{"message":2,"channel":"acme","body":{"type":"fail"}}
{"message":2,"error":"Not today"}
{"message":3,"channel":"acme","body":{"type":"scan"}}
{"call":"app.onScan","args":["abc"]}
{"event":"acme:seen","detail":1}
{"message":3}
{"message":4,"channel":"texts","body":"{\\"type\\":\\"theme\\"}"}
{"message":4,"reply":"{\\"dark\\":true}"}
{"message":5,"channel":"notes","body":{"type":"note","text":"hi"}}
{"message":5}
{"call":"app.noted","args":["hi"]}
"""


@pytest.fixture
def verify(tmp_path):
    """Verifies a transcript against a footbridge.yaml."""

    def verify(transcript=TRANSCRIPT, config=CONFIG, *arguments, name="transcript.jsonl"):
        (tmp_path / name).write_text(transcript)
        (tmp_path / "footbridge.yaml").write_text(config)
        return run("verify", tmp_path / name, "--config", tmp_path / "footbridge.yaml", *arguments)

    return verify


def test_a_mock_that_says_the_same_passes(verify):
    result = verify()
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == "6 messages: native says what the transcript has.\n"


def test_differences_fail_and_are_named_with_their_lines(verify, tmp_path):
    config = CONFIG.replace("user: eva", "user: adam").replace("app.onScan", "app.onCode").replace("Not today", "No").replace("{ dark: true }", "{}")
    result = verify(TRANSCRIPT, config)
    assert result.returncode == 1, result.stderr
    place = f"{tmp_path}/transcript.jsonl"
    assert result.stdout.splitlines() == [
        f'{place}:4: acme.login: other value: reply at /user was "eva", and is "adam"',
        f'{place}:6: acme.fail: other value: error was "Not today", and is "No"',
        f'{place}:8: acme.scan: other name: call was call app.onScan ["abc"], and is call app.onCode ["abc"]',
        f"{place}:12: acme.theme: other shape: reply at /dark was true, and is undefined",
        "6 messages: 4 differences.",
    ]


def test_places_can_be_ignored(verify):
    config = CONFIG.replace("user: eva", "user: adam")
    assert verify(TRANSCRIPT, config, "--ignore", "/user").returncode == 0
    assert verify(TRANSCRIPT, config, "--ignore", "login/user").returncode == 0
    assert verify(TRANSCRIPT, config, "--ignore", "fail/user").returncode == 1


def test_what_is_missing_and_what_is_new_are_differences(verify):
    config = CONFIG.replace('[{ call: app.onScan, args: [abc] }, { event: "acme:seen", detail: 1 }]', "{ event: other }")
    config = config.replace("      fail: { error: Not today }\n", "").replace("opened: { call: app.ready }", "opened: { event: hello }")
    result = verify(TRANSCRIPT, config, "--timeout", "0.3", "--json", "-")
    differences = json.loads(result.stdout)["differences"]
    assert [(each["message"], each["kind"], each.get("recorded"), each.get("played")) for each in differences] == [
        ("opened", "missing", "call app.ready []", None),
        ("opened", "extra", None, "event hello undefined"),
        ("fail", "missing", 'error "Not today"', None),
        ("scan", "missing", 'call app.onScan ["abc"]', None),
        ("scan", "other name", "event acme:seen 1", "event other undefined"),
    ]


def test_events_on_other_objects_and_variables_differ_by_name_and_value(verify, tmp_path):
    config = """
bridges:
  acme:
    channels: { acme: { reply: true } }
    name: /type
    answers: { open: [{ event: ready, on: %s, kind: Event }, { set: %s, value: %s }, { event: message, on: window, data: %s, origin: x }] }
"""
    transcript = """{"message":1,"channel":"acme","body":{"type":"open"}}
{"event":"ready","on":"document","kind":"Event","init":{}}
{"set":"app.user","value":"eva"}
{"event":"message","kind":"MessageEvent","data":{"n":1},"init":{"origin":"x"}}
{"message":1}
"""
    assert verify(transcript, config % ("document", "app.user", "eva", "{ n: 1 }")).returncode == 0
    result = verify(transcript, config % ("app", "app.name", "eva", "{ n: 2 }"))
    assert result.returncode == 1
    place = f"{tmp_path}/transcript.jsonl"
    assert result.stdout.splitlines() == [
        f"{place}:4: acme.open: other value: event message on window (MessageEvent) at /data/n was 1, and is 2",
        f"{place}:2: acme.open: other name: event was event ready on document (Event) {{}}, and is event ready on app (Event) {{}}",
        f'{place}:3: acme.open: other name: set was set app.user "eva", and is set app.name "eva"',
        "1 message: 3 differences.",
    ]
    updated = config % ("app", "app.name", "eva", "{ n: 2 }")
    assert verify(transcript, updated, "--update").returncode == 0
    assert verify((tmp_path / "transcript.jsonl").read_text(), updated).returncode == 0
    broken = verify('{"event":"a","kind":"alert"}\n', updated, "--bridge", "acme")
    assert broken.returncode == 65 and "on, kind, data, origin and init" in broken.stderr


def test_the_result_is_written_for_programs(verify, tmp_path):
    config = CONFIG.replace("user: eva", 'user: "<&\\u2028>"')
    result = verify(TRANSCRIPT, config, "--junit", tmp_path / "junit.xml", "--json", tmp_path / "result.json")
    assert result.returncode == 1
    suite = xml.parse(tmp_path / "junit.xml").getroot().find("testsuite")
    assert (suite.get("tests"), suite.get("failures")) == ("6", "1")
    [failure] = suite.iter("failure")
    assert "other value: reply at /user" in failure.get("message") and '"<&\\u2028>"' in failure.text
    assert [case.get("name") for case in suite][:2] == ["acme.opened (line 1)", "acme.login (line 3)"]
    written = json.loads((tmp_path / "result.json").read_text())
    assert (written["bridge"], written["messages"], len(written["differences"])) == ("acme", 6, 1)


def test_an_update_writes_what_is_new_into_the_transcript(verify, tmp_path):
    config = CONFIG.replace("user: eva", "user: adam")
    result = verify(TRANSCRIPT, config, "--update")
    assert result.returncode == 0 and "1 difference" in result.stdout
    updated = (tmp_path / "transcript.jsonl").read_text()
    assert len(updated.splitlines()) == len(TRANSCRIPT.splitlines()) and '"user":"adam"' in updated
    assert verify(updated, config).returncode == 0


def test_a_handler_is_verified(verify, tmp_path):
    (tmp_path / "acme.py").write_text("""
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "message" in message:
        print(json.dumps({"message": message["message"], "reply": {"hello": message["body"]["name"]}}), flush=True)
""")
    config = f"bridges: {{ acme: {{ channels: {{ acme: {{ reply: true }} }}, handler: {{ run: [{sys.executable}, acme.py] }} }} }}"
    transcript = '{"message":1,"channel":"acme","body":{"name":"eva"}}\n{"message":1,"reply":{"hello":"%s"}}\n'
    assert verify(transcript % "eva", config, "--timeout", "30").returncode == 0
    assert verify(transcript % "adam", config, "--timeout", "30").returncode == 1


def test_a_journal_of_each_host_is_verified(tmp_path, page):
    """What the three hosts have said in a session, they say again."""
    (tmp_path / "index.html").write_text("<!doctype html><title>App</title>")
    catalog = FIXTURES / "storehelper-sample.storekit"
    options = ["--catalog", catalog, "--present", "auto"] if catalog.exists() else []
    (tmp_path / "footbridge.yaml").write_text("gbg: { answers: { nfc.read: { data: { chipRead: true } } } }\ntoday: { signedIn: true }\n")
    with serve("--root", tmp_path, "--config", tmp_path / "footbridge.yaml", "--ephemeral", *options) as server:
        page.goto(server.url)
        page.evaluate("webkit.messageHandlers.todayWebViewBridge.postMessage({ type: 'headers' })")
        page.evaluate("onside.getCurrentStorefront().catch(String)")
        page.evaluate("""new Promise((resolve) => {
          addEventListener("gbgbridge:message", ({ detail }) => detail.type === "response" && resolve(detail));
          webkit.messageHandlers.gbgBridge.postMessage({ version: "1.0", correlationId: "a", type: "request", timestamp: 1, payload: { action: "nfc.read", data: {} } });
        })""")
        control = server.control()
        session = control("GET", "/sessions")["sessions"][0]["id"]
        journal = control("GET", f"/sessions/{session}/journal")
    (tmp_path / "journal.json").write_text(json.dumps(journal))
    for bridge in ("today", "onside", "gbg"):
        result = run("verify", tmp_path / "journal.json", "--bridge", bridge, "--config", tmp_path / "footbridge.yaml", *options)
        assert result.returncode == 0, f"{bridge}: {result.stdout}{result.stderr}"
    (tmp_path / "footbridge.yaml").write_text("gbg: { answers: { nfc.read: { data: { chipRead: false } } } }\n")
    result = run("verify", tmp_path / "journal.json", "--bridge", "gbg", "--config", tmp_path / "footbridge.yaml", *options)
    assert result.returncode == 1 and "other value: reply at /data/chipRead was true, and is false" in result.stdout
    assert run("verify", tmp_path / "journal.json").returncode == 64


@pytest.mark.parametrize(
    ("transcript", "arguments", "code", "error"),
    [
        (TRANSCRIPT, ["--bridge", "none"], 64, "There is no bridge none."),
        (TRANSCRIPT, ["--ignore", "token"], 64, "--ignore is token. It must be a JSON pointer"),
        (TRANSCRIPT, ["--timeout", "0"], 64, "--timeout must be"),
        ('{"page": 1', [], 64, "It is not clear to which bridge"),
        ('{"page": "x"}\n{"nonsense": 1}', ["--bridge", "acme"], 65, "transcript.jsonl:2: expected a line of the recorder"),
        ('{"page": "x"}', ["--bridge", "acme"], 65, "has nothing about the bridge acme"),
        ('{"message":1,"channel":"other","body":1}', ["--bridge", "acme"], 65, "messages to other, which is no message handler"),
        ('{"entries":[{"kind":"request","action":"acme.login","cursor":1,"correlationId":"a"}]}', ["--update"], 64, "--update needs a transcript"),
    ],
)
def test_what_is_wrong_is_told_with_a_code(verify, transcript, arguments, code, error):
    result = verify(transcript, CONFIG, *arguments)
    assert result.returncode == code and error in result.stderr, result.stderr


def test_a_file_that_is_not_there_has_its_code(tmp_path):
    assert run("verify", tmp_path / "none.jsonl").returncode == 66
