"""Sessions that begin with what another session was: exported, imported, and from snapshots."""

import copy
import json
import os
import re

import pytest

from footbridge_process import FIXTURES, StartFailure, serve
from test_merchant_api import history, verified

CATALOG = FIXTURES / "storehelper-sample.storekit"
GOLD = "com.rarcher.subscription.vip.gold"
PLANT = "com.rarcher.consumable.plant.installation"
FLOWERS = "com.rarcher.nonconsumable.flowers.large"
NEW_YEAR = {"frozen": True, "now": "2026-01-31T12:00:00.000Z"}


@pytest.fixture(scope="module")
def servers(shop_root):
    with serve("--root", shop_root, "--catalog", CATALOG, "--ephemeral") as one, \
         serve("--root", shop_root, "--catalog", CATALOG, "--ephemeral") as other:
        one.api, other.api = one.control(), other.control()
        yield one, other


@pytest.fixture
def prepared(servers):
    """A session with an account, orders, a subscription, transactions, settings and a clock of its own."""
    session = servers[0].api.session(
        name="customer", account="built-in", clock=NEW_YEAR, settings={"locale": "nl_NL", "askToBuy": True},
        purchases=[{"product": GOLD}, {"product": FLOWERS, "purchasedAt": "2025-12-01T00:00:00Z"}, {"product": PLANT, "finished": False}],
        transactions=[{"product": PLANT, "waitingFor": "approval"}, {"product": PLANT, "error": "cancelled"}])
    yield session
    servers[0].api("DELETE", f"/sessions/{session['id']}")


def export(server, session, **query):
    text = "&".join(f"{name}={value}" for name, value in query.items())
    return server.api("GET", f"/sessions/{session['id']}/export?{text}")


def orders(server, session):
    return server.api("GET", f"/sessions/{session['id']}/purchases")


def open_page(server, session, page):
    server.api.enter(page.context, session)
    page.goto(server.url)
    return page.evaluate("onside.getTransactions()")


def comparable(transactions):
    """Storefronts have an id for each launch."""
    return [{**each, "storefront": each["storefront"]["countryCode"]} for each in transactions]


def test_a_page_of_another_server_gets_the_imported_orders_transactions_and_time(servers, prepared, new_context):
    one, other = servers
    before = comparable(open_page(one, prepared, new_context().new_page()))
    assert sorted(each["transactionState"] for each in before) == ["failed", "purchased", "purchasing"]
    imported = other.api.session(**{"from": export(one, prepared)})
    page = new_context().new_page()
    assert comparable(open_page(other, imported, page)) == before
    # The app starts: what it has not finished is delivered again.
    page.wait_for_function("seen.filter(e => e.name === 'onTransactionsUpdated').flatMap(e => e.value).length >= 3")
    delivered = page.evaluate("seen.filter(e => e.name === 'onTransactionsUpdated').flatMap(e => e.value.map(t => t.id))")
    assert sorted(delivered) == sorted(each["id"] for each in before)
    assert page.evaluate("onside.getCurrentStorefront().then(storefront => storefront.countryCode)") == before[0]["storefront"]
    assert orders(other, imported) == orders(one, prepared)
    for path in ("", "/settings"):
        left, right = (server.api("GET", f"/sessions/{session['id']}{path}") for server, session in ((one, prepared), (other, imported)))
        own = {"id": "", "pages": [], "entries": 0, "cursor": 0, "lastActivity": None, "lintErrors": 0}
        assert {**left, **own} == {**right, **own}


def test_a_subscription_continues_on_the_clock_of_its_session(servers, prepared):
    one, other = servers
    imported = other.api.session(**{"from": export(one, prepared)})
    first = [each["id"] for each in orders(other, imported)["purchases"]]
    other.api("POST", f"/sessions/{imported['id']}/clock/advance", {"milliseconds": 32 * 86_400_000})
    after = orders(other, imported)
    renewals = [each for each in after["purchases"] if each["id"] not in first]
    assert [each["product"] for each in renewals] == [GOLD]
    assert after["subscriptions"][0]["purchase"] == renewals[0]["id"]
    assert len(orders(one, prepared)["purchases"]) == len(first)


