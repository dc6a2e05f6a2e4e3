"""A TCP proxy that simulates a bad line: it delays bytes, splits them, and cuts connections in the middle."""

import socket
import struct
import threading
import time


class BrokenLine:
    """A bad line to a port of this machine, which `calm()` makes a good one."""

    def __init__(self, target, chance, shortest=500, longest=20_000):
        self.target = target
        self.chance = chance
        self.shortest, self.longest = shortest, longest
        self.cuts = 0
        self._is_calm = False
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def calm(self):
        """Makes the line a good one."""
        self._is_calm = True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._listener.close()

    def _accept(self):
        while True:
            try:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                return
            # How many bytes this connection passes on, in both directions together, before it is cut.
            left = [self._draw(lambda chance: chance.randint(self.shortest, self.longest))]
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(source, sink, left), daemon=True).start()

    def _draw(self, choose):
        with self._lock:
            return choose(self.chance)

    def _carry(self, source, sink, left):
        try:
            while data := source.recv(65536):
                while data:
                    size = len(data) if self._is_calm else self._draw(lambda chance: chance.randint(1, len(data)))
                    piece, data = data[:size], data[size:]
                    if not self._is_calm:
                        if self._draw(lambda chance: chance.random()) < 0.2:
                            time.sleep(self._draw(lambda chance: chance.uniform(0, 0.01)))
                        left[0] -= len(piece)
                        if left[0] <= 0:
                            self._cut(source, sink, piece[: len(piece) // 2])
                            return
                    sink.sendall(piece)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()

    def _cut(self, source, sink, rest):
        """Passes on half of a piece, then ends the connection: every second time with a reset."""
        with self._lock:
            self.cuts += 1
            is_reset = self.cuts % 2 == 0
        sink.sendall(rest)
        for end in (source, sink):
            if is_reset:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            # A thread that waits in `recv` holds the socket open until this wakes it.
            end.shutdown(socket.SHUT_RD if is_reset else socket.SHUT_RDWR)
            end.close()
