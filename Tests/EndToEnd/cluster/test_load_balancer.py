"""Behind HAProxy with the configuration to which the manual links."""

import signal
import subprocess

import pytest

from balancer import CONFIGURATION, Balancer, program
from buyer import PRODUCT
from footbridge_process import serve
from ports import free_port
from wire_page import WirePage


@pytest.fixture
def behind_haproxy(shop_root, catalog, tmp_path):
    """Starts a server behind HAProxy; it keeps its state and its port."""
    port = free_port()
    servers = []
    with Balancer([port]) as balancer:

        def start():
            host = f"127.0.0.1:{balancer.port}"
            options = ("--root", shop_root, "--catalog", catalog, "--present", "auto", "--state", tmp_path / "state")
            servers.append(serve(*options, "--allow-host", host, "--trusted-proxy", "127.0.0.1", port=port))
            balancer.wait_for_ready(1)
            return servers[-1]

        yield balancer, start
        for server in servers:
            if server.process.poll() is None:
                server.process.send_signal(signal.SIGCONT)
                server.stop()


def test_haproxy_accepts_the_configuration_of_the_compose_file():
    checked = subprocess.run([program(), "-c", "-f", CONFIGURATION], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


def buy(page, token):
    page.evaluate(
        """async ([product, token]) => {
          await onside.loadProducts({ productIdentifiers: [product] });
          await onside.purchase({ productIdentifier: product, appAccountToken: token });
        }""",
        [PRODUCT, token],
    )


def test_a_page_in_chromium_stays_over_a_server_behind_haproxy_that_is_replaced(behind_haproxy, page):
    balancer, start = behind_haproxy
    server = start()
    page.goto(balancer.url)
    buy(page, "first")
    assert server.stop() == 0
    balancer.wait_for_ready()
    start()
    buy(page, "second")
    queue = page.evaluate("onside.getTransactions()")
    assert [each["payment"]["appAccountToken"] for each in queue] == ["first", "second"]


def test_haproxy_closes_the_sockets_of_a_server_that_no_longer_answers(behind_haproxy):
    balancer, start = behind_haproxy
    server = start()
    page = WirePage(balancer.port)
    page.call("onside.loadProducts", productIdentifiers=[PRODUCT])
    assert page.connections == 1
    server.process.send_signal(signal.SIGSTOP)
    balancer.wait_for_ready()
    call = page.start("onside.purchase", productIdentifier=PRODUCT, appAccountToken="while it is stopped")
    server.process.send_signal(signal.SIGCONT)
    call.result()
    page.wait_for_state("purchased", token="while it is stopped")
    assert page.connections > 1 and page.violations == []
    page.close()
