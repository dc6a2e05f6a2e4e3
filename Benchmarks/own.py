"""Measures messages of a declared bridge, compared with GBG's: with answers of the file, and with a handler over pipes."""

import contextlib
import json
import os
import pathlib
import sys
import tempfile

import load
import servers
from result import Result

BODY = {"type": "read", "limit": 25, "deep": True, "cursor": None, "tags": ["a", "b"], "filter": "abcdefghijklmnopqrstuvwxyz" * 3}
GBG = load.request("nfc.read", BODY)
OWN = load.request("acme.read", {"channel": "acme", "value": BODY})
ASKED = load.request("acme.ask", {"channel": "acme", "value": BODY})

#: The handler that the manual begins with, for one more name.
HANDLER = """
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    if message.get("name") == "ask":
        print(json.dumps({"message": message["message"], "reply": {"chip": "abc", "level": 3}}), flush=True)
"""


@contextlib.contextmanager
def serving(**options):
    """Runs a server with an answer of GBG's, one of a declared bridge, and a handler."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "handler.py").write_text(HANDLER)
        cores = ",".join(map(str, sorted(os.sched_getaffinity(0))))
        acme = {
            # The load generator's pages have no documents of the server's.
            "frames": "all", "channels": {"acme": {"reply": True}}, "name": "/type",
            "answers": {"read": {"reply": {"chip": "abc", "level": 3}}},
            # The server keeps to its core. Its handler does not.
            "handler": {"run": ["taskset", "-c", cores, sys.executable, "handler.py"]},
        }
        gbg = {"answers": {"nfc.read": {"data": {"chip": "abc", "level": 3}}}}
        (folder / "footbridge.yaml").write_text(json.dumps({"bridges": {"acme": acme}, "gbg": gbg}))
        with servers.footbridge("--config", folder / "footbridge.yaml", **options) as server:
            yield server


def measure(is_quick):
    """Measures the server's CPU time for a message with an answer, and the round trip of one that the handler answers."""
    rounds, requests = (1, 500) if is_quick else (7, 10000)
    names = {"gbg": GBG, "own": OWN, "asked": ASKED}
    samples = {name: [] for name in names}
    with serving() as server:
        for _ in range(rounds):
            for name, message in names.items():
                samples[name].append(load.run(server, message, requests, are_pages=True))

    def values(name, key):
        return [sample[key] for sample in samples[name]]

    added = [asked - own for asked, own in zip(values("asked", "median"), values("own", "median"))]
    return [
        Result.of_rounds(
            "own", "message of a declared bridge, CPU time", values("own", "cpu"), "µs", "GBG message", values("gbg", "cpu"),
            at_most=1.3),
        Result.of_rounds(
            "own", "message of a declared bridge, median", values("own", "median"), "µs", "GBG message", values("gbg", "median")),
        Result.of_rounds("own", "handler over pipes, added to the median", added, "µs", at_most=300),
    ]
