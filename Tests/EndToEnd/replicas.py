"""Servers behind one HAProxy, which tests kill, stop and start again, and the line of each to their database."""

import contextlib
import os
import signal

from balancer import Balancer
from footbridge_process import serve
from postgresql import free_port
from relay import Relay


class Replica:
    """A server that the test can end and start again at the same port. With a database, its line there can be cut."""

    def __init__(self, arguments, database=None):
        self._arguments = arguments
        self.port = free_port()
        self.server = None
        self.line = Relay(database.socket) if database else None
        self._state = ["--state", database.url_at(self.line.port)] if database else []
        self._environment = database.environment if database else {}

    def start(self):
        self.server = serve(*self._arguments, *self._state, port=self.port, environment=self._environment)

    def kill(self):
        self.server.signal(signal.SIGKILL)

    def pause(self):
        """Stops it: connections stay, and nobody answers."""
        self.server.process.send_signal(signal.SIGSTOP)

    def proceed(self):
        self.server.process.send_signal(signal.SIGCONT)

    def stop(self):
        """Ends it, whatever state it is in."""
        if self.line:
            self.line.mend()
        if self.server:
            # A stopped process gets no other signal.
            self.proceed()
            self.server.stop()
        if self.line:
            self.line.close()


class Replicas:
    """Running servers and the balancer in front of them. Their pages are at `port`. Without a database, there is one server with a folder."""

    def __init__(self, count, *arguments, folder, database=None, interval="200ms"):
        self.database = database
        with contextlib.ExitStack() as running:
            options = [*arguments, "--trusted-proxy", "127.0.0.1", "--log-level", "warning"]
            if database:
                key = folder / "state.key"
                key.write_bytes(os.urandom(32))
                key.chmod(0o600)
                options += ["--state-key", key]
            else:
                options += ["--state", folder / "state"]
            self.replicas = [Replica(options, database) for _ in range(count)]
            self.balancer = running.enter_context(Balancer([replica.port for replica in self.replicas], interval))
            self.port = self.balancer.port
            options += ["--allow-host", f"127.0.0.1:{self.port}"]
            for replica in self.replicas:
                running.callback(replica.stop)
                replica.start()
            self.balancer.wait_for_ready(*range(1, count + 1))
            self._running = running.pop_all()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._running.close()
