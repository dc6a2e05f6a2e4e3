"""The host calls the page's callbacks only after the page could assign them, and when they can make calls."""

import pytest

from footbridge_process import serve
from promises import wait_for_promise

CONSUMABLE = "com.product.example.consumable"

HEAD = """
    const updated = (transactions) => states.push(...transactions.map((each) => each.transactionState));
    window.states = [];
"""

PAGES = {
    "awaits.html": f"""{HEAD} (async () => {{
        await onside.initializeOnside("v1");
        onside.onTransactionsUpdated = updated;
    }})();""",
    "finishes.html": f"""{HEAD} onside.onTransactionsUpdated = async (transactions) => {{
        updated(transactions);
        for (const {{ id }} of transactions) await onside.finishTransaction(id);
    }};
    onside.initializeOnside("v1");""",
    "DOMContentLoaded.html": f"""{HEAD} document.addEventListener("DOMContentLoaded", () => onside.onTransactionsUpdated = updated);""",
    "load.html": f"""{HEAD} window.addEventListener("load", () => onside.onTransactionsUpdated = updated);""",
}


@pytest.fixture(scope="module")
def server(catalog, tmp_path_factory):
    """Runs a shop whose pages assign their callbacks in different ways. Their bodies end with a slow script."""
    root = tmp_path_factory.mktemp("callbacks")
    for name, script in PAGES.items():
        slow = "" if name == "awaits.html" or name == "finishes.html" else '<script src="slow.js"></script>'
        (root / name).write_text(f"<!doctype html><html><head><script>{script}</script></head><body>{slow}</body></html>")
    with serve("--root", root, "--catalog", catalog) as server:
        yield server


@pytest.fixture(scope="module")
def control(server):
    return server.control()


@pytest.fixture
def enter(control, new_context):
    """Returns a page of a session with an unfinished purchase, and the session."""

    def enter(contract):
        session = control.session(
            account="built-in", onsideContract=contract, purchases=[{"product": CONSUMABLE, "finished": False}])
        context = new_context()
        control.enter(context, session)
        return context.new_page(), session

    return enter


@pytest.mark.parametrize("contract", ["docs", "1.3"])
def test_a_page_that_assigns_its_callbacks_after_initialising_gets_unfinished_transactions(server, control, enter, contract):
    page, session = enter(contract)
    page.goto(server.url + "/awaits.html")
    page.wait_for_function("states.includes('purchased')")
    control("POST", f"/sessions/{session['id']}/relaunch")
    page.goto(server.url + "/awaits.html")
    page.wait_for_function("states.includes('purchased')")


@pytest.mark.parametrize("contract", ["docs", "1.3"])
def test_a_callback_can_make_calls(server, enter, contract):
    page, _ = enter(contract)
    page.goto(server.url + "/finishes.html")
    page.wait_for_function("states.includes('purchased')")
    wait_for_promise(page, "() => onside.getTransactions().then((transactions) => transactions.length === 0)")


@pytest.mark.parametrize("event", ["DOMContentLoaded", "load"])
def test_a_callback_that_a_listener_of_the_document_assigns_is_called(server, control, enter, event):
    page, session = enter("docs")

    def answer(route):
        # The callback is on its way by now, or has arrived.
        while not any(
            entry.get("action") == "onside.onTransactionsUpdated"
            for entry in control("GET", f"/sessions/{session['id']}/journal?limit=1000")["entries"]
        ):
            pass
        route.fulfill(body="", content_type="text/javascript")

    page.route("**/slow.js", answer)
    page.goto(server.url + f"/{event}.html")
    page.wait_for_function("states.includes('purchased')")
