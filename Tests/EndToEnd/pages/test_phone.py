"""`--like ios-26`: pages find no more than the web view of a phone has, and the linter says what would fail or differ there."""

import contextlib
import gzip

import pytest

from engines import CHROMIUM, WEBKIT, feature, only
from footbridge_process import run, serve
from upstreams import upstream

#: What no web view of iOS has, as expressions that are true where it is missing.
MISSING = {
    "a global function": "!('requestIdleCallback' in window) && typeof requestIdleCallback === 'undefined'",
    "an interface": "!('Notification' in window) && !Object.getOwnPropertyNames(window).includes('Notification')",
    "a member of the navigator": "!('vibrate' in navigator) && !('userAgentData' in navigator)",
    "service workers": "!('serviceWorker' in navigator) && typeof ServiceWorkerContainer === 'undefined'",
    "an accessor of the window": "!('scheduler' in window) && !('onbeforeinstallprompt' in window)",
    "what only Chrome has": "!('chrome' in window)",
    "a method of elements": "!('requestFullscreen' in document.body) && !('webkitRequestFullscreen' in document.body)",
}
HEAD = "<!doctype html><html lang='en'><head><title>Shop</title>"


@pytest.fixture
def phone(tmp_path, new_context):
    """Serves a site to a page of a new session, like a phone."""
    site = tmp_path / "site"
    site.mkdir()
    with contextlib.ExitStack() as stack:
        def start(*options, html="", files=(), path="/"):
            (site / "index.html").write_text(f"{HEAD}</head><body>{html}</body></html>")
            for name, text in dict(files).items():
                (site / name).write_text(text)
            server = stack.enter_context(serve("--root", site, "--ephemeral", *options, name=None))
            control = server.control()
            session = control.session()
            context = new_context()
            control.enter(context, session)
            page = context.new_page()
            page.goto(server.url + path)
            return Phone(control, session, page, server)

        yield start


class Phone:
    def __init__(self, control, session, page, server):
        self.control = control
        self.session = session
        self.page = page
        self.server = server

    def finding(self, text):
        """Waits for a finding whose text contains some words, and returns it."""
        until = {"kind": "lint", "action": "L26"}
        after = 0
        while True:
            entry = self.control("POST", f"/sessions/{self.session['id']}/journal/wait", {"after": after, "until": until, "timeout": 15_000})["entry"]
            if text in entry["data"]["about"]:
                return entry["data"]
            after = entry["cursor"]

    def findings(self):
        """Returns the texts of all findings, when the page's messages so far have been handled."""
        self.page.evaluate("onside.getCurrentStorefront().then(() => true)")
        return [each["about"] for each in self.control("GET", f"/sessions/{self.session['id']}/lint")["findings"] if each["rule"] == "L26"]


@feature("like a phone: what its web view lacks")
def test_a_page_does_not_find_what_the_phone_lacks(phone):
    page = phone("--like", "ios-26", html="<script>window.seen = 'vibrate' in navigator || 'Notification' in window</script>").page
    assert page.evaluate("seen") is False
    assert {name: page.evaluate(missing) for name, missing in MISSING.items()} == dict.fromkeys(MISSING, True)
    assert page.evaluate("onside.getCurrentStorefront().then(() => true)")


@only(CHROMIUM, because="it lacks most of this itself")
def test_without_a_phone_a_page_finds_what_its_browser_has(phone):
    page = phone().page
    # The headless shell has no `chrome`.
    assert [name for name, missing in MISSING.items() if page.evaluate(missing)] in ([], ["what only Chrome has"])


@only(CHROMIUM, because="it lacks most of this itself")
def test_an_api_is_there_from_the_version_that_has_it(phone):
    names = "['navigation' in window, 'cookieStore' in window, 'startViewTransition' in document, 'parse' in URL]"
    for name, found in (("ios-17", [False] * 4), ("ios-18", [False, False, True, True]), ("ios-18.4", [False, True, True, True]),
                        ("ios-26", [False, True, True, True]), ("ios-26.2", [True] * 4), ("android", [True] * 4)):
        assert phone("--like", name).page.evaluate(names) == found, name


