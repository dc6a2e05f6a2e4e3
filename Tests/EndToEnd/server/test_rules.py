"""Rules, gates and scenarios, set by a test and seen by a page in Chromium."""


import pytest

from footbridge_process import serve

CONSUMABLE = "com.product.example.consumable"
NON_CONSUMABLE = "com.product.example.non_consumable"

BRIDGE_ERRORS = [
    "bridgeDetached", "brokenRequest", "disallowedFrame", "functionNotDefined", "invalidArguments", "parametersNotRepresentable",
    "cannotSerializeResponse",
]
NETWORK_ERRORS = ["connectionError", "appNotRegistered", "serviceUnavailable", "internalError"]
# Every function whose promise can reject, with its own errors (from the bridge reference, or contract 1.3 if it is newer).
ONSIDE_ERRORS = {
    "requestLogin": ["loginDiscarded"],
    "presentPaymentMethodsManager": ["loginDiscarded", "notSupportedInLocalTesting", "presentationFailed"],
    "getCurrentStorefront": [],
    "loadProducts": ["cancelled", *NETWORK_ERRORS, "invalidProductIdentifier"],
    "purchase": ["unknownProduct", "loginDiscarded", "rejectedAfterLogin"],
    "restoreCompletedTransactions": ["loginDiscarded"],
    "getTransactions": [],
    "finishTransaction": ["unknownTransaction"],
    "getAttributionMetadata": NETWORK_ERRORS,
    "getSignedInAppsHistory": ["notLoggedIn", "notSupportedInLocalTesting", "cancelled", *NETWORK_ERRORS],
    "initializeOnside": ["reason"],
}
TRANSACTION_ERRORS = ["cancelled", "presentationFailed"]
RESTORE_ERRORS = ["cancelled", *NETWORK_ERRORS]
# Functions that return nothing in contract "docs", and a promise in contract 1.3; with arguments.
VOID_FUNCTIONS = {
    "setAppearance": "'dark'", "setShouldForceLocalLoginMethods": "true", "setDefaultCountryCodeAssumption": "'DE'",
    "trackEvent": "{ name: 'e' }", "logout": "",
}
ARGUMENTS = {
    "loadProducts": f"{{ productIdentifiers: ['{CONSUMABLE}'] }}", "purchase": f"{{ productIdentifier: '{CONSUMABLE}' }}",
    "finishTransaction": "'none'", "initializeOnside": "'v1'",
}
GBG_ERRORS = {
    "UNSUPPORTED": False, "PERMISSION_DENIED": True, "CANCELLED": True, "TIMEOUT": True, "BUSY": True, "INVALID_REQUEST": False,
    "INTERNAL_ERROR": False, "VERSION_MISMATCH": False, "CAMERA_DENIED": False, "NFC_UNAVAILABLE": False, "CAPTURE_FAILED": False,
}


@pytest.fixture(scope="module")
def server(shop_root, catalog, tmp_path_factory):
    """Runs the shop with accounts and scenarios. The server approves every sheet at once."""
    config = tmp_path_factory.mktemp("outcomes") / "footbridge.yaml"
    config.write_text(f"""
onside:
  accounts:
    - {{ id: eva, name: Eva, email: eva@example.com, country: ES }}
    - {{ id: max, name: Max, email: max@example.com, country: DE }}
scenarios:
  offline:
    - {{ on: onside.loadProducts, times: always, then: {{ error: connectionError }} }}
    - {{ on: onside.getAttributionMetadata, times: always, then: {{ error: connectionError }} }}
  bought-before:
    account: max
    purchases:
      - {{ product: {NON_CONSUMABLE}, account: eva, purchasedAt: 2020-02-02T02:02:02Z }}
      - {{ product: {CONSUMABLE}, finished: false }}
    transactions:
      - {{ product: {CONSUMABLE}, waitingFor: approval }}
      - {{ product: {NON_CONSUMABLE}, error: cancelled }}
  second-payment-fails:
    account: max
    settings: {{ disableDialogs: true }}
    rules:
      - {{ on: onside.payment, times: {{ nth: 2 }}, then: {{ error: cancelled }} }}
""")
    with serve("--root", shop_root, "--catalog", catalog, "--config", config, "--present", "auto",
               "--site-origin", "https://today.example") as server:
        yield server


@pytest.fixture(scope="module")
def control(server):
    return server.control()


