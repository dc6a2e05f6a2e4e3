"""GBGBridge in Chromium: the channel, the delivery to the page, captures with a camera, and the settings of footbridge.yaml."""

import base64
import json
import os
import re
import shutil
import struct
import urllib.request
import zlib

import pytest

from engines import expect
from browser_profiles import profiles
from footbridge_process import NAME, serve
from promises import wait_for_promise

DOCUMENT = "camera.document.capture"
SELFIE = "camera.selfie.capture"
MESSAGE = {"version": "1.0", "type": "request", "timestamp": 1}


@pytest.fixture(scope="module")
def camera_browser(browser):
    """A Chromium with a simulated camera. The permission of each context decides whether its pages may use it."""
    if NAME:
        pytest.skip("browsers give no camera to pages over http, unless they are of this machine")
    arguments = ["--use-fake-device-for-media-stream"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
    camera_browser = browser.browser_type.launch(
        executable_path=os.environ.get("FOOTBRIDGE_CHROMIUM") or shutil.which("chromium"), args=arguments
    )
    yield camera_browser
    camera_browser.close()


@pytest.fixture
def camera_context(camera_browser):
    """Makes browser profiles with a camera. By default, their pages may use it; with None, the browser has not asked yet."""
    with profiles(camera_browser, permissions=["camera"]) as make:
        yield make


@pytest.fixture
def camera_page(camera_context):
    """Returns a page that may use the camera."""
    return camera_context().new_page()


@pytest.fixture(scope="session")
def journey(journey_root):
    """Runs the journey, with sheets that the person in the page answers."""
    with serve("--root", journey_root, "--ephemeral") as server:
        yield server


@pytest.fixture
def configured(tmp_path, journey_root):
    """Starts servers of the journey with this text as footbridge.yaml."""
    servers = []

    def start(text, *arguments):
        config = tmp_path / f"footbridge-{len(servers)}.yaml"
        config.write_text(text)
        server = serve("--root", journey_root, "--config", config, "--ephemeral", *arguments)
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.stop()


def png(width, height, pixels=lambda count: b"\x80" * count):
    """Makes a PNG: grey, or with `pixels` of three bytes each."""

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + pixels(3 * width) for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")


def ask(page, action, data=None):
    return page.evaluate("([action, data]) => ask(action, data)", [action, data or {}])


def begin(page, action, data=None):
    """Requests a capture and waits for its sheet. With `answer`, the page waits for the answer."""
    page.evaluate("([action, data]) => { window.capture = ask(action, data); }", [action, data or {}])
    expect(page.get_by_role("dialog")).to_be_visible()


def answer(page):
    return page.evaluate("capture")


def press(page, name):
    page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()


def take_and_use(page):
    press(page, "Take photo")
    press(page, "Use photo")


def actual_image(page, data):
    """Returns the size of the image according to the browser, and its type according to its first bytes."""
    size = page.evaluate(
        """async data => {
          const image = new Image();
          image.src = `data:${data.mimeType};base64,${data.imageBase64}`;
          await image.decode();
          return [image.naturalWidth, image.naturalHeight];
        }""",
        data,
    )
    start = base64.b64decode(data["imageBase64"])[:3]
    return (*size, {b"\x89PN": "image/png", b"\xff\xd8\xff": "image/jpeg"}[start])


# The channel.


@pytest.mark.parametrize("form", ["m => m", "m => JSON.stringify(m)", "m => JSON.stringify(m, null, 2)"])
def test_an_envelope_may_be_posted_as_an_object_and_as_text(journey, page, form):
    page.goto(journey.url)
    message = {**MESSAGE, "correlationId": "any form ✓", "payload": {"action": "capability.query"}}
    assert page.evaluate(f"m => post(({form})(m)).then(value => value === undefined)", message)
    page.wait_for_function("inbox.length")
    [response] = page.evaluate("inbox")
    assert (response["version"], response["type"], response["correlationId"]) == ("1.0", "response", "any form ✓")
    assert response["payload"]["action"] == "capability.query" and response["payload"]["status"] == "success"
    assert sorted(response) == ["correlationId", "payload", "timestamp", "type", "version"]


def test_the_default_host_supports_both_captures(journey, page):
    page.goto(journey.url)
    data = ask(page, "capability.query")["data"]
    assert data["environment"] == "ios" and data["hostVersion"]
    assert {id: (c["supported"], c["version"]) for id, c in data["capabilities"].items()} == {
        "camera.document": (True, "1.0"), "camera.selfie": (True, "1.0"),
    }


def test_the_page_does_not_get_the_channel_of_android(journey, page):
    page.goto(journey.url)
    assert page.evaluate("typeof GBGBridge === 'object' && !('postMessage' in GBGBridge) && 'gbgBridge' in webkit.messageHandlers")


@pytest.mark.parametrize("message", [
    "'no JSON'", "'{}'", "'[]'", "''", "null", "1", "undefined", "({})", "[]", "new Date()", "({ version: '1.0', type: 'request' })",
    "(() => { const cyclic = {}; cyclic.self = cyclic; return cyclic; })()",
    "({ version: '1.0', correlationId: 7, type: 'request', timestamp: 1, payload: { action: 'capability.query' } })",
    "({ version: '1.0', correlationId: 'a', type: 'request', timestamp: 1, payload: { action: {} } })",
    "({ version: '1.0', correlationId: 'a', type: 'request', timestamp: 1, payload: { action: ['capability.query'] } })",
    "({ version: '1.0', correlationId: 'a', type: 'question', timestamp: 1, payload: { action: 'capability.query' } })",
])
def test_a_malformed_message_is_logged_by_the_host_and_not_answered(configured, page, message):
    server = configured("")
    page.goto(server.url)
    assert page.evaluate(f"post({message}).then(value => value === undefined)")
    server.wait_for_log("warning", "not an envelope")
    assert ask(page, "capability.query")["status"] == "success"
    assert page.evaluate("inbox.length") == 1


def test_an_unhandled_request_gets_no_answer(configured, page):
    server = configured("")
    page.goto(server.url)
    page.evaluate("() => { ask('nobody.handles.this', {}, 'unhandled'); }")
    server.wait_for_log("warning", "nobody.handles.this")
    assert ask(page, "capability.query")["status"] == "success"
    assert "unhandled" not in page.evaluate("inbox.map(message => message.correlationId)")


def test_an_event_and_a_response_of_the_page_get_no_answer(journey, page):
    page.goto(journey.url)
    for kind in ("event", "response"):
        message = {**MESSAGE, "type": kind, "correlationId": "e", "payload": {"action": "journey.complete", "data": {}}}
        assert page.evaluate("m => post(m).then(value => value === undefined)", message)
    assert ask(page, "capability.query")["status"] == "success"
    assert page.evaluate("inbox.length") == 1


def test_a_page_may_use_a_correlation_id_again(configured, page):
    server = configured("gbg: { answers: { other.action: { data: { other: true } } } }")
    page.goto(server.url)
    assert "capabilities" in page.evaluate("ask('capability.query', {}, '1')")["data"]
    assert page.evaluate("ask('other.action', {}, '1')")["data"] == {"other": True}


def test_a_correlation_id_that_is_used_again_after_a_lost_socket_is_another_request(configured, page):
    server = configured("gbg: { answers: { other.action: { data: { other: true } } } }")
    page.goto(server.url)
    assert "capabilities" in page.evaluate("ask('capability.query', {}, '1')")["data"]
    lose_socket(server.control(), page)
    assert page.evaluate("ask('other.action', {}, '1')")["data"] == {"other": True}


@pytest.mark.parametrize("form", ["m => m", "m => JSON.stringify(m)"])
def test_correlation_ids_like_the_shims_own_do_not_mix_up_calls(configured, page, form):
    server = configured("gbg: { pending: [approval.wait] }")
    control = server.control()
    page.goto(server.url)
    ids = ["footbridge-1", "footbridge-2", "footbridge-shim-1", "footbridge-shim-2"]
    message = {**MESSAGE, "payload": {"action": "approval.wait", "data": {"kept": [1, None]}}}
    own_call = """() => Promise.race([onside.getTransactions(), new Promise(end => setTimeout(end, 5000, "no answer"))])"""
    for _ in range(2):
        page.evaluate(f"([ids, message]) => ids.forEach(correlationId => post(({form})({{ ...message, correlationId }})))", [ids, message])
        assert [page.evaluate(own_call) for _ in range(2)] == [[], []]
        lose_socket(control, page)
        assert page.evaluate(own_call) == []
    path = page_path(control) + "/requests"
    requests = control("GET", path)["requests"]
    assert [request["data"] for request in requests] == [{"kept": [1, None]}] * len(ids) * 2
    for request in requests:
        control("POST", f"{path}/{request['correlationId']}/respond", {"data": {"done": True}})
    page.wait_for_function("count => inbox.length === count", arg=len(requests))
    assert sorted(page.evaluate("inbox.map((message) => message.correlationId)")) == sorted(ids * 2)


def test_requests_with_one_correlation_id_before_the_socket_opens_are_all_answered(configured, page):
    server = configured("gbg: { answers: { a.one: { data: { one: true } }, a.two: { data: { two: true } } } }")
    page.add_init_script("""document.addEventListener("DOMContentLoaded", () => {
      for (const action of ["a.one", "a.two"]) ask(action, {}, "same");
    })""")
    page.goto(server.url)
    page.wait_for_function("inbox.length === 2")
    assert page.evaluate("inbox.map(({ correlationId, payload }) => [correlationId, payload.data])") == [
        ["same", {"one": True}], ["same", {"two": True}]]
    control = server.control()
    [session] = control("GET", "/sessions")["sessions"]
    entries = control("GET", f"/sessions/{session['id']}/journal")["entries"]
    assert [entry["correlationId"] for entry in entries if entry["kind"] in ("request", "response")] == ["same"] * 4


def test_an_acknowledgement_is_delivered_once_over_lost_sockets_and_the_result_follows(configured, page):
    server = configured("gbg: { answers: { journey.start: { status: acknowledged } } }")
    page.goto(server.url)
    assert page.evaluate("ask('journey.start', {}, '1')")["status"] == "acknowledged"
    control = server.control()
    for _ in range(2):
        lose_socket(control, page)
        assert ask(page, "capability.query")["status"] == "success"
    assert page.evaluate("inbox.filter((message) => message.correlationId === '1').length") == 1
    path = page_path(control)
    control("POST", path + "/requests/1/respond", {"status": "success", "data": {"done": True}})
    page.wait_for_function("inbox.some((message) => message.correlationId === '1' && message.payload.data?.done)")
    assert control.request("POST", path + "/requests/1/respond", {"status": "success"}).status == 404


def page_path(control):
    """Returns the path of the only page in the control API."""
    [session] = control("GET", "/sessions")["sessions"]
    [page] = control("GET", f"/sessions/{session['id']}/pages")["pages"]
    return f"/sessions/{session['id']}/pages/{page['id']}"


def lose_socket(control, page):
    """Cuts the page's socket, and waits until the page opens a new one."""
    with page.expect_event("websocket"):
        control("POST", page_path(control) + "/disconnect")


def test_requests_reach_the_host_in_the_order_of_their_calls(journey, page):
    frames = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda text: frames.append(json.loads(text))))
    page.add_init_script("""document.addEventListener("DOMContentLoaded", () => {
      for (const id of ["9", "b", "1", "a"]) ask("capability.query", {}, id);
    })""")
    page.goto(journey.url)
    page.wait_for_function("inbox.length === 4")
    assert [frame["correlationId"] for frame in frames if frame["payload"]["action"] == "capability.query"] == ["9", "b", "1", "a"]


