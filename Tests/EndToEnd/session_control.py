"""The control API about one session, for tests with many requests: over one connection that is kept."""

import http.client
import json
import urllib.parse

from footbridge_process import LONG


class SessionControl:
    def __init__(self, control, session):
        url = urllib.parse.urlsplit(control.url)
        self.path = f"{url.path}/sessions/{session}"
        self.headers = {"Authorization": f"Bearer {control.token}", "Content-Type": "application/json"}
        self.connection = http.client.HTTPConnection(url.netloc, timeout=LONG)

    def request(self, method, path, body=None):
        """Sends a request about the session. Returns the body of the response, or None if it was refused."""
        self.connection.request(method, self.path + path, None if body is None else json.dumps(body), self.headers)
        response = self.connection.getresponse()
        answer = response.read()
        assert response.status < 300 or response.status in (404, 409), (method, path, response.status, answer)
        return (json.loads(answer) if answer else {}) if response.status < 300 else None

    def close(self):
        self.connection.close()
