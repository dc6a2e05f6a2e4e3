"""A page learns that the server does not know its document, and the log says why its messages get undefined."""

import http.client
import re
import secrets

import pytest

from footbridge_process import serve
from raw_http import Client
from wire_page import WirePage

WARNING = "Reload the page."


def is_warning(message):
    return message.type == "warning" and WARNING in message.text


def ask_today(page):
    return page.evaluate("webkit.messageHandlers.todayWebViewBridge.postMessage({ type: 'headers' }).then(v => v === undefined)")


def test_a_page_open_over_a_restart_without_state_gets_a_reload_warning(shop_root, page):
    arguments = ("--root", shop_root, "--ephemeral")
    with serve(*arguments) as first:
        page.goto(first.url)
        assert ask_today(page) is False
        port = first.port
        with page.expect_console_message(is_warning):
            first.stop()
            second = serve(*arguments, port=port)
    with second:
        assert ask_today(page) is True
        second.wait_for_log("answered with undefined", "no valid ticket", "--ephemeral")
        page.reload()
        assert ask_today(page) is False
        assert not any("sub-frame" in line for line in second.log)


def test_a_page_that_reconnects_in_another_session_gets_a_reload_warning(shop_root, new_context):
    with serve("--root", shop_root, "--ephemeral") as server:
        control = server.control()
        context = new_context()
        first = control.session()
        control.enter(context, first)
        page = context.new_page()
        page.goto(server.url)
        assert ask_today(page) is False
        control.enter(context, control.session())
        with page.expect_console_message(is_warning):
            name = control("GET", f"/sessions/{first['id']}/pages")["pages"][0]["id"]
            assert control.request("POST", f"/sessions/{first['id']}/pages/{name}/disconnect").status == 204
        assert ask_today(page) is True


def ticket_of(server, session):
    """The ticket of a main document that is served to a session."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("GET", "/", headers={"Cookie": f"footbridge_session={session}", "Sec-Fetch-Dest": "document"})
    ticket = re.search(r'data-footbridge-ticket="([^"]+)"', connection.getresponse().read().decode())[1]
    connection.close()
    return ticket


def is_main_page(server, session, ticket):
    """Whether a new page with this ticket counts as its document."""
    page = WirePage(server.port, session, ticket=ticket)
    answer = page.call("today.message", value={"type": "headers"})
    page.close()
    return answer != {}


def test_a_page_that_closes_while_its_socket_connects_releases_its_ticket(shop_root):
    with serve("--root", shop_root, "--ephemeral") as server:
        control, session, page = server.control(), secrets.token_hex(16), secrets.token_hex(16)
        ticket = ticket_of(server, session)
        socket = Client(server)
        socket.send(
            f"GET /__footbridge/bridge?page={page}&ticket={ticket} HTTP/1.1\r\nHost: {socket.host}\r\nOrigin: http://{socket.host}\r\n"
            f"Cookie: footbridge_session={session}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: footbridge.v1\r\n\r\n")
        assert socket.head().status == 101
        socket.close()
        name = control("GET", "/sessions")["sessions"][0]["id"]
        control("POST", f"/sessions/{name}/journal/wait", {"until": {"kind": "page", "action": "disconnected"}, "timeout": 10_000})
        assert is_main_page(server, session, ticket)


def test_a_goodbye_before_the_socket_is_open_releases_the_ticket(shop_root):
    with serve("--root", shop_root, "--ephemeral") as server:
        session, page = secrets.token_hex(16), secrets.token_hex(16)
        ticket = ticket_of(server, session)
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        connection.request(
            "POST", f"/__footbridge/goodbye?page={page}&ticket={ticket}&part=0&first=1&lost=0", "",
            {"Cookie": f"footbridge_session={session}", "Origin": f"http://127.0.0.1:{server.port}"})
        assert connection.getresponse().status == 204
        connection.close()
        assert is_main_page(server, session, ticket)


@pytest.mark.parametrize(
    "fields, reason",
    [({"Sec-Fetch-Dest": "iframe"}, "sub-frame"), ({}, "fetch metadata"), (None, "no ticket"), ("invented", "no valid ticket")],
    ids=["frame", "no fetch metadata", "no ticket", "invalid ticket"],
)
def test_the_reason_why_a_page_is_not_a_main_frame_is_logged_once(shop_root, fields, reason):
    with serve("--root", shop_root, "--ephemeral") as server:
        session = secrets.token_hex(16)
        ticket = fields if isinstance(fields, str) else ""
        if isinstance(fields, dict):
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
            connection.request("GET", "/", headers={"Cookie": f"footbridge_session={session}", **fields})
            ticket = re.search(r'data-footbridge-ticket="([^"]+)"', connection.getresponse().read().decode())[1]
            connection.close()
        page = WirePage(server.port, session, ticket=ticket)
        for _ in range(3):
            assert page.call("today.message", value={"type": "headers"}) == {}
        page.close()
        server.wait_for_log("answered with undefined", reason)
        server.stop()
        assert sum("answered with undefined" in line for line in server.log) == 1