def test_without_gbg_there_is_no_channel(configured, page):
    page.goto(configured("gbg: { enabled: false }").url)
    assert page.evaluate("globalThis.webkit?.messageHandlers?.gbgBridge === undefined && !('GBGBridge' in window)")


def test_the_shim_has_no_comments(journey):
    with urllib.request.urlopen(f"http://127.0.0.1:{journey.port}/__footbridge/shim.js") as response:
        shim = response.read()
    assert not re.search(rb"^\s*//", shim, re.MULTILINE)


# The delivery to the page.


def test_by_default_a_function_of_the_page_is_called_and_an_event_dispatched(journey, page):
    page.goto(journey.url)
    page.evaluate("""() => { window.called = [];
      GBGBridge.onNativeMessage = function (message) { called.push([this === GBGBridge, arguments.length, message.correlationId]); }; }""")
    page.evaluate("ask('capability.query', {}, 'q')")
    assert page.evaluate("called") == [[True, 1, "q"]]
    assert page.evaluate("inbox.length") == 1


def test_messages_can_be_delivered_to_a_function_at_any_path(configured, page):
    page.goto(configured("gbg: { delivery: { function: app.native.receive } }").url)
    page.evaluate("() => { window.app = { native: { receive(message) { app.got = [this === app.native, message.payload.status]; } } }; }")
    page.evaluate("m => post(m)", {**MESSAGE, "correlationId": "q", "payload": {"action": "capability.query"}})
    page.wait_for_function("app.got")
    assert page.evaluate("app.got") == [True, "success"]
    assert page.evaluate("inbox") == []


