"""Notifications of a publisher's backend: what they say, their order, and that none is lost."""

import json
import os
import re
import subprocess
import sys
import threading

import jwt
import pytest

from footbridge_process import FIXTURES, PROJECT, serve
from ports import free_port
from test_merchant_api import JWKS, request
from upstream_services import Service

CATALOG = FIXTURES / "storehelper-sample.storekit"
GOLD, SILVER = "com.rarcher.subscription.vip.gold", "com.rarcher.subscription.vip.silver"
SHARED = "com.rarcher.nonconsumable.chocolates.small"
PLANT = "com.rarcher.consumable.plant.installation"
DAY = 86_400_000


class Backend(Service):
    """A backend that checks signatures, and refuses what a test says."""

    def __init__(self):
        super().__init__()
        self.statuses = []
        self.keys = None
        self.gate = threading.Event()
        self.gate.set()

    def answer(self, number, body):
        self.gate.wait(15)
        return (self.statuses.pop(0) if self.statuses else 200), {}

    def verified(self, signed):
        header = jwt.get_unverified_header(signed)
        return jwt.decode(signed, self.keys[header["kid"]].key, algorithms=["ES256"])

    @property
    def notifications(self):
        """What has come, oldest first, with what is signed inside."""
        all = []
        for post in list(self.posts):
            assert post["type"] == "application/json"
            notification = self.verified(json.loads(post["body"])["signedPayload"])
            data = notification["data"]
            for name in ("signedTransactionInfo", "signedRenewalInfo"):
                if name in data:
                    data[name] = self.verified(data[name])
            all.append(notification)
        return all

    @property
    def kinds(self):
        return [(each["notificationType"], each.get("subtype")) for each in self.notifications]

    def wait_for_count(self, count):
        self.wait_for(lambda: len(self.posts) >= count)
        return self.kinds


@pytest.fixture
def backend():
    backend = Backend()
    yield backend
    backend.gate.set()
    backend.stop()


@pytest.fixture
def start(backend, shop_root, tmp_path):
    """Starts a server that tells the backend; the same state each time."""
    config = tmp_path / "footbridge.yaml"
    config.write_text(f"onside: {{ bundleIdentifier: com.example.shop, notifications: {{ url: '{backend.url}', timeout: 5 }} }}\n")
    servers = []

    def start(*arguments):
        server = serve("--root", shop_root, "--catalog", CATALOG, "--config", config, "--state", tmp_path / "state", *arguments)
        servers.append(server)
        backend.keys = jwt.PyJWKSet.from_json(request(server, JWKS)[2])
        server.api = server.control()
        return server

    yield start
    for server in servers:
        server.stop()


def make_session(server, **members):
    return server.api.session(**{"account": "built-in", "clock": {"frozen": True, "now": "2026-01-31T12:00:00Z"}, **members})


def add(server, session, product):
    return server.api("POST", f"/sessions/{session['id']}/purchases", {"product": product})["purchases"][0]


def advance(server, session, days):
    server.api("POST", f"/sessions/{session['id']}/clock/advance", {"milliseconds": days * DAY})


def wait_for_note(server, session, **data):
    return server.api("POST", f"/sessions/{session['id']}/journal/wait", {
        "until": {"kind": "store", "action": "notification", "data": data}, "timeout": 15_000})["entry"]


def test_a_purchase_notifies_the_backend_with_its_transaction(start, backend, page):
    server = start("--present", "auto")
    page.goto(server.url)
    page.evaluate("id => onside.loadProducts({ productIdentifiers: [id] })", PLANT)
    page.evaluate("id => onside.purchase({ productIdentifier: id, appAccountToken: 'player-1' })", PLANT)
    assert backend.wait_for_count(1) == [("ONE_TIME_CHARGE", None)]
    [order] = page.evaluate("onside.getTransactions().then(all => all.map(each => each.transactionIdentifier))")
    [notification] = backend.notifications
    assert notification["version"] == "2.0" and re.fullmatch(r"[0-9a-f-]{36}", notification["notificationUUID"])
    data = notification["data"]
    assert (data["bundleId"], data["environment"]) == ("com.example.shop", "LocalTesting") and "status" not in data
    transaction = data["signedTransactionInfo"]
    assert transaction["transactionId"] == transaction["originalTransactionId"] == order
    assert {name: transaction[name] for name in ("productId", "type", "quantity", "transactionReason", "appAccountToken", "storefront", "currency")} == {
        "productId": PLANT, "type": "Consumable", "quantity": 1, "transactionReason": "PURCHASE", "appAccountToken": "player-1", "storefront": "USA",
        "currency": "USD"}
    assert transaction["price"] % 10 == 0 and transaction["purchaseDate"] <= notification["signedDate"]