def test_a_clock_that_runs_continues_from_its_time(servers):
    one, other = servers
    session = one.api.session(clock={"now": "2030-05-01T00:00:00Z"})
    exported = export(one, session)
    assert exported["session"]["clock"]["now"].startswith("2030-05-01T00:0")
    imported = other.api.session(**{"from": exported})
    clock = other.api("GET", f"/sessions/{imported['id']}/clock")
    assert not clock["frozen"] and exported["session"]["clock"]["now"] <= clock["now"] < "2030-05-01T01"
    assert export(other, other.api.session())["session"]["clock"] is None


def test_a_transaction_finished_after_the_import_is_not_delivered_again(servers, prepared, new_context):
    one, other = servers
    imported = other.api.session(**{"from": export(one, prepared)})
    page = new_context().new_page()
    [bought] = [each for each in open_page(other, imported, page) if each["transactionState"] == "purchased"]
    page.evaluate("id => onside.finishTransaction(id)", bought["id"])
    page.wait_for_function("seen.some(e => e.name === 'onTransactionsRemoved')")
    other.api("POST", f"/sessions/{imported['id']}/relaunch")
    page.goto(other.url)
    assert bought["id"] not in [each["id"] for each in page.evaluate("onside.getTransactions()")]
    assert bought["id"] not in json.dumps(export(other, imported)["session"])
    # The session that was exported still has it.
    assert bought["id"] in json.dumps(export(one, prepared)["session"])


def test_importing_twice_gives_two_sessions_with_different_orders(servers, prepared):
    one, other = servers
    exported = export(one, prepared)
    first, second = (other.api.session(**{"from": exported}) for _ in range(2))
    ids = [[each["id"] for each in orders(other, each)["purchases"]] for each in (first, second)]
    # No order of the first is known to the server; then all of them are.
    assert ids[0] == [each["id"] for each in orders(one, prepared)["purchases"]] or not set(ids[0]) & set(ids[1])
    assert not set(ids[0]) & set(ids[1])
    flowers = next(each for each in orders(other, second)["purchases"] if each["product"] == FLOWERS)
    other.api("POST", f"/sessions/{second['id']}/purchases/{flowers['id']}/refund")
    dates = []
    for session in (first, second):
        order = next(each["id"] for each in orders(other, session)["purchases"] if each["product"] == FLOWERS)
        [entry] = verified(other, history(other, order)[2].decode())["transactions"]
        dates.append(entry["revocation_date"])
    assert dates[0] is None and dates[1] is not None


def test_members_of_the_request_override_the_imported_session(servers, prepared):
    one, other = servers
    imported = other.api.session(**{"from": export(one, prepared), "name": "other", "account": None, "clock": {"now": "2027-01-01T00:00:00Z"}})
    session = other.api("GET", f"/sessions/{imported['id']}")
    assert (session["name"], session["account"], session["clock"]["now"]) == ("other", None, "2027-01-01T00:00:00.000Z")
    assert session["clock"]["frozen"]


# Snapshots.


def test_sessions_from_one_snapshot_share_nothing(servers, prepared):
    server, _ = servers
    server.api("PUT", "/snapshots/paid", {"session": prepared["id"]})
    assert {"name": "paid"} in server.api("GET", "/snapshots")["snapshots"]
    before = orders(server, prepared)
    sessions = [server.api.session(**{"from": "paid", "name": f"test {number}"}) for number in range(3)]
    flowers = next(each for each in orders(server, sessions[0])["purchases"] if each["product"] == FLOWERS)
    server.api("POST", f"/sessions/{sessions[0]['id']}/purchases/{flowers['id']}/refund")
    seen = [orders(server, each)["purchases"] for each in sessions]
    assert [[each["product"] for each in purchases] for purchases in seen] == [[each["product"] for each in before["purchases"]]] * 3
    assert len({each["id"] for purchases in seen for each in purchases}) == 3 * len(before["purchases"])
    refunded = [[each["product"] for each in purchases if each["revokedAt"]] for purchases in seen]
    assert refunded == [[FLOWERS], [], []]
    assert orders(server, prepared) == before
    server.api("DELETE", "/snapshots/paid")
    assert server.api.request("DELETE", "/snapshots/paid").status == 404