class Session:
    """A session of the control API with a page in it."""

    def __init__(self, server, control, context, **members):
        self.control = control
        self.description = control.session(**members)
        self.path = f"/sessions/{self.description['id']}"
        control.enter(context, self.description)
        self.page = context.new_page()
        self.page.goto(server.url)

    def __call__(self, method, path, body=None):
        return self.control(method, self.path + path, body)

    def rule(self, on, then, **members):
        """Adds a rule and returns its id."""
        return self("POST", "/rules", {"on": on, "then": then, **members})["id"]

    def call(self, call):
        """Calls a function of `window.onside`. Returns what its promise resolves with, or the rejection as `{rejected: …}`."""
        return self.page.evaluate(f"onside.{call}.then(v => v === undefined ? 'undefined' : v, e => ({{ rejected: "
                                  "e instanceof Error ? [e.name, e.code] : e }))")

    def begin(self, call):
        """Calls a function without waiting for it."""
        self.page.evaluate(f"void (window.outcome = undefined, onside.{call}.then(() => outcome = 'resolved', e => outcome = e))")

    @property
    def outcome(self):
        """Returns the outcome so far of the call from `begin`. The host has already received that call, because it answers in order."""
        self.page.evaluate("onside.getTransactions()")
        return self.page.evaluate("outcome")

    def wait_for_outcome(self, value="resolved"):
        self.page.wait_for_function("value => outcome === value", arg=value)

    def load(self, *products):
        self.page.evaluate("ids => onside.loadProducts({ productIdentifiers: ids })", list(products) or [CONSUMABLE, NON_CONSUMABLE])

    def wait_for_state(self, state):
        self.page.wait_for_function(
            "state => seen.some(e => e.name === 'onTransactionsUpdated' && e.value.some(t => t.transactionState === state))", arg=state
        )

    @property
    def gates(self):
        return [(gate["name"], gate["action"]) for gate in self("GET", "/gates")["gates"]]

    def wait_for_gate(self, name):
        """Waits until something waits at a gate, while the page runs."""
        for _ in range(2000):
            if name in [gate for gate, _ in self.gates]:
                return
            self.page.evaluate("new Promise(requestAnimationFrame)")
        raise AssertionError(f"nothing came to the gate {name}")


@pytest.fixture
def session(server, control, new_context):
    """Makes sessions, each with its own browser profile and the shop open in it."""
    return lambda **members: Session(server, control, new_context(), **members)


# Errors and results.


@pytest.mark.parametrize("function", ONSIDE_ERRORS)
def test_a_rule_can_reject_each_onside_call_with_each_of_its_errors(session, function):
    shop = session(account="eva", onsideContract="1.3")
    shop.page.evaluate("onside.initializeOnside('v1')")
    shop.load()
    call = f"{function}({ARGUMENTS.get(function, '')})"
    for name in ONSIDE_ERRORS[function]:
        shop.rule(f"onside.{function}", {"error": name})
        assert shop.call(call) == {"rejected": {name: "initializeOnside was made to fail." if name == "reason" else {}}}
    for code in BRIDGE_ERRORS:
        shop.rule(f"onside.{function}", {"error": f"bridge.{code}"})
        assert shop.call(call) == {"rejected": ["PontoonBridgeError", code]}
    assert shop("GET", "/rules")["rules"] == []
    assert shop("GET", "")["unfinishedTransactions"] == 0


@pytest.mark.parametrize("function", VOID_FUNCTIONS)
def test_calls_without_errors_of_their_own_can_fail_with_each_bridge_error(session, function):
    shop = session(account="eva", onsideContract="1.3")
    shop.page.evaluate("onside.initializeOnside('v1')")
    for code in BRIDGE_ERRORS:
        shop.rule(f"onside.{function}", {"error": f"bridge.{code}"})
        assert shop.call(f"{function}({VOID_FUNCTIONS[function]})") == {"rejected": ["PontoonBridgeError", code]}
    assert shop("GET", "")["account"] == "eva"


def test_the_tables_of_errors_are_complete(control):
    """The description of the control API has all errors, and another test compares it with the code."""
    schemas = control("GET", "/openapi.json")["components"]["schemas"]
    calls = schemas["SettingsChange"]["properties"]["calls"]["properties"]
    known = {name: {error for error in schemas[f"{name[0].upper()}{name[1:]}Behaviour"]["properties"]["error"]["enum"] if error} for name in calls}
    bridge = {f"bridge.{code}" for code in BRIDGE_ERRORS}
    assert known == {
        **{name: {*errors} | bridge for name, errors in ONSIDE_ERRORS.items()}, **{name: bridge for name in VOID_FUNCTIONS},
        "payment": {*TRANSACTION_ERRORS}, "restore": {*RESTORE_ERRORS},
    }


@pytest.mark.parametrize("error", TRANSACTION_ERRORS)
def test_a_rule_can_fail_a_transaction_with_each_error(session, error):
    # Only this contract has a payment that cannot be presented.
    contract = {"onsideContract": "1.3"} if error == "presentationFailed" else {}
    shop = session(account="eva", **contract)
    if contract:
        shop.page.evaluate("onside.initializeOnside('v1')")
    shop.load()
    shop.rule("onside.payment", {"error": error}, where={"productIdentifier": CONSUMABLE})
    shop.call(f"purchase({{ productIdentifier: '{CONSUMABLE}' }})")
    shop.wait_for_state("failed")
    assert shop.page.evaluate("onside.getTransactions().then(ts => ts.map(t => t.error))") == [{error: {}}]


