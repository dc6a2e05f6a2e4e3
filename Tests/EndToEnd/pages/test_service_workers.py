"""Service workers that answer navigations from caches of their own: their documents keep their host."""

import http.client
import re

import pytest

from footbridge_process import serve
from upstreams import upstream
from wire_page import WirePage

PAGE = '<!doctype html><html lang="en"><head><title>Kept</title><script>window.own = typeof onside</script></head><body></body></html>'
FRAMING = '<!doctype html><html lang="en"><head><title>Outer</title></head><body><iframe src="/kept.html"></iframe></body></html>'
CLAIM = "addEventListener('install', event => event.waitUntil(prepare().then(() => skipWaiting())));" \
        "addEventListener('activate', event => event.waitUntil(clients.claim()));"
#: Keeps each document that it has passed on once, and from then on answers with it.
ON_DEMAND = CLAIM + """
const prepare = async () => {};
addEventListener('fetch', event => {
  if (event.request.mode !== 'navigate' || new URL(event.request.url).pathname === '/outer.html') return;
  event.respondWith(caches.open('kept').then(async cache => {
    const cached = await cache.match(event.request);
    if (cached) return cached;
    const answer = await fetch(event.request);
    await cache.put(event.request, answer.clone());
    return answer;
  }));
});"""
#: Fetches what it keeps while it is installed, as most build tools have it.
IN_ADVANCE = CLAIM + """
const prepare = () => caches.open('kept').then(cache => cache.addAll(['/kept.html', '/fragment.html']));
addEventListener('fetch', event => {
  if (event.request.mode !== 'navigate') return;
  event.respondWith(caches.match(event.request).then(cached => cached || fetch(event.request)));
});"""
WORKERS = {"on demand": ON_DEMAND, "in advance": IN_ADVANCE}


def ask_today(page):
    """Whether the host that trusts main frames only answers."""
    return page.evaluate("webkit.messageHandlers.todayWebViewBridge.postMessage({ type: 'headers' }).then(v => v !== undefined)")


def put(folder, worker):
    (folder / "kept.html").write_text(PAGE)
    (folder / "outer.html").write_text(FRAMING)
    (folder / "fragment.html").write_text("<p>Fragment</p>")
    (folder / "worker.js").write_text(worker)


def register(page):
    page.evaluate("""navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)
        .then(() => navigator.serviceWorker.controller || new Promise(resolve => {
          navigator.serviceWorker.oncontrollerchange = () => resolve(true);
        })).then(() => true)""")


def is_whole(page):
    return page.evaluate("[window.own, typeof onside, document.scripts.length]") == ["object", "object", 1]


@pytest.mark.parametrize("worker", WORKERS)
def test_a_document_cached_by_a_worker_retains_its_host(worker, page, tmp_path):
    state, folder = tmp_path / "state", tmp_path / "site"
    folder.mkdir()
    put(folder, WORKERS[worker])
    arguments = ("--root", folder, "--state", state)
    with serve(*arguments) as server:
        page.goto(server.url + "/kept.html")
        assert is_whole(page) and ask_today(page)
        register(page)
        # The first one is cached, the others come from the cache: the file is no longer what it was.
        page.goto(server.url + "/kept.html")
        (folder / "kept.html").write_text("<!doctype html><title>New</title>")
        for _ in range(3):
            page.goto(server.url + "/kept.html")
            assert page.title() == "Kept" and is_whole(page) and ask_today(page)
            assert page.evaluate("onside.getTransactions()") == []
        other = page.context.new_page()
        other.goto(server.url + "/kept.html")
        assert other.title() == "Kept" and ask_today(other) and ask_today(page)
        port = server.port
    with serve(*arguments, port=port):
        page.goto(f"http://127.0.0.1:{port}/kept.html")
        assert page.title() == "Kept" and is_whole(page) and ask_today(page)


