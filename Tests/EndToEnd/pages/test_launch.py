"""What native sets before the page: headers, cookies, stored values, variables, and launch data that is signed now."""

import base64
import hashlib
import hmac
import json
import time
import urllib.parse

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from footbridge_process import serve
from upstreams import upstream

PAGE = """<!doctype html><html lang="en"><head><title>Shop</title><script>
window.seen = { app: window.app, address: location.search + location.hash, cookie: document.cookie, theme: localStorage.theme, visit: sessionStorage.visit };
</script></head><body></body></html>"""


class Site:
    """A server that remembers the requests for its documents."""

    def __init__(self):
        self.documents = []

    def handle(self, exchange, request):
        if "/__" not in request.target and "favicon" not in request.target:
            self.documents.append(request)
        exchange.answer(PAGE, content_type="text/html")
        return True


@pytest.fixture
def launched(tmp_path, page):
    """Opens the page of a proxied site whose launch has these settings. Returns the server and the site."""
    site = Site()
    servers = []
    with upstream(site.handle) as behind:
        def start(settings, path="/"):
            (tmp_path / "footbridge.yaml").write_text(json.dumps({"launch": settings}))
            server = serve("--proxy", behind.url, "--config", tmp_path / "footbridge.yaml", "--ephemeral")
            servers.append(server)
            page.goto(server.url + path)
            return server, site

        yield start
        for server in servers:
            server.stop()


def test_variables_and_stored_values_are_there_before_the_pages_scripts(launched, page):
    server, _ = launched({"window": {"app": {"version": "3.1"}}, "localStorage": {"theme": "dark"}, "sessionStorage": {"visit": 1}, "hash": "#from=push"})
    assert page.evaluate("seen") == {"app": {"version": "3.1"}, "address": "#from=push", "cookie": "", "theme": "dark", "visit": "1"}
    # What the page has stored stays, and only the first document has the fragment.
    page.evaluate("localStorage.theme = 'light'")
    page.goto(server.url + "/second")
    assert page.evaluate("[seen.theme, seen.address, seen.app.version]") == ["light", "", "3.1"]


def test_cookies_are_in_the_first_request_and_in_the_browser(launched, page):
    server, site = launched({"cookies": [{"name": "sid", "value": "s3cret", "httpOnly": True}, {"name": "lang", "value": "de", "sameSite": "Lax"},
                                         {"name": "admin", "value": 1, "path": "/admin"}]})
    assert site.documents[0].field("cookie") == "sid=s3cret; lang=de"
    assert page.evaluate("document.cookie") == "lang=de"
    stored = {cookie["name"]: cookie for cookie in page.context.cookies()}
    assert stored["sid"]["httpOnly"] and not stored["lang"]["httpOnly"]
    # A page that signs out stays signed out.
    page.context.clear_cookies(name="sid")
    page.goto(server.url + "/second")
    assert site.documents[-1].field("cookie") == "lang=de"


def test_the_cookies_of_a_browser_are_not_replaced_in_its_request(launched, page):
    page.context.add_cookies([{"name": "lang", "value": "fr", "domain": "app.localhost", "path": "/"}, {"name": "lang", "value": "fr", "domain": "127.0.0.1", "path": "/"}])
    _, site = launched({"cookies": [{"name": "lang", "value": "de"}, {"name": "sid", "value": "1"}]})
    fields = site.documents[0].field("cookie").split("; ")
    assert "sid=1" in fields and len([field for field in fields if field.startswith("lang=")]) == 1


def test_headers_are_in_the_requests_for_documents(launched, page):
    server, site = launched({"headers": {"X-App": "3.1"}, "firstHeaders": {"X-Start": "push"}})
    page.goto(server.url + "/second")
    page.evaluate("fetch('/data').then(response => response.text())")
    first, second, fetched = site.documents
    assert [first.field("x-app"), first.field("x-start")] == ["3.1", "push"]
    assert [second.field("x-app"), second.field("x-start")] == ["3.1", None]
    assert fetched.field("x-app") is None


