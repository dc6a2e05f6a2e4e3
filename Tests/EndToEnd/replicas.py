"""Servers behind one HAProxy, which tests kill, stop and start again."""

import contextlib
import signal

from balancer import Balancer
from footbridge_process import serve
from postgresql import free_port


class Replica:
    """A server that the test can end and start again at the same port."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.port = free_port()
        self.server = None

    def start(self):
        self.server = serve(*self.arguments, port=self.port)

    def kill(self):
        self.server.signal(signal.SIGKILL)

    def pause(self):
        """Stops it: connections stay, and nobody answers."""
        self.server.process.send_signal(signal.SIGSTOP)

    def proceed(self):
        self.server.process.send_signal(signal.SIGCONT)

    def stop(self):
        if self.server:
            # A stopped process gets no other signal.
            self.proceed()
            self.server.stop()


class Replicas:
    """Running servers and the balancer in front of them. Their pages are at `port`."""

    def __init__(self, count, *arguments, interval="200ms"):
        with contextlib.ExitStack() as running:
            options = [*arguments, "--trusted-proxy", "127.0.0.1", "--log-level", "warning"]
            self.replicas = [Replica(options) for _ in range(count)]
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