@pytest.mark.parametrize("error", RESTORE_ERRORS)
def test_a_rule_can_fail_a_restore_with_each_error(session, error):
    shop = session(account="eva")
    shop.rule("onside.restore", {"error": error})
    shop.call("restoreCompletedTransactions()")
    shop.page.wait_for_function("seen.some(e => e.name === 'onRestoreCompletedTransactionsFailedWithError')")
    assert shop.page.evaluate("seen.at(-1).value") == {error: {}}


def test_an_error_or_a_result_of_a_rule_replaces_the_effect_of_the_call(session):
    shop = session()
    shop.rule("onside.requestLogin", {"error": "loginDiscarded"})
    assert shop.call("requestLogin()") == {"rejected": {"loginDiscarded": {}}}
    shop.rule("onside.requestLogin", {"result": None})
    assert shop.call("requestLogin()") == "undefined"
    assert shop("GET", "")["account"] is None
    assert shop.call("getCurrentStorefront()") is None


@pytest.mark.parametrize("function, result", [
    ("getCurrentStorefront()", {"id": "x", "countryCode": "FR"}), ("getCurrentStorefront()", None), ("getTransactions()", []),
    ("loadProducts({ productIdentifiers: ['a'] })", {"products": [], "invalidProductIdentifiers": ["b"]}),
    ("getAttributionMetadata()", {"refererUrl": "https://ad.example/?x=1"}), ("getSignedInAppsHistory()", {"dataBase64": "eA==", "string": "x"}),
])
def test_a_result_of_a_rule_is_returned_to_the_page(session, function, result):
    shop = session()
    shop.rule(f"onside.{function.split('(')[0]}", {"result": result})
    assert shop.call(function) == result


def post_today(page, message):
    return page.evaluate("m => webkit.messageHandlers.todayWebViewBridge.postMessage(m)"
                         ".then(v => v === undefined ? 'undefined' : v, e => ({ rejected: [e instanceof Error, e.message] }))", message)


def test_a_rule_can_reject_a_today_message_with_each_text_of_the_host(session):
    shop = session()
    texts = set()
    for error in ["signedOut", "refused", "unreachable", "invalidResponse", "signing"]:
        shop.rule("today.refreshToken", {"error": error})
        is_error, text = post_today(shop.page, {"type": "refreshToken"})["rejected"]
        assert is_error and text not in texts
        texts.add(text)
    shop.rule("today.message", {"error": {"message": "The host's own words."}})
    assert post_today(shop.page, {"type": "refreshToken"}) == {"rejected": [True, "The host's own words."]}
    assert "authorization" in post_today(shop.page, {"type": "refreshToken"})


def test_a_rule_answers_today_messages_by_type_and_data(session):
    shop = session()
    shop.rule("today.headers", {"result": {}})
    shop.rule("today.establishSession", {"result": {"ok": False}}, where={"refresh": True})
    shop.rule("today.message", {"result": None}, where={"type": "refreshToken"})
    assert post_today(shop.page, {"type": "establishSession"}) == {"ok": True}
    assert post_today(shop.page, {"type": "establishSession", "refresh": True}) == {"ok": False}
    assert post_today(shop.page, {"type": "headers"}) == {}
    assert post_today(shop.page, {"type": "refreshToken"}) == "undefined"
    assert "Authorization" in post_today(shop.page, {"type": "headers"})


def post_gbg(page, action, data=None):
    """Posts a request as GBGBridge's web side does, and waits for the response."""
    return page.evaluate("""([action, data]) => new Promise((resolve) => {
      const correlationId = crypto.randomUUID();
      addEventListener("gbgbridge:message", ({ detail }) => detail.correlationId === correlationId && resolve(detail.payload));
      webkit.messageHandlers.gbgBridge.postMessage({ version: "1.0", correlationId, type: "request", timestamp: Date.now(),
        payload: { action, data } });
    })""", [action, data])


@pytest.mark.parametrize("action", ["camera.document.capture", "camera.selfie.capture", "capability.query", "nfc.read"])
def test_a_rule_can_answer_gbgbridge_with_each_error_and_status(session, action):
    shop = session()
    for code, is_recoverable in GBG_ERRORS.items():
        shop.rule(action, {"error": code})
        payload = post_gbg(shop.page, action)
        assert payload["status"] == "error" and payload["error"]["code"] == code and payload["error"]["recoverable"] is is_recoverable
    for status in ["success", "cancelled", "unsupported", "acknowledged"]:
        shop.rule(action, {"status": status, "result": {"reason": "r"}})
        payload = post_gbg(shop.page, action)
        assert payload == {"action": action, "status": status, "data": {"reason": "r"}}
    error = {"code": "MINE", "message": "My words.", "recoverable": True}
    shop.rule(action, {"error": error})
    assert post_gbg(shop.page, action)["error"] == error