def test_the_steps_of_a_subscription_are_notified_in_order(start, backend):
    server = start()
    session = make_session(server)
    bought = add(server, session, SILVER)
    assert backend.wait_for_count(1) == [("SUBSCRIBED", "INITIAL_BUY")]
    # Nobody asks for the ledger: it renews by the session's clock.
    advance(server, session, 32)
    assert backend.wait_for_count(2)[1:] == [("DID_RENEW", None)]
    advance(server, session, 62)
    assert backend.wait_for_count(4)[2:] == [("DID_RENEW", None)] * 2
    add(server, session, GOLD)
    assert backend.wait_for_count(5)[4:] == [("DID_CHANGE_RENEWAL_PREF", "UPGRADE")]
    server.api("POST", f"/sessions/{session['id']}/purchases/{bought['id']}/cancel")
    assert backend.wait_for_count(6)[5:] == [("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED")]
    advance(server, session, 32)
    assert backend.wait_for_count(7)[6:] == [("EXPIRED", "VOLUNTARY")]
    notifications = backend.notifications
    assert [each["data"]["status"] for each in notifications] == [1, 1, 1, 1, 1, 1, 2]
    assert {each["data"]["signedTransactionInfo"]["originalTransactionId"] for each in notifications} == {bought["id"]}
    assert [each["data"]["signedRenewalInfo"]["autoRenewStatus"] for each in notifications] == [1, 1, 1, 1, 1, 0, 0]
    dates = [each["signedDate"] for each in notifications]
    assert dates == sorted(dates) and len({each["notificationUUID"] for each in notifications}) == 7


def test_a_failed_renewal_and_its_end_are_notified_when_the_clock_jumps(start, backend):
    server = start()
    session = make_session(server)
    server.api("PATCH", f"/sessions/{session['id']}/settings", {"renewalBillingIssues": True, "billingGracePeriod": True})
    add(server, session, SILVER)
    advance(server, session, 30)
    assert backend.wait_for_count(2)[1:] == [("DID_FAIL_TO_RENEW", "GRACE_PERIOD")]
    advance(server, session, 90)
    assert backend.wait_for_count(3)[2:] == [("EXPIRED", "BILLING_RETRY")]
    add(server, session, SILVER)
    advance(server, session, 100)
    assert backend.wait_for_count(6)[3:] == [("SUBSCRIBED", "RESUBSCRIBE"), ("DID_FAIL_TO_RENEW", "GRACE_PERIOD"), ("EXPIRED", "BILLING_RETRY")]
    notifications = backend.notifications
    # The second failure comes when the grace period is over.
    assert [each["data"]["status"] for each in notifications] == [1, 4, 2, 1, 3, 2]
    assert notifications[5]["data"]["signedRenewalInfo"]["expirationIntent"] == 2


def test_a_refused_notification_is_sent_again_with_its_id_before_later_ones(start, backend):
    backend.statuses = [500, 302]
    server = start()
    session = make_session(server)
    first = add(server, session, PLANT)
    server.api("POST", f"/sessions/{session['id']}/purchases/{first['id']}/refund")
    kinds = backend.wait_for_count(4)
    assert kinds == [("ONE_TIME_CHARGE", None)] * 3 + [("REFUND", None)]
    assert len({each["notificationUUID"] for each in backend.notifications}) == 2
    transaction = backend.notifications[3]["data"]["signedTransactionInfo"]
    assert transaction["revocationReason"] == 0 and transaction["revocationDate"] >= transaction["purchaseDate"]
    assert wait_for_note(server, session, state="refused", status=500, attempt=1)["data"]["type"] == "ONE_TIME_CHARGE"
    wait_for_note(server, session, state="refused", status=302, attempt=2)
    assert wait_for_note(server, session, state="delivered", type="ONE_TIME_CHARGE")["data"]["attempt"] == 3
    assert wait_for_note(server, session, state="delivered", type="REFUND")["data"]["order"] == first["id"]