@only(CHROMIUM, because="it lacks most of this itself")
def test_android_lacks_other_things(phone):
    page = phone("--like", "android").page
    assert page.evaluate("['serviceWorker' in navigator, 'vibrate' in navigator, 'requestIdleCallback' in window]") == [True, True, True]
    assert page.evaluate("['Notification' in window, 'PushManager' in window, 'usb' in navigator, 'share' in navigator]") == [False] * 4
    assert "; wv)" in page.evaluate("navigator.userAgent")


@feature("like a phone: what its web view lacks")
def test_the_navigator_is_that_of_the_phone(phone):
    page = phone("--like", "ios-26").page
    assert page.evaluate("[navigator.platform, navigator.vendor]") == ["iPhone", "Apple Computer, Inc."]
    assert page.evaluate("navigator.maxTouchPoints > 0 && navigator.userAgent.includes('iPhone OS 18_7') && navigator.appVersion.startsWith('5.0 (iPhone')")
    getter = "Object.getOwnPropertyDescriptor(Navigator.prototype, 'platform').get"
    assert page.evaluate(f"[{getter}.name, {getter}.toString().includes('[native code]'), Object.keys(navigator).length]") == ["get platform", True, 0]


@only(CHROMIUM, because="WebDriver sets no user agent")
def test_a_browser_that_plays_a_phone_says_what_it_did_before(tmp_path, new_context):
    (tmp_path / "index.html").write_text(HEAD)
    agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Shop/3"
    with serve("--root", tmp_path, "--ephemeral", "--like", "ios-26") as server:
        page = new_context(user_agent=agent).new_page()
        page.goto(server.url)
        assert page.evaluate("navigator.userAgent") == agent
        assert page.evaluate("'vibrate' in navigator") is False


@feature("like a phone: what its web view lacks")
def test_frames_lack_it_too(phone):
    found = "parent.found[name] = 'requestIdleCallback' in window || navigator.platform !== 'iPhone'"
    own = phone("--like", "ios-26", files={"frame.html": f"{HEAD}<script>{found.replace('name', '`served`')}</script>"}, html=f"""
      <script>window.found = {{}}</script><iframe src="/frame.html"></iframe>
      <iframe srcdoc="<!doctype html><title>x</title><script>{found.replace('name', '`srcdoc`')}</script>"></iframe>""")
    own.page.wait_for_function("Object.keys(found).length === 2")
    assert own.page.evaluate("found") == {"served": False, "srcdoc": False}


@feature("like a phone: what its web view lacks")
def test_sheets_and_calls_work_without_what_the_phone_lacks(phone):
    own = phone("--like", "ios-18")
    own.page.evaluate("window.signedIn = onside.requestLogin().then(() => onside.getCurrentStorefront()), 0")
    own.page.get_by_role("dialog").get_by_role("button", name="Sign in").first.click()
    assert own.page.evaluate("signedIn.then(storefront => typeof storefront?.countryCode)") == "string"
    assert own.findings() == []


#: A worker that says what it finds. Its third line fails if it is asked to.
WORKER = """'use strict';
onmessage = ({ data }) => { if (data) fail(); postMessage([typeof Notification, navigator.platform, (function () { return this; })() === undefined]); };
const fail = () => { throw new Error('on line 3'); };
"""


def ask(page, options="{}"):
    return page.evaluate(f"""() => new Promise((resolve, reject) => {{
      const worker = new Worker('/worker.js', {options});
      worker.onmessage = ({{ data }}) => resolve(data);
      worker.onerror = ({{ message }}) => reject(new Error(message));
      worker.postMessage('');
    }})""")


@feature("like a phone: what its web view lacks")
@pytest.mark.parametrize("options", ["{}", "{ type: 'module' }"])
def test_workers_lack_it_too_and_their_lines_have_the_same_numbers(phone, options):
    own = phone("--like", "ios-26", files={"worker.js": WORKER})
    assert ask(own.page, options) == ["undefined", "iPhone", True]
    line = own.page.evaluate(f"""() => new Promise(resolve => {{
      const worker = new Worker('/worker.js', {options});
      worker.onerror = ({{ lineno }}) => resolve(lineno);
      worker.postMessage('fail');
    }})""")
    assert line == 3


