"""The device: the phone around the app, as pages and the bridges of vendors notice it."""

import contextlib

import pytest

from engines import expect, feature
from footbridge_process import serve

HEAD = "<!doctype html><html lang='en'><head><title>Shop</title>"
#: Notes what happens to the page, in order. Each note is also an element: a page that is stopped cannot wait for itself.
NOTES = """<script>
window.notes = [];
const list = document.documentElement.appendChild(document.createElement("aside"));
window.note = (text) => list.append(document.createElement("p")) ?? notes.push(text);
document.addEventListener("visibilitychange", () => note(document.visibilityState + (document.hidden ? " hidden" : "")));
</script>"""


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
        def start(html="", section="device: {}", members=None, options=(), head=""):
            (site / "index.html").write_text(f"{HEAD}{head}{NOTES}</head><body>{html}</body></html>")
            (tmp_path / "footbridge.yaml").write_text(section)
            server = stack.enter_context(serve("--root", site, "--config", tmp_path / "footbridge.yaml", "--ephemeral", *options, name=None))
            control = server.control()
            session = control.session(**({} if members is None else {"device": members}))
            context = new_context()
            control.enter(context, session)
            page = context.new_page()
            page.goto(server.url)
            return Device(control, session, page, server)

        yield start


@feature("the device: background and foreground")
def test_a_page_is_hidden_in_the_background_and_visible_in_the_foreground(device):
    phone = device()
    assert phone.control("GET", phone.path) == {"state": "active"}
    assert phone.page.evaluate("[document.hidden, document.visibilityState]") == [False, "visible"]
    assert phone.set(state="background") == {"state": "background"}
    assert phone.notes(1) == ["hidden hidden"]
    assert phone.page.evaluate("document.hasFocus()") is False
    phone.set(state="inactive")
    assert phone.notes(2) == ["hidden hidden", "visible"]
    phone.set(state="active")
    phone.set(state="suspended")
    assert phone.notes(3)[2:] == ["hidden hidden"]


@feature("the device: background and foreground")
def test_what_is_due_while_the_app_is_suspended_runs_once_when_it_comes_back(device):
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


@feature("the device: background and foreground")
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


@feature("the device: background and foreground")
def test_a_page_that_loads_while_the_app_is_suspended_is_hidden_from_the_start(device):
    phone = device(members={"state": "suspended"}, section="")
    assert phone.page.evaluate("[document.hidden, notes.length]") == [True, 0]
    phone.set(state="active")
    assert phone.notes(1) == ["visible"]


@feature("the device: background and foreground")
def test_a_page_that_loaded_before_the_device_was_set_hears_of_it_too(device):
    phone = device(section="")
    assert "footbridge.device" not in phone.page.evaluate("Object.keys(document[Symbol.for('footbridge')].listeners)")
    phone.set(state="background")
    assert phone.notes(1) == ["hidden hidden"]
    phone.set(state="active")
    assert phone.notes(2)[1:] == ["visible"]


@feature("the device: background and foreground")
def test_a_relaunch_brings_the_app_to_the_foreground_and_a_reset_forgets_its_device(device):
    phone = device(section="device: { state: inactive }", members={"state": "suspended"})
    phone.control("POST", f"/sessions/{phone.session['id']}/relaunch")
    assert phone.control("GET", phone.path) == {"state": "active"}
    phone.control("POST", f"/sessions/{phone.session['id']}/reset")
    assert phone.control("GET", phone.path) == {"state": "inactive"}


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


@feature("the device: background and foreground")
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


def test_a_wrong_state_is_an_error_with_the_states(device):
    phone = device()
    answer = phone.control.request("PATCH", phone.path, {"state": "asleep"})
    assert answer.status == 422 and "must be one of: active" in answer.json["detail"]