def test_messages_can_be_delivered_as_text(configured, page):
    page.goto(configured("gbg: { delivery: { function: receive, event: 'native', as: string } }").url)
    page.evaluate("""() => { window.got = []; window.receive = text => got.push(text);
      addEventListener("native", event => got.push(event.detail)); }""")
    page.evaluate("m => post(m)", {**MESSAGE, "correlationId": "q", "payload": {"action": "capability.query"}})
    page.wait_for_function("got.length === 2")
    first, second = page.evaluate("got")
    assert first == second and json.loads(first)["correlationId"] == "q"


def test_messages_can_be_delivered_as_an_event_of_any_name(configured, page):
    page.goto(configured("gbg: { delivery: { event: 'native-message' } }").url)
    page.evaluate("() => { GBGBridge.onNativeMessage = () => { throw new Error('not this'); };"
                  "addEventListener('native-message', event => { window.got = event.detail; }); }")
    page.evaluate("m => post(m)", {**MESSAGE, "correlationId": "q", "payload": {"action": "capability.query"}})
    page.wait_for_function("window.got")
    assert page.evaluate("[got.correlationId, inbox.length]") == ["q", 0]


def test_messages_can_be_delivered_by_a_bootstrap_script(configured, page, tmp_path):
    (tmp_path / "bootstrap.js").write_text("""// This one is no strict code, and comes before all scripts.
        window.early = document.scripts.length === 1 && document.readyState === "loading" && this === window;
        window.GBGBridge = { callbacks: [] };
        footbridge.onmessage = message => window.GBGBridge.callbacks.forEach(callback => callback(message));
        // A comment at the end""")
    page.goto(configured("gbg: { delivery: { bootstrap: bootstrap.js } }").url)
    assert page.evaluate("early")
    page.evaluate("() => { GBGBridge.callbacks.push(message => { window.got = message; }); }")
    page.evaluate("m => post(m)", {**MESSAGE, "correlationId": "q", "payload": {"action": "capability.query"}})
    page.wait_for_function("window.got")
    assert page.evaluate("[got.correlationId, inbox.length]") == ["q", 0]


