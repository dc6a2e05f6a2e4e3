"""Classes that native puts into `window`, declared in footbridge.yaml: the page makes their instances."""

import sys

import pytest

from footbridge_process import PROJECT
from preset_pages import document

#: Apple Pay as https://developer.apple.com/documentation/applepayontheweb/applepaysession has it.
APPLE_PAY = """
    objects:
      ApplePaySession:
        canMakePayments: { returns: true }
        canMakePaymentsWithActiveCard: { promise: true }
        supportsVersion: { returns: true }
        STATUS_SUCCESS: { value: 0 }
        STATUS_FAILURE: { value: 1 }
        new:
          args: [version, request]
          members:
            begin: { message: true }
            abort: { message: true }
            completeMerchantValidation: { message: true }
            completePaymentMethodSelection: { message: true }
            completeShippingContactSelection: { message: true }
            completeShippingMethodSelection: { message: true }
            completePayment: { message: true }
            onvalidatemerchant: { event: validatemerchant }
            onpaymentmethodselected: { event: paymentmethodselected }
            onshippingcontactselected: { event: shippingcontactselected }
            onshippingmethodselected: { event: shippingmethodselected }
            onpaymentauthorized: { event: paymentauthorized }
            oncancel: { event: cancel }
    answers:
      canMakePaymentsWithActiveCard: { reply: true }
      begin: { event: validatemerchant, on: this, kind: Event, init: { validationURL: "https://apple-pay-gateway.apple.com/paymentservices/startSession" } }
      completeMerchantValidation: { event: paymentmethodselected, on: this, kind: Event, init: { paymentMethod: { network: Visa, type: debit } } }
      completePaymentMethodSelection: { event: paymentauthorized, on: this, kind: Event, init: { payment: { token: { transactionIdentifier: T1 } } } }
"""

#: What a shop's page does.
SHOP = """<!doctype html><title>Shop</title><button hidden>Pay</button><output></output><script>
const say = (text) => document.querySelector("output").textContent += text + "; ";
const startPayment = () => {
  const request = {
    countryCode: "US", currencyCode: "USD", supportedNetworks: ["visa", "masterCard"], merchantCapabilities: ["supports3DS"],
    total: { label: "Shop", amount: "9.99" },
  };
  const session = new ApplePaySession(3, request);
  session.onvalidatemerchant = async (event) => {
    say(new URL(event.validationURL).hostname);
    session.completeMerchantValidation(await (await fetch("merchant.json")).json());
  };
  session.onpaymentmethodselected = ({ paymentMethod }) => {
    say(paymentMethod.network);
    session.completePaymentMethodSelection({ newTotal: request.total });
  };
  session.onpaymentauthorized = (event) => {
    session.completePayment({ status: ApplePaySession.STATUS_SUCCESS });
    say("Paid " + event.payment.token.transactionIdentifier);
  };
  session.oncancel = () => say("Cancelled");
  session.begin();
  return session;
};
if (window.ApplePaySession && ApplePaySession.supportsVersion(3) && ApplePaySession.canMakePayments()) {
  document.querySelector("button").hidden = false;
  document.querySelector("button").onclick = startPayment;
}
</script>"""


def requests(server):
    """Returns the name, the instance and the body of each message of the only session."""
    session = server.api("GET", "/sessions")["sessions"][0]["id"]
    entries = server.api("GET", f"/sessions/{session}/journal?kind=request")["entries"]
    return [(entry["action"].removeprefix("acme."), entry["data"].get("instance"), entry["data"]["value"]) for entry in entries]


@pytest.fixture
def start(servers):
    """Starts servers of one page whose bridge `acme` has this section."""
    return lambda section, page=document(""), **options: servers.start(page, f"bridges:\n  acme:\n{section}", **options)


@pytest.fixture
def shop(start, page):
    """A shop with Apple Pay, in the browser."""
    server = start(APPLE_PAY, SHOP, files={"merchant.json": b'{"merchantSessionIdentifier":"M1"}'})
    page.goto(server.url)
    return server


def test_the_usual_page_of_apple_pay_pays(shop, page):
    page.get_by_role("button").click()
    page.wait_for_function("document.querySelector('output').textContent === 'apple-pay-gateway.apple.com; Visa; Paid T1; '")
    assert page.evaluate("ApplePaySession.canMakePaymentsWithActiveCard('merchant.example')") is True
    sent = requests(shop)
    assert [name for name, _, _ in sent] == [
        "supportsVersion", "canMakePayments", "new", "begin", "completeMerchantValidation", "completePaymentMethodSelection", "completePayment",
        "canMakePaymentsWithActiveCard",
    ]
    assert [instance for _, instance, _ in sent] == [None, None, *["ApplePaySession#1"] * 5, None]
    assert (sent[2][2]["version"], sent[2][2]["request"]["total"]["amount"], sent[4][2], sent[6][2]) == (
        3, "9.99", {"merchantSessionIdentifier": "M1"}, {"status": 0})


def test_a_test_reaches_one_of_several_instances(shop, page):
    page.evaluate("window.first = startPayment(), window.second = startPayment(), second.onvalidatemerchant = first.onvalidatemerchant = null")
    page.evaluate("second.oncancel = () => say('Second'), ApplePaySession.canMakePaymentsWithActiveCard('')")
    session = shop.api("GET", "/sessions")["sessions"][0]["id"]
    for number in (2, 1):
        shop.api("POST", f"/sessions/{session}/bridges/acme/calls", {"event": "cancel", "on": f"ApplePaySession#{number}", "kind": "Event"})
    page.wait_for_function("document.querySelector('output').textContent.endsWith('Second; Cancelled; ')")


