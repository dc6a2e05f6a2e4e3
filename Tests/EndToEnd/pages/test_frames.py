"""The handlers in frames whose documents no server sends, in Chromium. The tests of each bridge cover frames with served documents."""

import html
import json

import pytest

from engines import CHROMIUM, WEBKIT, only
from footbridge_process import serve

# The frame reports to the outer page what its first script sees, and the results of its messages.
PROBE = """<script>
  const handler = window.webkit?.messageHandlers?.todayWebViewBridge;
  const told = { handler: typeof handler?.postMessage, tag: typeof __todayWebView, language: document.documentElement.lang, mode: document.compatMode };
  if (handler) Promise.all(["headers", "refreshToken", "establishSession", "track"].map(type => handler.postMessage({ type, ename: "e" }).then(String)))
    .then(answers => parent.postMessage({ ...told, answers }, "*"));
  else parent.postMessage(told, "*");
</script>"""
DOCUMENT = f"<!doctype html>\n<!-- a > b --><html lang=\"de\"><head data-x='>'><title>\u00fc</title>{PROBE}"
FURNISHED = {"handler": "function", "tag": "undefined", "language": "de", "mode": "CSS1Compat", "answers": ["undefined"] * 4}
BARE = {"handler": "undefined", "tag": "undefined", "language": "de", "mode": "CSS1Compat"}

MAKE = """([code, text]) => new Promise(resolve => {
  const seen = [];
  addEventListener("message", ({ data }) => seen.push(data));
  const box = document.createElement("div");
  document.body.append(box);
  const frame = document.createElement("iframe");
  new Function("frame", "text", "box", code)(frame, text, box);
  if (!box.hasChildNodes()) box.append(frame);
  // Once it is loaded, and has told something.
  box.querySelector("iframe").addEventListener("load", () => {
    if (seen.length) resolve(seen);
    else addEventListener("message", () => resolve(seen));
  });
})"""
UTF8 = "new TextEncoder().encode(text)"
AS_DATA = f"'data:text/html;charset=utf-8;base64,' + btoa(String.fromCharCode(...{UTF8}))"
AS_BLOB = "URL.createObjectURL(new Blob([text], { type: 'text/html; charset=utf-8' }))"
AS_ATTRIBUTE = "text.replaceAll('&', '&amp;').replaceAll('\"', '&quot;')"


@pytest.fixture(scope="module")
def frames(tmp_path_factory):
    root = tmp_path_factory.mktemp("frames")
    (root / "index.html").write_text("<!doctype html><body></body>")
    listener = "<script>window.seen = []; addEventListener('message', ({ data }) => seen.push(data));</script>"
    (root / "static.html").write_text(
        f'<!doctype html><body>{listener}<iframe srcdoc="{html.escape(DOCUMENT)}"></iframe><p><iframe src="data:text/html,{html.escape(DOCUMENT)}"></iframe>')
    policy = "script-src 'nonce-page'; require-trusted-types-for 'script'"
    (root / "strict.html").write_text(
        f"""<!doctype html><head><meta http-equiv="Content-Security-Policy" content="{policy}"></head><body>{listener.replace("<script", "<script nonce=page")}
        <iframe srcdoc="{html.escape(DOCUMENT.replace("<script", "<script nonce=page"))}"></iframe>""")
    with serve("--root", root, "--ephemeral", "--site-origin", "https://today.example") as server:
        yield server


