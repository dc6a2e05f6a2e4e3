"""What a page sends just before it leaves reaches the host exactly once, with or without an open socket.

`FOOTBRIDGE_DEPARTURES` sets how often the tests try each way of leaving.
"""

import os
import re
import threading
import urllib.error
import urllib.request
from collections import Counter

import pytest

from buyer import PRODUCT, orders_of
from engines import CHROMIUM, FIREFOX, WEBKIT, expect, only
from footbridge_process import serve
from late_sockets import LateSockets
from promises import wait_for_promise
from upstreams import upstream

DEPARTURES = int(os.environ.get("FOOTBRIDGE_DEPARTURES", "4"))
pytestmark = pytest.mark.timeout(600)

#: A page that sends its name in each way to the host, then leaves in the way that its address names.
DOCUMENT = """<!doctype html><html lang="en"><head><title>Leaving</title><script>
  const query = new URLSearchParams(location.search);
  const name = query.get("name");
  const { gbgBridge, todayWebViewBridge } = webkit.messageHandlers;
  const envelope = (type, action, data) =>
    ({ version: "1.0", correlationId: `${type}-${data.name}`, type, timestamp: Date.now(), payload: { action, data } });
  const say = (when) => {
    const data = { name: `${name}-${when}` };
    todayWebViewBridge.postMessage({ type: "track", ename: data.name });
    onside.trackEvent({ name: data.name });
    gbgBridge.postMessage(envelope("event", "app.seen", data));
    gbgBridge.postMessage(envelope("request", "app.saved", data));
  };
  const ways = {
    "replace": () => location.replace("/gone.html"),
    "address": () => location.href = "/gone.html",
    "link": () => document.querySelector("a").click(),
    "form": () => document.forms[0].requestSubmit(),
    "none": () => {},
  };
  const isWhen = (when) => query.get("when") === when;
  if (isWhen("first")) {
    say("first");
    ways[query.get("way")]();
  }
  addEventListener("load", () => {
    say("load");
    if (isWhen("load")) ways[query.get("way")]();
  });
  addEventListener("pagehide", () => say("pagehide"));
</script></head><body><a href="/gone.html">On</a><form method="post" action="/gone.html"><button>Send</button></form></body></html>"""


@pytest.fixture(scope="module")
def leaving_root(tmp_path_factory):
    """Makes a site with a page that leaves, and one to go to."""
    root = tmp_path_factory.mktemp("leaving")
    (root / "index.html").write_text(DOCUMENT)
    (root / "gone.html").write_text("<!doctype html><title>Gone</title>")
    return root


@pytest.fixture
def line():
    """Runs a line that opens no WebSocket until a test allows it."""
    with LateSockets() as line:
        yield line


@pytest.fixture
def host(line, leaving_root, catalog):
    """Runs the server at the end of the line."""
    with serve(
        "--root", leaving_root, "--catalog", catalog, "--present", "auto", "--ephemeral", "--allow-host", line.host,
    ) as server:
        line.target = server.port
        server.api = server.control()
        yield server


@pytest.fixture
def visitor(host, new_context):
    """Makes a browser profile in a session that the test knows."""
    context = new_context()
    session = host.api.session()
    host.api.enter(context, session)
    context.path = f"/sessions/{session['id']}"
    return context


def said(host, path):
    """Returns what the pages of a session have sent, as (way to the host, name), with counts."""
    entries = host.api("GET", path + "/journal?limit=10000")["entries"]
    found = Counter()
    for entry in entries:
        data = entry.get("data") or {}
        match entry["kind"], entry.get("action"):
            case "request", "today.message":
                found["today", data["value"]["ename"]] += 1
            case "request", "onside.trackEvent":
                found["onside", data["name"]] += 1
            case ("request" | "pageEvent") as kind, ("app.saved" | "app.seen"):
                found[kind, data["name"]] += 1
    return found


def expected(names):
    return Counter({(way, name): 1 for name in names for way in ("today", "onside", "request", "pageEvent")})


def wait_until_said(host, path, names):
    """Waits until each of these names has arrived in each way, and checks that it arrived exactly once."""
    for name in names:
        for until in (
            {"kind": "request", "action": "today.message", "data": {"value": {"ename": name}}},
            {"kind": "request", "action": "onside.trackEvent", "data": {"name": name}},
            {"kind": "request", "action": "app.saved", "data": {"name": name}},
            {"kind": "pageEvent", "action": "app.seen", "data": {"name": name}},
        ):
            answer = host.api.request("POST", path + "/journal/wait", {"until": until, "timeout": 10_000})
            assert answer.status == 200, (name, answer.text)
    assert said(host, path) == expected(names)


