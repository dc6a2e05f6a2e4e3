"""The control API of a measured server, over one connection, as the test kits use it."""

import http.client
import json
import time

BASE = "/__footbridge/api/v1"
TOKEN = "a-token-of-the-benchmark"
#: Has a server take this token.
ENVIRONMENT = {"FOOTBRIDGE_CONTROL_TOKEN": TOKEN}


class ControlAPI:
    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port)

    def request(self, method, path, body=None):
        data = None if body is None else json.dumps(body)
        return self._send(method, path, data)

    def _send(self, method, path, data):
        self.connection.request(method, BASE + path, data, {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"})
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:500]!r}")
        return json.loads(text) if text else None

    def post(self, path, body):
        return self.request("POST", path, body)

    def begin(self, body):
        """Returns how long a session takes to begin, in milliseconds."""
        data = json.dumps(body)
        start = time.perf_counter()
        session = self._send("POST", "/sessions", data)
        duration = (time.perf_counter() - start) * 1000
        self.request("DELETE", f"/sessions/{session['id']}")
        return duration
