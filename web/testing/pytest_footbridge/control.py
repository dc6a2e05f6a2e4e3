"""The control API over HTTP."""

from __future__ import annotations

import contextlib
import http.client
import json
import select
import urllib.parse
import warnings
import weakref
from typing import Any, Callable, Iterator

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
    """Sends requests to the control API of one server, or to what is below the path `base` there. Any thread may use it: each request takes a
    connection that no other request uses.
    """

    def __init__(self, url: str, token: str, base: str = BASE):
        self.url = url.rstrip("/")
        self._token = token
        self._base = base
        #: The connections that no request uses, the latest last.
        self._idle: list[Connection] = []
        weakref.finalize(self, _close, self._idle)

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

    def begin_post(self, path: str, body: Any) -> Callable[[], Any]:
        """Posts `body`. The result waits for the answer, and returns it; call it once."""
        return self._begin("POST", path, body)

    def delete_without_waiting(self, path: str) -> None:
        """Asks to delete the resource. The connection's next request waits for the answer, or `close` does."""
        __tracebackhide__ = True
        connection = self._connection()
        connection.send("DELETE", self._base + path, None, {"Authorization": f"Bearer {self._token}"})
        self._idle.append(connection)

    def close(self) -> None:
        """Waits for the answers to all requests, and closes the connections."""
        for connection in self._taken():
            connection.finish()
            connection.close()

    def _connection(self) -> Connection:
        for connection in self._taken():
            if connection.finish():
                return connection
            connection.close()
        return Connection(self.url)

    def _taken(self) -> Iterator[Connection]:
        """Takes the idle connections, the latest first. Another thread may take the last one meanwhile."""
        with contextlib.suppress(IndexError):
            while True:
                yield self._idle.pop()

    def _request(self, method: str, path: str, body: Any = None, *, query: dict[str, Any] | None = None) -> Any:
        __tracebackhide__ = True
        return self._begin(method, path, body, query=query)()

    def _begin(self, method: str, path: str, body: Any, *, query: dict[str, Any] | None = None) -> Callable[[], Any]:
        __tracebackhide__ = True
        headers = {"Authorization": f"Bearer {self._token}"}
        content = None
        if body is not None:
            content = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        elif method == "POST":
            content = b""
        given = urllib.parse.urlencode({name: value for name, value in (query or {}).items() if value is not None})
        connection = self._connection()
        try:
            connection.send(method, self._base + path + ("?" + given if given else ""), content, headers)
        except BaseException:
            connection.close()
            raise

        def answer() -> Any:
            __tracebackhide__ = True
            return self._answer(connection, method, path)

        return answer

    def _answer(self, connection: Connection, method: str, path: str) -> Any:
        __tracebackhide__ = True
        try:
            response, text = connection.receive()
        except BaseException:
            connection.close()
            raise
        self._idle.append(connection)
        if response.status >= 400:
            raise ControlError(method, path, response.status, _problem(response, text))
        if not text:
            return None
        return json.loads(text) if _media_type(response) == "application/json" else text.decode()


class Connection:
    """A connection to the server. It stays open for the next request."""

    def __init__(self, url: str):
        self._url = url
        address = urllib.parse.urlsplit(url)
        kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(address.hostname or "", address.port, timeout=TIMEOUT)
        #: The request whose answer is not read yet.
        self._open: tuple[str, str] | None = None

    def send(self, method: str, target: str, content: bytes | None, headers: dict[str, str]) -> None:
        """Sends a request."""
        with self._explained():
            self._connection.request(method, target, content, headers)
        self._open = (method, target)

    def receive(self) -> tuple[http.client.HTTPResponse, bytes]:
        """Waits for the answer."""
        self._open = None
        with self._explained():
            response = self._connection.getresponse()
            return response, response.read()

    def finish(self) -> bool:
        """Waits for the answer that is not read yet, and warns if it is an error. Returns whether the connection can be used again."""
        if self._open:
            method, target = self._open
            try:
                response, text = self.receive()
            except (OSError, http.client.HTTPException) as error:
                warnings.warn(f"{method} {target}: {error}", stacklevel=1)
                return False
            if response.status >= 400:
                warnings.warn(str(ControlError(method, target, response.status, _problem(response, text))), stacklevel=1)
        if self._connection.sock is None:
            return False
        # The server has closed the connection if there is something to read.
        poll = select.poll()
        poll.register(self._connection.sock, select.POLLIN)
        return not poll.poll(0)

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise ConnectionError(
                f"The server at {self._url} cannot be reached: {error}. Start it, or set FOOTBRIDGE_URL to its address."
            ) from error


def _close(connections: list[Connection]) -> None:
    for connection in connections:
        connection.close()


def _problem(response: http.client.HTTPResponse, text: bytes) -> dict[str, Any]:
    if _media_type(response) == "application/problem+json":
        return json.loads(text)
    return {"title": response.reason}


def _media_type(response: http.client.HTTPResponse) -> str:
    return response.headers.get_content_type()


def segment(name: str) -> str:
    """Encodes a name as one segment of a path."""
    return urllib.parse.quote(name, safe="")