def test_rules_match_the_data_and_the_number_of_a_call(session):
    shop = session(account="eva")
    shop.load()
    shop.rule("onside.purchase", {"error": "unknownProduct"}, where={"productIdentifier": NON_CONSUMABLE}, times="always")
    shop.rule("onside.getAttributionMetadata", {"error": "connectionError"}, times={"nth": 2})
    for _ in range(2):
        assert shop.call(f"purchase({{ productIdentifier: '{CONSUMABLE}' }})") == "undefined"
        assert shop.call(f"purchase({{ productIdentifier: '{NON_CONSUMABLE}' }})") == {"rejected": {"unknownProduct": {}}}
    outcomes = [shop.call("getAttributionMetadata()") for _ in range(3)]
    assert outcomes[1] == {"rejected": {"connectionError": {}}}
    assert "rejected" not in outcomes[0] and "rejected" not in outcomes[2]


# Sheets.


def test_a_rule_answers_a_sheet(session):
    shop = session(present="control")
    shop.load()
    shop.rule("footbridge.sheet.login", {"result": {"approved": True, "fields": {"account": "max"}}})
    shop.rule("footbridge.sheet.payment", {"result": {"approved": False}}, where={"product": {"productIdentifier": CONSUMABLE}})
    assert shop.call(f"purchase({{ productIdentifier: '{CONSUMABLE}' }})") == "undefined"
    shop.wait_for_state("failed")
    assert shop("GET", "")["account"] == "max"
    assert shop("GET", "/sheets")["sheets"] == []


@pytest.mark.parametrize("present", ["auto", "page"])
def test_a_gate_holds_a_sheet_open_until_it_is_opened(session, present):
    shop = session(account="eva", present=present)
    shop.load()
    shop.rule("footbridge.sheet.payment", {"gate": "pay"})
    shop.call(f"purchase({{ productIdentifier: '{CONSUMABLE}' }})")
    dialog = shop.page.get_by_role("dialog")
    if present == "page":
        dialog.get_by_role("button").first.click()
    shop.wait_for_gate("pay")
    assert [sheet["kind"] for sheet in shop("GET", "/sheets")["sheets"]] == ["payment"]
    assert shop.page.evaluate("onside.getTransactions().then(ts => ts.map(t => t.transactionState))") == ["purchasing"]
    assert shop("POST", "/gates/pay/release")["released"] == 1
    shop.wait_for_state("purchased")
    assert shop("GET", "/sheets")["sheets"] == []


# Gates and delays.


def test_the_1001st_release_in_advance_is_a_conflict(control):
    session = control.session(rules=[{"on": "onside.logout", "then": {"gate": "g"}}, {"on": "onside.requestLogin", "then": {"gate": "h"}}])
    path = f"/sessions/{session['id']}/gates"
    assert {control("POST", f"{path}/{'gh'[number % 2]}/release")["released"] for number in range(1000)} == {0}
    refused = control.request("POST", f"{path}/g/release")
    assert refused.status == 409 and "1000 calls" in refused.json["detail"]


def test_a_gate_holds_the_answer_of_a_call_whose_effect_is_made(session):
    shop = session()
    shop.rule("onside.requestLogin", {"gate": "login"})
    shop.begin("requestLogin()")
    shop.page.wait_for_function("seen.some(e => e.name === 'onStorefrontChanged')")
    shop.wait_for_gate("login")
    assert shop.gates == [("login", "onside.requestLogin")]
    assert shop.outcome is None
    shop("POST", "/gates/login/release")
    shop.wait_for_outcome()
    assert shop.gates == []


@pytest.mark.parametrize("function", ["purchase", "restoreCompletedTransactions", "finishTransaction"])
def test_a_gate_holds_a_whole_call_whose_answer_precedes_its_effect(session, function):
    shop = session(account="eva")
    shop.load()
    shop.call(f"purchase({{ productIdentifier: '{CONSUMABLE}' }})")
    shop.wait_for_state("purchased")
    shop.page.evaluate("seen.length = 0")
    shop.rule(f"onside.{function}", {"gate": "g"})
    arguments = {"purchase": f"{{ productIdentifier: '{CONSUMABLE}' }}",
                 "finishTransaction": "transaction", "restoreCompletedTransactions": ""}[function]
    shop.page.evaluate("onside.getTransactions().then(([{ id }]) => { window.transaction = id; })")
    shop.begin(f"{function}({arguments})")
    assert shop.outcome is None
    assert shop.page.evaluate("seen") == []
    shop.page.evaluate("void onside.getTransactions().then(ts => window.count = ts.length)")
    shop("POST", "/gates/g/release")
    shop.wait_for_outcome()
    name = {"purchase": "onTransactionsUpdated", "finishTransaction": "onTransactionsRemoved",
            "restoreCompletedTransactions": "onRestoreCompletedTransactionsFinished"}[function]
    shop.page.wait_for_function("name => seen.some(e => e.name === name)", arg=name)


