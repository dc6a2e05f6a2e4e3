"""Who can use the dashboard, and who cannot: pages of the site, pages from elsewhere, old codes."""

import json
import urllib.error
import urllib.request

import pytest

from dashboard_tabs import open_dashboard, serving
from footbridge_process import run, serve

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; frame-ancestors 'none'; "
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


def test_footbridge_dashboard_prints_a_new_address(server):
    token = {"FOOTBRIDGE_URL": server.url, "FOOTBRIDGE_CONTROL_TOKEN": server.api.token}
    result = run("dashboard", f"{server.dashboard_origin}/#/sessions/0f?row=3", environment=token)
    address = result.stdout.strip()
    assert address.startswith(f"{server.dashboard_origin}/#/sessions/0f?row=3&code=")
    code = address.split("code=")[1]
    assert ask(server, "/enter", "POST", json.dumps({"code": code}).encode())[0] == 200
