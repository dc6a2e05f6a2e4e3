"""The device: the phone around the app, as pages and the bridges of vendors notice it."""

import contextlib
import queue

import pytest

from engines import CHROMIUM, FIREFOX, expect, feature, only
from footbridge_process import serve
from upstreams import upstream

HEAD = "<!doctype html><html lang='en'><head><title>Shop</title>"
#: Notes what happens to the page, in order. Each note is also an element: a page that is stopped cannot wait for itself.
NOTES = """<script>
window.notes = [];
const list = document.documentElement.appendChild(document.createElement("aside"));
window.note = (text) => list.append(document.createElement("p")) ?? notes.push(text);
document.addEventListener("visibilitychange", () => note(document.visibilityState + (document.hidden ? " hidden" : "")));
</script>"""

#: A device that leaves everything to the browser.
USUAL = {"state": "active", **dict.fromkeys(
    ["opening", "orientation", "size", "safeArea", "colorScheme", "textSize", "languages", "keyboardHeight", "network"])}


class Device:
    """A page of a session, and its device."""

    def __init__(self, control, session, page, server):
        self.control = control
        self.path = f"/sessions/{session['id']}/device"
        self.session = session
        self.page = page
        self.server = server

    def set(self, **members):
        return self.control("PATCH", self.path, members)

    def notes(self, count):
        """Waits for so many notes of the page, and returns all."""
        expect(self.page.locator("aside > p")).to_have_count(count)
        return self.page.evaluate("notes")


@pytest.fixture
def device(tmp_path, new_context):
    """Serves a page to a new session whose device was set before, with these members."""
    site = tmp_path / "site"
    site.mkdir()
    with contextlib.ExitStack() as stack:
        def start(html="", section="device: {}", members=None, head="", files=(), origin=None):
            for name, content in dict(files).items():
                (site / name).write_bytes(content)
            (site / "index.html").write_text(f"{HEAD}{head}{NOTES}</head><body>{html}</body></html>")
            (tmp_path / "footbridge.yaml").write_text(section)
            server = stack.enter_context(serve(
                *(["--proxy", origin] if origin else ["--root", site]), "--config", tmp_path / "footbridge.yaml", "--ephemeral", name=None))
            control = server.control()
            session = control.session(**({} if members is None else {"device": members}))
            context = new_context()
            control.enter(context, session)
            page = context.new_page()
            page.goto(server.url)
            return Device(control, session, page, server)

        yield start


@feature("the device: visibility")
def test_a_page_is_hidden_in_the_background_and_visible_in_the_foreground(device):
    phone = device()
    assert phone.control("GET", phone.path) == USUAL
    assert phone.page.evaluate("[document.hidden, document.visibilityState]") == [False, "visible"]
    assert phone.set(state="background") == {**USUAL, "state": "background"}
    assert phone.notes(1) == ["hidden hidden"]
    assert phone.page.evaluate("document.hasFocus()") is False
    phone.set(state="inactive")
    assert phone.notes(2) == ["hidden hidden", "visible"]
    phone.set(state="active")
    phone.set(state="suspended")
    assert phone.notes(3)[2:] == ["hidden hidden"]


@feature("the device: timers and frames of animations")
def test_timers_that_are_due_in_a_suspended_app_run_once_when_it_comes_back(device):
    phone = device("""<iframe></iframe><script>
      window.start = () => {
        setTimeout((text) => note(text), 1, "timeout");
        setTimeout(() => clearTimeout(stopped), 1);
        const stopped = setTimeout(() => note("stopped"), 1);
        const interval = setInterval(() => { note("interval"); clearInterval(interval); }, 1);
        requestAnimationFrame((time) => note(typeof time));
      };
      // The timers of an empty frame are the browser's.
      window.later = () => new Promise((resolve) => frames[0].setTimeout(resolve, 50));
    </script>""")
    phone.set(state="suspended")
    phone.notes(1)
    phone.page.evaluate("(start(), later())")
    assert phone.notes(1) == ["hidden hidden"]
    phone.set(state="active")
    notes = phone.notes(5)
    assert notes[:2] == ["hidden hidden", "visible"] and sorted(notes[2:]) == ["interval", "number", "timeout"]


