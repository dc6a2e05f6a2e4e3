"""A program that embeds Footbridge and adds a capability of its own: Examples/NFCReader."""

import json

import pytest
from websockets.sync.client import connect

from footbridge_process import Process


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


def test_the_capability_is_declared(bridge):
    capabilities = ask(bridge, "capability.query")["data"]["capabilities"]
    assert capabilities["nfc.read"] == {"supported": True, "version": "1.0"}


def test_the_capability_answers(bridge):
    answer = ask(bridge, "nfc.read", {"documentNumber": "AB123456"})
    assert answer["status"] == "success"
    assert answer["data"] == {"chipRead": True, "documentNumber": "AB123456"}


def test_the_capability_says_what_it_lacks(bridge):
    answer = ask(bridge, "nfc.read")
    assert answer["status"] == "error"
    assert answer["error"]["code"] == "INVALID_REQUEST"
