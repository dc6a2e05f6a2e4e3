"""Behind a reverse proxy: the server believes only the trusted proxy about its clients."""

import http.client
import json
import shutil

import pytest

from certificates import Pair
from footbridge_process import StartFailure, serve
from ports import free_port
from raw_http import Client
from upstreams import program, upstream

SITE = "shop.example"
FORWARDED = [f"X-Forwarded-Host: {SITE}", "X-Forwarded-Proto: https", "X-Forwarded-For: 203.0.113.7"]
OPENED = ["Sec-Fetch-Dest: document", "Accept: text/html"]

NGINX = """
daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_rlimit_nofile 1024;
events {{ worker_connections 256; }}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  map $http_upgrade $connection_upgrade {{ default upgrade; '' ''; }}
  server {{
    listen 127.0.0.1:{port} ssl;
    ssl_certificate {certificate}; ssl_certificate_key {key};
    location / {{
      proxy_pass http://127.0.0.1:{upstream};
      proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Host $http_host;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header Forwarded "";
    }}
  }}
}}
"""


@pytest.fixture(scope="module")
def told():
    """Runs a site that returns what it learns about the client, behind a Footbridge that trusts proxies on this machine."""

    def answer(exchange, request):
        names = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto")
        exchange.answer(json.dumps({name: request.fields(name) for name in names}), content_type="application/json")

    arguments = ("--ephemeral", "--allow-host", SITE, "--trusted-proxy", "127.0.0.0/8")
    with upstream(answer) as site, serve("--proxy", site.url, *arguments) as server:
        yield server


def test_the_upstream_gets_the_client_of_a_trusted_proxy(told):
    expected = {
        "forwarded": ['for=203.0.113.7;proto=https;host="shop.example"'],
        "x-forwarded-for": ["203.0.113.7"],
        "x-forwarded-host": ["shop.example"],
        "x-forwarded-proto": ["https"],
    }
    assert json.loads(Client(told).get("/", *FORWARDED).body) == expected
    assert json.loads(Client(told).get("/", "Forwarded: for=203.0.113.7;host=shop.example;proto=https").body) == expected


def test_forwarding_fields_of_an_untrusted_peer_are_ignored(shop_root):
    with serve("--root", shop_root, "--ephemeral", "--allow-host", SITE, "--trusted-proxy", "10.0.0.0/8, fd00::1") as server:
        response = Client(server).get("/", *FORWARDED, *OPENED)
        assert response.status == 200 and "Secure" not in response.field("set-cookie")
        assert Client(server).get("/", "X-Forwarded-Host: evil.example").status == 200


def test_the_forwarded_host_must_be_allowed(told):
    assert Client(told).get("/", *FORWARDED).status == 200
    client = Client(told)
    assert client.get("/", "X-Forwarded-Host: evil.example").status == 421
    assert client.get("/", "X-Forwarded-Host: a, evil.example").status == 421
    # The proxy's own name for the server does not matter then.
    client.host = "inside.example"
    assert client.get("/").status == 421
    assert client.get("/", *FORWARDED).status == 200


@pytest.mark.parametrize("field", ["X-Forwarded-Proto: gopher", "X-Forwarded-Host: a b", "Forwarded: for", "Forwarded: proto=http"])
def test_malformed_and_contradictory_forwarding_fields_are_refused(told, field):
    response = Client(told).get("/", *FORWARDED[:2] if field.startswith("Forwarded: proto") else [], field)
    assert response.status == 400 and "orwarded" in response.body.decode() or "trusted proxy" in response.body.decode()


def test_a_page_of_the_forwarded_host_is_accepted_and_a_foreign_one_is_not(shop_root):
    with serve("--root", shop_root, "--ephemeral", "--allow-host", SITE, "--trusted-proxy", "127.0.0.1") as server:
        socket = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
                  "Sec-WebSocket-Protocol: footbridge.v1"]
        for origin, status in ((f"https://{SITE}", 101), (f"http://{SITE}", 101), ("https://evil.example", 403)):
            assert Client(server).get("/__footbridge/bridge", *FORWARDED, *socket, f"Origin: {origin}").status == status
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        connection.request("POST", "/__footbridge/api/v1/sessions", "{}", {
            "Authorization": f"Bearer {server.control().token}", "Content-Type": "application/json", "X-Forwarded-Proto": "https", "X-Forwarded-Host": SITE})
        assert json.loads(connection.getresponse().read())["cookie"]["url"] == f"https://{SITE}/"


def test_a_trusted_proxy_that_is_not_an_address_is_an_error():
    with pytest.raises(StartFailure) as failure:
        serve("--ephemeral", "--trusted-proxy", "nginx")
    assert failure.value.code == 64 and "nginx is not an IP address" in failure.value.log


@pytest.mark.skipif(not (shutil.which("nginx") or shutil.which("/usr/sbin/nginx")), reason="there is no nginx here")
def test_a_purchase_through_nginx_with_https_works(tmp_path, shop_root, catalog, launch):
    certificate, key = Pair("shop", names=[SITE]).write(tmp_path, "shop")
    port = free_port()
    arguments = ("--root", shop_root, "--catalog", catalog, "--present", "auto", "--ephemeral", "--allow-host", f"{SITE}:{port}", "--trusted-proxy", "127.0.0.1")
    with serve(*arguments) as server:
        (tmp_path / "nginx.conf").write_text(NGINX.format(folder=tmp_path, port=port, upstream=server.port, certificate=certificate, key=key))
        nginx = shutil.which("nginx") or "/usr/sbin/nginx"
        with program([nginx, "-p", tmp_path, "-c", tmp_path / "nginx.conf", "-e", tmp_path / "error.log"], port):
            browser = launch(f"--host-resolver-rules=MAP {SITE} 127.0.0.1", "--ignore-certificate-errors")
            try:
                page = browser.new_context(ignore_https_errors=True).new_page()
                page.goto(f"https://{SITE}:{port}/")
                assert page.context.cookies()[0]["secure"]
                page.evaluate("onside.initializeOnside('v1')")
                page.evaluate("onside.loadProducts({ productIdentifiers: ['com.product.example.consumable'] })")
                page.evaluate("onside.purchase({ productIdentifier: 'com.product.example.consumable' })")
                page.wait_for_function("seen.some(({ name }) => name === 'onTransactionsUpdated')")
            finally:
                browser.close()