def test_a_refund_notifies_for_each_family_member_who_had_the_order(start, backend, tmp_path):
    accounts = "".join(
        f"    - {{ id: {name}, email: {name}@example.com, country: US{family} }}\n"
        for name, family in {"uta": ", family: muster", "ben": ", family: muster", "eli": ", family: muster", "ana": ""}.items())
    (tmp_path / "footbridge.yaml").write_text(f"onside:\n  notifications: {{ url: '{backend.url}', timeout: 5 }}\n  accounts:\n{accounts}")
    server = start()
    session = make_session(server, account="uta")
    body = {"product": SHARED, "appAccountToken": "player-1"}
    [order] = server.api("POST", f"/sessions/{session['id']}/purchases", body)["purchases"]
    alone = add(server, session, PLANT)
    for each in (order, alone):
        server.api("POST", f"/sessions/{session['id']}/purchases/{each['id']}/refund")
    kinds = [kind for kind, _ in backend.wait_for_count(6)]
    assert kinds == ["ONE_TIME_CHARGE", "ONE_TIME_CHARGE", "REFUND", "REVOKE", "REVOKE", "REFUND"]
    notifications = backend.notifications
    assert len({each["notificationUUID"] for each in notifications}) == 6
    refund, *revocations, _ = [each["data"]["signedTransactionInfo"] for each in notifications[2:]]
    assert (refund["inAppOwnershipType"], refund["appAccountToken"]) == ("PURCHASED", "player-1")
    for revocation in revocations:
        assert revocation["inAppOwnershipType"] == "FAMILY_SHARED" and "appAccountToken" not in revocation
        assert revocation["transactionId"] == order["id"] and revocation["revocationDate"] == refund["revocationDate"]


def test_notifications_of_one_session_do_not_delay_those_of_another(start, backend):
    server = start()
    backend.gate.clear()
    one, other = make_session(server), make_session(server)
    add(server, one, PLANT)
    backend.wait_for(lambda: len(backend.posts) == 1)
    add(server, other, PLANT)
    backend.wait_for(lambda: len(backend.posts) == 2)
    backend.gate.set()
    for session in (one, other):
        wait_for_note(server, session, state="delivered")


def test_waiting_notifications_survive_a_kill_and_need_no_page(start, backend):
    server = start()
    backend.gate.clear()
    session = make_session(server)
    first = add(server, session, PLANT)
    server.api("POST", f"/sessions/{session['id']}/purchases/{first['id']}/refund")
    backend.wait_for(lambda: len(backend.posts) == 1)
    server.process.kill()
    server.process.wait()
    backend.gate.set()
    start()
    assert backend.wait_for_count(3) == [("ONE_TIME_CHARGE", None)] * 2 + [("REFUND", None)]
    ids = [each["notificationUUID"] for each in backend.notifications]
    assert ids[0] == ids[1] != ids[2]


def test_delivered_notifications_are_not_sent_again_after_a_restart(start, backend):
    server = start()
    session = make_session(server)
    add(server, session, PLANT)
    wait_for_note(server, session, state="delivered")
    server.stop()
    again = start()
    other = make_session(again)
    add(again, other, PLANT)
    wait_for_note(again, other, state="delivered")
    assert len(backend.posts) == 2


def test_a_test_notification_is_sent_on_demand_and_sent_again_with_its_id(start, backend):
    server = start()
    session = make_session(server)
    path = f"/sessions/{session['id']}/notifications"
    test = server.api("POST", path + "/test")
    assert test == {"id": test["id"], "type": "TEST", "state": "waiting", "signedDate": "2026-01-31T12:00:00.000Z"}
    wait_for_note(server, session, state="delivered", type="TEST")
    [notification] = backend.notifications
    assert notification["notificationUUID"] == test["id"] and notification["notificationType"] == "TEST"
    assert notification["data"] == {"bundleId": "com.example.shop", "environment": "LocalTesting"}
    order = add(server, session, PLANT)
    bought = wait_for_note(server, session, state="delivered", type="ONE_TIME_CHARGE")
    listed = server.api("GET", path)["notifications"]
    assert [(each["type"], each["state"]) for each in listed] == [("TEST", "delivered"), ("ONE_TIME_CHARGE", "delivered")]
    assert listed[1]["order"] == order["id"]
    assert server.api("POST", f"{path}/{listed[1]['id']}/resend")["state"] == "waiting"
    server.api("POST", f"/sessions/{session['id']}/journal/wait", {
        "until": {"kind": "store", "action": "notification", "data": {"state": "delivered"}}, "after": bought["cursor"], "timeout": 15_000})
    ids = [each["notificationUUID"] for each in backend.notifications]
    assert ids == [test["id"], listed[1]["id"], listed[1]["id"]]
    assert server.api.request("POST", path + "/unknown/resend").status == 404


def test_a_waiting_notification_is_sent_at_once_on_request(start, backend):
    # The pauses alone would take longer than this test waits.
    backend.statuses = [500] * 5
    server = start()
    session = make_session(server)
    add(server, session, PLANT)
    path = f"/sessions/{session['id']}/notifications"
    for attempt in range(1, 6):
        wait_for_note(server, session, state="refused", attempt=attempt)
        [waiting] = server.api("GET", path)["notifications"]
        assert (waiting["state"], waiting["status"], waiting["attempts"]) == ("waiting", 500, attempt)
        server.api("POST", f"{path}/{waiting['id']}/resend")
    assert wait_for_note(server, session, state="delivered")["data"]["attempt"] == 6


