"""Resources of the app: addresses with a scheme of its own, and paths of the site that native answers."""

import base64
import http.client
import pathlib
import sys

import playwright
import pytest

from engines import expect
from footbridge_process import PROJECT, serve

NODE = pathlib.Path(playwright.__file__).parent / "driver" / "node"
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
HANDLER = """
from pytest_footbridge.handler import Failure, Handler, Response

acme = Handler()


@acme.resource("ipc")
def ipc(request):
    if request.url.endswith("/fail"):
        raise Failure("Broken")
    if request.url.endswith("/none"):
        return None
    if request.url.endswith("/bytes"):
        return Response(bytes([0, 255]) + request.body, status=201, headers={"X-Kind": "bytes"})
    if request.url.endswith("/private"):
        return Response("secret", headers={"Access-Control-Allow-Origin": "https://other.example"})
    if request.url.endswith("/wrong"):
        return Response("text", status=999)
    seen = {name: value for name, value in request.headers.items() if name in ("cookie", "x-key", "content-type")}
    return {"method": request.method, "url": request.url, "headers": seen, "body": request.body.decode()}


@acme.resource("/_files_/")
def files(request):
    return request.url.split("/", 3)[3]


acme.run()
"""


@pytest.fixture
def start(tmp_path):
    """Starts servers of one document whose bridge `acme` has these resources."""
    servers = []

    def start(resources, body="", policy="", more="", handler=f"{{ run: [{sys.executable}, acme.py] }}"):
        root, assets = tmp_path / "site", tmp_path / "assets"
        (assets / "deep").mkdir(parents=True, exist_ok=True)
        root.mkdir(exist_ok=True)
        meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">' if policy else ""
        (root / "index.html").write_text(f"<!doctype html><head>{meta}<title>App</title></head><body>{body}</body>")
        (root / "worker.js").write_text(
            "onmessage = async ({ data }) => { try { const answer = await fetch(data); postMessage([answer.status, answer.url, await answer.text()]); }"
            " catch (error) { postMessage(error.name); } };")
        (root / "old-worker.js").write_text("importScripts('app://local/library.js'); postMessage(library);")
        (assets / "icon.png").write_bytes(PNG)
        (assets / "hello.txt").write_text("hello")
        (assets / "library.js").write_text("self.library = 'loaded'; self.order = [...(self.order ?? []), 'library'];")
        (assets / "second.js").write_text("self.order = [...(self.order ?? []), 'second'];")
        (assets / "style.css").write_text("body { background-image: url(icon.png); color: rgb(1, 2, 3) }")
        (tmp_path / "secret.txt").write_text("secret")
        if not (assets / "link.txt").exists():
            (assets / "link.txt").symlink_to(tmp_path / "secret.txt")
        (tmp_path / "acme.py").write_text(HANDLER)
        config = tmp_path / "footbridge.yaml"
        config.write_text(f"bridges:\n  acme:\n    handler: {handler}\n    resources: {resources}\n{more}")
        servers.append(serve(
            "--root", root, "--config", config, "--ephemeral", environment={"PYTHONPATH": str(PROJECT / "web" / "testing")}))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


APP = "{ app: { folder: ./assets } }"
IPC = "{ ipc: { handler: true } }"


def test_fetch_and_xhr_load_files_of_a_folder(start, page):
    page.goto(start(APP).url)
    assert page.evaluate("""(async () => {
      const answer = await fetch("app://local/hello.txt?a=1");
      const copy = answer.clone();
      return [answer.status, answer.url, copy.url, await answer.text(), await copy.text(), answer.headers.get("content-type")];
    })()""") == [200, "app://local/hello.txt?a=1", "app://local/hello.txt?a=1", "hello", "hello", "text/plain; charset=utf-8"]
    assert page.evaluate("""new Promise((resolve) => {
      const request = new XMLHttpRequest();
      request.onload = () => resolve([request.status, request.responseURL, request.responseText]);
      request.open("GET", "app://local/hello.txt");
      request.send();
    })""") == [200, "app://local/hello.txt", "hello"]
    assert page.evaluate("fetch(new Request(new URL('APP://local/hello.txt'))).then((answer) => answer.text())") == "hello"
    assert page.evaluate("fetch('app://local/none.txt').then((answer) => answer.status)") == 404