@only(CHROMIUM, FIREFOX, because="it has no requestIdleCallback")
@feature("the device: `requestIdleCallback`")
def test_an_idle_callback_of_a_suspended_app_waits(device):
    phone = device("<script>window.start = () => requestIdleCallback(({ didTimeout }) => note(typeof didTimeout)) > 0;</script>")
    phone.set(state="suspended")
    phone.notes(1)
    assert phone.page.evaluate("start()")
    phone.set(state="active")
    assert phone.notes(3) == ["hidden hidden", "visible", "boolean"]


@feature("the device: sockets")
def test_sockets_of_a_suspended_app_are_lost_and_the_page_hears_of_it_in_the_foreground(device, echo_server):
    phone = device(f"""<script>
      const socket = new WebSocket("ws://127.0.0.1:{echo_server.port}/");
      socket.onopen = () => socket.send("first");
      socket.onmessage = ({{ data }}) => note(data);
      socket.onerror = () => note("error");
      socket.onclose = ({{ code, wasClean }}) => note(`close ${{code}} ${{wasClean}} ${{socket.readyState}}`);
      window.another = () => new WebSocket("ws://127.0.0.1:{echo_server.port}/") instanceof WebSocket && WebSocket.OPEN;
    </script>""")
    assert phone.notes(1) == ["first"]
    phone.set(state="background")
    phone.notes(2)
    phone.page.evaluate("socket.send('in the background')")
    assert phone.notes(3) == ["first", "hidden hidden", "in the background"]
    phone.set(state="suspended")
    phone.set(state="active")
    assert phone.notes(6)[3:] == ["visible", "error", "close 1006 false 3"]
    assert phone.page.evaluate("another()") == 1


@feature("the device: visibility")
def test_a_page_that_loads_while_the_app_is_suspended_is_hidden_from_the_start(device):
    phone = device(members={"state": "suspended"}, section="")
    assert phone.page.evaluate("[document.hidden, notes.length]") == [True, 0]
    phone.set(state="active")
    assert phone.notes(1) == ["visible"]


@feature("the device: visibility")
def test_a_page_that_loaded_before_the_device_was_set_hears_of_it_too(device):
    phone = device(section="")
    assert "footbridge.device" not in phone.page.evaluate("Object.keys(document[Symbol.for('footbridge')].listeners)")
    phone.set(state="background")
    assert phone.notes(1) == ["hidden hidden"]
    phone.set(state="active")
    assert phone.notes(2)[1:] == ["visible"]


@feature("the device: kills, links, pushes and shortcuts")
def test_a_relaunch_brings_the_app_to_the_foreground_and_a_reset_forgets_its_device(device):
    phone = device(section="device: { state: inactive }", members={"state": "suspended"})
    phone.control("POST", f"/sessions/{phone.session['id']}/relaunch")
    assert phone.control("GET", phone.path) == USUAL
    phone.control("POST", f"/sessions/{phone.session['id']}/reset")
    assert phone.control("GET", phone.path) == {**USUAL, "state": "inactive"}


CAPACITOR = """<script>
Capacitor.fromNative = ({ eventName, data }) => note(`${eventName} ${JSON.stringify(data)}`);
Capacitor.triggerEvent = (name, target) => note(`${target} hears ${name}`);
for (const eventName of ["appStateChange", "pause", "resume"]) {
  webkit.messageHandlers.bridge.postMessage({ type: "message", callbackId: eventName, pluginId: "App", methodName: "addListener", options: { eventName } });
}
</script>"""
CORDOVA = """<script>
window.cordova = { require: () => ({}), fireDocumentEvent: (...list) => note(list.join(" ")) };
</script>"""
TELEGRAM = """<script>
window.Telegram = { WebView: { receiveEvent: (type, data) => note(`${type} ${JSON.stringify(data)}`) } };
</script>"""
VK = """<script>addEventListener("VKWebAppEvent", ({ detail }) => note(detail.type));</script>"""
#: What a page of each preset hears on the way to the background and back.
HEARD = {
    "capacitor": (CAPACITOR, [
        'appStateChange {"isActive":false}', "pause {}", "resume {}", 'appStateChange {"isActive":true}', "document hears pause", "document hears resume",
    ]),
    "cordova": (CORDOVA, ["resign", "pause  true", "resume", "active"]),
    "cordova-purchase": (CORDOVA, ["resign", "pause  true", "resume", "active"]),
    "telegram": (TELEGRAM, ['visibility_changed {"is_visible":false}', 'visibility_changed {"is_visible":true}']),
    "vk": (VK, ["VKWebAppViewHide", "VKWebAppViewRestore"]),
}