def test_a_gate_holds_an_error(session):
    shop = session()
    shop.rule("onside.loadProducts", {"error": "serviceUnavailable", "gate": "slow"})
    shop.begin(f"loadProducts({ARGUMENTS['loadProducts']})")
    assert shop.outcome is None
    shop("POST", "/gates/slow/release")
    shop.page.wait_for_function("outcome?.serviceUnavailable")


def test_a_payment_can_be_held_in_flight(session):
    shop = session(account="eva")
    shop.load()
    shop.rule("onside.payment", {"gate": "in-flight"})
    shop.call(f"purchase({{ productIdentifier: '{CONSUMABLE}' }})")
    shop.wait_for_gate("in-flight")
    [transaction] = shop.page.evaluate("onside.getTransactions()")
    assert transaction["transactionState"] == "purchasing" and transaction["transactionIdentifier"]
    shop("POST", "/gates/in-flight/release")
    shop.wait_for_state("purchased")


def test_a_gate_that_is_opened_in_advance_does_not_hold_the_call(session):
    shop = session()
    shop.rule("onside.requestLogin", {"gate": "login"})
    assert shop("POST", "/gates/login/release")["released"] == 0
    assert shop.call("requestLogin()") == "undefined"


def payment_on_its_way(session):
    """Opens a shop whose payment must wait at the gate `in-flight`, and returns it with the sheet that is still open before that."""
    shop = session(account="eva", present="control")
    shop.load()
    shop.rule("onside.payment", {"gate": "in-flight"})
    shop.call(f"purchase({{ productIdentifier: '{CONSUMABLE}' }})")
    [sheet] = wait_for_sheets(shop)
    return shop, sheet


def test_a_gate_can_be_opened_between_a_decision_and_its_hold(session):
    """A rule decides a payment before its sheet opens, and the payment reaches its gate after the sheet."""
    shop, sheet = payment_on_its_way(session)
    assert shop("GET", "/rules")["rules"] == []
    assert shop("POST", "/gates/in-flight/release")["released"] == 0
    shop("POST", f"/sheets/{sheet['id']}/answer", {"approved": True})
    shop.wait_for_state("purchased")
    assert shop.control.request("POST", shop.path + "/gates/in-flight/release").status == 404


def test_a_gate_is_removed_when_its_decided_call_has_ended(session):
    shop, sheet = payment_on_its_way(session)
    shop("POST", f"/sheets/{sheet['id']}/answer", {"approved": False})
    shop.wait_for_state("failed")
    for _ in range(2000):
        if shop.control.request("POST", shop.path + "/gates/in-flight/release").status == 404:
            return
        shop.page.evaluate("new Promise(requestAnimationFrame)")
    raise AssertionError("the gate can still be opened")


def wait_for_sheets(shop):
    """Waits for open sheets, while the page runs, and returns them."""
    for _ in range(2000):
        if sheets := shop("GET", "/sheets")["sheets"]:
            return sheets
        shop.page.evaluate("new Promise(requestAnimationFrame)")
    raise AssertionError("no sheet was opened")


def test_a_single_held_call_can_be_released(session):
    shop = session()
    shop.rule("onside.getAttributionMetadata", {"gate": "g"}, times="always")
    shop.page.evaluate("window.done = []; for (const n of [1, 2]) void onside.getAttributionMetadata().then(() => done.push(n))")
    shop.page.evaluate("onside.getTransactions()")
    first, second = shop("GET", "/gates")["gates"]
    assert first["correlationId"] != second["correlationId"] and first["heldSince"]
    shop("POST", f"/gates/{second['id']}/release")
    shop.page.wait_for_function("done.length === 1")
    assert shop.page.evaluate("done") == [2]
    shop("POST", "/gates/g/release")
    shop.page.wait_for_function("done.length === 2")


def test_opening_an_unknown_gate_is_404(session):
    shop = session()
    assert shop.control.request("POST", shop.path + "/gates/none/release").status == 404


def test_a_delay_is_measured_on_the_sessions_clock(session):
    shop = session(clock={"frozen": True})
    shop.rule("onside.requestLogin", {"delay": 60_000})
    shop.begin("requestLogin()")
    assert shop.outcome is None
    shop("POST", "/clock/advance", {"milliseconds": 59_999})
    assert shop.outcome is None
    shop("POST", "/clock/advance", {"milliseconds": 1})
    shop.wait_for_outcome()