def test_a_snapshot_does_not_change_with_its_session_and_outlives_it(servers):
    server, _ = servers
    session = server.api.session(name="first", purchases=[{"product": PLANT, "account": "built-in"}])
    server.api("PUT", "/snapshots/moment", {"session": session["id"]})
    server.api("POST", f"/sessions/{session['id']}/purchases", {"product": PLANT, "account": "built-in"})
    server.api("DELETE", f"/sessions/{session['id']}")
    again = server.api.session(**{"from": "moment"})
    assert again["name"] is None and len(orders(server, again)["purchases"]) == 1
    server.api("PUT", "/snapshots/moment", {"session": again["id"]})
    server.api("DELETE", "/snapshots/moment")


def test_snapshots_are_limited_and_an_unknown_one_is_named_in_the_error(servers):
    server, _ = servers
    session = server.api.session()
    names = [f"n{number}" for number in range(101)]
    answers = [server.api.request("PUT", f"/snapshots/{name}", {"session": session["id"]}).status for name in names]
    assert answers == [204] * 100 + [409]
    assert server.api.request("PUT", "/snapshots/n0", {"session": session["id"]}).status == 204
    for name in names[:98]:
        server.api("DELETE", f"/snapshots/{name}")
    problem = server.api.request("POST", "/sessions", {"from": "nothing"})
    assert problem.status == 422 and "from in the body is nothing" in problem.json["detail"] and "there are: n98, n99" in problem.json["detail"]
    for name in names[98:100]:
        server.api("DELETE", f"/snapshots/{name}")
    assert server.api.request("PUT", "/snapshots/x", {"session": "0" * 16}).status == 422
    assert server.api.request("PUT", f"/snapshots/{'x' * 201}", {"session": session["id"]}).status == 422


def test_a_snapshot_outlives_a_restart_with_the_state_of_the_server(tmp_path, shop_root):
    arguments = ("--root", shop_root, "--catalog", CATALOG, "--control-token", "t" * 32, "--state", tmp_path / "state")
    with serve(*arguments) as server:
        control = server.control("t" * 32)
        session = control.session(name="first", clock={"frozen": True, "now": "2027-01-01T00:00:00Z"}, purchases=[{"product": PLANT, "account": "built-in"}])
        control("PUT", "/snapshots/moment", {"session": session["id"]})
        control("DELETE", f"/sessions/{session['id']}")
    with serve(*arguments) as server:
        control = server.control("t" * 32)
        again = control.session(**{"from": "moment"})
        assert (again["name"], again["clock"]["now"]) == (None, "2027-01-01T00:00:00.000Z")
        assert [each["product"] for each in control("GET", f"/sessions/{again['id']}/purchases")["purchases"]] == [PLANT]


# Broken and hostile files.


def changed(exported, path, value):
    """Returns the file with another value at a path; without the member for `...`."""
    exported = copy.deepcopy(exported)
    *way, last = path
    inner = exported
    for key in way:
        inner = inner[key]
    if value is ...:
        del inner[last]
    else:
        inner[last] = value
    return exported


STATE = ["session", "bridges", "onside", "state"]
ORDER = [*STATE, "ledger", "purchases", 0]
ENTRY = [*STATE, "transactions", 0]


