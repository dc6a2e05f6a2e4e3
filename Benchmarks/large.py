"""Measures for how long a message of 14 MB keeps the server from everybody else."""

import json

from websockets.sync.client import connect

import load
import machine
import servers
from result import Result

SIZE = 14_000_000
#: What takes longest to read: it has as many values as fit. And what pages send: an image.
DATA = [("many values", {"values": [0] * (SIZE // 2)}), ("one string", {"image": "A" * SIZE})]


def measure(is_quick):
    """Measures the server's CPU time for one such message, until it is answered. Nobody else is served meanwhile."""
    rounds = 2 if is_quick else 9
    with servers.footbridge() as server:
        return [
            Result.of_rounds("large", f"14 MB message, {name}, CPU time", _seconds(server, data, rounds), "s", at_most=0.05)
            for name, data in DATA
        ]


def _seconds(server, data, rounds):
    message = json.dumps(load.request("capability.query", data), separators=(",", ":"))
    url = f"ws://127.0.0.1:{server.port}{server.path}?page={1:032x}"
    cookie = {"Cookie": f"footbridge_session={1:032x}"}
    samples = []
    with connect(url, subprotocols=[server.subprotocol], additional_headers=cookie, compression=None, ping_interval=None) as socket:
        for _ in range(rounds):
            before = machine.cpu_seconds(server.pid)
            socket.send(message)
            # The answer may be a refusal, which comes after the message was read, too.
            socket.recv(timeout=60)
            samples.append(machine.cpu_seconds(server.pid) - before)
    return samples
