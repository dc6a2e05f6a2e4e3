"""A page learns that the server does not know its document, and the log says why its messages get undefined."""

import http.client
import re
import secrets

import pytest

from footbridge_process import serve
from wire_page import WirePage

WARNING = "Reload the page."


def is_warning(message):
    return message.type == "warning" and WARNING in message.text


def ask_today(page):
    return page.evaluate("webkit.messageHandlers.todayWebViewBridge.postMessage({ type: 'headers' }).then(v => v === undefined)")


def test_a_page_that_stays_open_over_a_restart_without_state_is_told_to_load_again(shop_root, page):
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


def test_a_page_that_comes_back_in_another_session_is_told_to_load_again(shop_root, new_context):
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


@pytest.mark.parametrize(
    "fields, reason",
    [({"Sec-Fetch-Dest": "iframe"}, "sub-frame"), ({}, "fetch metadata"), (None, "no ticket"), ("invented", "no valid ticket")],
    ids=["frame", "no fetch metadata", "no ticket", "invalid ticket"],
)
def test_the_log_says_once_why_a_page_is_no_main_frame(shop_root, fields, reason):
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
