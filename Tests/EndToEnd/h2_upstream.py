"""Upstream servers that speak HTTP/2: polite ones, by Python's h2, and ones that send any frames (RFC 9113)."""

import contextlib
import queue
import socket
import ssl
import struct
import threading

import h2.config
import h2.connection
import h2.events
import h2.exceptions
import h2.settings
import hpack

from certificates import Pair

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM, ACK, END_HEADERS, PADDED = 1, 1, 4, 8
#: The codes of RFC 9113, section 7.
NO_ERROR, PROTOCOL_ERROR, INTERNAL_ERROR, FLOW_CONTROL_ERROR, SETTINGS_TIMEOUT, STREAM_CLOSED, FRAME_SIZE_ERROR = range(7)
REFUSED_STREAM, CANCEL, COMPRESSION_ERROR, CONNECT_ERROR, ENHANCE_YOUR_CALM, INADEQUATE_SECURITY, HTTP_1_1_REQUIRED = range(7, 14)


def certificate(folder, *protocols):
    """The TLS context of a server for 127.0.0.1 that takes these protocols, the best one first."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*Pair("upstream", names=["127.0.0.1"]).write(folder, "upstream"))
    context.set_alpn_protocols(protocols or ["h2", "http/1.1"])
    return context


class Server:
    """Accepts connections over TLS, and serves each on a thread. `connections` counts them."""

    def __init__(self, tls):
        self.tls = tls
        self.connections = 0
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        self.url = f"https://127.0.0.1:{self.port}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._run, args=(connection, self.connections), daemon=True).start()

    def _run(self, connection, number):
        with contextlib.suppress(OSError, ssl.SSLError), self.tls.wrap_socket(connection, server_side=True) as connection:
            self.serve(connection, number)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()


class Stream:
    """One request to a polite server. Its handler runs on a thread of its own."""

    def __init__(self, connection, id, fields):
        self.connection = connection
        self.id = id
        self.fields = [(name.decode(), value.decode("latin-1")) for name, value in fields]
        self.pieces = []
        self.trailers = None
        self.has_ended = False
        self.reset_code = None

    def __getitem__(self, name):
        """The value of a field that occurs exactly once; None without it."""
        values = [value for other, value in self.fields if other == name]
        assert len(values) < 2, f"{name} stands there {len(values)} times"
        return values[0] if values else None

    def body(self):
        """Waits for the whole body and returns it."""
        with self.connection.changed:
            self.connection.changed.wait_for(lambda: self.has_ended or self.connection.is_closed)
            return b"".join(self.pieces)

    def wait_for_reset(self):
        """Waits until the client has reset the stream, and returns the code."""
        with self.connection.changed:
            assert self.connection.changed.wait_for(lambda: self.reset_code is not None or self.connection.is_closed, timeout=20)
            return self.reset_code

    def headers(self, *fields, ends=False):
        with self.connection.changed:
            self.connection.state.send_headers(self.id, fields, end_stream=ends)
            self.connection.flush()

    def data(self, bytes, ends=False):
        """Sends bytes as fast as the client takes them; returns early if it resets the stream."""
        sent = 0
        state = self.connection.state
        while sent < len(bytes) or (ends and sent == len(bytes)):
            with self.connection.changed:
                def room():
                    return min(state.local_flow_control_window(self.id), state.max_outbound_frame_size)

                def is_over():
                    return self.connection.is_closed or self.reset_code is not None

                self.connection.changed.wait_for(lambda: is_over() or sent == len(bytes) or room() > 0)
                if is_over():
                    return
                count = min(room(), len(bytes) - sent) if sent < len(bytes) else 0
                last = sent + count == len(bytes)
                state.send_data(self.id, bytes[sent:sent + count], end_stream=ends and last)
                self.connection.flush()
                sent += count
                if last:
                    return

    def answer(self, body=b"", *fields, status=200):
        """Sends a plain response."""
        body = body if isinstance(body, bytes) else body.encode()
        self.headers((":status", str(status)), *fields, ends=not body)
        if body:
            self.data(body, ends=True)

    def reset(self, code):
        with self.connection.changed:
            self.connection.state.reset_stream(self.id, code)
            self.connection.flush()


class Connection:
    """One connection to a polite server, by h2."""

    def __init__(self, socket, server, number):
        self.socket = socket
        self.server = server
        self.number = number
        self.changed = threading.Condition()
        self.streams = {}
        self.is_closed = False
        self.state = h2.connection.H2Connection(
            h2.config.H2Configuration(client_side=False, validate_outbound_headers=False, normalize_outbound_headers=False))
        self.state.local_settings = h2.settings.Settings(client=False, initial_values=server.settings)
        self.state.initiate_connection()

    def flush(self):
        with contextlib.suppress(OSError):
            self.socket.sendall(self.state.data_to_send())

    def run(self):
        with self.changed:
            self.flush()
        while True:
            try:
                data = self.socket.recv(65536)
            except OSError:
                data = b""
            with self.changed:
                if not data:
                    self.is_closed = True
                    return self.changed.notify_all()
                try:
                    events = self.state.receive_data(data)
                except h2.exceptions.ProtocolError:
                    self.is_closed = True
                    self.flush()
                    return self.changed.notify_all()
                for event in events:
                    self.handle(event)
                self.flush()
                self.changed.notify_all()

    def handle(self, event):
        if isinstance(event, h2.events.RequestReceived):
            stream = self.streams[event.stream_id] = Stream(self, event.stream_id, event.headers)
            self.server.requests.append(stream)
            threading.Thread(target=self.answer, args=(stream,), daemon=True).start()
        elif isinstance(event, h2.events.DataReceived):
            self.streams[event.stream_id].pieces.append(event.data)
            if self.server.takes_data:
                self.state.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.TrailersReceived):
            self.streams[event.stream_id].trailers = [(name.decode(), value.decode()) for name, value in event.headers]
        elif isinstance(event, h2.events.StreamEnded):
            self.streams[event.stream_id].has_ended = True
        elif isinstance(event, h2.events.StreamReset):
            self.streams[event.stream_id].reset_code = event.error_code

    def answer(self, stream):
        # The client may go while it is answered.
        with contextlib.suppress(OSError, h2.exceptions.ProtocolError):
            self.server.handle(stream)


class PoliteServer(Server):
    """Passes each request to `handle(stream)`."""

    def __init__(self, handle, tls, settings=None, takes_data=True):
        self.handle = handle
        self.settings = settings or {}
        self.takes_data = takes_data
        self.requests = []
        super().__init__(tls)

    def serve(self, connection, number):
        Connection(connection, self, number).run()


class Frames:
    """One connection of a server that sends any frames. Its header fields are those of hpack's encoder."""

    def __init__(self, connection, number):
        self.connection = connection
        self.number = number
        self.encoder = hpack.Encoder()
        self.decoder = hpack.Decoder()

    def read(self, count):
        data = b""
        while len(data) < count:
            try:
                piece = self.connection.recv(count - len(data))
            except (OSError, ssl.SSLError):
                piece = b""
            if not piece:
                return None
            data += piece
        return data

    def send(self, type, flags, stream, payload=b"", length=None):
        length = len(payload) if length is None else length
        with contextlib.suppress(OSError):
            self.connection.sendall(struct.pack(">I", length)[1:] + bytes([type, flags]) + struct.pack(">I", stream) + payload)

    def headers(self, stream, *fields, ends=False, flags=END_HEADERS):
        self.send(HEADERS, flags | (END_STREAM if ends else 0), stream, self.encoder.encode(list(fields)))

    def frames(self):
        """The frames of the client, as type, flags, stream and payload."""
        assert self.read(24) == b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        while head := self.read(9):
            length = int.from_bytes(head[:3], "big")
            payload = self.read(length) if length else b""
            if payload is None:
                return
            yield head[3], head[4], int.from_bytes(head[5:], "big") & 0x7FFFFFFF, payload


class FrameServer(Server):
    """Passes each request to `handle(frames, stream, path)`, after the settings. `ends` gets what the client ends: streams and connections,
    with their codes."""

    def __init__(self, handle, tls, settings=b""):
        self.handle = handle
        self.settings = settings
        self.ends = queue.Queue()
        super().__init__(tls)

    def serve(self, connection, number):
        frames = Frames(connection, number)
        frames.send(SETTINGS, 0, 0, self.settings)
        for type, flags, stream, payload in frames.frames():
            if type == SETTINGS and not flags & ACK:
                frames.send(SETTINGS, ACK, 0)
            elif type == HEADERS:
                self.handle(frames, stream, dict(frames.decoder.decode(payload))[":path"])
            elif type == RST_STREAM:
                self.ends.put(("stream", int.from_bytes(payload, "big")))
            elif type == GOAWAY and (code := int.from_bytes(payload[4:8], "big")):
                self.ends.put(("connection", code))
