"""Texts of others in header fields and documents: each stays where it belongs, and makes no field or element of its own.

Header fields are those of answers to browsers, and of requests to the server behind. SECURITY.md (Texts of others) has the table of what is done.
"""

import base64
import html.parser
import json
import re
import socket
import urllib.parse

from footbridge_process import LONG, serve
from hostile_texts import HOSTILE
from upstream_services import Service
from upstreams import Upstream
from wire_page import Rejection, WirePage

PAGE = "<!doctype html><title>Page</title>"
FIELD = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+: ?[\x20-\x7e\t]*")


def check_head(head):
    """Each line after the first is a field in ASCII, and no text has made one of its own."""
    lines = head.split(b"\r\n")[1:]
    assert [line for line in lines if line and not FIELD.fullmatch(line)] == []
    assert not any(line.lower().startswith(b"x-evil") for line in lines)


def answer(server, target, *fields, method="GET", host=None):
    """The head and the body of the answer to a browser's request for a document, as bytes."""
    head = [f"{method} {target} HTTP/1.1", f"Host: {host or f'localhost:{server.port}'}", "Connection: close", "Accept: text/html",
            "Sec-Fetch-Dest: document", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Site: none", *fields]
    with socket.create_connection(("127.0.0.1", server.port), timeout=LONG) as connection:
        connection.sendall(("\r\n".join(head) + "\r\n\r\n").encode())
        received = b""
        while data := connection.recv(65536):
            received += data
    assert received.startswith(b"HTTP/1.1 ")
    head, _, body = received.partition(b"\r\n\r\n")
    return head, body


def fetch(*arguments, **options):
    return answer(*arguments, **options)[0]


class Behind:
    """A server behind Footbridge, and the heads of the requests that have reached it."""

    def __init__(self):
        self.heads = []

    def __call__(self, connection):
        if head := connection.read_until(b"\r\n\r\n"):
            self.heads.append(head)
            connection.answer("<!doctype html><title>Behind</title>", "Connection: close", content_type="text/html")


def launches(number, text):
    """What native sets before a page loads, with the text at each place."""
    return [
        {"headers": {f"X-Text-{number}": text}}, {"headers": {text: "1"}}, {"cookies": [{"name": f"c{number}", "value": text}]},
        {"cookies": [{"name": text, "value": "1"}]}, {"cookies": [{"name": f"p{number}", "value": "1", "path": "/" + text}]},
    ]


def test_texts_of_launch_headers_and_cookies_stay_in_their_field():
    behind = Behind()
    headers, cookies = {}, []
    with Upstream(behind) as upstream, serve("--proxy", upstream.url, "--ephemeral", "--log-level", "error", name=None) as server:
        control = server.control()
        session = control("POST", "/sessions", {})
        path, cookie = f"/sessions/{session['id']}", f"Cookie: {session['cookie']['name']}={session['cookie']['value']}"
        for number, text in enumerate(HOSTILE):
            for launch in launches(number, text):
                answer = control.request("PUT", f"{path}/launch", launch)
                assert answer.status in (200, 204, 400, 422), (launch, answer.text)
                if answer.status < 400:
                    headers |= launch.get("headers", {})
                    cookies += launch.get("cookies", [])
        assert len(headers) > 50 and len(cookies) > 100
        names = list(headers)
        for start in range(0, max(len(headers), len(cookies)), 40):
            launch = {"headers": {name: headers[name] for name in names[start:start + 40]}, "cookies": cookies[start:start + 40]}
            assert control.request("PUT", f"{path}/launch", launch).status in (200, 204)
            check_head(fetch(server, "/", cookie))
    sent = b"".join(behind.heads)
    assert b"\r\nX-Text-0: " in sent and b"c0=" in sent
    for head in behind.heads:
        check_head(head)


def test_a_redirect_by_a_rule_stays_in_its_field(tmp_path):
    (tmp_path / "index.html").write_text(PAGE)
    redirected = 0
    with serve("--root", tmp_path, "--ephemeral", "--log-level", "error", name=None) as server:
        control = server.control()
        session = control("POST", "/sessions", {})
        path, cookie = f"/sessions/{session['id']}", f"Cookie: {session['cookie']['name']}={session['cookie']['value']}"
        for text in HOSTILE:
            for location in (text, "/" + text, "myapp://" + text):
                rule = {"on": "footbridge.request", "where": {"path": "/"}, "then": {"result": {"location": location}}}
                if control.request("POST", f"{path}/rules", rule).status == 201:
                    head = fetch(server, "/", cookie)
                    check_head(head)
                    redirected += b" 302 " in head
    assert redirected > 100


def test_the_address_of_a_folder_and_of_an_entry_stays_in_its_field(tmp_path):
    folders = 0
    for text in HOSTILE:
        if not {"/", "\0"} & set(text) and len(text.encode()) < 200 and not text.startswith("."):
            (tmp_path / text).mkdir(exist_ok=True)
            (tmp_path / text / "index.html").write_text(PAGE)
    with serve("--root", tmp_path, "--ephemeral", "--log-level", "error", name=None) as server:
        control = server.control()
        session = control("POST", "/sessions", {})["id"]
        for text in HOSTILE:
            target = urllib.parse.quote(text, safe="")
            head = fetch(server, f"/{target}?{target}")
            check_head(head)
            folders += b" 308 " in head
            entry = control.request("POST", f"/sessions/{session}/enter", {"to": "/" + text})
            if entry.status < 300:
                check_head(fetch(server, entry.json["url"].split(f":{server.port}")[1]))
    assert folders > 40


class HostileEndpoint(Service):
    """Issues any text as a token."""

    def answer(self, number, body):
        text = HOSTILE[(number - 1) % len(HOSTILE)]
        return 200, {"access_token": text, "token_type": "Bearer", "expires_in": 3600, "refresh_token": text}


def test_tokens_of_today_stay_in_the_cookie_of_their_host(tmp_path):
    behind, endpoint = Behind(), HostileEndpoint()
    token = {"url": endpoint.url, "refreshToken": "first", "clientId": "client", "clientSecret": "secret"}
    (tmp_path / "footbridge.yaml").write_text(json.dumps({"today": {"token": token}}))
    established = 0
    with Upstream(behind) as upstream, serve("--proxy", upstream.url, "--config", tmp_path / "footbridge.yaml", "--site-origin", "https://today.example",
                                             "--ephemeral", "--log-level", "error", name=None) as server:
        session = server.control()("POST", "/sessions", {})["cookie"]
        cookie = f"Cookie: {session['name']}={session['value']}"
        ticket = answer(server, "/", cookie)[1].decode().split('data-footbridge-ticket="')[1].split('"')[0]
        page = WirePage(server.port, session["value"], ticket=ticket)
        for number in range(len(HOSTILE)):
            try:
                established += page.call("today.message", value={"type": "establishSession", "refresh": True})["value"]["ok"]
            except Rejection as rejection:
                assert str(rejection).startswith(("today.", "bridge.")), rejection
            check_head(fetch(server, f"/api/{number}", cookie))
        page.close()
    endpoint.stop()
    assert established > 30 and sum(b"embed_bearer=" in head for head in behind.heads) > 30
    for head in behind.heads:
        check_head(head)


def test_targets_and_credentials_of_the_forward_proxy_stay_in_their_field():
    behind = Behind()
    redirected = 0
    with Upstream(behind) as upstream, serve("--site", f"http://plain.example={upstream.url}", "--site", f"https://listed.example={upstream.url}",
                                             "--ephemeral", "--log-level", "error", name=None) as server:
        for text in HOSTILE:
            credentials = base64.b64encode(f"{text}:{text}".encode()).decode()
            written = [urllib.parse.quote(text, safe="")]
            # With these, a client would write another request.
            if not set("\r\n\0 ") & set(text):
                written.append(text)
                check_head(fetch(server, f"{text}:443", method="CONNECT", host=f"{text}:443"))
            for each in written:
                for host in ("plain.example", "listed.example"):
                    head = fetch(server, f"http://{host}/{each}?{each}", f"Proxy-Authorization: Basic {credentials}", host=host)
                    check_head(head)
                    redirected += b" 307 " in head
    assert redirected > 60 and len(behind.heads) > 60
    for head in behind.heads:
        check_head(head)


def test_the_proxy_script_of_every_request_is_the_same():
    with serve("--site", "http://plain.example=http://127.0.0.1:9", "--ephemeral", "--log-level", "error", name=None) as server:
        def script(more="", *fields, host=None):
            return answer(server, f"/__footbridge/proxy.pac{more}", *fields, host=host)

        usual = script()[1]
        assert f"localhost:{server.port}".encode() in usual
        for text in HOSTILE:
            target = urllib.parse.quote(text, safe="")
            assert script(f"?{target}", f"Cookie: {target}={target}", f"X-Forwarded-Host: {target}")[1] == usual
            if not set("\r\n\0") & set(text):
                for host in (text, f"localhost:{server.port}{text}", f"{text}.localhost:{server.port}"):
                    head, body = script(host=host)
                    assert head.split(b" ")[1] in (b"400", b"421") or body == usual
    assert b"plain.example" in usual


QUOTED = r'"(?:[^"\\]|\\.)*"'


def test_the_access_log_quotes_any_user_agent_and_referrer(tmp_path):
    log, root = tmp_path / "access.log", tmp_path / "site"
    root.mkdir()
    sent = [text for text in HOSTILE if not set("\r\n\0") & set(text)]
    with serve("--root", root, "--access-log", log, "--ephemeral", "--log-level", "error", name=None) as server:
        accepted = [text for text in sent if b" 404 " in fetch(server, "/", f"User-Agent: {text}", f"Referer: {text}").split(b"\r\n")[0]]
        assert server.stop() == 0
    lines = log.read_bytes().decode("ascii").split("\n")[:-1]
    assert len(accepted) > 60 and len(lines) >= len(accepted)
    assert [line for line in lines if not re.fullmatch(rf"[ !#-~]*{QUOTED} \d+ (?:\d+|-) {QUOTED} {QUOTED}[ !#-~]*", line)] == []


# Documents: what native sets before the page, and the device.


class Elements(html.parser.HTMLParser):
    """The elements of a document, with the names of their attributes."""

    def __init__(self, document):
        super().__init__()
        self.elements = []
        self.feed(document)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, [name for name, _ in attributes]))


