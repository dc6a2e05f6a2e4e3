"""A program that embeds Footbridge and adds its own capability: Examples/NFCReader."""

import json
import signal
import subprocess

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from footbridge_process import PROJECT, Process, StartFailure

EXAMPLE = PROJECT / "Examples" / "NFCReader"


@pytest.fixture
def bridge():
    with Process("NFCReader", 0) as server:
        with connect(f"ws://127.0.0.1:{server.port}/__footbridge/bridge", subprotocols=["footbridge.v1"]) as websocket:
            yield websocket


def ask(bridge, action, data=None):
    payload = {"action": action} if data is None else {"action": action, "data": data}
    bridge.send(
        json.dumps({"version": "1.0", "correlationId": action, "type": "request", "timestamp": 1, "payload": payload})
    )
    answer = json.loads(bridge.recv(timeout=10))
    assert answer["correlationId"] == action
    return answer["payload"]


def test_the_capability_of_the_example_is_declared(bridge):
    capabilities = ask(bridge, "capability.query")["data"]["capabilities"]
    assert capabilities["nfc.read"] == {"supported": True, "version": "1.0"}


def test_the_capability_of_the_example_answers(bridge):
    answer = ask(bridge, "nfc.read", {"documentNumber": "AB123456"})
    assert answer["status"] == "success"
    assert answer["data"] == {"chipRead": True, "documentNumber": "AB123456"}


def test_the_capability_of_the_example_reports_a_missing_argument(bridge):
    answer = ask(bridge, "nfc.read")
    assert answer["status"] == "error"
    assert answer["error"]["code"] == "INVALID_REQUEST"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["70000"], 64, "70000 is not a port, a number from 0 to 65535. Usage: NFCReader [PORT [ROOT]]"),
        (["0", ".", "more"], 64, "Too many arguments. Usage: NFCReader [PORT [ROOT]]"),
        (["0", "/no/such/folder"], 66, "/no/such/folder is not a folder that can be read. Give the folder of your site."),
    ],
)
def test_the_example_prints_what_is_wrong_and_ends_with_its_exit_code(arguments, code, message):
    with pytest.raises(StartFailure) as failure, Process("NFCReader", *arguments):
        pass
    assert (failure.value.code, failure.value.log) == (code, f"nfc-reader: {message}\n")


def test_the_example_names_a_port_that_is_in_use():
    with Process("NFCReader", 0) as server, pytest.raises(StartFailure) as failure, Process("NFCReader", server.port):
        pass
    assert failure.value.code == 69
    assert failure.value.log.startswith(f"nfc-reader: Port {server.port} on 127.0.0.1 is in use. Stop the program")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_example_cleanly(number):
    with Process("NFCReader", 0) as server:
        with connect(f"ws://127.0.0.1:{server.port}/__footbridge/bridge", subprotocols=["footbridge.v1"]) as websocket:
            server.process.send_signal(number)
            with pytest.raises(ConnectionClosed):
                websocket.recv(timeout=10)
            assert websocket.close_code == 1001
        assert server.process.wait(timeout=10) == 0


def manifest(folder, scratch):
    """Reads a Package.swift with the package manager, which fetches and builds nothing."""
    command = ["swift", "package", "--package-path", folder, "--scratch-path", scratch, "dump-package"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def target(package, name):
    """Returns a target's kind, the names of its dependencies, and its source files."""
    found = next(each for each in package["targets"] if each["name"] == name)
    names = {(each.get("product") or each.get("byName") or each.get("target"))[0] for each in found["dependencies"]}
    folder = found.get("path") or f"{'Tests' if found['type'] == 'test' else 'Sources'}/{name}"
    return found["type"], names, (EXAMPLE / folder.removeprefix("Examples/NFCReader/")).resolve()


def test_the_examples_own_package_describes_what_is_built_here(tmp_path):
    ours, its = manifest(PROJECT, tmp_path / "ours"), manifest(EXAMPLE, tmp_path / "its")
    for name in ("NFCReader", "NFCReaderTests"):
        assert target(its, name) == target(ours, name)
        assert target(its, name)[2].is_dir()
    assert its["platforms"] == ours["platforms"]
    # Footbridge offers other packages what a copy uses.
    products = {product["name"] for product in ours["products"]}
    wanted = {
        each["product"][0] for found in its["targets"] for each in found["dependencies"]
        if "product" in each and each["product"][1] == "footbridge"
    }
    assert wanted <= products
    # Both use the same versions of shared packages.
    versions = [
        {url["location"]["remote"][0]["urlString"]: url["requirement"] for [url] in (each.get("sourceControl", [None]) for each in package["dependencies"]) if url}
        for package in (ours, its)
    ]
    assert versions[1].items() <= versions[0].items()


def test_the_example_and_the_echo_server_are_not_products_of_the_package(tmp_path):
    products = {product["name"] for product in manifest(PROJECT, tmp_path)["products"]}
    assert products.isdisjoint({"EchoServer", "NFCReader"})
