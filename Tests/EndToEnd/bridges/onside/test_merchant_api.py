"""Signed histories, from the page and from the Merchant API, which PyJWT checks as a publisher's backend does."""

import base64
import http.client
import json
import re
import stat
import time
import uuid

import jwt
import pytest

from footbridge_process import run, serve

PRODUCT = "com.product.example.non_consumable"
HISTORY = "/__footbridge/onside/merchant-api/v1/purchases/in-app/history/"
JWKS = "/__footbridge/onside/.well-known/jwks.json"
MERCHANT = {"id": "footbridge-merchant", "secret": "footbridge-merchant-secret-for-development", "keyId": "footbridge-merchant-key"}


def request(server, path, method="GET", fields=None):
    """Returns status, fields by lower-case name, and body."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    try:
        connection.request(method, path, headers=fields or {})
        response = connection.getresponse()
        return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
    finally:
        connection.close()


def claims(**changes):
    """Returns the claims of a good token, with changes; a change to None leaves the claim out."""
    now = time.time()
    values = {"iss": "onside", "aud": "onside", "sub": MERCHANT["id"], "nbf": now - 1, "exp": now + 20, "jti": str(uuid.uuid4())}
    return {name: value for name, value in {**values, **changes}.items() if value is not None}


def token(payload=None, *, secret=MERCHANT["secret"], key_id=MERCHANT["keyId"], algorithm="HS256"):
    headers = {} if key_id is None else {"kid": key_id}
    return jwt.encode(payload or claims(), secret, algorithm=algorithm, headers=headers)


def history(server, order_id, bearer=None, method="GET"):
    return request(server, HISTORY + order_id, method, {"Authorization": f"Bearer {bearer or token()}"})


def verified(server, signed):
    """Verifies a JWS with the server's public keys, and returns its payload."""
    keys = jwt.PyJWKSet.from_json(request(server, JWKS)[2])
    header = jwt.get_unverified_header(signed)
    assert (header["alg"], header["typ"]) == ("ES256", "JWT")
    return jwt.decode(signed, keys[header["kid"]].key, algorithms=["ES256"])


def buy(server, page):
    """Buys in the page and returns the order's id."""
    page.goto(server.url)
    page.evaluate("id => onside.loadProducts({ productIdentifiers: [id] })", PRODUCT)
    page.evaluate("id => onside.purchase({ productIdentifier: id, appAccountToken: 'player-1' })", PRODUCT)
    page.wait_for_function(
        "seen.some(e => e.name === 'onTransactionsUpdated' && e.value.some(t => t.transactionState === 'purchased'))"
    )
    return page.evaluate("onside.getTransactions().then(([t]) => t.transactionIdentifier)")


@pytest.fixture
def order_id(auto_shop, page):
    return buy(auto_shop, page)


def assert_problem(answer, status):
    """Checks an error, and that it contains no credentials and no token."""
    answered, fields, body = answer
    assert answered == status
    assert fields["content-type"] == "application/problem+json"
    problem = json.loads(body)
    assert problem["status"] == status and problem["detail"]
    assert MERCHANT["secret"] not in str(answer) and "eyJ" not in str(answer)
    return problem["detail"]


def test_the_page_gets_a_signed_history_and_the_backend_finds_the_order(auto_shop, page, order_id):
    signed = page.evaluate("onside.getSignedInAppsHistory()")
    assert base64.b64decode(signed["dataBase64"], validate=True).decode() == signed["string"]
    [transaction] = verified(auto_shop, signed["string"])["transactions"]
    assert transaction["order_id"] == order_id

    status, fields, body = history(auto_shop, order_id)
    assert (status, fields["content-type"], fields["cache-control"]) == (200, "application/jose", "no-store")
    [looked_up] = verified(auto_shop, body.decode())["transactions"]
    date = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
    for each in (transaction, looked_up):
        assert all(date.fullmatch(each.pop(name)) for name in ("fetched_at", "purchase_date", "original_purchase_date"))
        assert each.pop("bundle_id")
    assert transaction == looked_up == {
        "app_account_token": "player-1", "currency": "EUR", "expires_at": None, "order_id": order_id,
        "original_order_id": order_id, "price": 99, "product_id": PRODUCT, "product_slug": PRODUCT,
        "product_type": "NON_CONSUMABLE", "quantity": 1, "revocation_date": None, "revocation_reason": None,
        "subscription_id": None, "transaction_reason": "PURCHASE", "user_country": "NL",
    }
    assert type(looked_up["price"]) is int and type(looked_up["quantity"]) is int


