"""HTTP with raw bytes, because browsers and libraries do not send wrong requests."""

import socket

from upstreams import Exchange, Head


class Client(Exchange):
    """A connection to Footbridge."""

    def __init__(self, server):
        super().__init__(socket.create_connection(("127.0.0.1", server.port), timeout=60))
        self.port = server.port
        self.host = f"127.0.0.1:{server.port}"

    def get(self, target="/", *fields, method="GET", body=b""):
        """Sends a request and returns the response."""
        self.send("\r\n".join([f"{method} {target} HTTP/1.1", f"Host: {self.host}", *fields]) + "\r\n\r\n", body)
        return self.response(method)

    def head(self):
        lines = self.read_until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        assert lines[0], "closed without a response"
        return Response(lines)

    def response(self, method="GET"):
        response = self.head()
        length, status = response.field("content-length"), response.status
        if method == "HEAD" or status in (101, 204, 304):
            response.body = b""
        elif response.field("transfer-encoding") == "chunked":
            response.body = self.body(response)
        elif length is not None:
            response.body = self.read(int(length))
            assert len(response.body) == int(length), "cut short"
        else:
            response.body = self.read(1 << 40)
        return response

    def is_closed(self):
        return self.read(1) == b""


class Response(Head):
    def __init__(self, lines):
        self.version, status, self.reason = (lines[0] + " ").split(" ", 2)
        self.status = int(status)
        self.reason = self.reason.strip()
        super().__init__(lines[1:])