def test_an_error_in_the_bootstrap_script_does_not_affect_other_bridges(configured, page, tmp_path):
    (tmp_path / "bootstrap.js").write_text("footbridge.onmessage = message => {;")
    page.goto(configured("gbg: { delivery: { bootstrap: bootstrap.js } }").url)
    assert ask(page, "capability.query")["status"] == "success"
    assert page.evaluate("onside.getTransactions()") == []


@pytest.mark.parametrize("action", ["onside.getTransactions", "today.message", "footbridge.hello", "footbridge.sheet.answer"])
def test_an_action_named_like_another_bridges_stays_pending_for_the_control_api(configured, page, action):
    server = configured("")
    control = server.control()
    page.goto(server.url)
    page.evaluate("action => void ask(action, { x: 1 }, 'mine').then(answer => window.answer = answer)", action)
    assert ask(page, "capability.query")["status"] == "success"
    [session] = control("GET", "/sessions")["sessions"]
    [only] = control("GET", f"/sessions/{session['id']}/pages")["pages"]
    path = f"/sessions/{session['id']}/pages/{only['id']}/requests"
    [request] = control("GET", path)["requests"]
    assert (request["action"], request["correlationId"], request["data"]) == (action, "mine", {"x": 1})
    control("POST", f"{path}/mine/respond", {"data": {"y": 2}})
    page.wait_for_function("window.answer")
    assert page.evaluate("answer") == {"action": action, "status": "success", "data": {"y": 2}}
    assert page.evaluate("onside.getTransactions()") == []


def test_an_action_named_like_another_bridges_can_have_a_configured_answer(configured, page):
    page.goto(configured("gbg: { answers: { today.status: { data: { open: true } } } }").url)
    assert ask(page, "today.status") == {"action": "today.status", "status": "success", "data": {"open": True}}