@feature("the device: what native of presets tells")
@pytest.mark.parametrize("preset", HEARD)
def test_a_page_of_a_preset_hears_what_the_vendors_native_tells_it(device, preset):
    script, heard = HEARD[preset]
    phone = device(section=f"bridges: {{ app: {{ preset: {preset} }} }}\ndevice: {{}}", head="")
    # Its bridge is in the page before its script.
    phone.page.goto(phone.server.url)
    phone.page.evaluate(script.removeprefix("<script>").removesuffix("</script>").strip())
    phone.set(state="suspended")
    phone.set(state="active")
    notes = phone.notes(len(heard) + 2)
    # Listeners of a plugin hear in tasks of their own. Each place hears in this order.
    assert [note for note in notes if note not in ("hidden hidden", "visible") and "document" not in note] == [note for note in heard if "document" not in note]
    assert [note for note in notes if "document" in note] == [note for note in heard if "document" in note]


@feature("the device: dark mode, in scripts and in style sheets of the page's origin")
def test_dark_mode_changes_media_queries_of_scripts_and_of_style_sheets(device):
    phone = device("""<p id="text">text</p><script>
      const query = matchMedia("(prefers-color-scheme: dark)");
      query.addEventListener("change", ({ matches }) => note(`dark ${matches}`));
      const other = matchMedia("(min-width: 1px)");
    </script>""", members={"colorScheme": "light"}, head="""<style>
      #text { color: rgb(0, 0, 1); }
      @media (prefers-color-scheme: dark) { #text { color: rgb(0, 0, 2); } }
      @media (prefers-color-scheme: light) and (min-width: 1px) { #text { background: rgb(0, 0, 3); } }
    </style>""")
    colors = "[getComputedStyle(text).color, getComputedStyle(text).backgroundColor, query.matches, getComputedStyle(document.documentElement).colorScheme]"
    phone.page.evaluate("window.text = document.getElementById('text')")
    assert phone.page.evaluate(colors) == ["rgb(0, 0, 1)", "rgb(0, 0, 3)", False, "light"]
    phone.set(colorScheme="dark")
    assert phone.notes(1) == ["dark true"]
    assert phone.page.evaluate(colors) == ["rgb(0, 0, 2)", "rgba(0, 0, 0, 0)", True, "dark"]
    assert phone.page.evaluate("other.matches && other instanceof MediaQueryList")
    # So does a style sheet that the page adds.
    phone.page.evaluate("document.head.appendChild(document.createElement('style')).textContent = '@media (prefers-color-scheme: dark) { #text { color: rgb(0, 0, 4); } }'")
    assert phone.page.evaluate(colors)[0] == "rgb(0, 0, 4)"
    phone.set(colorScheme="light")
    assert phone.notes(2) == ["dark true", "dark false"]
    assert phone.page.evaluate(colors) == ["rgb(0, 0, 1)", "rgb(0, 0, 3)", False, "light"]


@feature("the device: rotation and screen")
def test_rotation_and_the_screen_reach_the_page(device):
    phone = device("""<script>
      addEventListener("orientationchange", () => note(matchMedia("(orientation: landscape)").matches ? "landscape" : "portrait"));
    </script>""", members={"orientation": "portrait", "size": {"width": 390, "height": 844}})
    assert phone.page.evaluate("[screen.width, screen.height, matchMedia('(orientation: portrait)').matches]") == [390, 844, True]
    phone.set(orientation="landscape")
    assert phone.notes(1) == ["landscape"]
    # An iPhone's screen has the same sides, however it is held.
    assert phone.page.evaluate("[screen.width, screen.height]") == [390, 844]
    assert phone.page.evaluate("screen.orientation ? [screen.orientation.type, screen.orientation.angle] : []") in ([], ["landscape-primary", 90])
    phone.set(orientation=None, size=None)
    phone.notes(2)
    assert phone.page.evaluate("screen.width") != 390


