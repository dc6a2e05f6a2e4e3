"""What the person sees after "Buy", in each language."""

import re

import pytest

from engines import CHROMIUM, expect, only
from footbridge_process import serve
from short_form import part

PRODUCT = "com.product.example.consumable"

#: Lets a test read closed shadow roots.
OPEN_ROOTS = """(() => {
  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function (options) {
    const root = attachShadow.call(this, options);
    if (this.localName === "footbridge-layer") (window.notices ??= []).push(root.textContent, root);
    return root;
  };
})()"""
NOTICES = "() => (window.notices ?? []).filter(root => root.querySelector?.('.notice')).map(root => root.querySelector('strong').textContent)"


@pytest.fixture(scope="session")
def waiting_shop(shop_root, catalog):
    """Starts a shop once for each settings."""
    servers = {}

    def start(settings):
        if settings not in servers:
            config = shop_root.parent / f"settings-{len(servers)}.yaml"
            config.write_text(f"onside: {{ settings: {settings} }}")
            server = servers[settings] = serve("--root", shop_root, "--catalog", catalog, "--config", config, "--ephemeral")
            # The token is told once.
            server.api = server.control()
        return servers[settings]

    yield start
    for server in servers.values():
        server.stop()


def buy(page, title="^Buy", button="Buy"):
    page.evaluate("id => onside.loadProducts({ productIdentifiers: [id] })", PRODUCT)
    page.evaluate("id => { onside.purchase({ productIdentifier: id }); }", PRODUCT)
    page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    page.get_by_role("dialog", name=re.compile(title)).get_by_role("button", name=button).click()


@pytest.mark.parametrize("settings, notices", [
    ("{}", ["Processing…", "You're all set"]),
    ("{ failTransactions: true }", ["Processing…", "Purchase failed"]),
    ("{ interruptedPurchases: true }", ["Purchase interrupted"]),
])
def test_a_notice_shows_the_outcome_of_a_payment(waiting_shop, page, settings, notices):
    page.goto(waiting_shop(settings).url)
    page.evaluate(OPEN_ROOTS)
    buy(page)
    page.wait_for_function(f"expected => ({NOTICES})().length >= expected", arg=len(notices))
    assert page.evaluate(NOTICES) == notices
    # It is a picture: nothing finds it, and it takes no clicks.
    expect(page.get_by_text(notices[-1])).to_have_count(0)
    page.get_by_role("button", name="Something to focus").click()


@pytest.mark.parametrize("answer, outcome, state", [
    ("approve", "You're all set", "purchased"), ("decline", "Permission declined", "failed"),
])
def test_a_notice_shows_the_outcome_of_ask_to_buy(waiting_shop, page, answer, outcome, state):
    server = waiting_shop("{ askToBuy: true }")
    page.goto(server.url)
    page.evaluate(OPEN_ROOTS)
    buy(page, "^Ask permission to buy", "Ask")
    page.wait_for_function(f"expected => ({NOTICES})().length >= expected", arg=1)
    assert page.evaluate(NOTICES) == ["Waiting for permission"]
    control = server.api
    [path] = [
        f"/sessions/{session['id']}/transactions/{transaction['id']}"
        for session in control("GET", "/sessions")["sessions"]
        for transaction in control("GET", f"/sessions/{session['id']}/transactions")["transactions"]
        if transaction["state"] == "purchasing"
    ]
    control("POST", f"{path}/{answer}")
    page.wait_for_function("state => seen.some(e => e.name === 'onTransactionsUpdated' && e.value.some(t => t.transactionState === state))", arg=state)
    page.wait_for_function(f"expected => ({NOTICES})().length >= expected", arg=2)
    assert page.evaluate(NOTICES) == ["Waiting for permission", outcome]


def test_a_cancelled_payment_shows_no_notice(waiting_shop, page):
    page.goto(waiting_shop("{}").url)
    page.evaluate(OPEN_ROOTS)
    page.evaluate("id => onside.loadProducts({ productIdentifiers: [id] })", PRODUCT)
    page.evaluate("id => { onside.purchase({ productIdentifier: id }); }", PRODUCT)
    page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    page.get_by_role("dialog", name=re.compile("^Buy")).get_by_role("button", name="Cancel").click()
    page.wait_for_function("seen.some(e => e.name === 'onTransactionsUpdated' && e.value.some(t => t.transactionState === 'failed'))")
    assert page.evaluate(NOTICES) == []


@pytest.mark.parametrize("locale, name, direction", [
    ("de_DE", "Bei Onside anmelden", "ltr"), ("fr", "Connexion à Onside", "ltr"), ("es_MX", "Iniciar sesión en Onside", "ltr"),
    ("pt_BR", "Iniciar sessão em Onside", "ltr"), ("it_IT", "Accedi a Onside", "ltr"), ("nl_NL", "Inloggen bij Onside", "ltr"),
    ("pl_PL", "Zaloguj się do Onside", "ltr"), ("tr_TR", "Onside hesabına giriş yapın", "ltr"), ("ja_JP", "Onsideにサインイン", "ltr"),
    ("ko_KR", "Onside 로그인", "ltr"), ("zh_Hans_CN", "登录 Onside", "ltr"), ("zh_CN", "登录 Onside", "ltr"), ("zh_TW", "登入 Onside", "ltr"), ("zh_HK", "登入 Onside", "ltr"),
    ("zh_MO", "登入 Onside", "ltr"), ("ar_EG", "تسجيل الدخول إلى \u2068Onside\u2069", "rtl"), ("he_IL", "כניסה אל \u2068Onside\u2069", "rtl"),
    ("fi_FI", "Kirjaudu: Onside", "ltr"), ("nb_NO", "Logg på Onside", "ltr"), ("hi_IN", "Onside में साइन इन करें", "ltr"),
    ("ru_RU", "Sign in to Onside", "ltr"), ("nonsense_", "Sign in to Onside", "ltr"),
])
def test_sheets_use_the_language_of_the_settings_and_not_that_of_the_page(shop_root, shop, page, locale, name, direction):
    from sheet_gallery import show

    page.goto(shop.url)
    page.evaluate("document.documentElement.lang = 'fi', document.documentElement.dir = 'rtl'")
    dialog = show(page, "login", locale=locale)
    expect(dialog).to_have_accessible_name(name)
    assert dialog.evaluate("dialog => getComputedStyle(dialog).direction") == direction
    language = locale.split("_")[0]
    assert dialog.get_attribute("lang").split("-")[0] == (language if name != "Sign in to Onside" else "en")


def test_the_locale_setting_changes_the_language_of_a_sheet(waiting_shop, page):
    page.goto(waiting_shop("{ locale: de_DE }").url)
    page.evaluate("() => { onside.requestLogin().catch(() => {}); }")
    page.get_by_role("dialog", name="Bei Onside anmelden").get_by_role("button", name="Abbrechen").click()


@pytest.mark.timeout(600)
@only(CHROMIUM, because="the words are those of Chromium")
def test_every_language_has_all_words_of_the_sheets(shop, page):
    """A missing word would show as `undefined`."""
    from sheet_gallery import CONTENTS, LANGUAGES, show

    page.goto(shop.url)
    for locale in part(LANGUAGES):
        for name in CONTENTS:
            text = show(page, name, locale=locale).inner_text()
            assert "undefined" not in text and "{" not in text, (locale, name)
