"""The control API against its description: schemathesis makes requests from the OpenAPI document, and the tests send them to a server and compare
each answer with the document. With `FOOTBRIDGE_EXAMPLES`, each operation gets so many random requests, and every setting is tried in every
place. The short form tests a tenth of the paths, and no links between them."""

import json
import os
import subprocess
import sys

import pytest

from footbridge_process import serve
from short_form import IS_SHORT, part
from wire_page import WirePage

PRODUCTS = ["com.product.example.consumable", "com.product.example.non_consumable"]
ACCOUNTS = ["eva", "max"]
TIMES = ["1970-01-01T00:00:00Z", "2026-01-31T12:00:00.123456+01:00"]
UNKNOWN_SESSION = "0123456789abcdef"
# A link of the document leads to an operation of another path.
PHASES = "examples,coverage,fuzzing" if IS_SHORT else "examples,coverage,fuzzing,stateful"
EXAMPLES = int(os.environ.get("FOOTBRIDGE_EXAMPLES", 0))

# What can be in a rule depends on the call that it is about, and a session can have rules; what can be chosen in a sheet on its kind; what a bridge can have on
# the others; a cookie on its session; the action of an entry on its kind. That nothing comes is no mistake in a wait, which
# the narrowed description wants to be short. A number in a path cannot be told from a name.
CONFIGURATION = """
[[operations]]
include-operation-id = ["answerSheet", "createRule", "createSession", "declareBridge", "enterSession", "takeSnapshot", "countJournal", "setLaunch"]
checks.positive_data_acceptance.expected-statuses = ["2xx", "404", "409", "422"]

[[operations]]
include-operation-id = "waitForJournal"
checks.positive_data_acceptance.expected-statuses = ["2xx", "404", "408", "422"]
checks.negative_data_rejection.expected-statuses = ["4xx"]

[[operations]]
include-operation-id = ["getRule", "deleteRule", "releaseGate"]
checks.negative_data_rejection.enabled = false
"""


@pytest.fixture(scope="module")
def server(shop_root, catalog, tmp_path_factory):
    """Runs a shop with accounts and a scenario."""
    config = tmp_path_factory.mktemp("description") / "footbridge.yaml"
    config.write_text(json.dumps({
        "onside": {"accounts": [{"id": id, "email": f"{id}@example.com", "country": "ES"} for id in ACCOUNTS]},
        "scenarios": {"offline": [{"on": "onside.loadProducts", "times": "always", "then": {"error": "connectionError"}}]},
    }))
    with serve("--root", shop_root, "--catalog", catalog, "--config", config, "--present", "control", "--seed", 1, "--ephemeral") as server:
        yield server


@pytest.fixture(scope="module")
def control(server):
    return server.control()


def narrowed(description, values):
    """Returns the description with the data of this server: its accounts, products and scenarios, and the content of a session."""
    schemas, parameters = description["components"]["schemas"], description["components"]["parameters"]
    for name, known in {"Account": ACCOUNTS, "Product": PRODUCTS, "ScenarioName": ["offline"], "Country": ["DE", "fra"], "GivenTime": TIMES}.items():
        schemas[name]["enum"] = known
    for name, known in values.items():
        parameters[name]["schema"]["enum"] = known
    if not EXAMPLES:
        # The same code reads settings in every place, and the calls in them.
        schemas["NewSession"]["properties"]["settings"] = {"type": "object", "properties": {"askToBuy": {"type": "boolean"}}, "additionalProperties": False}
        calls = schemas["SettingsChange"]["properties"]["calls"]
        calls["properties"] = {name: calls["properties"][name] for name in ("loadProducts", "payment")}
    wait = schemas["JournalWait"]
    wait["properties"]["timeout"]["maximum"] = 5
    wait["required"].append("timeout")
    # A stream does not end, so the request is for one that does not exist. Requests that end a session get one that nothing else needs.
    [session, *_] = [each for each in description["paths"]["/events"]["get"]["parameters"] if each.get("name") == "session"]
    session["schema"]["enum"] = [UNKNOWN_SESSION]
    ending = [("/sessions/{session}", "delete"), ("/sessions/{session}/reset", "post"), ("/sessions/{session}/relaunch", "post")]
    ending.append(("/sessions/{session}/reinstall", "post"))
    ending.append(("/sessions/{session}/device/open", "post"))
    # It waits for pages, and that of the test answers nothing.
    ending.append(("/sessions/{session}/service-workers", "delete"))
    for path, method in ending:
        operation = description["paths"][path][method]
        other = {**parameters["session"], "schema": {"enum": [values["session"][1], UNKNOWN_SESSION]}}
        operation["parameters"] = [other]
    description["paths"] = {path: description["paths"][path] for path in part(description["paths"])}
    return description


@pytest.mark.timeout(900 + 60 * EXAMPLES)
def test_the_server_answers_as_its_api_description_says(server, control, tmp_path):
    members = {"account": "eva", "purchases": [{"product": PRODUCTS[1]}], "transactions": [{"product": PRODUCTS[0], "waitingFor": "approval"}]}
    session, other = control.session(**members), control.session(**members)
    path = f"/sessions/{session['id']}"
    page = WirePage(server.port, session["cookie"]["value"])
    try:
        page.call("onside.loadProducts", productIdentifiers=PRODUCTS)
        page.call("onside.purchase", productIdentifier=PRODUCTS[0])
        until = {"kind": "sheetOpened", "action": "payment"}
        sheet = control("POST", f"{path}/journal/wait", {"until": until})["entry"]["data"]["id"]
        page.start("nfc.read")
        control("POST", f"{path}/journal/wait", {"until": {"kind": "request", "action": "nfc.read"}})
        [told] = control("GET", f"{path}/pages")["pages"]
        [request] = control("GET", f"{path}/pages/{told['id']}/requests")["requests"]
        rule = control("POST", f"{path}/rules", {"on": "onside.logout", "times": "always", "then": {"gate": "g"}})["id"]
        values = {
            "session": [session["id"], other["id"]], "sheet": [sheet], "page": [told["id"]], "request": [request["correlationId"]],
            "transaction": [each["id"] for each in control("GET", f"{path}/transactions")["transactions"]],
            "purchase": [each["id"] for each in control("GET", f"{path}/purchases")["purchases"]], "rule": [rule], "gate": ["g"],
        }
        (tmp_path / "openapi.json").write_text(json.dumps(narrowed(control("GET", "/openapi.json"), values)))
        (tmp_path / "schemathesis.toml").write_text(CONFIGURATION)
        result = subprocess.run(
            [
                sys.executable, "-m", "schemathesis.cli", "--config-file", "schemathesis.toml", "run", "openapi.json", "--url", control.url,
                "--header", f"Authorization: Bearer {control.token}", "--phases", PHASES, "--no-color",
                "--max-examples", str(EXAMPLES or 3), "--generation-deterministic", "--warnings", "off",
                # The speed of the generator depends on the machine.
                "--suppress-health-check", "all",
            ],
            cwd=tmp_path, capture_output=True, text=True,
        )
        assert result.returncode == 0, result.stdout[-8000:] + result.stderr[-2000:]
    finally:
        page.close()
    assert page.violations == []


def test_the_api_description_requires_the_token(control):
    answer = control.request("GET", "/openapi.json")
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.json["openapi"] == "3.1.0"
    assert control.request("GET", "/openapi.json", token="wrong").status == 401