@pytest.mark.parametrize("worker", WORKERS)
def test_a_cached_document_retains_its_host_while_the_upstream_is_unreachable(worker, behind, page):
    files = {"/kept.html": (PAGE, "text/html"), "/worker.js": (WORKERS[worker], "text/javascript"),
             "/fragment.html": ("<p>Fragment</p>", "text/html")}

    def handle(exchange, request):
        body, content_type = files.get(request.target, ("", "text/plain"))
        exchange.answer(body, content_type=content_type)
        return False

    with upstream(handle) as site:
        server = behind(site)
        page.goto(server.url + "/kept.html")
        register(page)
        page.goto(server.url + "/kept.html")
        site.listener.close()
        page.goto(server.url + "/kept.html")
        assert is_whole(page) and ask_today(page)


def test_a_fragment_cached_by_a_worker_has_no_shim(page, tmp_path):
    put(tmp_path, IN_ADVANCE)
    with serve("--root", tmp_path, "--ephemeral") as server:
        page.goto(server.url + "/kept.html")
        register(page)
        cached = page.evaluate("caches.match('/fragment.html').then(cached => cached.text())")
        assert cached == "<p>Fragment</p>"
        assert "data-footbridge-ticket" in page.evaluate("caches.match('/kept.html').then(cached => cached.text())")


@pytest.mark.parametrize("worker", WORKERS)
def test_a_cached_document_in_a_frame_is_not_a_main_frame(worker, page, tmp_path):
    put(tmp_path, WORKERS[worker])
    with serve("--root", tmp_path, "--ephemeral") as server:
        page.goto(server.url + "/kept.html")
        register(page)
        page.goto(server.url + "/kept.html")
        assert ask_today(page)
        page.goto(server.url + "/outer.html")
        frame = page.frame(url=re.compile("kept"))
        frame.wait_for_load_state()
        assert frame.evaluate("[window.own, typeof onside]") == ["object", "object"]
        assert not ask_today(frame)


def fetch(server, session, path="/kept.html", **fields):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    names = {name.replace("_", "-"): value for name, value in fields.items()}
    connection.request("GET", path, headers={"Cookie": f"footbridge_session={session}", **names})
    text = connection.getresponse().read().decode()
    connection.close()
    found = re.search(r'data-footbridge-ticket="([^"]+)"', text)
    return found and found[1]


def test_a_ticket_by_fetch_is_issued_to_workers_only_and_good_for_their_session_alone(tmp_path):
    """What a hostile page or frame could try: a fetch with the referrer of a worker from another origin, a fetch of its own,
    a worker's ticket in another session, and an ordinary ticket a second time."""
    put(tmp_path, IN_ADVANCE)
    with serve("--root", tmp_path, "--ephemeral") as server:
        session, other = "1" * 32, "2" * 32
        worker = f"{server.url}/worker.js"
        by_worker = {"Sec_Fetch_Dest": "empty", "Sec_Fetch_Mode": "cors", "Sec_Fetch_Site": "same-origin", "Referer": worker}
        # Before the browser has asked for the worker's script, nothing is a worker.
        assert fetch(server, session, **by_worker) is None
        fetch(server, session, "/worker.js", **{"Service_Worker": "script", "Sec_Fetch_Dest": "serviceworker"})
        for change in ({"Sec_Fetch_Site": "same-site"}, {"Sec_Fetch_Site": "cross-site"}, {"Referer": server.url + "/kept.html"},
                       {"Referer": "http://evil.example/worker.js"}, {"Sec_Fetch_Dest": "script"}):
            assert fetch(server, session, **{**by_worker, **change}) is None
        ticket = fetch(server, session, **by_worker)

        def is_trusted(session, ticket):
            page = WirePage(server.port, session, ticket=ticket)
            answer = page.call("today.message", value={"type": "headers"})
            page.close()
            return answer != {}

        assert [is_trusted(session, ticket), is_trusted(session, ticket), is_trusted(other, ticket)] == [True, True, False]
        # The ticket of a document that no worker has requested is for one page.
        ordinary = fetch(server, session, **{"Sec_Fetch_Dest": "document", "Sec_Fetch_Mode": "navigate"})
        first = WirePage(server.port, session, ticket=ordinary)
        assert first.call("today.message", value={"type": "headers"}) != {}
        assert not is_trusted(session, ordinary)
        first.close()
        framed = fetch(server, session, **{"Sec_Fetch_Dest": "iframe", "Sec_Fetch_Mode": "navigate"})
        assert not is_trusted(session, framed)


# Documents from before Footbridge was there.