def test_elements_that_scripts_add_load_from_a_folder(start, page):
    page.goto(start(APP).url)
    assert page.evaluate("""(async () => {
      const loads = (element) => new Promise((resolve) => {
        element.onload = () => resolve("loaded");
        element.onerror = () => resolve("failed");
        if (!(element instanceof HTMLImageElement)) document.head.append(element);
      });
      const image = new Image();
      image.src = "app://local/icon.png";
      const set = document.createElement("img");
      set.setAttribute("srcset", "app://local/icon.png 1x, app://local/none.png 9x");
      const script = document.createElement("script");
      script.src = "app://local/library.js";
      const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "app://local/style.css" });
      const loaded = await Promise.all([image, set, script, style].map(loads));
      return [
        ...loaded, image.naturalWidth, image.src, image.getAttribute("src"),
        set.srcset, set.currentSrc,
        script.src, self.library,
        style.href, getComputedStyle(document.body).color,
      ];
    })()""") == [
        "loaded", "loaded", "loaded", "loaded", 1, "app://local/icon.png", "app://local/icon.png",
        "app://local/icon.png 1x, app://local/none.png 9x", "app://local/icon.png",
        "app://local/library.js", "loaded",
        "app://local/style.css", "rgb(1, 2, 3)",
    ]


def test_elements_of_the_document_and_of_inner_html_load_from_a_folder(start, page):
    body = """
      <link rel="stylesheet" href="app://local/style.css"><img id="icon" src="app://local/icon.png">
      <script src="app://local/library.js"></script><script src="app://local/second.js"></script>
      <div id="later"></div>
    """
    page.goto(start(APP, body).url)
    page.wait_for_function("self.order?.length === 2 && icon.naturalWidth === 1 && getComputedStyle(document.body).color === 'rgb(1, 2, 3)'")
    assert page.evaluate("order") == ["library", "second"]
    page.evaluate("void (later.innerHTML = '<img src=\"app://local/icon.png\"><script src=\"app://local/second.js\"><' + '/script>')")
    page.wait_for_function("later.querySelector('img').naturalWidth === 1")
    assert page.evaluate("order") == ["library", "second"]


def test_workers_load_resources(start, page):
    page.goto(start("{ app: { folder: ./assets }, ipc: { handler: true } }").url)
    ask = """((address) => new Promise((resolve) => {
      const worker = new Worker("/worker.js");
      worker.onmessage = ({ data }) => resolve(data);
      worker.postMessage(address);
    }))"""
    assert page.evaluate(ask + "('app://local/hello.txt')") == [200, "app://local/hello.txt", "hello"]
    assert page.evaluate(ask + "('ipc://local/fail')") == "TypeError"
    assert page.evaluate("""new Promise((resolve) => {
      new Worker("/old-worker.js").onmessage = ({ data }) => resolve(data);
    })""") == "loaded"


def test_a_handler_answers_requests(start, page):
    page.goto(start(IPC).url)
    answer = page.evaluate("""fetch("ipc://localhost/greet?x=1", {
      method: "POST", body: '{"a":1}', headers: { "X-Key": "k", "Content-Type": "application/json" },
    }).then((answer) => answer.json())""")
    assert answer == {
        "method": "POST", "url": "ipc://localhost/greet?x=1", "body": '{"a":1}',
        "headers": {"x-key": "k", "content-type": "application/json"},
    }
    assert page.evaluate("""(async () => {
      const answer = await fetch("ipc://localhost/bytes", { method: "PUT", body: new Uint8Array([7, 200]) });
      return [answer.status, answer.headers.get("x-kind"), answer.headers.get("content-type"), [...new Uint8Array(await answer.arrayBuffer())]];
    })()""") == [201, "bytes", "application/octet-stream", [0, 255, 7, 200]]
    assert page.evaluate("fetch('ipc://localhost/none').then((answer) => answer.status)") == 404


def test_a_handler_in_javascript_answers_requests(start, page, tmp_path):
    (tmp_path / "acme.mjs").write_text(f"""
import {{ run }} from "{PROJECT}/web/testing/handler.mjs";
run({{}}, {{}}, {{
  ipc(request) {{
    const path = new URL(request.url).pathname;
    if (path === "/fail") throw "Broken";
    if (path === "/none") return;
    if (path === "/bytes") return request.bytes();
    return path === "/full" ? new Response("made", {{ status: 202, headers: {{ "X-Kind": "a" }} }}) : [request.method, request.text()];
  }},
}});
""")
    server = start(IPC, handler=f"{{ run: [{NODE}, acme.mjs] }}")
    page.goto(server.url)
    assert page.evaluate("fetch('ipc://localhost/a', { method: 'POST', body: 'b' }).then((answer) => answer.json())") == ["POST", "b"]
    assert page.evaluate("fetch('ipc://localhost/bytes', { method: 'POST', body: new Uint8Array([255]) }).then((answer) => answer.arrayBuffer())"
                         ".then((buffer) => [...new Uint8Array(buffer)])") == [255]
    assert page.evaluate("fetch('ipc://localhost/full').then(async (answer) => [answer.status, answer.headers.get('x-kind'), await answer.text()])") == [
        202, "a", "made"]
    assert page.evaluate("fetch('ipc://localhost/none').then((answer) => answer.status)") == 404
    assert page.evaluate("fetch('ipc://localhost/fail').catch((error) => error.name)") == "TypeError"