@feature("the device: safe areas, text size and keyboard")
def test_safe_areas_text_size_and_keyboard_are_in_the_style_of_the_root(device):
    phone = device("""<p id="bar">bar</p><script>
      let known = 0;
      const hidden = () => Math.round(innerHeight - visualViewport.height);
      // Browsers also dispatch the event for reasons of their own.
      visualViewport.addEventListener("resize", () => hidden() === known || note(`${known = hidden()}`));
    </script>""", head="""<style>#bar { padding-top: var(--safe-area-inset-top, env(safe-area-inset-top)); font-size: 1rem; }</style>""")
    style = "(({ paddingTop, fontSize }) => [paddingTop, fontSize])(getComputedStyle(document.getElementById('bar')))"
    assert phone.page.evaluate(style) == ["0px", "16px"]
    phone.set(safeArea={"top": 59, "bottom": 34}, textSize=150, keyboardHeight=300)
    assert phone.notes(1) == ["300"]
    assert phone.page.evaluate(style) == ["59px", "24px"]
    assert phone.page.evaluate("document.documentElement.style.getPropertyValue('--safe-area-inset-bottom')") == "34px"
    phone.set(safeArea=None, textSize=None, keyboardHeight=None)
    assert phone.notes(2) == ["300", "0"]
    assert phone.page.evaluate(style) == ["0px", "16px"]


@feature("the device: languages, in the navigator, in `Intl` and in requests")
def test_the_languages_of_the_person_reach_the_page(device):
    phone = device("""<script>addEventListener("languagechange", () => note(navigator.language));</script>""", members={"languages": ["de-AT", "en"]})
    assert phone.page.evaluate("[navigator.language, ...navigator.languages]") == ["de-AT", "de-AT", "en"]
    phone.set(languages=["fr-CH"])
    assert phone.notes(1) == ["fr-CH"]
    assert phone.page.evaluate("[...navigator.languages]") == ["fr-CH"]


@feature("the device: languages, in the navigator, in `Intl` and in requests")
def test_texts_that_name_no_language_are_in_that_of_the_person(device):
    phone = device("<script>class Own extends Intl.NumberFormat {} addEventListener('languagechange', () => note(navigator.language));</script>",
                   members={"languages": ["de-DE", "en"]})
    assert phone.page.evaluate("""[
      (1234.5).toLocaleString(), [1.5, 2.5].toLocaleString(), new Date(0).toLocaleDateString(undefined, { month: "long", timeZone: "UTC" }),
      new Intl.NumberFormat().format(0.5), Intl.DateTimeFormat().resolvedOptions().locale, new Own().format(0.5)]""") == [
        "1.234,5", "1,5,2,5", "Januar", "0,5", "de-DE", "0,5"]
    assert phone.page.evaluate("[(1234.5).toLocaleString('en-US'), 'a'.localeCompare('b', 'en') < 0, new Own() instanceof Own, Intl.NumberFormat.name]") == [
        "1,234.5", True, True, "NumberFormat"]
    # In Swedish, this letter follows z.
    assert phone.page.evaluate("'\u00e4'.localeCompare('z') < 0")
    phone.set(languages=["sv-SE"])
    assert phone.notes(1) == ["sv-SE"]
    assert phone.page.evaluate("'\u00e4'.localeCompare('z') > 0")
    phone.set(languages=None)
    phone.notes(2)
    assert phone.page.evaluate("new Intl.NumberFormat().resolvedOptions().locale") != "sv-SE"


@feature("the device: languages, in the navigator, in `Intl` and in requests")
def test_requests_for_the_site_ask_for_the_persons_languages(device):
    asked = {}

    def handle(exchange, request):
        asked[request.target] = request.field("accept-language")
        exchange.answer(f"{HEAD}{NOTES}</head><body></body></html>", content_type="text/html")
        return True

    with upstream(handle) as site:
        phone = device(members={"languages": ["de-AT", "en"]}, origin=site.url)
        phone.page.evaluate("Promise.all([fetch('/data'), fetch('/own', { headers: { 'Accept-Language': 'it' } })]).then(() => true)")
        assert [asked[path] for path in ("/", "/data", "/own")] == ["de-AT,en;q=0.9", "de-AT,en;q=0.9", "it"]
        phone.set(languages=None)
        phone.page.evaluate("fetch('/browser').then(() => true)")
        assert asked["/browser"] != "de-AT,en;q=0.9"