def test_a_changed_history_does_not_verify(auto_shop, page, order_id):
    head, payload, signature = history(auto_shop, order_id)[2].decode().split(".")
    changed = json.loads(base64.urlsafe_b64decode(payload + "=="))
    changed["transactions"][0]["price"] = 1
    forged = base64.urlsafe_b64encode(json.dumps(changed).encode()).decode().rstrip("=")
    with pytest.raises(jwt.InvalidSignatureError):
        verified(auto_shop, f"{head}.{forged}.{signature}")


def test_a_signed_out_page_gets_no_history(auto_shop, page):
    page.goto(auto_shop.url)
    assert page.evaluate("onside.getSignedInAppsHistory().catch(e => e)") == {"notLoggedIn": {}}


def test_the_public_key_is_published_and_the_private_one_is_not(auto_shop):
    status, fields, body = request(auto_shop, JWKS)
    assert (status, fields["content-type"], fields["cache-control"]) == (200, "application/json", "public, max-age=60")
    [key] = json.loads(body)["keys"]
    assert set(key) == {"kty", "crv", "x", "y", "kid", "use", "alg"}
    assert (key["kty"], key["crv"], key["use"], key["alg"]) == ("EC", "P-256", "sig", "ES256")
    assert request(auto_shop, JWKS, fields={"If-None-Match": fields["etag"]})[0] == 304
    assert request(auto_shop, JWKS, "HEAD")[::2] == (200, b"")
    status, fields, _ = request(auto_shop, JWKS, "POST")
    assert (status, fields["allow"]) == (405, "GET, HEAD")


BAD_TOKENS = {
    "another secret": (lambda: token(secret="another-secret-that-is-long-enough-for-it"), "signature"),
    "another key id": (lambda: token(key_id="another"), "kid"),
    "no key id": (lambda: token(key_id=None), "kid"),
    "no algorithm": (lambda: token(secret=None, algorithm="none"), "alg"),
    "another algorithm": (lambda: token(secret=MERCHANT["secret"] * 2, algorithm="HS384"), "alg"),
    "another issuer": (lambda: token(claims(iss="offside")), "iss"),
    "no issuer": (lambda: token(claims(iss=None)), "iss"),
    "another audience": (lambda: token(claims(aud="offside")), "aud"),
    "no audience": (lambda: token(claims(aud=None)), "aud"),
    "no subject": (lambda: token(claims(sub=None)), "sub"),
    "no expiry": (lambda: token(claims(exp=None)), "exp"),
    "no beginning": (lambda: token(claims(nbf=None)), "nbf"),
    "too long a window": (lambda: token(claims(nbf=time.time() - 1, exp=time.time() + 30)), "30 seconds"),
    "expired": (lambda: token(claims(nbf=time.time() - 60, exp=time.time() - 40)), "exp"),
    "not yet valid": (lambda: token(claims(nbf=time.time() + 40, exp=time.time() + 60)), "nbf"),
    "no token id": (lambda: token(claims(jti=None)), "jti"),
    "no JWT": (lambda: "eyJhbGciOiJIUzI1NiJ9", "JWT"),
    "a history": (lambda: jwt.encode({"transactions": []}, MERCHANT["secret"], headers={"kid": MERCHANT["keyId"]}), "iss"),
}


@pytest.mark.parametrize("name", BAD_TOKENS)
def test_a_bad_token_is_refused_with_the_reason(auto_shop, order_id, name):
    make, reason = BAD_TOKENS[name]
    answer = history(auto_shop, order_id, make())
    assert reason in assert_problem(answer, 401)
    assert answer[1]["www-authenticate"] == 'Bearer realm="onside", error="invalid_token"'


@pytest.mark.parametrize("fields", [{}, {"Authorization": "Basic b25zaWRlOm9uc2lkZQ=="}, {"Authorization": "Bearer"}, {"Authorization": ""}])
def test_a_request_without_a_token_is_answered_with_the_required_one(auto_shop, fields):
    answer = request(auto_shop, HISTORY + str(uuid.uuid4()), fields=fields)
    assert_problem(answer, 401)
    assert answer[1]["www-authenticate"] == 'Bearer realm="onside"'


def test_a_token_can_be_used_once(auto_shop, order_id):
    bearer = token()
    assert history(auto_shop, order_id, bearer)[0] == 200
    assert "jti" in assert_problem(history(auto_shop, order_id, bearer), 401)
    payload = claims()
    assert history(auto_shop, order_id, token(payload))[0] == 200
    assert "jti" in assert_problem(history(auto_shop, order_id, token({**claims(), "jti": payload["jti"]})), 401)


def test_a_bad_token_does_not_use_up_the_id_of_a_good_one(auto_shop, order_id):
    payload = claims()
    assert_problem(history(auto_shop, order_id, token(payload, secret="another-secret-that-is-long-enough-for-it")), 401)
    assert history(auto_shop, order_id, token(payload))[0] == 200