@only(CHROMIUM, because="it lacks most of this itself")
@pytest.mark.parametrize("coding", ["identity", "gzip"])
def test_the_workers_of_a_proxied_site_lack_it_and_its_server_sees_the_phone(page, coding):
    heads = []

    def handle(exchange, request):
        heads.append(request)
        body, kind = (WORKER, "text/javascript") if request.target == "/worker.js" else (f"{HEAD}<body>", "text/html")
        body = body.encode()
        more = []
        if coding == "gzip" and kind == "text/javascript":
            body, more = gzip.compress(body), ["Content-Encoding: gzip"]
        exchange.answer(body, *more, content_type=kind)
        return True

    with upstream(handle) as site, serve("--ephemeral", "--proxy", site.url, "--like", "ios-26") as server:
        page.goto(server.url)
        assert ask(page) == ["undefined", "iPhone", True]
    documents = [head for head in heads if head.target == "/"]
    assert "iPhone" in documents[0].field("user-agent") and documents[0].field("sec-ch-ua") is None


# Rule L26.


@feature("like a phone: rule L26")
@pytest.mark.parametrize(("api", "script"), [
    ("requestIdleCallback", "requestIdleCallback(() => {})"),
    ("Notification", "Notification.requestPermission()"),
    ("Notification", "new Notification('Sold')"),
    ("Navigator.vibrate", "navigator.vibrate(5)"),
    ("Navigator.serviceWorker", "navigator.serviceWorker.register('/worker.js')"),
    ("Element.requestFullscreen", "document.body.requestFullscreen()"),
    ("Navigator.getBattery", "Promise.resolve().then(() => navigator.getBattery())"),
])
def test_a_page_that_fails_for_the_lack_of_an_api_is_reported_with_its_line(phone, api, script):
    own = phone("--like", "ios-26", files={"app.js": f"// The shop.\n\n{script};\n"}, html="<script src='/app.js'></script>")
    found = own.finding(f"ios-26 lacks {api}")
    assert found["severity"] == "error"
    assert "/app.js:3:" in found["about"]


@only(CHROMIUM, because="the words of its errors")
def test_an_inline_script_and_an_app_of_a_minifier_are_reported(phone):
    own = phone("--like", "ios-18", html="""<script>navigator.bluetooth.requestDevice({})</script><script>(e => e.vibrate(5))(navigator)</script>
      <script>navigation.addEventListener('navigate', () => {})</script>""")
    assert own.finding("Navigator.bluetooth")
    assert own.finding("Navigator.vibrate")
    assert "which comes with iOS 26.2" in own.finding("lacks navigation")["about"]


@feature("like a phone: rule L26")
def test_a_page_that_checks_first_or_has_mistakes_of_its_own_is_not_reported(phone):
    own = phone("--like", "ios-26", html="""<script>
      if ('serviceWorker' in navigator) navigator.serviceWorker.register('/worker.js');
      navigator.vibrate?.(5);
      window.requestIdleCallback?.(() => {});
      const share = typeof Notification === 'undefined';
      try { new Notification('Sold'); } catch {}
    </script><script>gone()</script><script>({}).cart.register()</script><script>({ shop: {} }).shop.vibrate(5)</script>
    <script>document.createTextNode('').getAttribute('id')</script>""")
    assert own.findings() == []


@only(CHROMIUM, because="it lacks most of this itself")
def test_with_reports_only_nothing_is_hidden_and_calls_are_reported(phone):
    own = phone("--like", "ios-26", "--like-report-only", files={"app.js": """
      window.called = [typeof requestIdleCallback(() => {}), typeof Notification, new AbortController() instanceof AbortController];
      navigator.usb.getDevices();
      window.found = 'vibrate' in navigator;"""}, html="<script src='/app.js'></script>")
    assert own.page.evaluate("called") == ["number", "function", True]
    assert own.page.evaluate("found") is True and own.page.evaluate("navigator.platform") != "iPhone"
    found = own.finding("ios-26 lacks requestIdleCallback. The page uses it (/app.js:2:")
    assert found["severity"] == "warning"
    assert own.finding("ios-26 lacks USB")
    assert not any("vibrate" in text or "Notification" in text for text in own.findings())