@feature("the device: network: offline, latency and bandwidth")
def test_without_a_network_requests_for_the_site_fail_and_native_still_answers(device):
    phone = device("""<script>
      for (const type of ["online", "offline"]) addEventListener(type, () => note(`${type} ${navigator.onLine}`));
      window.load = () => fetch("/", { cache: "no-store" }).then((answer) => `${answer.status}`, (error) => error.name);
    </script>""")
    assert phone.page.evaluate("load()") == "200"
    phone.set(network={"offline": True})
    assert phone.notes(1) == ["offline false"]
    assert phone.page.evaluate("load()") == "TypeError"
    phone.set(network={"latency": 1})
    assert phone.notes(2) == ["offline false", "online true"]
    assert phone.page.evaluate("load()") == "200"


@feature("the device: network: offline, latency and bandwidth")
def test_answers_of_a_slow_network_arrive_piece_by_piece(device):
    size = 1_000_000
    phone = device(files={"large.bin": bytes(range(256)) * (size // 256) + bytes(size % 256)})
    assert phone.set(network={"bytesPerSecond": 1000})["network"] == {"offline": False, "latency": 0, "bytesPerSecond": 1000}
    first = phone.page.evaluate("""fetch("/large.bin", { cache: "no-store" }).then(async ({ body }) => {
      window.reader = body.getReader();
      return (await reader.read()).value.length;
    })""")
    assert 0 < first < size
    # The rest comes at once.
    phone.set(network=None)
    assert first + phone.page.evaluate("""(async () => {
      let count = 0;
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return count;
        count += value.length;
      }
    })()""") == size


@feature("the device: network: offline, latency and bandwidth")
def test_an_upload_on_a_slow_network_leaves_piece_by_piece(device):
    size = 1_000_000
    sizes = queue.SimpleQueue()

    def handle(exchange, request):
        if request.method == "POST":
            first = len(exchange.buffer or exchange.connection.recv(size))
            sizes.put(first)
            exchange.buffer = b""
            exchange.read(size - first)
        exchange.answer(f"{HEAD}{NOTES}</head><body></body></html>", content_type="text/html")
        return True

    with upstream(handle) as site:
        phone = device(origin=site.url)
        phone.set(network={"bytesPerSecond": 20})
        phone.page.evaluate("size => { window.sent = fetch('/', { method: 'POST', body: new Uint8Array(size) }).then(({ status }) => status); }", size)
        assert 0 < sizes.get(timeout=60) < 1000
        # The rest leaves at once.
        phone.set(network=None)
        assert phone.page.evaluate("sent") == 200


@feature("the device: kills, links, pushes and shortcuts")
def test_a_page_whose_process_is_killed_loads_again_and_hears_nothing_of_it(device):
    phone = device("""<script>
      note(localStorage.heard ?? "nothing heard");
      for (const type of ["pagehide", "beforeunload"]) addEventListener(type, () => localStorage.heard = type);
      document.addEventListener("visibilitychange", () => localStorage.heard = "visibilitychange");
    </script>""")
    assert phone.notes(1) == ["nothing heard"]
    phone.page.evaluate("window.isFormer = true")
    phone.control("POST", f"{phone.path}/memory-warning")
    phone.page.wait_for_function("!window.isFormer && document.readyState === 'complete'")
    assert phone.notes(1) == ["nothing heard"]


@feature("the device: kills, links, pushes and shortcuts")
def test_a_page_without_a_device_loads_again_too(device):
    phone = device(section="")
    phone.page.evaluate("window.isFormer = true")
    phone.control("POST", f"{phone.path}/memory-warning")
    phone.page.wait_for_function("!window.isFormer && document.readyState === 'complete'")
    assert phone.control("POST", f"{phone.path}/open", {"shortcut": "scan"})["url"].endswith("/")
    phone.page.wait_for_function("document.readyState === 'complete'")
    assert phone.control("GET", phone.path)["opening"] == {"shortcut": "scan"}


@feature("the device: kills, links, pushes and shortcuts")
def test_a_link_launches_the_app_at_its_address(device):
    phone = device(members={"state": "suspended"})
    answer = phone.control("POST", f"{phone.path}/open", {"link": "https://shop.example/?offer=7#top"})
    assert answer["url"].endswith("/?offer=7#top")
    phone.page.wait_for_function("location.search === '?offer=7' && location.hash === '#top' && document.readyState === 'complete'")
    # Another fragment alone is another launch, too.
    phone.page.evaluate("window.isFormer = true")
    phone.control("POST", f"{phone.path}/open", {"link": "https://shop.example/?offer=7#bottom"})
    phone.page.wait_for_function("!window.isFormer && location.hash === '#bottom' && document.readyState === 'complete'")
    assert phone.control("GET", phone.path) == {**USUAL, "opening": {"link": "https://shop.example/?offer=7#bottom"}}
    assert phone.page.evaluate("document.hidden") is False
    phone.control("POST", f"/sessions/{phone.session['id']}/relaunch")
    assert phone.control("GET", phone.path) == USUAL


OPENED = """
Capacitor.fromNative = (result) => note(JSON.stringify([result.eventName ?? result.methodName, result.data]));
for (const [pluginId, methodName, eventName] of [["App", "getLaunchUrl"], ["App", "addListener", "appUrlOpen"],
  ["PushNotifications", "addListener", "pushNotificationActionPerformed"]]) {
  webkit.messageHandlers.bridge.postMessage({ type: "message", callbackId: methodName + pluginId, pluginId, methodName, options: { eventName } });
}
"""


@feature("the device: what native of presets tells")
@pytest.mark.parametrize("opening, heard", [
    ({"link": "shop://a"}, ['["appUrlOpen",{"iosOpenInPlace":"","iosSourceApplication":"","url":"shop://a"}]', '["getLaunchUrl",{"url":"shop://a"}]']),
    ({"push": {"order": 7}}, ['["pushNotificationActionPerformed",{"actionId":"tap","notification":{"data":{"order":7}}}]']),
])
def test_capacitors_plugins_tell_what_has_opened_the_app(device, opening, heard):
    phone = device(section="bridges: { app: { preset: capacitor } }\ndevice: {}")
    phone.page.evaluate("window.isFormer = true")
    phone.control("POST", f"{phone.path}/open", opening)
    phone.page.wait_for_function("!window.isFormer && document.readyState === 'complete'")
    phone.page.evaluate(OPENED)
    assert sorted(phone.notes(len(heard))) == sorted(heard)
    # The app runs: what it has opened is told at once.
    phone.control("POST", f"{phone.path}/open", {**opening, "cold": False})
    assert heard[0] in phone.notes(len(heard) + 1)[len(heard):]


#: As Cordova's script: whoever listens late hears at once that the device is ready.
DEVICE_READY = """<script>
const listen = document.addEventListener.bind(document);
document.addEventListener = (type, ...rest) => type === "deviceready" ? rest[0]() : listen(type, ...rest);
window.handleOpenURL = (url) => note(url);
</script>"""


@feature("the device: what native of presets tells")
@pytest.mark.parametrize("preset", ["cordova", "cordova-purchase"])
def test_cordovas_native_hands_links_of_the_apps_scheme_to_the_page(device, preset):
    phone = device(section=f"bridges: {{ app: {{ preset: {preset} }} }}\ndevice: {{}}", head=DEVICE_READY)
    phone.page.evaluate("window.isFormer = true")
    phone.control("POST", f"{phone.path}/open", {"link": "shop://launch"})
    phone.page.wait_for_function("!window.isFormer && document.readyState === 'complete'")
    assert phone.notes(1) == ["shop://launch"]
    # A later page does not hear of the launch, and no page of universal links.
    phone.page.goto(phone.server.url)
    for link in ("shop://first", "https://shop.example/offer", "shop://second"):
        phone.control("POST", f"{phone.path}/open", {"link": link, "cold": False})
    assert phone.notes(2) == ["shop://first", "shop://second"]


@pytest.mark.parametrize("body", [{}, {"link": "a"}, {"link": "javascript:alert(1)"}, {"link": "shop://a", "shortcut": "b"}, {"shortcut": ""}])
def test_an_opening_is_exactly_one_valid_link_push_or_shortcut(device, body):
    phone = device()
    assert phone.control.request("POST", f"{phone.path}/open", body).status == 422


def test_a_wrong_state_is_an_error_with_the_states(device):
    phone = device()
    answer = phone.control.request("PATCH", phone.path, {"state": "asleep"})
    assert answer.status == 422 and "must be one of: active" in answer.json["detail"]