def test_a_slot_reports_its_declared_capability(configured, page):
    page.goto(configured(
        "gbg: { capabilities: { camera.document: { version: '2.1', constraints: { sides: 2 }, permissionState: denied } } }").url)
    slot = ask(page, "capability.query")["data"]["capabilities"]["camera.document"]
    assert slot == {"supported": True, "version": "2.1", "constraints": {"sides": 2}, "permissionState": "denied"}


def test_a_page_that_throws_in_its_function_gets_the_error_and_the_next_message(journey, page):
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(journey.url)
    page.evaluate("() => { GBGBridge.onNativeMessage = () => { throw new Error('in the page'); }; }")
    for _ in range(2):
        assert ask(page, "capability.query")["status"] == "success"
    assert errors == ["in the page", "in the page"]


# Captures.


def test_a_document_is_captured_with_the_camera(journey, camera_page):
    camera_page.goto(journey.url)
    begin(camera_page, DOCUMENT, {"documentType": "passport", "side": "front"})
    expect(camera_page.get_by_role("dialog", name="Photograph the front of the passport")).to_be_visible()
    take_and_use(camera_page)
    payload = answer(camera_page)
    assert payload["status"] == "success" and payload["action"] == DOCUMENT
    data = payload["data"]
    assert sorted(data) == ["imageBase64", "imageHeight", "imageWidth", "mimeType"]
    assert actual_image(camera_page, data) == (data["imageWidth"], data["imageHeight"], data["mimeType"])
    assert data["mimeType"] == "image/png"
    expect(camera_page.get_by_role("dialog")).to_have_count(0)


def test_a_face_is_captured_with_the_camera(journey, camera_page):
    camera_page.goto(journey.url)
    begin(camera_page, SELFIE)
    expect(camera_page.get_by_role("dialog", name="Take a selfie")).to_be_visible()
    take_and_use(camera_page)
    data = answer(camera_page)["data"]
    assert actual_image(camera_page, data) == (data["imageWidth"], data["imageHeight"], data["mimeType"])
    assert data["mimeType"] == "image/jpeg"
    assert data["encryptedBlobBase64"] == data["unencryptedBlobBase64"] == data["imageBase64"]


def test_a_photo_can_be_taken_again(journey, camera_page):
    camera_page.goto(journey.url)
    begin(camera_page, DOCUMENT)
    press(camera_page, "Take photo")
    expect(camera_page.get_by_role("img", name="Your photo")).to_be_visible()
    press(camera_page, "Retake")
    expect(camera_page.get_by_label("Camera")).to_be_visible()
    take_and_use(camera_page)
    assert answer(camera_page)["status"] == "success"


@pytest.mark.parametrize("how", ["Cancel", "Escape", "Cancel the photo"])
def test_a_dismissed_capture_is_cancelled_and_the_next_one_works(journey, camera_page, how):
    camera_page.goto(journey.url)
    begin(camera_page, DOCUMENT)
    if how == "Cancel the photo":
        press(camera_page, "Take photo")
    if how == "Escape":
        camera_page.keyboard.press("Escape")
    else:
        press(camera_page, "Cancel")
    payload = answer(camera_page)
    assert payload["status"] == "cancelled" and "error" not in payload
    begin(camera_page, DOCUMENT)
    take_and_use(camera_page)
    assert answer(camera_page)["status"] == "success"


def test_a_second_capture_is_rejected_as_busy_and_the_first_continues(journey, camera_page):
    camera_page.goto(journey.url)
    begin(camera_page, DOCUMENT)
    payload = ask(camera_page, DOCUMENT)
    assert payload["status"] == "error"
    assert payload["error"]["code"] == "BUSY" and payload["error"]["recoverable"] is True
    take_and_use(camera_page)
    assert answer(camera_page)["status"] == "success"


@pytest.mark.parametrize("end", ["Use photo", "Cancel", "Escape"])
def test_the_camera_is_switched_off_when_the_sheet_closes(journey, camera_page, end):
    camera_page.add_init_script("""(() => {
      const { mediaDevices } = navigator, { getUserMedia } = MediaDevices.prototype;
      window.tracks = [];
      mediaDevices.getUserMedia = async wishes => {
        const stream = await getUserMedia.call(mediaDevices, wishes);
        tracks.push(...stream.getTracks());
        return stream;
      };
    })()""")
    camera_page.goto(journey.url)
    begin(camera_page, DOCUMENT)
    press(camera_page, "Take photo")
    assert camera_page.evaluate("tracks.map(track => track.readyState)") == ["live"]
    if end == "Escape":
        camera_page.keyboard.press("Escape")
    else:
        press(camera_page, end)
    answer(camera_page)
    assert camera_page.evaluate("tracks.map(track => track.readyState)") == ["ended"]