@pytest.mark.parametrize("path, value, words", [
    (["format"], "something", "format is"), (["version"], ..., "must be an object with a version"),
    (["version"], 2, "from.version in the body is 2. This server reads version 1."), (["version"], "1", "from.version in the body must be"),
    (["session"], ..., "must be an object with a session"), (["more"], 1, "unknown key, more"),
    (["session", "more"], 1, "from.session in the body has an unknown key, more"),
    (["session", "platform"], "windows", "from.session.platform"), (["session", "name"], "x" * 201, "from.session.name"),
    (["session", "clock"], {"now": "2026-01-01T00:00:00Z"}, "from.session.clock"),
    (["session", "clock"], {"now": "-9999", "frozen": True}, "from.session.clock.now"),
    (["session", "bridges", "unknown"], {}, "from.session.bridges in the body has an unknown key, unknown"),
    (["session", "bridges", "onside", "state"], [], "from.session.bridges.onside.state in the body must be"),
    ([*STATE, "settings"], ..., "from.session.bridges.onside.state in the body must have the member settings."),
    ([*STATE, "settings", "timeRate"], 99, "onside.state.settings.timeRate in the body has a value that is not possible"),
    ([*STATE, "settings", "askToBuyEnabled"], "yes", "onside.state.settings.askToBuyEnabled in the body must be true or false."),
    ([*STATE, "ledger", "purchases"], {}, "onside.state.ledger.purchases in the body must be a list."),
    ([*ORDER, "price", "value"], ..., "onside.state.ledger.purchases[0].price in the body must have the member value."),
    ([*ORDER, "price", "value"], "-1", "onside.state.ledger.purchases[0].price in the body must be a price."),
    ([*ORDER, "price", "value"], "NaN", "onside.state.ledger.purchases[0].price"),
    ([*ORDER, "id"], "../../x", "onside.state.ledger.purchases[0].id in the body must be a UUID in lower case that no other purchase has."),
    ([*ORDER, "expiresAt"], -1e300, "onside.state.ledger.purchases[0].expiresAt in the body must be milliseconds since 1970"),
    ([*ORDER, "purchasedAt"], 1e300, "onside.state.ledger.purchases[0].purchasedAt in the body must be"),
    ([*STATE, "ledger", "subscriptions", 0, "orderID"], "x", "onside.state.ledger.subscriptions[0].orderID in the body must be the id"),
    ([*ENTRY, "stage"], "queued", "onside.state.transactions[0].stage in the body must be one that fits"),
    ([*ENTRY, "stage"], "flying", "onside.state.transactions[0].stage in the body has a value that is not possible"),
    ([*ENTRY, "transaction", "id"], "not a uuid", "onside.state.transactions[0].transaction.id"),
], ids=lambda value: "-".join(map(str, value))[:60] if isinstance(value, list) else None)
def test_the_error_about_a_wrong_import_names_the_place(servers, prepared, path, value, words):
    one, other = servers
    answer = other.api.request("POST", "/sessions", {"from": changed(export(one, prepared), path, value)})
    assert answer.status == 422 and words in answer.json["detail"], answer.text
    assert len(answer.json["detail"]) < 1000


def test_an_import_with_two_orders_of_one_id_is_refused(servers, prepared):
    one, other = servers
    exported = export(one, prepared)
    purchases = exported["session"]["bridges"]["onside"]["state"]["ledger"]["purchases"]
    answer = other.api.request("POST", "/sessions", {"from": changed(exported, [*STATE, "ledger", "purchases"], [*purchases, purchases[0]])})
    assert answer.status == 422 and f"purchases[{len(purchases)}].id in the body must be a UUID in lower case that no other purchase has." in answer.json["detail"]


@pytest.mark.parametrize("body", ["[]", "null", "7", '"' + "x" * 3000 + '"', "{}"])
def test_an_import_that_is_not_an_exported_session_is_refused(servers, body):
    answer = servers[1].api.request("POST", "/sessions", data=b'{"from": ' + body.encode() + b"}")
    assert answer.status == 422 and "from in the body" in answer.json["detail"]


