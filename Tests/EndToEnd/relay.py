"""A line to a server that a test cuts, holds and mends."""

import contextlib
import pathlib
import socket
import struct
import threading


class Relay:
    """Passes connections to a free port of an address of this machine on to a server: a port of this machine, or the path of a Unix socket."""

    def __init__(self, target, host="127.0.0.1"):
        self.target = target
        self._changed = threading.Condition()
        self._connections = set()
        self._is_cut = False
        self._is_held = False
        self._are_answers_held = False
        self._refused = 0
        self._listener = socket.create_server((host, 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self):
        """Resets all connections and each new one, until `mend`."""
        with self._changed:
            self._is_cut = True
            for connection in self._connections:
                connection.reset()
            self._connections = set()
            self._changed.notify_all()

    def hold(self):
        """Lets no byte through until `mend`, as a network that loses every packet."""
        with self._changed:
            self._is_held = True

    def hold_answers(self):
        """Lets what clients send through, and no byte of the answers, until `mend` or `cut`."""
        with self._changed:
            self._are_answers_held = True

    def wait_for_refusal(self, timeout=60):
        """Waits until a new connection has been reset."""
        with self._changed:
            before = self._refused
            assert self._changed.wait_for(lambda: self._refused > before, timeout), "nobody has tried to connect"

    def mend(self):
        """Makes it a good line again. What was sent since `hold` arrives."""
        with self._changed:
            self._is_cut = self._is_held = self._are_answers_held = False
            self._changed.notify_all()

    def close(self):
        self.cut()
        # Wakes the thread that waits in `accept`.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def wait_until_open(self, is_answer):
        """Waits while the line is held. Returns whether it was not cut meanwhile."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_cut or not (self._is_held or is_answer and self._are_answers_held))
            return not self._is_cut

    def forget(self, connection):
        with self._changed:
            self._connections.discard(connection)

    def _accept(self):
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = self._connect()
            with self._changed:
                connection = Connection(self, near, far)
                if far and not self._is_cut:
                    self._connections.add(connection)
                    connection.begin()
                else:
                    connection.reset()
                    self._refused += 1
                    self._changed.notify_all()

    def _connect(self):
        """Returns a connection to the server; None if there is no server."""
        is_path = isinstance(self.target, pathlib.Path)
        far = socket.socket(socket.AF_UNIX if is_path else socket.AF_INET)
        try:
            far.connect(str(self.target) if is_path else ("127.0.0.1", self.target))
        except OSError:
            far.close()
            return None
        return far


class Connection:
    """One connection over a relay."""

    def __init__(self, relay, near, far):
        self.relay = relay
        self.near, self.far = near, far
        self._open_ways = 2
        self._is_reset = False
        self._lock = threading.Lock()

    def begin(self):
        for source, sink in ((self.near, self.far), (self.far, self.near)):
            threading.Thread(target=self._carry, args=(source, sink), daemon=True).start()

    def reset(self):
        """Ends both sides: a side over TCP with a reset."""
        self._is_reset = True
        for end in filter(None, (self.near, self.far)):
            with contextlib.suppress(OSError):
                is_local = end.family == socket.AF_UNIX
                if not is_local:
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                # Wakes the thread that waits in `recv`, which otherwise holds the socket open.
                end.shutdown(socket.SHUT_RDWR if is_local else socket.SHUT_RD)
                end.close()

    def _carry(self, source, sink):
        try:
            while (data := source.recv(65536)) and self.relay.wait_until_open(source is self.far):
                sink.sendall(data)
            # An orderly end would come before the reset.
            if not self._is_reset:
                sink.shutdown(socket.SHUT_WR)
        except OSError:
            self.reset()
        with self._lock:
            self._open_ways -= 1
            is_over = self._open_ways == 0
        if is_over:
            self.relay.forget(self)
            self.near.close()
            self.far.close()