#: Marks a test that closes the last page of a site.
needs_process = only(CHROMIUM, WEBKIT, because="the process of a site ends with its last page, and loses what the page still sends")
WAYS = [
    ("first", "replace"), ("first", "address"), ("load", "replace"), ("load", "address"), ("load", "link"), ("load", "form"),
    pytest.param("load", "close", marks=needs_process),
]


@pytest.mark.parametrize("has_late_socket", [True, False], ids=["late socket", "socket"])
@pytest.mark.parametrize("when, way", WAYS, ids=[
    "first replace", "first address", "load replace", "load address", "load link", "load form", "load close",
])
def test_messages_sent_before_a_page_unloads_reach_the_host_once(
    host, line, visitor, when, way, has_late_socket, record_property
):
    if not has_late_socket:
        line.open()
    page = visitor.new_page()
    names = []
    for number in range(DEPARTURES):
        name = f"{when}-{way}-{number}"
        address = f"{line.url}/?name={name}&when={when}&way={'none' if way == 'close' else way}"
        if way == "close":
            page.goto(address)
            page.close()
            page = visitor.new_page()
        else:
            page.goto(address, wait_until="commit")
            page.wait_for_url("**/gone.html")
        names += [f"{name}-{moment}" for moment in ("first", "load", "pagehide") if moment != ("load" if when == "first" else "first")]
    wait_until_said(host, visitor.path, names)
    record_property("departures", DEPARTURES)


def leave(page, line, name, when="none", way="none"):
    """Opens a page that sends its name and leaves, and returns the names that it must have sent."""
    page.goto(f"{line.url}/?name={name}&when={when}&way={way}", wait_until="load")
    return [f"{name}-load", f"{name}-pagehide"]


def pages_of(host, path):
    return host.api("GET", path)["pages"]


def wait_until_opened(host, path):
    """Waits until a page is known: its goodbye or its socket has come."""
    assert host.api.request("POST", path + "/journal/wait", {"until": {"kind": "page", "action": "opened"}, "timeout": 60_000}).status == 200


def wait_until_ended(host, path, after, count=1):
    """Waits until this many pages have ended since."""
    for _ in range(count):
        answer = host.api("POST", path + "/journal/wait", {"until": {"kind": "page", "action": "ended"}, "after": after})
        after = answer["next"]
    return after


@only(CHROMIUM, FIREFOX, because="the page goes into its page cache, and the handshake counts as its return")
def test_a_handshake_that_arrives_after_the_page_has_unloaded_has_no_effect(host, line, visitor):
    page = visitor.new_page()
    names = leave(page, line, "a")
    line.wait_for_handshake()
    page.goto("about:blank")
    wait_until_said(host, visitor.path, names)
    assert pages_of(host, visitor.path) == []
    last = host.api("GET", visitor.path + "/journal?limit=10000")["next"]
    line.open()
    wait_until_ended(host, visitor.path, last)
    assert pages_of(host, visitor.path) == []
    assert said(host, visitor.path) == expected(names)


def test_messages_on_the_socket_run_once_when_the_goodbye_overtakes_them(host, line, visitor):
    line.passes_handshake = True
    page = visitor.new_page()
    with page.expect_event("websocket") as opening:
        names = leave(page, line, "a")
    with opening.value.expect_event("framesent", lambda text: "app.saved" in text):
        page.evaluate("say('more')")
    page.goto("about:blank")
    wait_until_opened(host, visitor.path)
    # The goodbye waits: nothing has come on the socket, which is still open.
    assert [entry["listening"] for entry in pages_of(host, visitor.path)] == [False]
    last = host.api("GET", visitor.path + "/journal?limit=10000")["next"]
    line.open()
    wait_until_said(host, visitor.path, [*names, "a-more"])
    wait_until_ended(host, visitor.path, last)
    assert pages_of(host, visitor.path) == []


def test_messages_of_a_removed_frame_reach_the_host(host, line, visitor):
    page = visitor.new_page()
    page.goto(f"{line.url}/gone.html")
    with page.expect_console_message(lambda message: message.text == "said"):
        page.evaluate("""address => {
          const frame = document.createElement("iframe");
          frame.src = address;
          frame.onload = () => { frame.remove(); console.log("said"); };
          document.body.append(frame);
        }""", f"{line.url}/?name=frame")
    names = ["frame-load", "frame-pagehide"]
    wait_until_said(host, visitor.path, names)


