"""Who can use the dashboard, and who cannot: pages of the site, pages from elsewhere, old codes."""

import json
import shutil
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from dashboard_tabs import open_dashboard, serving
from footbridge_process import run, serve

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "frame-src http://127.0.0.1:* http://localhost:*; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
)


@pytest.fixture(scope="module")
def server(shop_root):
    with serving("--root", shop_root, "--ephemeral") as server:
        yield server


def ask(server, path, method="GET", body=None, **headers):
    """The status, headers and text of an answer on the dashboard's port."""
    request = urllib.request.Request(server.dashboard_origin + path, data=body, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status, response.headers, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()


def bearer(server):
    code = server.api("POST", "/dashboard/enter")["code"]
    status, _, text = ask(server, "/enter", "POST", json.dumps({"code": code}).encode())
    assert status == 200
    return {"Authorization": f"Bearer {json.loads(text)['bearer']}"}


@pytest.mark.parametrize("path", ["/", "/dashboard/main.js", "/missing", "/__footbridge/api/v1/sessions", "/__footbridge/api/v1/openapi.json", "/enter", "/here"])
def test_every_response_of_the_dashboard_has_its_security_fields(server, path):
    for headers in ({}, bearer(server), {"Host": "evil.example"}, {"Origin": "http://evil.example"}):
        _, fields, _ = ask(server, path, **headers)
        assert fields["Content-Security-Policy"] == POLICY
        assert fields["Cross-Origin-Opener-Policy"] == fields["Cross-Origin-Resource-Policy"] == "same-origin"
        assert fields["X-Content-Type-Options"] == "nosniff"
        assert fields.get_all("Cache-Control") == ["no-store"]
        assert not [name for name in fields if name.lower().startswith("access-control")]


def test_a_code_works_once_and_its_bearer_only_on_the_port_of_the_dashboard(server):
    headers = bearer(server)
    assert ask(server, "/__footbridge/api/v1/sessions", **headers)[0] == 200
    request = urllib.request.Request(f"{server.url}/__footbridge/api/v1/sessions", headers=headers)
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(request, timeout=10)
    code = server.dashboard.split("code=")[1]
    assert ask(server, "/enter", "POST", json.dumps({"code": code}).encode())[0] == 200
    assert ask(server, "/enter", "POST", json.dumps({"code": code}).encode())[0] == 410


def test_the_control_token_is_refused_on_the_port_of_the_dashboard(server):
    for headers in ({}, {"Authorization": f"Bearer {server.api.token}"}):
        status, fields, text = ask(server, "/__footbridge/api/v1/sessions", **headers)
        assert status == 401 and "footbridge dashboard" in json.loads(text)["detail"]
        assert fields["WWW-Authenticate"].startswith("Bearer")


def test_the_dashboard_refuses_other_hosts_and_origins(server):
    headers = bearer(server)
    sessions = "/__footbridge/api/v1/sessions"
    port = server.dashboard_origin.rsplit(":", 1)[1]
    assert ask(server, sessions, Host=f"localhost:{port}", **headers)[0] == 200
    for host in (f"evil.example:{port}", "localhost:1", "127.0.0.1"):
        assert ask(server, sessions, Host=host, **headers)[0] == 421
    for fields in (
        {"Origin": server.url}, {"Origin": "null"}, {"Sec-Fetch-Site": "same-site"}, {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
    ):
        assert ask(server, sessions, **headers, **fields)[0] == 403
        assert ask(server, "/", **fields)[0] == 403
    # A link from elsewhere opens it in a tab.
    tab = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert ask(server, "/", **tab)[0] == 200
    assert ask(server, sessions, **headers, **tab)[0] == 403


def test_the_main_port_redirects_to_the_dashboard(server, new_context):
    page = new_context().new_page()
    code = server.api("POST", "/dashboard/enter")["code"]
    page.goto(f"{server.url}/__footbridge/dashboard/#/?code={code}")
    page.get_by_role("heading", name="Sessions").wait_for()
    assert page.url == f"{server.dashboard_origin}/#/"
    assert page.evaluate("Object.keys(localStorage).length + document.cookie.length") == 0


#: What a page can try on an address, each with what it would have won.
ATTEMPTS = """async (address) => {
  const won = [];
  const frame = document.createElement("iframe");
  const framed = new Promise((resolve) => { frame.onload = resolve; frame.onerror = resolve; });
  frame.src = address;
  document.body.append(frame);
  await framed;
  try { if (frame.contentDocument?.querySelector("footbridge-dashboard")) won.push("read a frame"); } catch {}
  try { frame.contentWindow.document; won.push("reached a frame"); } catch {}
  for (const path of ["", "dashboard/main.js", "__footbridge/api/v1/sessions", "here"]) {
    for (const mode of ["cors", "same-origin"]) {
      try { won.push(`fetched ${path}: ${(await fetch(address + path, { mode, credentials: "include" })).status}`); } catch {}
    }
    try {
      const { type, status } = await fetch(address + path, { mode: "no-cors", credentials: "include" });
      if (type !== "opaque" || status !== 0) won.push(`saw ${path}`);
    } catch {}
  }
  try {
    const answer = await fetch(address + "enter", { method: "POST", body: JSON.stringify({ code: "0" }) });
    won.push(`posted ${answer.status}`);
  } catch {}
  try { await import(address + "dashboard/main.js"); won.push("imported a script"); } catch {}
  const opened = window.open(address);
  // A window that another page has opened, and that has let go of it, counts as closed there.
  while (!opened.closed) await new Promise((resolve) => setTimeout(resolve, 20));
  try { opened.document.body; won.push("read a window"); } catch {}
  return won;
}"""


def test_pages_cannot_frame_fetch_open_or_read_the_dashboard(server, new_context, shop_root):
    with serve("--root", shop_root, "--ephemeral") as other:
        context = new_context()
        open_dashboard(context, server).get_by_role("heading", name="Sessions").wait_for()
        for site in (server.url, f"http://localhost:{other.port}", other.url):
            page = context.new_page()
            page.goto(site)
            assert page.evaluate(ATTEMPTS, server.dashboard_origin + "/") == [], site
            page.close()


def test_the_code_is_removed_from_the_url_and_the_bearer_is_stored_in_its_tab(server, new_context):
    context = new_context()
    first = open_dashboard(context, server, "/sessions/0000000000000000?row=7")
    first.wait_for_url(lambda url: "code" not in url)
    first.locator(".app > *").first.wait_for()
    assert first.evaluate("sessionStorage.length") == 1
    assert "code" not in first.url and "row=7" in first.url
    second = context.new_page()
    second.goto(first.url)
    second.get_by_text("This tab may not use the dashboard yet.").wait_for()
    second.get_by_label("Address or code").fill(server.api("POST", "/dashboard/enter")["url"])
    second.get_by_role("button", name="Open", exact=True).click()
    second.locator("log-view").wait_for()


def test_a_server_without_a_dashboard_says_so(shop_root):
    with serve("--root", shop_root, "--ephemeral", "--dashboard-port", "off") as server:
        api = server.control()
        assert api.request("GET", "/dashboard").status == 404
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"{server.url}/__footbridge/dashboard/", timeout=10)


def test_the_error_about_a_busy_dashboard_port_names_it(server, shop_root):
    port = server.dashboard_origin.rsplit(":", 1)[1]
    result = run("serve", "--root", shop_root, "--ephemeral", "--port", 0, "--dashboard-port", port)
    assert result.returncode == 69 and f"Port {port} on 127.0.0.1 is in use" in result.stderr


def test_a_tab_survives_a_restart_of_the_server(shop_root, tmp_path, new_context):
    options = ("--root", shop_root, "--state", tmp_path / "state")
    with serving(*options) as server:
        session = server.api.session(name="coins")
        context = new_context()
        server.api.enter(context, session)
        site = context.new_page()
        site.goto(server.url)
        site.evaluate("onside.getCurrentStorefront()")
        tab = open_dashboard(context, server, f"/sessions/{session['id']}?row=1")
        tab.locator(".entry", has_text="storefront").wait_for()
        starting = open_dashboard(context, server)
        starting.locator(".session", has_text="coins").wait_for()
        tab.evaluate("document.querySelector('log-view').isOld = true")
    expect(tab.locator("session-header .state")).to_have_text("connection lost, trying again …")
    expect(starting.locator(".bar .state")).to_have_text("connection lost, trying again …")
    with serving(*options, port=server.port) as restarted:
        assert restarted.dashboard_origin == server.dashboard_origin
        for each in (tab, starting):
            expect(each.locator(".said")).to_contain_text("The server was restarted.")
            expect(each.locator(".state").first).to_be_empty()
        # The journal of the new server, and no row of the old one.
        assert tab.evaluate("document.querySelector('log-view').isOld") is None
        assert tab.url == f"{server.dashboard_origin}/#/sessions/{session['id']}"
        expect(tab.locator("session-header .name")).to_have_text("coins")
        site.evaluate("onside.getCurrentStorefront()")
        expect(tab.locator(".entry", has_text="storefront")).to_have_count(1)
        restarted.api.session(name="credits")
        expect(starting.locator(".session", has_text="credits")).to_be_visible()


def test_a_session_whose_store_was_deleted_is_in_its_tab_again_once_its_page_has_connected(shop_root, tmp_path, new_context):
    options = ("--root", shop_root, "--state", tmp_path / "state")
    with serving(*options) as server:
        context = new_context()
        site = context.new_page()
        site.goto(server.url)
        site.evaluate("onside.getCurrentStorefront()")
        [session] = server.api("GET", "/sessions")["sessions"]
        tab = open_dashboard(context, server, f"/sessions/{session['id']}")
        tab.locator(".entry", has_text="storefront").wait_for()
        site.close()
    for file in (tmp_path / "state").iterdir():
        if not file.name.startswith("dashboard"):
            shutil.rmtree(file) if file.is_dir() else file.unlink()
    with serving(*options, port=server.port):
        expect(tab.locator("session-header .state")).to_have_text("the server was restarted, and this session is not back yet")
        expect(tab.locator(".entry", has_text="storefront")).to_be_visible()
        site = context.new_page()
        site.goto(server.url)
        expect(tab.locator(".said")).to_contain_text("The server was restarted.")
        expect(tab.locator(".entry", has_text="storefront")).to_have_count(0)


def test_a_tab_of_a_server_without_state_says_how_to_get_a_new_address(shop_root, new_context):
    with serving("--root", shop_root, "--ephemeral") as server:
        tab = open_dashboard(new_context(), server)
        tab.get_by_role("heading", name="Sessions").wait_for()
    port = server.dashboard_origin.rsplit(":", 1)[1]
    with serving("--root", shop_root, "--ephemeral", "--dashboard-port", port) as restarted:
        expect(tab.get_by_role("heading", name="The server was restarted")).to_be_visible()
        expect(tab.locator("main")).to_contain_text("run footbridge dashboard and open the address")
        restarted.api.session(name="credits")
        tab.get_by_label("Address or code").fill(restarted.dashboard)
        tab.get_by_role("button", name="Open", exact=True).click()
        expect(tab.locator(".session", has_text="credits")).to_be_visible()


def test_footbridge_dashboard_prints_a_new_address(server):
    token = {"FOOTBRIDGE_URL": server.url, "FOOTBRIDGE_CONTROL_TOKEN": server.api.token}
    result = run("dashboard", f"{server.dashboard_origin}/#/sessions/0f?row=3", environment=token)
    address = result.stdout.strip()
    assert address.startswith(f"{server.dashboard_origin}/#/sessions/0f?row=3&code=")
    code = address.split("code=")[1]
    assert ask(server, "/enter", "POST", json.dumps({"code": code}).encode())[0] == 200
