"""Upstream servers that do exactly what a test says, byte by byte."""

import contextlib
import socket
import subprocess
import tempfile
import threading
import time


class Exchange:
    """One connection of a scripted upstream, and the requests on it."""

    def __init__(self, connection):
        self.connection = connection
        self.buffer = b""

    def read_until(self, mark):
        """Reads bytes up to and including a mark; returns nothing if the peer has closed the connection."""
        while mark not in self.buffer:
            data = self.connection.recv(65536)
            if not data:
                return b""
            self.buffer += data
        end = self.buffer.index(mark) + len(mark)
        taken, self.buffer = self.buffer[:end], self.buffer[end:]
        return taken

    def read(self, count):
        """Reads exactly this many bytes, or fewer at the end."""
        # Joined once: to add to bytes copies them.
        pieces, size = [self.buffer], len(self.buffer)
        while size < count and (data := self.connection.recv(65536)):
            pieces.append(data)
            size += len(data)
        received = b"".join(pieces)
        self.buffer = received[count:]
        return received[:count]

    def request(self):
        """Reads the next request's head; returns None if there is none."""
        head = self.read_until(b"\r\n\r\n")
        return Request(head) if head else None

    def body(self, request):
        """Reads the request's body, and joins its chunks."""
        if request.field("transfer-encoding") == "chunked":
            body = b""
            while True:
                line = self.read_until(b"\r\n")
                if not line:
                    raise ConnectionError("the peer has gone in the middle of a body")
                size = int(line.split(b";")[0], 16)
                if size == 0:
                    request.trailers = self.read_until(b"\r\n").decode("latin-1")
                    while not request.trailers.endswith("\r\n\r\n") and request.trailers != "\r\n":
                        request.trailers += self.read_until(b"\r\n").decode("latin-1")
                    return body
                body += self.read(size)
                self.read(2)
        return self.read(int(request.field("content-length") or 0))

    def send(self, *parts):
        for part in parts:
            self.connection.sendall(part if isinstance(part, bytes) else part.encode("latin-1"))

    def answer(self, body, *fields, status="200 OK", content_type="text/plain"):
        """Sends a plain response with a length."""
        body = body if isinstance(body, bytes) else body.encode()
        head = [f"HTTP/1.1 {status}", f"Content-Type: {content_type}", f"Content-Length: {len(body)}", *fields]
        self.send("\r\n".join(head) + "\r\n\r\n", body)

    def close(self):
        with contextlib.suppress(OSError):
            self.connection.close()


class Head:
    """The field lines of a message, unchanged."""

    def __init__(self, lines):
        self.lines = [line for line in lines if line]
        self.trailers = ""

    def fields(self, name):
        """Returns the values of all fields with a name."""
        prefix = name.lower() + ":"
        return [line.split(":", 1)[1].strip() for line in self.lines if line.lower().startswith(prefix)]

    def field(self, name):
        """Returns the value of a field that occurs exactly once."""
        values = self.fields(name)
        assert len(values) < 2, f"{name} stands there {len(values)} times"
        return values[0] if values else None


class Request(Head):
    """A request's head, unchanged."""

    def __init__(self, head):
        start, *lines = head.decode("latin-1").split("\r\n")
        if start.count(" ") != 2:
            raise ConnectionError(f"the peer sends {start!r}, which is no request line of HTTP/1.1")
        self.method, self.target, self.version = start.split(" ")
        super().__init__(lines)


class Upstream:
    """A server on a free port that passes each connection to a function; with a context, over TLS."""

    def __init__(self, serve, tls=None):
        self.serve = serve
        self.tls = tls
        self.requests = []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._run, args=(connection,), daemon=True).start()

    def _run(self, connection):
        exchange = Exchange(connection)
        try:
            if self.tls:
                exchange.connection = self.tls.wrap_socket(connection, server_side=True)
            self.serve(exchange)
        except OSError:
            pass
        finally:
            exchange.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()


def upstream(handle, tls=None):
    """Runs an upstream that keeps connections alive and passes every request to `handle(exchange, request)`."""

    def serve(exchange):
        while request := exchange.request():
            server.requests.append(request)
            if handle(exchange, request) is False:
                return

    server = Upstream(serve, tls)
    return server


@contextlib.contextmanager
def program(arguments, port, timeout=60, **options):
    """Runs another program that serves on a port, and waits up to so many seconds until it accepts connections."""
    # A pipe that nobody reads would stop a program that says much.
    said = tempfile.TemporaryFile()
    process = subprocess.Popen([str(argument) for argument in arguments], stdout=subprocess.DEVNULL, stderr=said, **options)
    try:
        deadline = time.monotonic() + timeout
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > deadline:
                    said.seek(0)
                    raise RuntimeError(said.read().decode()) from None
                time.sleep(0.05)
        yield process
    finally:
        process.terminate()
        process.wait(timeout=30)