def test_another_merchant_may_not_read_the_order(auto_shop, order_id):
    assert_problem(history(auto_shop, order_id, token(claims(sub="another-merchant"))), 403)


ORDER_OF_NOBODY = "5f0c2a4e-8f3b-4d0e-9a55-3c7f1b1f7a11"


@pytest.mark.parametrize("unknown", [ORDER_OF_NOBODY, "", "order", "..%2f", "%00", ORDER_OF_NOBODY + "/"])
def test_an_unknown_order_is_not_found(auto_shop, unknown):
    assert_problem(history(auto_shop, unknown), 404)


def test_an_order_id_is_matched_in_any_case(auto_shop, order_id):
    assert history(auto_shop, order_id.upper())[0] == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_a_history_can_only_be_read(auto_shop, order_id, method):
    status, fields, _ = history(auto_shop, order_id, method=method)
    assert (status, fields["allow"]) == (405, "GET, HEAD")


def test_head_answers_as_get_without_the_history(auto_shop, order_id):
    whole, head = history(auto_shop, order_id), history(auto_shop, order_id, method="HEAD")
    assert (head[0], head[2]) == (200, b"")
    for name in ("content-type", "cache-control", "content-length"):
        assert head[1][name] == whole[1][name]
    for order, bearer, status in [(ORDER_OF_NOBODY, None, 404), (order_id, token(claims(sub="another")), 403), (order_id, "no-token", 401)]:
        assert history(auto_shop, order, bearer, "HEAD")[::2] == (status, b"")
    bearer = token()
    assert [history(auto_shop, order_id, bearer, method)[0] for method in ("HEAD", "GET")] == [200, 401]


def test_orders_of_every_session_are_found(auto_shop, new_context):
    order_ids = [buy(auto_shop, new_context().new_page()) for _ in range(2)]
    for order_id in order_ids:
        [transaction] = verified(auto_shop, history(auto_shop, order_id)[2].decode())["transactions"]
        assert transaction["order_id"] == order_id


def test_tokens_and_secrets_are_not_logged(shop_root, catalog):
    with serve("--root", shop_root, "--catalog", catalog, "--log-level", "trace", "--ephemeral") as server:
        bearers = [token(), token(claims(iss="offside")), token(key_id="another")]
        for bearer in bearers:
            history(server, str(uuid.uuid4()), bearer)
        server.stop()
        log = "".join(server.log)
        assert HISTORY in log
        assert MERCHANT["secret"] not in log and not any(part in log for bearer in bearers for part in bearer.split("."))


def test_the_merchant_credentials_can_be_configured(shop_root, catalog, tmp_path):
    config = tmp_path / "footbridge.yaml"
    secret = "sesame-sesame-sesame-sesame-sesame"
    config.write_text(f"ephemeral: true\nonside: {{ merchant: {{ id: acme, secret: {secret}, keyId: k1 }} }}\n")
    with serve("--root", shop_root, "--catalog", catalog, "--config", config) as server:
        unknown = str(uuid.uuid4())
        assert_problem(history(server, unknown), 401)
        assert_problem(history(server, unknown, token(claims(sub="acme"), secret=secret, key_id="k1")), 404)


def test_the_signing_key_is_retained_in_the_state_directory_only(shop_root, catalog, tmp_path):
    def key(*arguments):
        with serve("--root", shop_root, "--catalog", catalog, *arguments) as server:
            return request(server, JWKS)[2]

    state = tmp_path / "state"
    assert key("--state", state) == key("--state", state)
    assert stat.S_IMODE((state / "onside-signing-key.pem").stat().st_mode) == 0o600
    assert key("--ephemeral") != key("--ephemeral")


def test_the_error_about_a_broken_key_file_names_it_and_the_file_is_not_changed(tmp_path):
    file = tmp_path / "onside-signing-key.pem"
    file.write_text("no key")
    result = run("serve", "--port", 0, "--state", tmp_path)
    assert result.returncode != 0 and result.stdout == ""
    [line] = result.stderr.splitlines()
    assert str(file) in line and "Delete it" in line
    assert file.read_text() == "no key"


def test_an_order_is_found_after_a_restart_before_its_page_reconnects(shop_root, catalog, page, tmp_path):
    arguments = ("--root", shop_root, "--catalog", catalog, "--present", "auto", "--state", tmp_path / "state")
    with serve(*arguments) as server:
        order = buy(server, page)
        page.close()
    with serve(*arguments) as server:
        status, _, body = history(server, order)
        assert status == 200
        assert [each["order_id"] for each in verified(server, body.decode())["transactions"]] == [order]
