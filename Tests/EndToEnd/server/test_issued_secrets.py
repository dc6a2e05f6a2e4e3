"""Journals and transcripts contain no secrets of the session that its page repeats, under any name."""

import json
import sys

from footbridge_process import serve
from test_today import SITE

TOKEN = "control/token+of~this-server="
MERCHANT = 'merchant "secret" of these tests, quite long'

#: A handler that gives its page the token of the session, which it should not.
HANDLER = """
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    if "message" in message:
        print(json.dumps({"message": message["message"], "reply": message["control"]["token"]}), flush=True)
"""

REPEAT = """async ([token, more]) => {
  const secrets = [token, ...more];
  const post = (id, action, data) => webkit.messageHandlers.gbgBridge.postMessage(
    { version: "1.0", correlationId: id, type: "event", timestamp: Date.now(), payload: { action, data } });
  for (const [index, secret] of secrets.entries()) {
    post("plain-" + index, "app.note", { note: `before ${secret} after`, list: [[secret]], [secret]: 1, long: "x".repeat(5000) + secret });
    post(secret, "app." + secret, {});
    post("encoded-" + index, "app.encoded", {
      url: "https://shop.example/?t=" + encodeURIComponent(secret), twice: encodeURIComponent(encodeURIComponent("t=" + secret)),
      strict: Array.from(new TextEncoder().encode(secret), (byte) => "%" + byte.toString(16)).join(""),
      json: JSON.stringify({ t: secret }), jsonTwice: JSON.stringify(JSON.stringify([secret])), slashes: JSON.stringify(secret).replaceAll("/", "\\\\/"),
    });
    call({ type: "track", ename: "seen", parameters: { what: secret } });
    onside.trackEvent({ name: "seen", parameters: { what: secret } });
    await onside.loadProducts({ productIdentifiers: [secret] }).catch(() => {});
  }
}"""


def test_a_secret_that_a_page_repeats_is_left_out_of_the_journal(page, tmp_path):
    config = tmp_path / "more.yaml"
    config.write_text(json.dumps({"today": {}, "onside": {"merchant": {"id": "m", "secret": MERCHANT, "keyId": "k"}}, "bridges": {"acme": {
        "channels": {"acme": {"reply": True}}, "handler": {"run": [sys.executable, "-c", HANDLER]}}}}))
    with serve("--ephemeral", "--config", config, "--site-origin", SITE, "--control-token", TOKEN) as server:
        control = server.control(TOKEN)
        page.goto(server.url)
        page.evaluate("window.call = m => webkit.messageHandlers.todayWebViewBridge.postMessage(m)")
        tokens = [page.evaluate("call({ type: 'refreshToken' }).then(({ authorization }) => authorization.split(' ')[1])") for _ in range(2)]
        [cookie] = [cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "footbridge_session"]
        secrets = [*tokens, cookie, TOKEN, MERCHANT, page.evaluate("webkit.messageHandlers.acme.postMessage(1)")]
        page.evaluate(REPEAT, [secrets[0], secrets[1:]])
        [session] = control("GET", "/sessions")["sessions"]
        path = f"/sessions/{session['id']}/journal"
        entries = control("GET", path + "?limit=1000")["entries"]
        text = json.dumps(entries, ensure_ascii=False)
        text += control.request("GET", path + "?format=jsonl").text.decode()
        with control.events(session["id"], headers={"Last-Event-ID": "0"}) as events:
            for entry in entries:
                text += json.dumps(next(events).data, ensure_ascii=False)
        forms = [form for secret in secrets for form in (secret, json.dumps(secret)[1:-1], json.dumps(json.dumps(secret)[1:-1])[1:-1])]
        assert [form for form in forms if form in text] == []
        # The journal keeps the text around it.
        notes = [entry["data"]["note"] for entry in entries if entry.get("action") == "app.note"]
        assert notes == ["before ‹secret› after"] * len(secrets)
        encoded = [entry["data"] for entry in entries if entry.get("action") == "app.encoded"]
        assert len(encoded) == len(secrets)
        for data in encoded:
            assert all("‹secret›" in value or "‹JWS" in value for value in data.values()), data


def test_a_secret_of_one_session_is_not_hidden_in_another(shop, new_context):
    control = shop.control()
    # Another engine may have been here before.
    before = {session["id"] for session in control("GET", "/sessions")["sessions"]}
    pages = [new_context().new_page() for _ in range(2)]
    for page in pages:
        page.goto(shop.url)
    [cookie] = [cookie["value"] for cookie in pages[0].context.cookies() if cookie["name"] == "footbridge_session"]
    for page in pages:
        page.evaluate("""secret => onside.loadProducts({ productIdentifiers: ["text-" + secret] }).catch(() => {})""", cookie)
    found = []
    for session in {session["id"] for session in control("GET", "/sessions")["sessions"]} - before:
        text = json.dumps(control("GET", f"/sessions/{session}/journal?limit=1000")["entries"], ensure_ascii=False)
        found += [mark for mark in ("text-" + cookie, "text-‹secret›") if mark in text]
    assert sorted(found) == sorted(["text-" + cookie, "text-‹secret›"])