def test_messages_of_an_unloading_page_with_a_strict_policy_reach_the_host(host, line, visitor, leaving_root):
    policy = "default-src 'none'; script-src 'unsafe-inline'; form-action 'none'"
    (leaving_root / "strict.html").write_text(
        DOCUMENT.replace("<head>", f'<head><meta http-equiv="Content-Security-Policy" content="{policy}">')
    )
    page = visitor.new_page()
    page.goto(f"{line.url}/strict.html?name=a&when=first&way=replace", wait_until="commit")
    page.wait_for_url("**/gone.html")
    wait_until_said(host, visitor.path, ["a-first", "a-pagehide"])


@only(CHROMIUM, FIREFOX, because="the driver itself uses the functions that the page has replaced")
def test_messages_of_an_unloading_page_that_replaced_built_in_functions_reach_the_host(host, line, visitor):
    page = visitor.new_page()
    names = leave(page, line, "a")
    page.evaluate("""() => {
      window.fetch = window.Blob = () => { throw new Error("no"); };
      for (const object of [Promise.prototype, Map.prototype, Array.prototype, WebSocket.prototype]) {
        for (const name of ["then", "catch", "forEach", "set", "get", "delete", "push", "close", "send"]) {
          if (name in object) object[name] = () => { throw new Error(name); };
        }
      }
      navigator.sendBeacon = () => { throw new Error("no"); };
    }""")
    page.goto("about:blank")
    wait_until_said(host, visitor.path, names)


def test_messages_too_long_for_a_goodbye_give_a_warning_and_the_rest_arrives(host, line, visitor):
    page = visitor.new_page()
    # Developer tools show nothing more of a page that has left, so the test keeps the warnings for the next page.
    page.add_init_script("console.warn = (...all) => sessionStorage.warnings = (sessionStorage.warnings ?? '') + all.join(' ') + '\\n'")
    names = leave(page, line, "a")
    page.evaluate("""() => {
      const long = "x".repeat(70_000);
      gbgBridge.postMessage(envelope("event", "app.long", { name: "long", long }));
      addEventListener("pagehide", () => {
        for (let number = 0; number < 100; number++) {
          gbgBridge.postMessage(envelope("event", "app.kilobyte", { name: `${number}`, filling: "x".repeat(1000) }));
        }
      });
    }""")
    page.goto(f"{line.url}/gone.html")
    wait_until_said(host, visitor.path, names)
    # One for each message that the page could not send. The page has run before the next one shows them.
    warnings = page.evaluate("sessionStorage.warnings.trim().split('\\n')")
    count = 101 - len(warnings)
    # The browser takes more again once it has sent some.
    assert 30 < count < 100
    last = 0
    for _ in range(count):
        until = {"kind": "pageEvent", "action": "app.kilobyte"}
        last = host.api("POST", visitor.path + "/journal/wait", {"until": until, "after": last, "timeout": 20_000})["next"]
    entries = host.api("GET", visitor.path + "/journal?limit=10000")["entries"]
    assert not any(entry.get("action") == "app.long" for entry in entries)
    arrived = [int(entry["data"]["name"]) for entry in entries if entry.get("action") == "app.kilobyte"]
    assert arrived == sorted(set(arrived)) and len(arrived) == count
    assert all("do not reach the host" in warning and "65536 bytes" in warning for warning in warnings)
    host.wait_for_log("1 of its messages did not reach the host")


@needs_process
def test_a_purchase_and_a_finish_during_unload_run_once(host, line, visitor):
    line.open()
    page = visitor.new_page()
    count = 10
    for number in range(count):
        page.goto(f"{line.url}/gone.html")
        # The page that gets the transaction finishes it as it leaves. The next page buys as it leaves.
        page.evaluate("""async ([product, number]) => {
          const transactions = await onside.getTransactions();
          addEventListener("pagehide", () => {
            for (const { id } of transactions) onside.finishTransaction(id);
            onside.purchase({ productIdentifier: product, appAccountToken: `${number}` });
          });
          await onside.loadProducts({ productIdentifiers: [product] });
        }""", [PRODUCT, number])
        last = host.api("GET", visitor.path + "/journal?limit=10000")["next"]
        page.goto("about:blank")
        host.api("POST", visitor.path + "/journal/wait", {"until": {"kind": "request", "action": "onside.purchase"}, "after": last})
    page.goto(f"{line.url}/gone.html")
    wait_for_promise(page, """() => onside.getTransactions()
      .then(all => all.length === 1 && all[0].transactionState === 'purchased')""")
    tokens = page.evaluate("onside.getTransactions().then(all => all.map(each => each.payment.appAccountToken))")
    assert tokens == [f"{count - 1}"]
    asked = Counter(
        entry["action"] for entry in host.api("GET", visitor.path + "/journal?limit=10000&kind=request")["entries"]
    )
    assert (asked["onside.purchase"], asked["onside.finishTransaction"]) == (count, count - 1)
    bought = orders_of(page.evaluate("onside.getSignedInAppsHistory().then(history => history.string)"))
    assert sorted(int(order["app_account_token"]) for order in bought) == list(range(count))


