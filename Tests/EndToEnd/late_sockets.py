"""A TCP proxy that passes on HTTP and holds back WebSockets."""

import socket
import threading


class LateSockets:
    """A line to a server that holds back the handshakes of WebSockets until `open()` is called.

    The server must accept the line's `host` as its own. With `passes_handshake`, the line passes on the handshake at once, and holds back
    what the page sends after it.
    """

    def __init__(self, passes_handshake=False):
        self.target = None
        self.passes_handshake = passes_handshake
        self._requested = threading.Event()
        self._may_pass = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.host = f"127.0.0.1:{self.port}"
        self.url = f"http://{self.host}"
        threading.Thread(target=self._accept, daemon=True).start()

    def wait_for_handshake(self):
        """Waits until a WebSocket is requested."""
        assert self._requested.wait(timeout=30), "no WebSocket was requested"

    def open(self):
        """Passes on what is held back, and what comes from now on."""
        self._may_pass.set()

    def hold(self):
        """Holds back what comes on WebSockets from now on."""
        self._may_pass.clear()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._listener.close()
        self.open()

    def _accept(self):
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._carry, args=(near,), daemon=True).start()

    def _carry(self, near):
        try:
            far = socket.create_connection(("127.0.0.1", self.target))
        except OSError:
            near.close()
            return
        threading.Thread(target=self._carry_back, args=(far, near), daemon=True).start()
        is_web_socket = False
        try:
            while data := near.recv(65536):
                if is_web_socket:
                    self._may_pass.wait()
                elif b"upgrade: websocket" in data.lower():
                    is_web_socket = True
                    self._requested.set()
                    if not self.passes_handshake:
                        self._may_pass.wait()
                far.sendall(data)
            if is_web_socket:
                self._may_pass.wait()
            far.shutdown(socket.SHUT_WR)
        except OSError:
            far.close()

    def _carry_back(self, far, near):
        try:
            while data := far.recv(65536):
                near.sendall(data)
        except OSError:
            pass
        for end in (far, near):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()
