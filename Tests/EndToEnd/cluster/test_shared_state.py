"""What two servers on one PostgreSQL have in common besides the sessions: keys, tokens that are used once, and worlds."""

import contextlib
import hashlib
import re
import secrets

import pytest

from buyer import PRODUCT
from footbridge_process import serve
from postgresql import PostgreSQL, state_key
from test_merchant_api import HISTORY, request, token, verified
from wire_page import WirePage


@pytest.fixture(scope="module")
def pair(shop_root, catalog, tmp_path_factory):
    """Two servers on one database."""
    key = state_key(tmp_path_factory.mktemp("replicas"))
    with contextlib.ExitStack() as running:
        database = running.enter_context(PostgreSQL())
        arguments = ("--root", shop_root, "--catalog", catalog, "--present", "auto", "--state", database.url, "--state-key", key, "--control-token", "t" * 32)
        yield [running.enter_context(serve(*arguments, environment=database.environment)) for _ in range(2)]


@pytest.fixture(scope="module")
def controls(pair):
    """The control API of each."""
    return [server.control("t" * 32) for server in pair]


@pytest.fixture
def bought(pair):
    """A page at the first server, and the id of its order."""
    page = WirePage(pair[0].port)
    page.call("onside.loadProducts", productIdentifiers=[PRODUCT])
    page.call("onside.purchase", productIdentifier=PRODUCT)
    [transaction] = page.wait_for_state("purchased")
    yield page, transaction["transactionIdentifier"]
    page.close()


def test_a_history_signed_by_one_server_verifies_with_the_keys_of_the_other(pair, bought):
    page, order = bought
    one, other = pair
    signed = page.call("onside.getSignedInAppsHistory")["string"]
    assert verified(one, signed) == verified(other, signed)
    status, _, body = request(other, HISTORY + order, fields={"Authorization": f"Bearer {token()}"})
    assert status == 200 and verified(one, body.decode())


def test_a_rotated_key_of_one_server_is_published_by_the_other_at_once(pair, controls, bought):
    page, _ = bought
    for control, other in [(controls[0], pair[1]), (controls[1], pair[0])]:
        before = page.call("onside.getSignedInAppsHistory")["string"]
        control("POST", "/signing-keys", {})
        after = page.call("onside.getSignedInAppsHistory")["string"]
        for signed in (before, after):
            assert verified(other, signed)
    assert controls[0]("GET", "/signing-keys") == controls[1]("GET", "/signing-keys")


def test_the_server_that_answers_a_request_remembers_its_idempotency_key(controls):
    one, other = controls
    key = {"Idempotency-Key": secrets.token_hex(8)}
    made = [control("POST", "/sessions", {"name": "mine"}, headers=key)["id"] for control in (one, one, other)]
    assert made[0] == made[1] != made[2]
    # A change of a session is passed on to the server that runs the session.
    path = f"/sessions/{made[0]}/purchases"
    key = {"Idempotency-Key": secrets.token_hex(8)}
    orders = [control("POST", path, {"product": PRODUCT}, headers=key) for control in (other, other)]
    assert orders[0] == orders[1] and len(one("GET", path)["purchases"]) == 1


def test_a_merchants_token_is_accepted_once_by_all_servers_together(pair, bought):
    _, order = bought
    one, other = pair
    for first, second in [(one, other), (other, one)]:
        bearer = {"Authorization": f"Bearer {token()}"}
        # An order that nobody has is looked up where the request comes in.
        assert request(first, HISTORY + "0b9c1d5e-0000-4000-8000-000000000001", fields=bearer)[0] == 404
        for server in (second, first):
            assert request(server, HISTORY + order, fields=bearer)[0] == 401
            assert request(server, HISTORY + order, fields={"Authorization": f"Bearer {token()}"})[0] == 200


def test_the_document_ticket_of_one_server_is_accepted_by_the_other(pair, controls):
    one, other = pair
    _, fields, body = request(one, "/", fields={"Sec-Fetch-Dest": "document"})
    session = re.match(r"footbridge_session=(\w+)", fields["set-cookie"])[1]
    ticket = re.search(r'data-footbridge-ticket="([^"]+)"', body.decode())[1]
    page = WirePage(other.port, session, ticket=ticket)
    page.call("onside.getCurrentStorefront")
    identifier = hashlib.sha256(f"footbridge session {session}".encode()).hexdigest()[:16]
    [shown] = controls[0]("GET", f"/sessions/{identifier}")["pages"]
    # The page of a ticket that is not good has no address.
    assert shown["url"] == one.url + "/"
    page.close()


def test_a_purchase_on_one_device_is_on_a_device_created_at_another_server(pair, controls):
    one, other = controls
    phone = one("POST", "/sessions", {"world": "family", "account": "built-in"})
    page = WirePage(pair[0].port, phone["cookie"]["value"])
    page.call("onside.loadProducts", productIdentifiers=[PRODUCT])
    page.call("onside.purchase", productIdentifier=PRODUCT)
    [bought] = page.wait_for_state("purchased")
    tablet = other("POST", "/sessions", {"world": "family"})
    for control in controls:
        [order] = control("GET", f"/sessions/{tablet['id']}/purchases")["purchases"]
        assert order["id"] == bought["transactionIdentifier"]
    page.close()