PAGE_ID = "0123456789abcdef" * 2
GOODBYE = f"/__footbridge/goodbye?page={PAGE_ID}&part=0&first=0&lost=0"
#: Wrong goodbyes, with their status: (method, target, fields, body).
REFUSED = {
    "another method": (405, "GET", GOODBYE, [], b""),
    "of another site": (403, "POST", GOODBYE, ["Origin: http://evil.example"], b"\x1e{}\n"),
    "without a session": (400, "POST", GOODBYE, ["Cookie: other=1"], b"\x1e{}\n"),
    "without a page": (400, "POST", "/__footbridge/goodbye?part=0&first=0&lost=0", [], b"\x1e{}\n"),
    "a page id that is none": (400, "POST", "/__footbridge/goodbye?page=../x&part=0&first=0&lost=0", [], b"\x1e{}\n"),
    "without a number": (400, "POST", f"/__footbridge/goodbye?page={PAGE_ID}", [], b"\x1e{}\n"),
    "a number too high": (400, "POST", GOODBYE.replace("part=0", "part=9999999999999999999"), [], b"\x1e{}\n"),
    "a number below 0": (400, "POST", GOODBYE.replace("lost=0", "lost=-1"), [], b"\x1e{}\n"),
    "too long": (413, "POST", GOODBYE, [], b"\x1e" + b"x" * 65_536),
    "no UTF-8": (400, "POST", GOODBYE, [], b"\x1e\xff\n"),
}


@pytest.mark.parametrize("status, method, target, fields, body", REFUSED.values(), ids=REFUSED)
def test_a_goodbye_that_is_not_from_the_shim_is_refused_without_effect(host, status, method, target, fields, body):
    session = host.api.session()
    headers = dict(field.split(": ") for field in fields)
    request = urllib.request.Request(
        host.url + target, data=body if method == "POST" else None, method=method,
        headers={"Cookie": f"footbridge_session={session['cookie']['value']}", **headers})
    with pytest.raises(urllib.error.HTTPError) as refusal:
        urllib.request.urlopen(request)
    assert refusal.value.code == status
    assert host.api("GET", f"/sessions/{session['id']}")["pages"] == []


# A navigation with which the document stays. Firefox closes the sockets of the page as soon as it begins.

STAYING = """<!doctype html><html lang="en"><title>Staying</title>
<script>
  window.ask = () => void onside.requestLogin().then(() => window.outcome = "in", (error) => window.outcome = Object.keys(error)[0]);
</script></html>"""

#: Answers that browsers do not show.
UNSHOWN = {
    "no content": ([], "204 No Content"),
    "download": (["Content-Disposition: attachment; filename=list.txt"], "200 OK"),
}


@pytest.mark.parametrize("fields, status", UNSHOWN.values(), ids=UNSHOWN)
def test_a_page_that_stays_has_its_sheet_and_its_call_after_the_navigation(new_context, fields, status):
    answered = threading.Event()

    def site(exchange, request):
        if request.target == "/file":
            exchange.answer("", *fields, status=status)
            answered.set()
        else:
            exchange.answer(STAYING, content_type="text/html")

    with upstream(site) as behind, serve("--proxy", behind.url, "--ephemeral") as server:
        api, context = server.control(), new_context()
        session = api.session()
        api.enter(context, session)
        path = f"/sessions/{session['id']}"
        other, page = context.new_page(), context.new_page()
        for each in (other, page):
            each.goto(server.url)
            each.evaluate("onside.getTransactions()")
        page.evaluate("ask()")
        sheet = page.get_by_role("dialog", name=re.compile("^Sign in"))
        expect(sheet).to_be_visible()
        last = api("GET", path + "/journal")["next"]
        page.evaluate("void (location.href = '/file')")
        assert answered.wait(timeout=30)
        page.evaluate("onside.getTransactions()")
        expect(other.get_by_role("dialog")).to_have_count(0)
        sheet.get_by_role("button", name="Cancel").click()
        page.wait_for_function("window.outcome")
        assert page.evaluate("outcome") == "loginDiscarded"
        actions = [entry.get("action") for entry in api("GET", f"{path}/journal?after={last}")["entries"] if entry["kind"] == "page"]
        assert "ended" not in actions