def test_a_reload_ends_the_capture_and_frees_the_slot(journey, camera_page):
    camera_page.goto(journey.url)
    begin(camera_page, DOCUMENT)
    camera_page.reload()
    expect(camera_page.get_by_role("dialog")).to_have_count(0)
    begin(camera_page, DOCUMENT)
    take_and_use(camera_page)
    assert answer(camera_page)["status"] == "success"
    assert len(camera_page.evaluate("inbox")) == 1


def test_without_permission_a_file_can_be_chosen(journey, camera_context):
    page = camera_context(permissions=None).new_page()
    page.goto(journey.url)
    begin(page, DOCUMENT)
    expect(page.get_by_role("dialog")).to_contain_text("may not use the camera")
    with page.expect_file_chooser() as chooser:
        press(page, "Choose a photo")
    chooser.value.set_files({"name": "id.png", "mimeType": "image/png", "buffer": png(321, 123)})
    press(page, "Use photo")
    data = answer(page)["data"]
    assert (data["imageWidth"], data["imageHeight"], data["mimeType"]) == (321, 123, "image/png")
    assert base64.b64decode(data["imageBase64"]) == png(321, 123)


#: EXIF data with the orientation 6: a quarter to the right.
TURNED = b"MM\0*\0\0\0\x08" + struct.pack(">HHHIHHI", 1, 0x0112, 3, 1, 6, 0, 0)


@pytest.fixture
def turned_jpeg(page):
    """A JPEG of 320 × 200 pixels, as a phone that is held upright makes it."""
    url = page.evaluate("Object.assign(document.createElement('canvas'), { width: 320, height: 200 }).toDataURL('image/jpeg')")
    image = base64.b64decode(url.partition(",")[2])
    content = b"Exif\0\0" + TURNED
    return image[:2] + b"\xff\xe1" + struct.pack(">H", 2 + len(content)) + content + image[2:]


@pytest.mark.parametrize("way", ["the file of the settings", "an answer of the control API", "the sheet"])
def test_a_turned_jpeg_has_its_size_as_it_is_seen_however_it_comes(configured, page, turned_jpeg, tmp_path, way):
    (tmp_path / "photo.jpg").write_bytes(turned_jpeg)
    if way == "the file of the settings":
        page.goto(configured("gbg: { capture: { selfie: photo.jpg } }", "--present", "auto").url)
        data = ask(page, SELFIE)["data"]
    else:
        server = configured("")
        page.goto(server.url)
        begin(page, SELFIE)
        if way == "the sheet":
            with page.expect_file_chooser() as chooser:
                press(page, "Choose a photo")
            chooser.value.set_files(tmp_path / "photo.jpg")
            press(page, "Use photo")
        else:
            control = server.control()
            [session] = control("GET", "/sessions")["sessions"]
            path = f"/sessions/{session['id']}/sheets"
            [sheet] = control("GET", path)["sheets"]
            fields = {"imageBase64": base64.b64encode(turned_jpeg).decode()}
            control("POST", f"{path}/{sheet['id']}/answer", {"approved": True, "fields": fields})
        data = answer(page)["data"]
    assert actual_image(page, data) == (data["imageWidth"], data["imageHeight"], data["mimeType"]) == (200, 320, "image/jpeg")


def test_the_size_of_a_turned_png_is_that_of_the_image_as_it_is_seen(journey, camera_context):
    chunk = struct.pack(">I", len(TURNED)) + b"eXIf" + TURNED + struct.pack(">I", zlib.crc32(b"eXIf" + TURNED))
    plain = png(321, 123)
    file = plain[: (at := plain.index(b"IDAT") - 4)] + chunk + plain[at:]
    page = camera_context(permissions=None).new_page()
    page.goto(journey.url)
    begin(page, DOCUMENT)
    with page.expect_file_chooser() as chooser:
        press(page, "Choose a photo")
    chooser.value.set_files({"name": "id.png", "mimeType": "image/png", "buffer": file})
    press(page, "Use photo")
    data = answer(page)["data"]
    assert base64.b64decode(data["imageBase64"]) == file
    assert actual_image(page, data) == (data["imageWidth"], data["imageHeight"], data["mimeType"]) == (123, 321, "image/png")