def test_a_held_call_of_a_page_that_closes_is_dropped(session):
    shop = session()
    shop.rule("onside.requestLogin", {"gate": "login"})
    shop.begin("requestLogin()")
    shop.wait_for_gate("login")
    shop.page.reload()
    shop.page.evaluate("onside.getTransactions()")
    assert shop.gates == []


# Lost sockets.


def test_a_cut_socket_neither_loses_nor_doubles_a_call(session):
    def sockets():
        """What has become of the page's sockets."""
        entries = shop("GET", "/journal?kind=page")["entries"]
        return [entry["action"] for entry in entries if entry["action"] in ("listening", "disconnected")]

    shop = session(account="eva")
    shop.load()
    shop.rule("onside.purchase", {"cutSocket": True})
    assert shop.call(f"purchase({{ productIdentifier: '{CONSUMABLE}' }})") == "undefined"
    shop.wait_for_state("purchased")
    assert len(shop.page.evaluate("onside.getTransactions()")) == 1
    assert sockets() == ["listening", "disconnected", "listening"]
    shop.rule("onside.loadProducts", {"cutSocket": True, "error": "connectionError"})
    assert shop.call(f"loadProducts({ARGUMENTS['loadProducts']})") == {"rejected": {"connectionError": {}}}
    assert sockets() == ["listening", "disconnected", "listening", "disconnected", "listening"]


def test_a_page_disconnected_by_the_api_reconnects_and_gets_its_answer_once(session):
    shop = session(account="eva")
    shop.load()
    shop.rule("onside.getAttributionMetadata", {"gate": "slow"})
    shop.page.evaluate("window.answers = 0; void onside.getAttributionMetadata().then(() => { answers += 1; })")
    shop.wait_for_gate("slow")
    [page] = shop("GET", "/pages")["pages"]
    last = shop("GET", "/journal")["next"]
    assert shop.control.request("POST", f"{shop.path}/pages/{page['id']}/disconnect").status == 204
    lost = wait(shop, {"kind": "page", "action": "disconnected"}, after=last).json["next"]
    assert wait(shop, {"kind": "page", "action": "listening", "page": page["id"]}, after=lost).status == 200
    shop("POST", "/gates/slow/release")
    shop.page.wait_for_function("answers === 1")
    shop.page.evaluate("onside.getTransactions()")
    assert shop.page.evaluate("answers") == 1
    entries = shop("GET", "/journal")["entries"]
    assert [entry["kind"] for entry in entries if entry.get("action") == "onside.getAttributionMetadata"] == ["request", "decision", "decision", "decision", "response"]
    assert [each["listening"] for each in shop("GET", "/pages")["pages"]] == [True]
    assert shop.control.request("POST", f"{shop.path}/pages/none/disconnect").status == 404


# The rules themselves.


def test_rules_are_listed_until_they_have_decided_or_are_removed(session):
    shop = session()
    shop.rule("onside.loadProducts", {"delay": 1}, id="mine", where={"productIdentifiers": ["a"]})
    shop.rule("onside.logout", {"delay": 1}, times="always")
    assert shop("GET", "/rules")["rules"] == [
        {"id": "mine", "on": "onside.loadProducts", "where": {"productIdentifiers": ["a"]}, "times": "once", "then": {"delay": 1}, "matches": 0, "decisions": 0},
        {"id": "rule-1", "on": "onside.logout", "times": "always", "then": {"delay": 1}, "matches": 0, "decisions": 0},
    ]
    assert shop("GET", "/rules/mine")["id"] == "mine"
    assert shop.control.request("POST", shop.path + "/rules", {"id": "mine", "on": "a", "then": {"delay": 1}}).status == 409
    shop("DELETE", "/rules/mine")
    assert shop.control.request("DELETE", shop.path + "/rules/mine").status == 404
    shop("DELETE", "/rules")
    assert shop("GET", "/rules")["rules"] == []


@pytest.mark.parametrize("body, part", [
    ({}, "on and then"), ({"on": "onside.dance", "then": {"delay": 1}}, "on in the body"), ({"on": "a", "then": {}}, "then in the body"),
    ({"on": "a", "then": {"delay": "1"}}, "then.delay in the body"), ({"on": "a", "then": {"delay": 1}, "wher": {}}, "wher"),
    ({"on": "onside.purchase", "then": {"error": "connectionError"}}, "loginDiscarded"),
    ({"on": "footbridge.sheet.login", "then": {"result": {"approved": True, "fields": {"account": "nobody"}}}},
     "then.result.fields.account in the body must be the id of an account, one of: eva, max."),
])
def test_the_error_about_a_rule_names_the_mistake(session, body, part):
    shop = session()
    answer = shop.control.request("POST", shop.path + "/rules", body)
    assert answer.status == 422
    assert part in answer.json["detail"]


