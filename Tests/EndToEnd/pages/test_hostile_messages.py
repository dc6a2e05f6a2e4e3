"""Messages that no shim sends: each gets a clear answer, and the socket stays open."""

import json

import pytest
from websockets.exceptions import ConnectionClosed

from test_websocket import bridge, call

ENVELOPE = '{"version":"1.0","correlationId":"x","type":"request","timestamp":1,"payload":{"action":"capability.query","data":{"x":%s}}}'

MALFORMED = [
    ("", "expected"), ("null", "expected"), ("[]", "expected"), ('"x"', "expected"), ("nonsense", "expected"), ("{", "expected"), ("{}", "no version"),
    ("\ufeff" + ENVELOPE % "1", "expected"), (ENVELOPE % "1" + "x", "after the value"), (ENVELOPE % "1" + ENVELOPE % "1", "after the value"),
    (ENVELOPE % "1e400", ""), (ENVELOPE % "-1e400", ""), ((ENVELOPE % "1").replace('"timestamp":1', '"timestamp":1e400'), ""),
    (ENVELOPE % "NaN", "expected"), (ENVELOPE % "Infinity", "expected"), (ENVELOPE % "01", ""), (ENVELOPE % "1.", ""), (ENVELOPE % ".5", ""), (ENVELOPE % "+1", ""),
    (ENVELOPE % "0x1", ""), (ENVELOPE % "'a'", "expected"), (ENVELOPE % "undefined", "expected"), (ENVELOPE % "[1,]", "expected"), (ENVELOPE % '{"a":1,}', "expected"),
    (ENVELOPE % '"\n"', ""), (ENVELOPE % '"\\x41"', ""), (ENVELOPE % '"\\u12"', ""), (ENVELOPE % "/* */1", "expected"), (ENVELOPE % "True", "expected"),
    (ENVELOPE % ("[" * 2200 + "]" * 2200), "nested deeper"), (ENVELOPE % ('{"a":' * 2200 + "1" + "}" * 2200), "nested deeper"),
    (ENVELOPE % ("[" * 1_000_000), "nested deeper"), ("[" * 1_000_000, ""), ('{"a":' * 1_000_000, "nested deeper"),
    ((ENVELOPE % "1").replace('"request"', '"demand"'), "type"), ((ENVELOPE % "1").replace('"1.0"', "1"), "string"),
    ((ENVELOPE % "1").replace('"x","type"', 'null,"type"'), "string"), ((ENVELOPE % "1").replace('{"x":1}', "[1]"), "data must be an object"),
]


@pytest.mark.parametrize("text, reason", MALFORMED, ids=lambda value: repr(value)[:40])
def test_text_that_is_not_an_envelope_is_answered_with_what_is_wrong(auto_shop, text, reason, record_property):
    record_property("inputs tried", 1)
    with bridge(auto_shop) as websocket:
        websocket.send(text)
        message = json.loads(websocket.recv(timeout=20))
        assert message["type"] == "event" and message["payload"]["action"] == "footbridge.error"
        assert reason in message["payload"]["data"]["message"] and " at byte " in message["payload"]["data"]["message"]
        assert call(websocket, "capability.query")["payload"]["status"] == "success"


@pytest.mark.parametrize("text", [
    ENVELOPE % ("[" * 512 + "]" * 512), ENVELOPE % "1e-400", ENVELOPE % "123456789012345678901234567890", ENVELOPE % '"\\ud800"', ENVELOPE % '{"\\udc00":"\\ud800"}',
    ENVELOPE % '"\\u0000"', ENVELOPE % '"\u2028\U0001f600"', ENVELOPE % '{"a":1,"a":2}', ENVELOPE % '{"__proto__":{"a":1},"constructor":1}', ENVELOPE % '""',
    (ENVELOPE % "1").replace('"version"', '"version":"0","version"'), (ENVELOPE % "1").replace('"action"', '"action":"other","action"'),
    (ENVELOPE % "1").replace('"correlationId"', '"correlationId":"earlier","correlationId"'), " \t\r\n" + ENVELOPE % "1" + "\n",
    (ENVELOPE % "1").replace('"version"', '"unknown":[{"a":null}],"version"'),
], ids=lambda value: repr(value)[90:140])
def test_unusual_but_valid_json_is_answered_and_the_last_of_equal_members_is_used(auto_shop, text, record_property):
    record_property("inputs tried", 1)
    with bridge(auto_shop) as websocket:
        websocket.send(text)
        message = json.loads(websocket.recv(timeout=10))
        assert message["correlationId"] == "x" and message["payload"]["status"] == "success"


def test_a_lone_surrogate_in_an_id_comes_back_as_a_replacement(auto_shop):
    with bridge(auto_shop) as websocket:
        websocket.send((ENVELOPE % "1").replace('"x","type"', '"a\\ud800","type"'))
        assert json.loads(websocket.recv(timeout=10))["correlationId"] == "a\ufffd"


@pytest.mark.parametrize("data", [b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b'{"version":"\xe9"}'])
def test_bytes_that_are_not_utf_8_close_the_socket_with_1007(auto_shop, data, record_property):
    record_property("inputs tried", 1)
    with bridge(auto_shop) as websocket:
        with pytest.raises(ConnectionClosed):
            websocket.send(data, text=True)
            websocket.recv(timeout=10)
        assert websocket.close_code == 1007


def test_binary_messages_close_the_socket_with_1003(auto_shop):
    with bridge(auto_shop) as websocket:
        with pytest.raises(ConnectionClosed):
            websocket.send(b"{}")
            websocket.recv(timeout=10)
        assert websocket.close_code == 1003