def test_without_a_camera_a_chosen_file_becomes_the_capture(journey, page):
    page.goto(journey.url)
    begin(page, SELFIE)
    with page.expect_file_chooser() as chooser:
        press(page, "Choose a photo")
    chooser.value.set_files({"name": "face.txt", "mimeType": "text/plain", "buffer": b"no image"})
    expect(page.get_by_role("dialog")).to_contain_text("face.txt is no image")
    with page.expect_file_chooser() as chooser:
        press(page, "Choose a photo")
    chooser.value.set_files({"name": "face.png", "mimeType": "image/png", "buffer": png(64, 80)})
    press(page, "Use photo")
    data = answer(page)["data"]
    assert actual_image(page, data) == (data["imageWidth"], data["imageHeight"], data["mimeType"]) == (64, 80, "image/jpeg")


def test_an_image_of_many_pixels_is_made_smaller_until_it_can_be_sent(journey, page, tmp_path):
    # Noise does not compress, so this has more than 16 MiB.
    (tmp_path / "noise.png").write_bytes(png(2600, 2600, pixels=os.urandom))
    page.goto(journey.url)
    begin(page, DOCUMENT)
    with page.expect_file_chooser() as chooser:
        press(page, "Choose a photo")
    chooser.value.set_files(tmp_path / "noise.png")
    press(page, "Use photo")
    data = answer(page)["data"]
    assert actual_image(page, data) == (data["imageWidth"], data["imageHeight"], data["mimeType"])
    assert data["imageWidth"] == data["imageHeight"] < 2600


def test_a_capture_survives_a_lost_connection_and_is_answered_once(journey, camera_page):
    camera_page.add_init_script("""(() => {
      const Native = WebSocket, opened = [];
      window.WebSocket = class extends Native { constructor(...rest) { super(...rest); opened.push(this); } };
      window.dropConnection = () => opened.at(-1).close();
    })()""")
    camera_page.goto(journey.url)
    begin(camera_page, DOCUMENT)
    press(camera_page, "Take photo")
    with camera_page.expect_websocket():
        camera_page.evaluate("dropConnection()")
    press(camera_page, "Use photo")
    assert answer(camera_page)["status"] == "success"
    assert ask(camera_page, "capability.query")["status"] == "success"
    assert camera_page.evaluate("inbox.length") == 2


def test_a_capture_starts_again_after_a_restart_of_the_server(journey_root, camera_page):
    with serve("--root", journey_root, "--ephemeral") as server:
        camera_page.goto(server.url)
        begin(camera_page, DOCUMENT)
        press(camera_page, "Take photo")
        port = server.port
    with serve("--root", journey_root, "--ephemeral", port=port):
        take_and_use(camera_page)
        assert answer(camera_page)["status"] == "success"
        expect(camera_page.get_by_role("dialog")).to_have_count(0)


def test_two_captures_of_different_kinds_are_shown_one_after_the_other(journey, camera_page):
    camera_page.goto(journey.url)
    begin(camera_page, DOCUMENT)
    camera_page.evaluate("() => { window.face = ask('camera.selfie.capture'); }")
    take_and_use(camera_page)
    assert answer(camera_page)["data"]["mimeType"] == "image/png"
    expect(camera_page.get_by_role("dialog", name="Take a selfie")).to_be_visible()
    take_and_use(camera_page)
    assert camera_page.evaluate("face")["data"]["mimeType"] == "image/jpeg"


def test_the_permission_state_is_that_of_the_browser(journey, camera_context):
    def state(page):
        return ask(page, "capability.query")["data"]["capabilities"]["camera.document"]["permissionState"]

    def wait_for(page, expected):
        wait_for_promise(page, """async expected => {
          const { capabilities } = (await ask("capability.query")).data;
          return Object.values(capabilities).every(({ permissionState }) => permissionState === expected);
        }""", expected)

    context = camera_context(permissions=None)
    page = context.new_page()
    page.goto(journey.url)
    assert state(page) == "notDetermined"
    context.grant_permissions(["camera"])
    wait_for(page, "granted")
    page.reload()
    assert state(page) == "granted"
    # Playwright can only grant and clear permissions. Its protocol can also deny them.
    target = context.new_cdp_session(page).send("Target.getTargetInfo")["targetInfo"]
    context.browser.new_browser_cdp_session().send("Browser.setPermission", {
        "permission": {"name": "camera"}, "setting": "denied", "browserContextId": target["browserContextId"],
    })
    wait_for(page, "denied")