def test_launch_data_adds_no_elements_to_a_document(tmp_path):
    (tmp_path / "index.html").write_text(PAGE)
    with serve("--root", tmp_path, "--ephemeral", "--log-level", "error", name=None) as server:
        control = server.control()
        session = control("POST", "/sessions", {"device": {}})
        path, cookie = f"/sessions/{session['id']}", f"Cookie: {session['cookie']['name']}={session['cookie']['value']}"

        def accepted(method, section, setting):
            answers = [(text, control.request(method, f"{path}/{section}", setting(text)).status) for text in HOSTILE]
            assert {status for _, status in answers} <= {200, 204, 400, 422}
            return [text for text, status in answers if status < 400]

        def elements():
            head, body = answer(server, "/", cookie)
            check_head(head)
            return Elements(body.decode()).elements

        names = accepted("PUT", "launch", lambda text: {"window": {text: 1}})
        stored = accepted("PUT", "launch", lambda text: {"localStorage": {text: text}})
        hashes = accepted("PUT", "launch", lambda text: {"hash": text})
        users = accepted("PUT", "launch", lambda text: {"line": {"channelId": "1", "channelSecret": "key", "user": {"name": text}}})
        accepted("PATCH", "device", lambda text: {"languages": [text]})
        assert min(map(len, (names, stored, hashes, users))) > 60
        control("PUT", f"{path}/launch", {"window": {"a": "a"}, "localStorage": {"a": "a"}, "hash": "a"})
        usual = elements()
        storage = {text: text for text in stored}
        user = {"id": 7, "first_name": "".join(users), "last_name": "</script>"}
        control("PUT", f"{path}/launch", {
            "window": {"texts": HOSTILE, **dict.fromkeys(names, HOSTILE)}, "localStorage": storage, "sessionStorage": storage,
            "hash": "".join(hashes), "telegram": {"botToken": "1:key", "user": user}})
        assert elements() == usual


def test_launch_data_reaches_the_page_unchanged(browser, tmp_path):
    (tmp_path / "index.html").write_text(PAGE)
    with serve("--root", tmp_path, "--ephemeral", "--log-level", "error", name=None) as server:
        control = server.control()
        session = control.session()
        texts = {f"t{number}": text for number, text in enumerate(HOSTILE)}
        control("PUT", f"/sessions/{session['id']}/launch", {"window": {"texts": HOSTILE}, "localStorage": texts, "sessionStorage": texts})
        context = browser.new_context()
        control.enter(context, session)
        page = context.new_page()
        problems = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(server.url)
        assert page.evaluate("texts") == HOSTILE
        assert page.evaluate("Object.keys(localStorage).filter(name => name[0] === 't').length") == len(HOSTILE)
        for storage in ("localStorage", "sessionStorage"):
            assert page.evaluate(f"names => names.map(name => {storage}.getItem(name))", list(texts)) == HOSTILE
        assert page.title() == "Page" and problems == []
        context.close()