DIFFERENCES = {
    "deletes a cookie that a script writes after 7 days": "document.cookie = 'a=1; Max-Age=864000'",
    "cookie that a script writes after 7 days": "document.cookie = 'a=1; expires=Fri, 31 Dec 2100 23:59:59 GMT'",
    "does not store a Secure cookie of a page under http": "document.cookie = 'a=1; Secure'",
    "plays sound only after the user has touched the page": "new Audio('/a.mp3').play().catch(() => {})",
    "plays a video without playsinline in full screen": "Object.assign(document.createElement('video'), { muted: true }).play().catch(() => {})",
    "counts what is behind the notch": "document.head.append(Object.assign(document.createElement('style'), { textContent: 'main { height: 100vh }' }))",
    "zooms into the page when a field": "document.body.append(Object.assign(document.createElement('input'), { id: 'name', style: 'font-size: 14px' })); document.querySelector('input').focus()",
}


@feature("like a phone: rule L26")
@pytest.mark.parametrize("text", DIFFERENCES)
def test_a_difference_in_behaviour_is_reported_when_the_page_meets_it(phone, text):
    own = phone("--like", "ios-26", files={"app.js": DIFFERENCES[text]}, html="<script src='/app.js'></script>")
    assert own.finding(text)["severity"] == "warning"


@only(CHROMIUM, because="the script that sets a cookie is not in the stack")
def test_what_differs_is_reported_with_its_line(phone):
    own = phone("--like", "ios-26", files={"app.js": "\n document.cookie = 'a=1; Max-Age=864000'"}, html="<script src='/app.js'></script>")
    assert own.finding("after 7 days (/app.js:2:")


@only(CHROMIUM, WEBKIT, because="frames do not know their ancestors")
@feature("like a phone: rule L26")
@pytest.mark.parametrize(("like", "script"), [
    ("ios-26", "localStorage.setItem('a', 'b')"), ("ios-26", "document.cookie = 'a=1'"), ("android", "localStorage.setItem('a', 'b')"),
])
def test_storage_in_a_frame_of_another_site_is_reported(phone, like, script):
    own = phone("--like", like, files={"frame.html": f"{HEAD}</head><body><script>try {{ {script} }} catch {{}} parent.postMessage('written', '*')</script>"},
                html="<iframe></iframe>")
    own.page.evaluate("""new Promise((resolve) => {
      addEventListener("message", () => resolve(true));
      document.querySelector("iframe").src = location.origin.replace("127.0.0.1", "localhost") + "/frame.html";
    })""")
    # No cookie of the page's session reaches a frame of another site.
    [frame] = [each for each in own.control("GET", "/sessions")["sessions"] if each["id"] != own.session["id"]]
    assert Phone(own.control, frame, own.page, own.server).finding("gives a frame of another site no cookies")["severity"] == "warning"


@feature("like a phone: rule L26")
def test_sound_before_a_touch_is_reported_for_android_too(phone):
    own = phone("--like", "android", files={"app.js": DIFFERENCES["plays sound only after the user has touched the page"]}, html="<script src='/app.js'></script>")
    assert own.finding("plays sound only after the user has touched the page")["severity"] == "warning"


@feature("like a phone: rule L26")
def test_what_works_the_same_on_the_phone_is_not_reported(phone):
    own = phone("--like", "ios-26", html="""<style>main { height: 90vh }</style><input id="name" style="font-size: 16px"><script>
      document.cookie = 'a=1; Max-Age=86400';
      document.cookie = 'b=1';
      localStorage.setItem('a', 'b');
      const video = Object.assign(document.createElement('video'), { muted: true, playsInline: true });
      video.setAttribute('playsinline', '');
      video.play().catch(() => {});
      document.getElementById('name').focus();
    </script>""")
    own.page.wait_for_function("document.readyState === 'complete'")
    assert own.findings() == []


# The option.


@pytest.mark.parametrize(("options", "words"), [
    (["--like", "ios-16"], ["--like: ios-16 is not a phone.", "ios-26", "android"]),
    (["--like-report-only"], ["--like-report-only needs a phone. Set it with --like."]),
])
def test_a_wrong_phone_is_refused_with_those_that_are_known(options, words):
    result = run("serve", "--ephemeral", *options)
    assert result.returncode in (64, 78)
    assert all(word in result.stderr for word in words), result.stderr


def test_the_key_of_the_file_names_the_phone(tmp_path, page):
    (tmp_path / "index.html").write_text(HEAD)
    (tmp_path / "footbridge.yaml").write_text("root: .\nlike: ios-26\n")
    with serve("--config", tmp_path / "footbridge.yaml", "--ephemeral") as server:
        page.goto(server.url)
        assert page.evaluate("'vibrate' in navigator") is False
