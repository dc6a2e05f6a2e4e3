"""Runs the load generator."""

import json
import pathlib
import subprocess
import tempfile

import machine
import servers

ID = "00000000-0000-4000-8000-000000000000"


def request(action, data=None):
    """Returns a request envelope. The load generator replaces its correlation id."""
    payload = {"action": action} if data is None else {"action": action, "data": data}
    return {"version": "1.0", "correlationId": ID, "type": "request", "timestamp": 1732000000000, "payload": payload}


# A usual request: about 300 bytes, with members of every kind.
QUERY = request(
    "capability.query",
    {"limit": 25, "deep": True, "cursor": None, "tags": ["a", "b"], "filter": "abcdefghijklmnopqrstuvwxyz" * 3},
)


def _command(server, message, connections, options, others=()):
    file = tempfile.NamedTemporaryFile("w", suffix=".json", delete=False)
    with file:
        json.dump(message, file, separators=(",", ":"))
    ports = ",".join(str(each.port) for each in [server, *others])
    route = ["-u", server.path, *(["-s", server.subprotocol] if server.subprotocol else [])]
    load = [servers.BUILD / "load", "-c", connections, *route, *options, ports, file.name]
    return pathlib.Path(file.name), machine.pinned(machine.CLIENT_CORE, *load)


def run(server, message, requests, connections=1, depth=1, are_pages=False, warm_up=None, others=()):
    """Measures throughput in requests a second, and latencies and the server's CPU time for one request in microseconds. With other servers
    beside this one, each connection goes to the next, and the CPU time is that of all."""
    warm_up = requests // 10 if warm_up is None else warm_up
    options = ["-n", requests, "-d", depth, "-w", warm_up, *(["-p"] if are_pages else [])]
    file, command = _command(server, message, connections, options, others)
    try:
        before = sum(machine.cpu_seconds(each.pid) for each in [server, *others])
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        used = sum(machine.cpu_seconds(each.pid) for each in [server, *others]) - before
    finally:
        file.unlink()
    return {**json.loads(output), "cpu": used * 1e6 / (requests + warm_up)}


class Held:
    """Open connections, each a page in its own session that has made one request."""

    def __init__(self, server, message, connections):
        self._file, command = _command(server, message, connections, ["-p", "-i"])
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the connections could not be opened")
        self.seconds = json.loads(line)["opened"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.communicate()
        self._file.unlink()