def test_a_resource_that_fails_in_native_is_a_network_error(start, page):
    server = start(IPC)
    page.goto(server.url)
    assert page.evaluate("""Promise.all(["fail", "private", "wrong"].map((path) => fetch(`ipc://localhost/${path}`).then(
      () => "loaded", (error) => error.name)))""") == ["TypeError", "TypeError", "TypeError"]
    assert page.evaluate("""new Promise((resolve) => {
      const image = new Image();
      image.onload = image.onerror = ({ type }) => resolve(type);
      image.src = "ipc://localhost/fail";
    })""") == "error"
    assert page.evaluate("""new Promise((resolve) => {
      const request = new XMLHttpRequest();
      request.onload = request.onerror = ({ type }) => resolve(type);
      request.open("GET", "ipc://localhost/fail");
      request.send();
    })""") == "error"
    control = server.control()
    session = control("GET", "/sessions")["sessions"][0]["id"]
    notes = [entry["note"] for entry in control("GET", f"/sessions/{session}/journal")["entries"] if entry.get("action") == "acme.resource"]
    assert "GET ipc://localhost/fail: network error. The handler has failed: Broken." in notes
    assert "GET ipc://localhost/wrong: network error. The handler has written a resource whose status is not a number from 200 to 599." in notes


def test_paths_of_the_site_are_answered_by_a_folder_or_a_handler(start, page):
    page.goto(start("{ /_capacitor_file_/: { folder: ./assets }, /_files_/: { handler: true } }").url)
    assert page.evaluate("""Promise.all(["/_capacitor_file_/hello.txt", "/_files_/a%20b?c"].map(
      (path) => fetch(path).then((answer) => answer.text())))""") == ["hello", "_files_/a%20b?c"]


def test_a_policy_that_names_the_scheme_allows_it(start, page):
    policy = "default-src 'none'; script-src 'unsafe-inline'; img-src app:; connect-src app://local"
    body = """
      <output id="text"></output><output id="image"></output>
      <img src="app://local/icon.png" onload="image.textContent = 'loaded'">
      <script>fetch("app://local/hello.txt").then(async (answer) => text.textContent = await answer.text());</script>
    """
    page.goto(start(APP, body, policy).url)
    # The page's own scripts tell, since the policy forbids evaluation.
    expect(page.locator("#text")).to_have_text("hello")
    expect(page.locator("#image")).to_have_text("loaded")


def test_a_page_without_the_bridge_does_not_have_its_scheme(start, page):
    page.goto(start(APP, more="    pages: [/other]\n").url)
    assert page.evaluate("fetch('app://local/hello.txt').then(() => 'loaded', (error) => error.name)") == "TypeError"


def get(server, path, **fields):
    """Requests an address as a browser of the session does."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request("GET", path, headers={"Cookie": f"footbridge_session={'a' * 32}", **fields})
    answer = connection.getresponse()
    return answer.status, answer.read()


def test_a_folder_serves_ranges_and_nothing_outside_of_it(start):
    server = start(APP)
    base = "/__footbridge/resources/acme/app/~local"
    assert get(server, f"{base}/hello.txt", Range="bytes=1-2") == (206, b"el")
    for path in ("/link.txt", "/../secret.txt", "/%2e%2e/secret.txt", "/deep%2f..%2f..%2fsecret.txt", "/%00"):
        status, body = get(server, base + path)
        assert status in (400, 404) and b"secret" not in body.replace(b"secret.txt", b""), path
    assert get(server, "/__footbridge/resources/acme/other/~local/hello.txt")[0] == 404
    assert get(server, "/__footbridge/resources/none/app/~local/hello.txt")[0] == 404
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request("GET", f"{base}/hello.txt")
    assert connection.getresponse().status == 404