def test_the_kit_sends_a_test_and_sends_again(start, backend, monkeypatch):
    monkeypatch.syspath_prepend(PROJECT / "web" / "testing")
    from pytest_footbridge.server import Server

    server = start()
    session = Server(server.url, server.api.token).new_session()
    sent = session.store.send_test_notification()
    arrived = session.wait_for(kind="store", action="notification", data={"state": "delivered", "id": sent.id}, timeout=15_000)
    [listed] = session.store.notifications()
    assert (listed.id, listed.type, listed.state) == (sent.id, "TEST", "delivered")
    listed.resend()
    session.wait_for(kind="store", action="notification", data={"state": "delivered"}, after=arrived["cursor"], timeout=15_000)
    assert backend.kinds == [("TEST", None)] * 2


def test_without_a_backend_a_test_notification_is_refused(shop_root):
    with serve("--root", shop_root, "--ephemeral") as server:
        control = server.control()
        path = f"/sessions/{control.session()['id']}/notifications"
        assert control("GET", path) == {"notifications": []}
        for operation in ("/test", "/some-id/resend"):
            refusal = control.request("POST", path + operation)
            assert refusal.status == 409 and "onside.notifications.url" in refusal.json["detail"]


def test_a_session_from_an_export_or_snapshot_does_not_notify_its_initial_orders(start, backend):
    server = start()
    backend.gate.clear()
    session = make_session(server)
    add(server, session, PLANT)
    backend.wait_for(lambda: len(backend.posts) == 1)
    exported = server.api("GET", f"/sessions/{session['id']}/export")
    server.api("PUT", "/snapshots/with-a-purchase", {"session": session["id"]})
    backend.gate.set()
    wait_for_note(server, session, state="delivered")
    for start_from in (exported, "with-a-purchase"):
        other = server.api.session(**{"from": start_from})
        [order] = server.api("GET", f"/sessions/{other['id']}/purchases")["purchases"]
        server.api("POST", f"/sessions/{other['id']}/purchases/{order['id']}/refund")
        wait_for_note(server, other, state="delivered", type="REFUND")
    assert backend.kinds == [("ONE_TIME_CHARGE", None), ("REFUND", None), ("REFUND", None)]


def test_the_receiver_of_the_manual_takes_each_notification_once(shop_root, tmp_path):
    text = (PROJECT / "docs" / "notifications.md").read_text()
    receiver = PROJECT / "Examples" / "backend" / "notifications.py"
    port, own_port = free_port(), free_port()
    config = tmp_path / "footbridge.yaml"
    config.write_text(re.search(r"```yaml\n(.*?)```", text, re.DOTALL)[1].replace("3000", str(port)))
    environment = {**os.environ, "PORT": str(port), "FOOTBRIDGE_URL": f"http://127.0.0.1:{own_port}"}
    with serve("--root", shop_root, "--catalog", CATALOG, "--config", config, "--ephemeral", port=own_port) as server:
        server.api = server.control()
        session = make_session(server)
        add(server, session, GOLD)
        # The backend is not there yet.
        wait_for_note(server, session, state="failed", attempt=1)
        with subprocess.Popen([sys.executable, receiver], env=environment, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout.readline() == f"SUBSCRIBED INITIAL_BUY {GOLD}\n"
                wait_for_note(server, session, state="delivered")
                add(server, session, PLANT)
                assert process.stdout.readline() == f"ONE_TIME_CHARGE  {PLANT}\n"
                assert subprocess.run(
                    ["curl", "-s", "-o", "-", "-w", "%{http_code}", "-d", '{"signedPayload": "e30.e30.e30"}', f"http://127.0.0.1:{port}/"],
                    capture_output=True, text=True).stdout == "400"
            finally:
                process.kill()


def test_devices_of_one_world_notify_each_change_once(start, backend):
    server = start()
    phone = make_session(server)
    tablet = make_session(server, deviceOf=phone["id"])
    order = add(server, tablet, SILVER)
    for session in phone, tablet:
        advance(server, session, 31)
        assert len(server.api("GET", f"/sessions/{session['id']}/purchases")["purchases"]) == 2
    server.api("POST", f"/sessions/{phone['id']}/purchases/{order['id']}/refund")
    entries = [each for session in (phone, tablet) for each in server.api("GET", f"/sessions/{session['id']}/journal")["entries"]]
    told = sorted(each["data"]["type"] for each in entries if each["action"] == "notification" and each["data"]["state"] == "waiting")
    assert told == ["DID_RENEW", "REFUND", "SUBSCRIBED"]
    assert sorted(kind for kind, _ in backend.wait_for_count(3)) == told
