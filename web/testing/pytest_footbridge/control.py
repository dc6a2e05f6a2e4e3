"""The control API over HTTP."""

from __future__ import annotations

import http.client
import json
import urllib.parse
from typing import Any

BASE = "/__footbridge/api/v1"

#: The timeout of a request, in seconds: the longest wait for the journal, and some more.
TIMEOUT = 150


class ControlError(Exception):
    """The control API has refused a request.

    `status` is the HTTP status, `problem` the problem details of the answer (RFC 9457).
    """

    def __init__(self, method: str, path: str, status: int, problem: dict[str, Any]):
        self.status = status
        self.problem = problem
        super().__init__(f"{method} {path}: {status} {problem.get('detail') or problem.get('title', '')}".rstrip())


ControlError.__module__ = "builtins"  # See ExpectationError.


class ControlAPI:
    """Sends requests to the control API of one server, or to what is below the path `base` there. Any thread may use it: each request has its
    own connection.
    """

    def __init__(self, url: str, token: str, base: str = BASE):
        self.url = url.rstrip("/")
        self._token = token
        self._base = base

    def __repr__(self) -> str:
        return f"ControlAPI({self.url!r})"

    def get(self, path: str, **query: Any) -> Any:
        """Gets `path`, with `query`; ignores members of it that are None."""
        return self._request("GET", path, query=query)

    def post(self, path: str, body: Any = None) -> Any:
        """Posts `body`."""
        __tracebackhide__ = True
        return self._request("POST", path, body)

    def patch(self, path: str, body: Any) -> Any:
        """Changes some members."""
        return self._request("PATCH", path, body)

    def put(self, path: str, body: Any) -> Any:
        """Replaces the resource with `body`."""
        return self._request("PUT", path, body)

    def delete(self, path: str) -> Any:
        """Deletes the resource."""
        return self._request("DELETE", path)

    def _request(self, method: str, path: str, body: Any = None, *, query: dict[str, Any] | None = None) -> Any:
        __tracebackhide__ = True
        url = urllib.parse.urlsplit(self.url)
        kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
        connection = kind(url.hostname or "", url.port, timeout=TIMEOUT)
        headers = {"Authorization": f"Bearer {self._token}"}
        content = None
        if body is not None:
            content = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        elif method == "POST":
            content = b""
        given = urllib.parse.urlencode({name: value for name, value in (query or {}).items() if value is not None})
        try:
            connection.request(method, self._base + path + ("?" + given if given else ""), content, headers)
            response = connection.getresponse()
            text = response.read()
        except OSError as error:
            raise ConnectionError(
                f"The server at {self.url} cannot be reached: {error}. Start it, or set FOOTBRIDGE_URL to its address."
            ) from error
        finally:
            connection.close()
        if response.status >= 400:
            raise ControlError(method, path, response.status, self._problem(response, text))
        if not text:
            return None
        return json.loads(text) if self._media_type(response) == "application/json" else text.decode()

    @classmethod
    def _problem(cls, response: http.client.HTTPResponse, text: bytes) -> dict[str, Any]:
        if cls._media_type(response) == "application/problem+json":
            return json.loads(text)
        return {"title": response.reason}

    @staticmethod
    def _media_type(response: http.client.HTTPResponse) -> str:
        return response.headers.get_content_type()


def segment(name: str) -> str:
    """Encodes a name as one segment of a path."""
    return urllib.parse.quote(name, safe="")