ASKING = PAGE.replace("</head>", '<script src="/asks.js"></script></head>')


@pytest.fixture
def cached(page, tmp_path):
    """A site whose worker keeps a document without a shim, as if the browser had been there before Footbridge. Starts Footbridge there."""
    folder = tmp_path / "site"
    folder.mkdir()
    put(folder, IN_ADVANCE)
    (folder / "kept.html").write_text(ASKING)
    (folder / "asks.js").write_text("")
    with serve("--root", folder, "--ephemeral", "--exclude", "/*") as before:
        page.goto(before.url + "/kept.html")
        assert page.evaluate("typeof onside") == "undefined"
        register(page)
        port = before.port
    page.goto("about:blank")
    with serve("--root", folder, "--ephemeral", port=port) as server:
        server.api = server.control()
        yield server


def in_session(server, page):
    session = server.api.session()
    server.api.enter(page.context, session)
    return f"/sessions/{session['id']}"


def test_a_document_cached_before_footbridge_is_logged_without_a_session(cached, page):
    for _ in range(2):
        page.goto(cached.url + "/kept.html")
    assert page.evaluate("typeof onside") == "undefined"
    line = cached.wait_for_log("a document without the shim", "Unregister the worker", timeout=60)
    assert "127.0.0.1" in line and page.context.cookies() == []


def test_a_document_cached_before_footbridge_is_recorded_and_its_worker_is_ended_on_request(cached, page):
    path = in_session(cached, page)
    page.goto(cached.url + "/kept.html")
    until = {"kind": "page", "action": "withoutShim"}
    entry = cached.api("POST", path + "/journal/wait", {"until": until, "timeout": 60_000})["entry"]
    assert entry["data"]["url"].startswith("127.0.0.1:")
    assert page.evaluate("typeof onside") == "undefined"
    # No page can do it, so the worker ends when the browser looks for a newer one.
    assert cached.api("DELETE", path + "/service-workers") == {"workers": [], "caches": []}
    page.goto(cached.url + "/kept.html")
    cached.api("POST", path + "/journal/wait", {"until": {"kind": "page", "action": "listening"}, "timeout": 60_000})
    page.wait_for_function("window.own === 'object'")
    assert ask_today(page)
    assert page.evaluate("Promise.all([navigator.serviceWorker.getRegistrations(), caches.keys()])") == [[], []]


def test_another_page_reports_documents_cached_before_footbridge_and_unregisters_the_worker(cached, page):
    path = in_session(cached, page)
    with page.expect_console_message(lambda message: "from before Footbridge was at this address" in message.text) as told:
        page.goto(cached.url + "/outer.html")
    assert "/kept.html" in told.value.text and "/fragment.html" not in told.value.text
    entry = cached.api("POST", path + "/journal/wait", {"until": {"kind": "page", "action": "documentsKept"}, "timeout": 20_000})["entry"]
    assert entry["data"] == {"documents": ["/kept.html"]}
    cached.wait_for_log("keeps documents from before Footbridge", "/kept.html")
    answer = cached.api("DELETE", path + "/service-workers")
    assert answer == {"workers": [cached.url + "/"], "caches": ["kept"]}
    page.goto(cached.url + "/kept.html")
    assert page.evaluate("[own, typeof onside]") == ["object", "object"]
    # The next one stays.
    register(page)
    page.goto(cached.url + "/kept.html")
    assert page.evaluate("!!navigator.serviceWorker.controller") and is_main_with_host(page)


def is_main_with_host(page):
    return page.evaluate("typeof onside") == "object" and ask_today(page)


def test_a_page_whose_worker_was_registered_later_gets_no_warning(page, tmp_path):
    put(tmp_path, IN_ADVANCE)
    warnings = []
    page.on("console", lambda message: warnings.append(message.text) if message.type == "warning" else None)
    with serve("--root", tmp_path, "--ephemeral") as server:
        page.goto(server.url + "/kept.html")
        register(page)
        # The page that has looked into the caches has said hello after the worker was there.
        page.goto(server.url + "/kept.html")
        with page.expect_response("**/workers.js?task=look"):
            page.goto(server.url + "/outer.html")
        assert ask_today(page)
        assert warnings == [] and not any("shim" in line for line in server.log)