def test_a_rule_of_a_new_session_with_an_unknown_account_is_refused(control):
    rule = {"on": "footbridge.sheet.login", "then": {"result": {"approved": True, "fields": {"account": "nobody"}}}}
    answer = control.request("POST", "/sessions", {"rules": [rule]})
    assert answer.status == 422
    assert "rules[0].then.result.fields.account in the body must be the id of an account, one of: eva, max." in answer.json["detail"]


def test_a_session_can_be_created_with_rules(session):
    shop = session(rules=[{"on": "onside.getAttributionMetadata", "then": {"error": "connectionError"}}])
    assert shop.call("getAttributionMetadata()") == {"rejected": {"connectionError": {}}}


def test_rules_are_retained_by_a_relaunch_and_removed_by_a_reset(session):
    shop = session()
    shop.rule("onside.logout", {"delay": 1}, id="mine")
    shop("POST", "/relaunch")
    assert [rule["id"] for rule in shop("GET", "/rules")["rules"]] == ["mine"]
    shop("POST", "/reset")
    assert shop("GET", "/rules")["rules"] == []


def test_rules_of_one_session_do_not_apply_to_another(session):
    first, second = session(), session()
    first.rule("onside.getAttributionMetadata", {"error": "connectionError"}, times="always")
    assert "rejected" not in second.call("getAttributionMetadata()")
    assert second("GET", "/rules")["rules"] == []


# Waiting for the journal.


def wait(shop, until, timeout=10_000, **members):
    return shop.control.request("POST", shop.path + "/journal/wait", {"until": until, "timeout": timeout, **members})


def test_a_wait_finds_past_entries_at_once_and_later_ones_from_their_cursor(session):
    shop = session(account="eva")
    shop.load(CONSUMABLE)
    shop.load(NON_CONSUMABLE)
    first = wait(shop, {"kind": "request", "action": "onside.loadProducts"}).json
    assert first["entry"]["data"] == {"productIdentifiers": [CONSUMABLE]}
    second = wait(shop, {"kind": "request", "action": "onside.loadProducts"}, after=first["next"]).json
    assert second["entry"]["data"] == {"productIdentifiers": [NON_CONSUMABLE]}
    assert second["entry"]["cursor"] == second["next"] > first["next"]


def test_a_wait_finds_a_later_entry(session):
    shop = session(account="eva")
    shop.load()
    shop.page.evaluate("id => void setTimeout(() => onside.purchase({ productIdentifier: id }), 100)", CONSUMABLE)
    answer = wait(shop, {"kind": "request", "action": "onside.purchase", "data": {"productIdentifier": CONSUMABLE}})
    assert answer.json["entry"]["page"] == "page-1"
    transactions = {"transactions": [{"transactionState": "purchased"}]}
    assert wait(shop, {"kind": "event", "action": "onside.onTransactionsUpdated", "data": transactions}).status == 200


def test_a_wait_that_times_out_lists_the_nearest_entries(session):
    shop = session(account="eva")
    shop.load(CONSUMABLE)
    answer = wait(shop, {"kind": "request", "action": "onside.loadProducts", "data": {"productIdentifiers": ["other"]}}, timeout=1)
    assert answer.status == 408
    nearest = answer.json["nearestMisses"][0]
    assert nearest["entry"]["action"] == "onside.loadProducts"
    assert nearest["differences"] == [f'data.productIdentifiers[0] is "{CONSUMABLE}"; it should be "other"']
    assert nearest["differences"][0] in answer.json["detail"]
    assert len(answer.json["nearestMisses"]) == 3


@pytest.mark.parametrize("body, part", [
    ({}, "until"), ({"until": {}}, "at least one of"), ({"until": {"knid": "request"}}, "knid"), ({"until": {"kind": "query"}}, "until.kind"),
    ({"until": {"kind": "request"}, "timeout": 120_001}, "timeout"),
])
def test_the_error_about_a_wait_pattern_names_the_mistake(session, body, part):
    shop = session()
    answer = shop.control.request("POST", shop.path + "/journal/wait", body)
    assert answer.status == 422
    assert part in answer.json["detail"]


def test_the_journal_lists_decisions_and_holds(session):
    shop = session()
    shop.rule("onside.requestLogin", {"gate": "login"}, id="slow")
    shop.begin("requestLogin()")
    decided = wait(shop, {"kind": "decision", "action": "onside.requestLogin", "data": {"rule": "slow"}}).json["entry"]
    held = wait(shop, {"kind": "decision", "data": {"gate": "login", "open": False}}).json["entry"]
    shop("POST", "/gates/login/release")
    opened = wait(shop, {"kind": "decision", "data": {"gate": "login", "open": True}}).json["entry"]
    answered = wait(shop, {"kind": "response", "action": "onside.requestLogin"}).json["entry"]
    assert decided["cursor"] < held["cursor"] < opened["cursor"] < answered["cursor"]
    assert decided["correlationId"] == answered["correlationId"]


