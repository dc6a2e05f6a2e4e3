"""`footbridge health`, the health check of containers."""

import http.server
import os
import threading

import pytest

from footbridge_process import run, serve
from ports import free_port


@pytest.fixture(scope="module")
def server():
    with serve("--ephemeral", "--host", "0.0.0.0", environment={"FOOTBRIDGE_CONTROL_TOKEN": "a-token-of-the-tests"}) as server:
        yield server


@pytest.mark.parametrize("host", ["0.0.0.0", "127.0.0.1", "localhost"])
def test_health_succeeds_for_a_server_that_answers(server, host):
    result = run("health", "--host", host, "--port", server.port)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_health_finds_the_server_by_its_variables(server):
    result = run("health", environment={"FOOTBRIDGE_HOST": "0.0.0.0", "FOOTBRIDGE_PORT": str(server.port)})
    assert (result.returncode, result.stderr) == (0, "")


def test_health_fails_without_a_server():
    result = run("health", "--port", 1)
    assert result.returncode == os.EX_UNAVAILABLE
    assert "http://127.0.0.1:1 cannot be reached" in result.stderr


def test_health_fails_for_a_server_that_answers_with_an_error():
    class Unwell(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_error(503)

        def log_message(self, *_):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Unwell) as unwell:
        threading.Thread(target=unwell.serve_forever, daemon=True).start()
        result = run("health", "--port", unwell.server_port)
        unwell.shutdown()
    assert result.returncode == os.EX_UNAVAILABLE
    assert "503" in result.stderr


def test_health_refuses_port_0():
    result = run("health", "--port", 0)
    assert result.returncode == os.EX_USAGE
    assert "--port" in result.stderr
