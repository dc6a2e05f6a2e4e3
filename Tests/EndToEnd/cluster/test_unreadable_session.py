"""A session in the database that a server cannot read, such as one that a later version has written: it stays as it is, and others go on."""


import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from buyer import PRODUCT
from footbridge_process import serve
from ports import free_port
from postgresql import PostgreSQL, state_key
from test_merchant_api import HISTORY, request, token
from test_take_over import until
from test_today_proxy import running_site
from wire_page import WirePage

TOKEN = "t" * 32
#: Longer than the test may take: a session that is not given back stays where it is.
LEASE = 3600
SENTENCE = "The server cannot read the state of this session. Its log says why."


@pytest.fixture
def start(catalog, tmp_path):
    """Starts servers on one database, in front of one site. Nobody takes what they tell the publisher."""
    key = state_key(tmp_path)
    config = tmp_path / "footbridge.yaml"
    config.write_text("onside: { notifications: { url: 'http://127.0.0.1:1/' } }")
    with PostgreSQL() as database, running_site() as site:

        def start():
            return serve("--proxy", site.url, "--config", config, "--catalog", catalog, "--present", "auto", "--state", database.url, "--state-key", key,
                         "--replica-lease", LEASE, "--control-token", TOKEN, port=free_port(), environment=database.environment)

        start.database = database
        yield start


def buy(server, session):
    """Buys in a session, and returns the id of the order."""
    page = WirePage(server.port, session["cookie"]["value"])
    page.call("onside.loadProducts", productIdentifiers=[PRODUCT])
    # An unfinished transaction of an earlier launch comes again.
    token = f"bought at {server.port}"
    page.call("onside.purchase", productIdentifier=PRODUCT, appAccountToken=token)
    [transaction] = page.wait_for_state("purchased", token)
    page.close()
    return transaction["transactionIdentifier"]


def open_socket(server, session):
    """Returns the status and the text of an attempt to open a page's socket."""
    try:
        with connect(f"ws://127.0.0.1:{server.port}/__footbridge/bridge?page={'a' * 32}", subprotocols=["footbridge.v1"],
                     origin=f"http://127.0.0.1:{server.port}", additional_headers={"Cookie": f"footbridge_session={session['cookie']['value']}"}):
            return 101, ""
    except InvalidStatus as refusal:
        return refusal.response.status_code, refusal.response.body.decode().strip()


def row_of(database, session):
    return database.query(f"SELECT session, session.xmin FROM footbridge.session WHERE key LIKE '{session['id']}%'")


@pytest.mark.parametrize("column, later", [("profile", '{"time": "a later form"}'), ("onside", '{"settings": "a later form"}')])
def test_a_session_that_a_server_cannot_read_is_retained_for_one_that_can(start, column, later):
    database = start.database
    with start() as before:
        control = before.control(TOKEN)
        strange, usual = (control.session(account="built-in", name=name) for name in ("strange", "usual"))
        buy(before, usual)
        order = buy(before, strange)
    database.query(f"CREATE TABLE kept AS SELECT key, {column} AS content FROM footbridge.session WHERE key LIKE '{strange['id']}%'")
    database.query(f"UPDATE footbridge.session SET {column} = '{later}' WHERE key IN (SELECT key FROM kept)")
    row = row_of(database, strange)
    path = f"/sessions/{strange['id']}"
    with start() as one:
        control = one.control(TOKEN)
        # Sessions with something to tell begin without a request.
        until(lambda: [each["name"] for each in control("GET", "/sessions")["sessions"]], lambda names: names == ["usual"])
        for method, part, body in [("GET", "", None), ("GET", "/purchases", None), ("PATCH", "", {"name": "new"}), ("POST", "/rules", {}), ("DELETE", "", None)]:
            answer = control.request(method, path + part, body)
            assert (answer.status, answer.json["detail"]) == (503, SENTENCE), (method, part)
            assert answer.headers["Retry-After"]
        assert open_socket(one, strange) == (503, SENTENCE)
        assert request(one, HISTORY + order, fields={"Authorization": f"Bearer {token()}"})[0] == 503
        document = request(one, "/", fields={"Cookie": f"footbridge_session={strange['cookie']['value']}"})
        assert (document[0], document[2].decode().strip()) == (503, SENTENCE)
        one.wait_for_log("cannot read it, and leaves it to the servers that have written it")
        assert row_of(database, strange) == row
        # Another session goes on.
        buy(one, usual)
        assert len(control("GET", f"/sessions/{usual['id']}/purchases")["purchases"]) == 2
        # A server that can read it gets it at once, and the other one passes its requests on.
        database.query(f"UPDATE footbridge.session SET {column} = kept.content FROM kept WHERE kept.key = session.key")
        with start() as other:
            assert other.control(TOKEN)("GET", path)["name"] == "strange"
            assert [each["id"] for each in control("GET", path + "/purchases")["purchases"]] == [order]