def test_telegrams_data_passes_the_check_of_a_backend(launched, page):
    token = "12345:AAF-key-of-the-test"
    launched({"telegram": {"botToken": token, "user": {"id": 7, "first_name": "Eva & Söhne", "language_code": "de"}, "startParam": "sale/1"}})
    fragment = dict(urllib.parse.parse_qsl(page.evaluate("seen.address.slice(1)")))
    assert fragment["tgWebAppVersion"] == "8.0" and fragment["tgWebAppPlatform"] == "ios"
    # As core.telegram.org describes it.
    data = dict(urllib.parse.parse_qsl(fragment["tgWebAppData"]))
    received = data.pop("hash")
    secret = hmac.new(b"WebAppData", token.encode(), hashlib.sha256).digest()
    checked = "\n".join(f"{name}={data[name]}" for name in sorted(data))
    assert hmac.new(secret, checked.encode(), hashlib.sha256).hexdigest() == received
    assert json.loads(data["user"])["first_name"] == "Eva & Söhne" and data["start_param"] == "sale/1"
    assert abs(int(data["auth_date"]) - time.time()) < 3600


def test_vks_parameters_pass_the_check_of_a_backend(launched, page):
    launched({"vk": {"secretKey": "wvl68m4dR1UpLrVRli", "parameters": {"vk_user_id": 494075, "vk_app_id": 6736218, "vk_access_token_settings": "email,friends"}}}, path="/?from=link")
    query = dict(urllib.parse.parse_qsl(page.evaluate("seen.address.slice(1)")))
    assert query["from"] == "link"
    # As dev.vk.com describes it.
    parameters = urllib.parse.urlencode(sorted((name, value) for name, value in query.items() if name.startswith("vk_")))
    code = base64.urlsafe_b64encode(hmac.new(b"wvl68m4dR1UpLrVRli", parameters.encode(), hashlib.sha256).digest()).decode().rstrip("=")
    assert query["sign"] == code and "email%2Cfriends" in parameters


def test_the_id_token_of_line_is_signed_with_the_channels_secret(launched, page):
    launched({"line": {"channelId": "1234567890", "channelSecret": "channel-secret", "user": {"sub": "Ueva", "name": "Eva"}}})
    token = urllib.parse.parse_qs(page.evaluate("seen.address.slice(1)"))["id_token"][0]
    head, payload, signature = token.split(".")
    code = hmac.new(b"channel-secret", f"{head}.{payload}".encode(), hashlib.sha256).digest()
    assert base64.urlsafe_b64decode(signature + "==") == code
    claims = json.loads(base64.urlsafe_b64decode(payload + "=="))
    assert claims["iss"] == "https://access.line.me" and claims["aud"] == "1234567890" and claims["sub"] == "Ueva"
    assert claims["exp"] - claims["iat"] == 3600


def test_the_id_token_of_line_is_signed_with_a_private_key(launched, page):
    key = ec.generate_private_key(ec.SECP256R1())
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    launched({"line": {"channelId": "1234567890", "privateKey": pem, "user": {"sub": "Ueva"}}})
    token = urllib.parse.parse_qs(page.evaluate("seen.address.slice(1)"))["id_token"][0]
    assert jwt.get_unverified_header(token)["kid"]
    claims = jwt.decode(token, key.public_key(), algorithms=["ES256"], audience="1234567890", issuer="https://access.line.me")
    assert claims["sub"] == "Ueva"


def test_a_test_sets_the_data_of_its_session(shop, new_context):
    control = shop.control()
    sessions = [control.session(), control.session()]
    pages = []
    control("PUT", f"/sessions/{sessions[0]['id']}/launch", {"window": {"app": "first"}, "cookies": [{"name": "sid", "value": "1", "httpOnly": True}]})
    for session in sessions:
        context = new_context()
        control.enter(context, session)
        page = context.new_page()
        page.goto(shop.url)
        pages.append(page)
    assert [page.evaluate("window.app") for page in pages] == ["first", None]
    assert "sid" in {cookie["name"] for cookie in pages[0].context.cookies()}
    control("DELETE", f"/sessions/{sessions[0]['id']}/launch")
    pages[0].reload()
    assert pages[0].evaluate("window.app") is None


def test_a_page_whose_policy_allows_little_gets_the_data(tmp_path, page):
    (tmp_path / "index.html").write_text("<!doctype html><html lang='en'><head><meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; "
                                         "require-trusted-types-for 'script'\"><title>Shop</title></head></html>")
    (tmp_path / "footbridge.yaml").write_text("launch: { window: { app: strict } }")
    with serve("--root", tmp_path, "--config", tmp_path / "footbridge.yaml", "--ephemeral") as server:
        page.goto(server.url)
        assert page.evaluate("window.app") == "strict"
