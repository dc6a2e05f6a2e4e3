"""Pages that a browser or a test cuts off from Footbridge, in Chromium."""

import pytest

from footbridge_process import serve

PAGE = "<!doctype html><title>App</title>"
ASK = "void onside.getTransactions().then((answer) => window.answer = answer)"


@pytest.fixture
def server(tmp_path):
    (tmp_path / "index.html").write_text(PAGE)
    with serve("--root", tmp_path, "--ephemeral") as server:
        yield server


@pytest.fixture
def warnings(page):
    """The warnings of Footbridge in the page's console so far."""
    seen = []
    page.on("console", lambda message: seen.append(message.text) if message.type == "warning" and "Footbridge" in message.text else None)
    return seen


@pytest.mark.parametrize("cuts", [False, True])
def test_a_browser_that_is_offline_is_named_once_in_the_console(server, page, warnings, cuts):
    """Chromium's socket stays and carries nothing, or is cut."""
    page.goto(server.url)
    assert page.evaluate("onside.getTransactions()") == []
    control = server.control()
    session = control("GET", "/sessions")["sessions"][0]["id"]
    [shown] = control("GET", f"/sessions/{session}/pages")["pages"]
    with page.expect_console_message(lambda message: "the browser is offline" in message.text and "offline()" in message.text):
        page.context.set_offline(True)
    if cuts:
        control("POST", f"/sessions/{session}/pages/{shown['id']}/disconnect")
    page.evaluate(ASK)
    page.context.set_offline(False)
    page.wait_for_function("window.answer")
    assert len(warnings) == 1


@pytest.mark.parametrize("answer", ["hello", '{"type":"hello"}', "null", None])
def test_a_socket_that_a_test_mocks_is_named_once_in_the_console(server, page, warnings, answer):
    def mock(socket):
        socket.on_message(lambda _: [socket.send(answer), socket.send(answer)] if answer else None)

    page.route_web_socket("**/*", mock)
    with page.expect_console_message(lambda message: "/__footbridge/bridge is mocked" in message.text):
        page.goto(server.url)
        page.evaluate(ASK)
    page.evaluate(ASK)
    page.wait_for_function("true")
    assert len(warnings) == 1