@pytest.mark.parametrize("code", [
    "frame.srcdoc = text",
    "frame.setAttribute('SRCDOC', text)",
    "box.append(frame); frame.srcdoc = text",
    f"box.innerHTML = '<p><iframe srcdoc=\"' + {AS_ATTRIBUTE} + '\"></iframe>'",
    "frame.sandbox = 'allow-scripts'; frame.srcdoc = text",
    "frame.srcdoc = text; frame.sandbox = 'allow-scripts allow-same-origin'",
    f"frame.src = {AS_DATA}",
    "frame.src = 'DATA:text/html;charset=utf-8,' + encodeURIComponent(text) + '#here'",
    f"box.append(frame); frame.src = {AS_DATA}",
    f"frame.src = {AS_BLOB}",
    f"frame.sandbox = 'allow-scripts allow-same-origin'; frame.src = {AS_BLOB}",
])
def test_a_frame_with_srcdoc_has_the_handlers_and_is_answered_with_undefined(frames, page, code):
    page.goto(frames.url)
    assert page.evaluate(MAKE, [code, DOCUMENT]) == [FURNISHED]


def test_a_frame_inside_of_a_srcdoc_frame_has_the_handlers(frames, page):
    page.goto(frames.url)
    inner = DOCUMENT.replace("parent.", "top.")
    outer = "<!doctype html><body><script>document.body.append(Object.assign(document.createElement('iframe'), { srcdoc: " + json.dumps(inner).replace("</", "<\\/") + " }))</script>"
    for code in ("frame.srcdoc = text", "frame.sandbox = 'allow-scripts'; frame.srcdoc = text"):
        assert page.evaluate(MAKE, [code, outer])[-1] == FURNISHED


#: Frames that a script makes are in time.
IN_TIME = only(CHROMIUM, WEBKIT, because="a srcdoc or data: frame in the HTML of a page can load before a script changes it")


@IN_TIME
def test_frames_in_a_served_document_have_the_handlers(frames, page):
    page.goto(frames.url + "/static.html")
    page.wait_for_function("seen.length === 2")
    assert page.evaluate("seen") == [FURNISHED] * 2


@IN_TIME
def test_the_content_security_policy_of_the_page_is_respected(frames, page):
    page.goto(frames.url + "/strict.html")
    # wait_for_function would need what the policy forbids.
    assert page.evaluate("new Promise(resolve => seen.length ? resolve(seen) : addEventListener('message', () => resolve(seen)))") == [FURNISHED]
    assert page.evaluate("""() => { try { document.createElement("iframe").srcdoc = "text"; } catch (error) { return error.name; } }""") == "TypeError"


def test_a_page_reads_the_srcdoc_that_it_has_set(frames, page):
    page.goto(frames.url)
    assert page.evaluate("""text => {
      const frame = document.createElement("iframe");
      frame.srcdoc = text;
      return [frame.srcdoc === text, frame.outerHTML.startsWith("<iframe srcdoc="), document.createElement("iframe").srcdoc];
    }""", DOCUMENT) == [True, True, ""]


# Frames in which WebKit has the handlers, but Chromium does not let us add them. The manual lists them.
@pytest.mark.parametrize("code", [
    f"frame.sandbox = 'allow-scripts'; frame.src = {AS_DATA}",
    f"frame.sandbox = 'allow-scripts'; frame.src = {AS_BLOB}",
    f"box.innerHTML = '<iframe sandbox=\"allow-scripts\" srcdoc=\"' + {AS_ATTRIBUTE} + '\"></iframe>'",
])
def test_a_sandboxed_frame_that_loads_in_a_process_of_its_own_has_no_handlers(frames, page, code):
    page.goto(frames.url)
    assert page.evaluate(MAKE, [code, DOCUMENT]) == [BARE]


def test_a_frame_without_scripts_is_not_changed(frames, page):
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(frames.url)
    assert page.evaluate("""() => new Promise(resolve => {
      const frame = document.createElement("iframe");
      frame.sandbox = "";
      frame.onload = () => resolve(frame.outerHTML);
      document.body.insertAdjacentHTML("beforeend", "<iframe sandbox srcdoc='<p>text</p>'></iframe>");
      document.body.lastChild.onload = () => resolve(document.body.lastChild.getAttribute("srcdoc"));
    })""") == "<p>text</p>"
    assert [text for text in said if "sandboxed" in text] == []
