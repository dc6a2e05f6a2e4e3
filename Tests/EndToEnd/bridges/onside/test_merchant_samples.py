"""The samples of docs/merchant-api.md and Examples/backend, run as a backend developer runs them, before and after a rotation of the key."""

import json
import os
import re
import subprocess
import sys

import jwt
import pytest

from footbridge_process import PROJECT, serve

PAGE = (PROJECT / "docs" / "merchant-api.md").read_text()
PRODUCT = "com.product.example.non_consumable"
[PYTHON] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
EXAMPLES = PROJECT / "Examples" / "backend"
COMMANDS = {"curl": [EXAMPLES / "history.sh"], "python": [sys.executable, "-c", PYTHON], "node": ["node", EXAMPLES / "history.mjs"]}


@pytest.fixture(scope="module")
def server(shop_root, catalog):
    with serve("--root", shop_root, "--catalog", catalog, "--ephemeral") as server:
        yield server


@pytest.fixture(scope="module")
def control(server):
    return server.control()


@pytest.fixture
def order(control):
    """An order of a session without a page, with its `appAccountToken`."""
    session = control.session(account="built-in")
    body = {"product": PRODUCT, "appAccountToken": "player-1", "purchasedAt": "2026-01-31T12:00:00Z"}
    return control("POST", f"/sessions/{session['id']}/purchases", body)["purchases"][0]["id"]


def run_sample(server, program, order):
    exported = dict(re.findall(r"export (\w+)=(.*)", PAGE))
    assert exported["ONSIDE"] == "http://127.0.0.1:8080/__footbridge/onside"
    exported |= {"ONSIDE": f"http://127.0.0.1:{server.port}/__footbridge/onside", "ORDER_ID": order}
    return subprocess.run(COMMANDS[program], env={**os.environ, **exported}, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("program", ["python", "node"])
def test_a_sample_prints_the_verified_purchase_of_an_order(server, order, program):
    result = run_sample(server, program, order)
    assert result.returncode == 0, result.stderr
    [purchase] = json.loads(result.stdout)
    assert (purchase["order_id"], purchase["product_id"], purchase["app_account_token"]) == (order, PRODUCT, "player-1")
    documented = set(re.findall(r"`(\w+)`", " ".join(row.split(": ")[0] for row in PAGE.split("The members of a transaction:")[1].splitlines() if row.startswith("- `"))))
    assert set(purchase) == documented
    # An order that is unknown is an error, not an empty answer.
    assert run_sample(server, program, "5f0c2a4e-8f3b-4d0e-9a55-3c7f1b1f7a11").returncode != 0


def test_the_sample_for_curl_prints_the_signed_answer(server, order):
    result = run_sample(server, "curl", order)
    assert result.returncode == 0, result.stderr
    payload = jwt.decode(result.stdout, options={"verify_signature": False})
    assert [each["order_id"] for each in payload["transactions"]] == [order]


def published(server, control):
    key_set = control.request("GET", "/signing-keys").json["keys"]
    return [key["kid"] for key in key_set], [key["current"] for key in key_set]


def test_a_history_signed_by_a_former_key_verifies_until_its_end(server, control, order):
    url = f"http://127.0.0.1:{server.port}/__footbridge/onside/.well-known/jwks.json"
    before = run_sample(server, "curl", order).stdout
    kid = jwt.get_unverified_header(before)["kid"]
    answer = control.request("POST", "/signing-keys", {"publishFormerFor": 600})
    assert answer.status == 201
    kids, current = published(server, control)
    assert kids[1] == kid and current[:2] == [True, False]
    after = run_sample(server, "curl", order).stdout
    assert jwt.get_unverified_header(after)["kid"] == kids[0] != kid
    for signed in (before, after):
        key = jwt.PyJWKClient(url).get_signing_key_from_jwt(signed).key
        assert jwt.decode(signed, key, algorithms=["ES256"])["transactions"][0]["order_id"] == order
    # With 0, the former key is gone at once; the one before it still has its time.
    control("POST", "/signing-keys", {"publishFormerFor": 0})
    kids, _ = published(server, control)
    assert jwt.get_unverified_header(after)["kid"] not in kids and kid in kids
    assert control.request("POST", "/signing-keys", {"publishFormerFor": -1}).status == 422


def test_rotated_keys_survive_a_restart(shop_root, catalog, tmp_path):
    def keys(rotates):
        with serve("--root", shop_root, "--catalog", catalog, "--state", tmp_path / "state") as server:
            control = server.control()
            if rotates:
                control("POST", "/signing-keys")
            return published(server, control)

    rotated = keys(True)
    assert len(rotated[0]) == 2 and keys(False) == rotated