def test_a_class_is_as_one_of_the_platform(shop, page):
    assert page.evaluate("""() => {
      const session = new ApplePaySession(3, {});
      return [
        session instanceof ApplePaySession, session instanceof EventTarget, session.constructor === ApplePaySession, ApplePaySession.name,
        ApplePaySession.length, `${session}`, /native code/.test(ApplePaySession), "onpaymentauthorized" in ApplePaySession.prototype,
        Object.keys(session), session.oncancel, session.begin.name, "begin" in ApplePaySession,
      ];
    }""") == [True, True, True, "ApplePaySession", 2, "[object ApplePaySession]", True, True, [], None, "begin", False]
    descriptor = "Object.getOwnPropertyDescriptor(window, 'ApplePaySession')"
    assert page.evaluate(f"(({{ configurable, enumerable, writable }}) => [configurable, enumerable, writable])({descriptor})") == [True, True, True]
    assert page.evaluate("delete window.ApplePaySession && !('ApplePaySession' in window)")


@pytest.mark.parametrize("misuse", [
    "ApplePaySession(3, {})", "ApplePaySession.prototype.begin.call({})", "ApplePaySession.prototype.oncancel", "new ApplePaySession(3, {}).begin.call(window)",
])
def test_a_misused_class_throws_a_type_error(shop, page, misuse):
    assert page.evaluate(f"(() => {{ try {{ {misuse}; }} catch (error) {{ return error instanceof TypeError; }} }})()")


def test_the_page_can_extend_a_class(shop, page):
    assert page.evaluate("""() => {
      class Own extends ApplePaySession { begin() { say("own"); super.begin(); } }
      window.own = new Own(3, {});
      own.addEventListener("validatemerchant", () => say("heard"));
      own.begin();
      return [own instanceof ApplePaySession, Own.canMakePayments()];
    }""") == [True, True]
    page.wait_for_function("document.querySelector('output').textContent === 'own; heard; '")


def test_native_reaches_the_last_thousand_instances(shop, page):
    page.evaluate("""async () => {
      const all = [];
      while (all.length < 1001) {
        all.push(new ApplePaySession(3, {}));
        // Native has answered all before it.
        if (all.length % 100 === 0) await ApplePaySession.canMakePaymentsWithActiveCard("");
      }
      all[0].oncancel = () => say("oldest");
      all[1].oncancel = () => say("second");
    }""")
    session = shop.api("GET", "/sessions")["sessions"][0]["id"]
    cancel = lambda number: shop.api(
        "POST", f"/sessions/{session}/bridges/acme/calls", {"event": "cancel", "on": f"ApplePaySession#{number}", "kind": "Event"})
    assert cancel(1)["error"].startswith("TypeError: window.ApplePaySession#1 is no event target")
    assert cancel(2) == {}
    assert page.text_content("output") == "second; "


CALLS = """
    objects:
      acme.Call:
        new:
          args: [number, options]
          now: true
          members:
            number: { value: !from /number }
            muted: { value: false }
            state: { now: true }
            dial: { promise: true }
            hangUp: { callback: true }
            hello: { returns: !from "" }
"""

REFUSAL = """    answers:
      new: [{ where: { number: "0" }, error: { message: No such number, code: 404 } }, { reply: true }]
      state: { reply: idle }
      dial: [{ set: this.muted, value: true }, { call: this.onring, args: [1] }, { reply: ringing }]
      hangUp: { reply: done }
"""


def test_a_constructor_that_waits_throws_what_native_answers(start, page):
    page.goto(start(CALLS + REFUSAL).url)
    assert page.evaluate("(() => { try { new acme.Call('0'); } catch ({ message, code }) { return [message, code]; } })()") == ["No such number", 404]


def test_answers_go_to_the_instance_that_has_asked(start, page):
    page.goto(start(CALLS + REFUSAL).url)
    assert page.evaluate("""async () => {
      const [one, two] = [new acme.Call("1"), new acme.Call("2")];
      const rung = new Promise((resolve) => two.onring = function (count) { resolve([this === two, count]); });
      const hungUp = new Promise((resolve, reject) => one.hangUp("now", resolve, reject));
      return [
        one.state(), two.hello("hi"), await two.dial(), await rung, one.muted, two.muted, two.number, await hungUp, one instanceof EventTarget,
      ];
    }""") == ["idle", "hi", "ringing", [True, 1], False, True, "2", "done", False]


HANDLER = """
import sys
sys.path.insert(0, %r)
from pytest_footbridge.handler import Handler

acme = Handler()
calls = {}


@acme.on("new")
def new(message):
    calls[message.instance] = message.body["number"]


@acme.on("dial")
def dial(message):
    message.set([message.instance, "muted"], True)
    message.call([message.instance, "onring"], calls[message.instance])
    return message.instance


acme.run()
"""


def test_a_handler_knows_the_instance(start, page, tmp_path):
    (tmp_path / "acme.py").write_text(HANDLER % str(PROJECT / "web/testing"))
    page.goto(start(CALLS + f"    handler: {{ run: [{sys.executable}, {tmp_path}/acme.py] }}").url)
    assert page.evaluate("""async () => {
      const [one, two] = [new acme.Call("1"), new acme.Call("2")];
      const rung = new Promise((resolve) => two.onring = resolve);
      return [await two.dial(), await rung, one.muted, two.muted];
    }""") == ["Call#2", "2", False, True]