def test_every_listed_action_can_be_used_in_a_rule(session, control):
    shop = session()
    bridges = shop("GET", "/bridges")["bridges"]
    assert control("GET", "/bridges")["bridges"] == bridges
    assert {bridge["name"]: bridge["prefix"] for bridge in bridges} == {"onside": "onside.", "today": "today.", "gbg": None}
    actions = [action for bridge in bridges for action in bridge["actions"]]
    assert {action["name"]: action["result"] for action in actions if "result" in action} == {
        "onside.getCurrentStorefront": "storefront", "onside.getTransactions": "transactions"}
    newest = session(onsideContract="1.3")
    for action in actions:
        newest.rule(action["name"], {"gate": "door"})
    for other in (shop, newest):
        for action in (action for bridge in other("GET", "/bridges")["bridges"] for action in bridge["actions"]):
            for error in action.get("errors", []):
                other("DELETE", f"/rules/{other.rule(action['name'], {'error': error})}")


# Scenarios.


def test_a_session_starts_with_a_scenario_and_can_change_it(session, control):
    assert control("GET", "/scenarios") == {"scenarios": ["bought-before", "offline", "second-payment-fails"]}
    shop = session(scenario="offline")
    assert shop("GET", "")["scenario"] == "offline"
    for _ in range(2):
        assert shop.call(f"loadProducts({ARGUMENTS['loadProducts']})") == {"rejected": {"connectionError": {}}}
    shop.rule("onside.logout", {"delay": 1}, id="mine")
    shop("PUT", "/scenario", {"name": "second-payment-fails"})
    assert [rule.get("scenario") for rule in shop("GET", "/rules")["rules"]] == [None, "second-payment-fails"]
    assert shop("GET", "")["account"] == "max"
    shop.load()
    for state in ["purchased", "failed"]:
        shop.call(f"purchase({{ productIdentifier: '{CONSUMABLE}' }})")
        shop.wait_for_state(state)


def test_a_scenarios_purchases_exist_at_its_start_and_once_after_each_reset(session):
    shop = session(scenario="bought-before")
    shop.wait_for_state("purchased")

    def there():
        bought = [(each["product"], each["account"], each["purchasedAt"]) for each in shop("GET", "/purchases")["purchases"]]
        queue = [(each["state"], each["waitingFor"], each["error"]) for each in shop("GET", "/transactions")["transactions"]]
        return bought, queue

    bought, queue = there()
    assert bought[0] == (NON_CONSUMABLE, "eva", "2020-02-02T02:02:02.000Z")
    assert bought[1][:2] == (CONSUMABLE, "max") and len(bought) == 2
    assert queue == [("purchased", None, None), ("purchasing", "approval", None), ("failed", None, "cancelled")]
    shop("POST", "/reset")
    assert [each[:2] for each in there()[0]] == [each[:2] for each in bought] and there()[1] == queue
    shop("POST", "/relaunch")
    assert len(there()[0]) == 2


def test_a_session_with_its_own_scenario_has_nothing_of_the_default_one(shop_root, catalog, tmp_path):
    config = tmp_path / "footbridge.yaml"
    config.write_text(f"scenarios: {{ rich: {{ purchases: [{{ product: {CONSUMABLE} }}] }}, poor: [] }}\n")
    with serve("--root", shop_root, "--catalog", catalog, "--config", config, "--scenario", "rich", "--ephemeral") as server:
        control = server.control()
        counts = [
            len(control("GET", f"/sessions/{control.session(**members)['id']}/purchases")["purchases"])
            for members in ({}, {"scenario": "rich"}, {"scenario": "poor"})
        ]
    assert counts == [1, 1, 0]


def test_a_reset_starts_the_scenario_again(session):
    shop = session(scenario="offline")
    shop("DELETE", "/rules")
    shop("POST", "/reset")
    assert [rule["scenario"] for rule in shop("GET", "/rules")["rules"]] == ["offline", "offline"]


def test_the_error_about_an_unknown_scenario_lists_the_known_ones(session, control):
    shop = session()
    for answer in (control.request("POST", "/sessions", {"scenario": "none"}), control.request("PUT", shop.path + "/scenario", {"name": "none"})):
        assert answer.status == 422
        assert "offline" in answer.json["detail"]


def test_an_option_chooses_the_scenario_at_the_start(tmp_path, shop_root, catalog, page):
    config = tmp_path / "footbridge.yaml"
    config.write_text("scenarios: { offline: [{ on: onside.loadProducts, times: always, then: { error: connectionError } }] }\n")
    with serve("--root", shop_root, "--catalog", catalog, "--config", config, "--scenario", "offline", "--ephemeral") as server:
        page.goto(server.url)
        assert page.evaluate(f"onside.loadProducts({ARGUMENTS['loadProducts']}).catch(e => e)") == {"connectionError": {}}