def test_the_host_is_told_of_the_camera(journey, camera_page):
    reports = []

    def note(text):
        message = json.loads(text)
        if message["payload"]["action"] == "footbridge.camera":
            reports.append(message["payload"]["data"])

    camera_page.on("websocket", lambda socket: socket.on("framesent", note))
    camera_page.goto(journey.url)
    while not reports or not reports[-1]["hardwareAvailable"]:
        ask(camera_page, "capability.query")
    assert reports[-1] == {"hardwareAvailable": True, "permissionState": "granted"}
    assert reports[0]["permissionState"] == "granted"


# Nobody takes a photo.


def test_an_approval_without_a_photo_gives_the_samples(configured, page):
    page.goto(configured("", "--present", "auto").url)
    for action, kind in ((DOCUMENT, "image/png"), (SELFIE, "image/jpeg")):
        data = ask(page, action)["data"]
        assert actual_image(page, data) == (data["imageWidth"], data["imageHeight"], data["mimeType"])
        assert data["mimeType"] == kind
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_configured_files_replace_the_samples(configured, page, tmp_path):
    (tmp_path / "card.png").write_bytes(png(30, 20))
    server = configured("gbg: { capture: { document: card.png, selfie: { file: card.png } } }", "--present", "auto")
    page.goto(server.url)
    for action in (DOCUMENT, SELFIE):
        data = ask(page, action)["data"]
        assert (data["imageWidth"], data["imageHeight"], data["mimeType"]) == (30, 20, "image/png")
        assert base64.b64decode(data["imageBase64"]) == png(30, 20)


def test_captures_can_be_set_to_be_cancelled_and_to_fail(configured, page):
    error = {"code": "CAMERA_DENIED", "message": "No camera.", "recoverable": False}
    page.goto(configured(json.dumps({"gbg": {"capture": {"document": "cancel", "selfie": {"error": error}}}}), "--present", "auto").url)
    assert ask(page, DOCUMENT)["status"] == "cancelled"
    payload = ask(page, SELFIE)
    assert payload["status"] == "error" and payload["error"] == error


# The settings of footbridge.yaml.


def test_a_host_can_be_declared_without_swift(configured, page):
    server = configured("""
      gbg:
        hostVersion: 4.5.6
        capabilities:
          nfc.read: { version: "2.1", constraints: { chips: [icao, "12"], depth: 3 }, permissionState: granted }
          nfc.write: false
          camera.selfie: false
        answers:
          nfc.read: { data: { chipRead: true, size: 1920, ratio: 0.5, none: null, text: "7" } }
          document.upload: { error: { code: NFC_UNAVAILABLE, message: No chip., recoverable: true }, delay: 20 }
          journey.start: { status: acknowledged }
          journey.stop: { status: cancelled, data: { reason: user } }
        pending: [approval.wait]
    """)
    page.goto(server.url)
    data = ask(page, "capability.query")["data"]
    assert data["hostVersion"] == "4.5.6"
    assert data["capabilities"]["nfc.read"] == {
        "supported": True, "version": "2.1", "constraints": {"chips": ["icao", "12"], "depth": 3}, "permissionState": "granted",
    }
    assert data["capabilities"]["nfc.write"] == {"supported": False, "version": None}
    assert data["capabilities"]["camera.selfie"]["supported"] is False
    assert data["capabilities"]["camera.document"]["supported"] is True
    assert ask(page, SELFIE)["status"] == "unsupported"
    answer = ask(page, "nfc.read")
    assert answer["status"] == "success"
    assert answer["data"] == {"chipRead": True, "size": 1920, "ratio": 0.5, "none": None, "text": "7"}
    upload = ask(page, "document.upload")
    assert upload["status"] == "error"
    assert upload["error"] == {"code": "NFC_UNAVAILABLE", "message": "No chip.", "recoverable": True}
    assert ask(page, "journey.start")["status"] == "acknowledged"
    assert ask(page, "journey.stop") == {"action": "journey.stop", "status": "cancelled", "data": {"reason": "user"}}
    page.evaluate("() => { ask('approval.wait', {}, 'waits'); }")
    server.wait_for_log("warning", "approval.wait")