def test_an_import_that_is_too_deep_or_too_large_is_refused(servers):
    api = servers[1].api
    deep = b'{"from": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"}"
    assert api.request("POST", "/sessions", data=deep).status in (400, 422)
    assert api.request("POST", "/sessions", data=b'{"from": "' + b"x" * (33 << 20) + b'"}').status == 413
    assert api("GET", "/sessions")["sessions"] is not None


# From the command line.


def test_the_last_session_is_exported_on_exit_and_imported_for_browsers(shop_root, tmp_path, new_context):
    file = tmp_path / "session.json"
    shop = ["--root", shop_root, "--catalog", CATALOG, "--present", "auto", "--ephemeral"]
    page = new_context().new_page()
    with serve(*shop, "--export-on-exit", file) as server:
        page.goto(server.url)
        page.evaluate("id => onside.loadProducts({ productIdentifiers: [id] })", PLANT)
        page.evaluate("id => onside.purchase({ productIdentifier: id })", PLANT)
        page.wait_for_function("seen.some(e => e.name === 'onTransactionsUpdated' && e.value.some(t => t.transactionState === 'purchased'))")
        [bought] = comparable(page.evaluate("onside.getTransactions()"))
        cookie = next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "footbridge_session")
        server.stop()
        assert any(str(file) in line and "was exported" in line for line in server.log)
    text = file.read_text()
    exported = json.loads(text)
    assert (exported["format"], exported["version"]) == ("footbridge-session", 1)
    assert any(entry.get("action") == "onside.purchase" for entry in exported["transcript"])
    assert cookie not in text and not re.search("Bearer|PRIVATE", text)
    with serve(*shop, "--import", file) as server:
        api = server.control()
        assert comparable(open_new(server, new_context)) == [bought]
        [again] = comparable(open_new(server, new_context))
        assert again["id"] == bought["id"] and again["transactionIdentifier"] != bought["transactionIdentifier"]
        assert api.session()["unfinishedTransactions"] == 0


def open_new(server, new_context):
    page = new_context().new_page()
    page.goto(server.url)
    return page.evaluate("onside.getTransactions()")


def test_an_imported_session_survives_a_kill_with_its_finished_transactions(shop_root, tmp_path, servers, prepared, new_context):
    file = tmp_path / "session.json"
    file.write_text(json.dumps(export(servers[0], prepared)))
    shop = ["--root", shop_root, "--catalog", CATALOG, "--state", tmp_path / "state", "--import", file]
    page = new_context().new_page()
    with serve(*shop) as server:
        page.goto(server.url)
        transactions = page.evaluate("onside.getTransactions()")
        [bought] = [each for each in transactions if each["transactionState"] == "purchased"]
        page.evaluate("id => onside.finishTransaction(id)", bought["id"])
        page.wait_for_function("seen.some(e => e.name === 'onTransactionsRemoved')")
        server.process.kill()
        server.process.wait()
        port = server.port
    with serve(*shop, port=port) as server:
        page.goto(server.url)
        left = [each["id"] for each in page.evaluate("onside.getTransactions()")]
        assert sorted(left) == sorted(each["id"] for each in transactions if each["id"] != bought["id"])


def test_an_export_that_cannot_be_written_stops_the_start(tmp_path):
    for path in (tmp_path / "missing" / "session.json", f"{tmp_path}/"):
        with pytest.raises(StartFailure) as failure:
            serve("--ephemeral", "--export-on-exit", path)
        assert failure.value.code == os.EX_CANTCREAT and "--export-on-exit" in failure.value.log


def test_a_server_without_a_session_writes_no_export(tmp_path):
    file = tmp_path / "session.json"
    with serve("--ephemeral", "--export-on-exit", file) as server:
        server.stop()
        assert any("there was no session" in line for line in server.log)
    assert not file.exists()
