"""A network that drops all packets between the server of a session and the server that its page is connected to. Both reach the database."""

import http.client

import pytest

from balancer import Balancer
from buyer import PRODUCT
from footbridge_process import serve
from network_namespaces import Network
from ports import free_port
from postgresql import PostgreSQL, state_key
from relay import Relay
from wire_page import WirePage

TOKEN = "t" * 32
#: How long requests wait for another server is a little more than this, in seconds.
LEASE = 3


@pytest.fixture
def two(shop_root, catalog, tmp_path):
    """Two servers in networks of their own, each behind a HAProxy of its own."""
    key = state_key(tmp_path)
    with Network(2) as network, PostgreSQL() as database, Relay(database.socket, network.gateway) as line:

        def start(place):
            port = free_port()
            balancer = Balancer([port], hosts=[place.host])
            hosts = ["--host", place.host, "--allow-host", f"127.0.0.1:{balancer.port}", "--trusted-proxy", network.gateway]
            server = place.within(lambda: serve(
                "--root", shop_root, "--catalog", catalog, "--present", "auto", *hosts, "--state", database.url_at(line.port, network.gateway),
                "--state-key", key, "--replica-lease", LEASE, "--control-token", TOKEN, port=port, environment=database.environment))
            balancer.wait_for_ready(1)
            server.place, server.balancer = place, balancer
            return server

        servers = [start(place) for place in network.places]
        yield servers
        for server in servers:
            server.place.mend()
            server.stop()
            server.balancer.stop()


def ask(server, session):
    """Returns the status of a request for a session."""
    connection = http.client.HTTPConnection("127.0.0.1", server.balancer.port, timeout=60)
    connection.request("GET", "/", headers={"Cookie": f"footbridge_session={session}"})
    try:
        return connection.getresponse().status
    finally:
        connection.close()


def test_requests_during_a_network_partition_are_refused_and_none_runs_twice(two):
    owner, other = two
    near = WirePage(owner.balancer.port)
    near.call("onside.loadProducts", productIdentifiers=[PRODUCT])
    page = WirePage(other.balancer.port, session=near.session)
    page.call("onside.loadProducts", productIdentifiers=[PRODUCT])
    page.call("onside.purchase", productIdentifier=PRODUCT, appAccountToken="before")
    page.wait_for_state("purchased", "before")
    # There is a connection that is kept for the next request.
    assert ask(other, near.session) == 200
    owner.place.drop(other.place.host)
    call = page.start("onside.purchase", productIdentifier=PRODUCT, appAccountToken="meanwhile")
    assert [ask(other, near.session) for _ in range(2)] == [503] * 2
    # The owner goes on.
    near.call("onside.purchase", productIdentifier=PRODUCT, appAccountToken="at the owner")
    owner.place.mend()
    call.result()
    page.wait_for_state("purchased", "meanwhile")
    assert ask(other, near.session) == 200
    for each in (near, page):
        queue = each.call("onside.getTransactions")["transactions"]
        assert sorted(transaction["payment"]["appAccountToken"] for transaction in queue) == ["at the owner", "before", "meanwhile"]
        assert each.violations == []
        each.close()
