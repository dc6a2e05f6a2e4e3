"""Servers behind one HAProxy, which tests kill, stop and start again, and the line of each to their database."""

import collections
import contextlib
import re
import secrets
import signal
import urllib.request

from balancer import Balancer
from footbridge_process import serve
from ports import free_port
from postgresql import state_key
from relay import Relay


class Replica:
    """A server that the test can end and start again at the same port, in a network of its own if there is a `place`. With a database, its line
    there can be cut."""

    def __init__(self, arguments, database=None, place=None, gateway="127.0.0.1"):
        self.place = place
        self.host = place.host if place else "127.0.0.1"
        self._arguments = arguments
        self.port = free_port()
        self.server = None
        self.line = Relay(database.socket, gateway) if database else None
        self._state = ["--state", database.url_at(self.line.port, gateway)] if database else []
        self._environment = dict(database.environment) if database else {}
        if place:
            self._environment["FOOTBRIDGE_CONTROL_TOKEN"] = secrets.token_hex(16)
        #: What all servers at this port have counted, by the name of the metric.
        self.figures = collections.Counter()

    def start(self):
        host = ("--host", self.host) if self.place else ()

        def start():
            return serve(*self._arguments, *self._state, *host, port=self.port, environment=self._environment)

        self.server = self.place.within(start) if self.place else start()

    def note_figures(self):
        """Adds the figures of the running server, which it is about to forget. One that does not answer has none."""
        with contextlib.suppress(OSError):
            text = urllib.request.urlopen(f"http://{self.host}:{self.port}/__footbridge/metrics", timeout=5).read().decode()
            self.figures.update({name: int(value) for name, value in re.findall(r"^footbridge_replica_(\w+)_total (\d+)$", text, re.MULTILINE)})

    def kill(self):
        self.server.signal(signal.SIGKILL)

    def pause(self):
        """Stops it: connections stay, and nobody answers."""
        self.server.process.send_signal(signal.SIGSTOP)

    def proceed(self):
        self.server.process.send_signal(signal.SIGCONT)

    def stop(self):
        """Ends it, whatever state it is in."""
        if self.place:
            self.place.mend()
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

    def __init__(self, count, *arguments, folder, database=None, interval="200ms", network=None):
        self.database = database
        #: The address of this machine in the servers' networks; None if they have none of their own.
        self.gateway = network.gateway if network else None
        with contextlib.ExitStack() as running:
            options = [*arguments, "--trusted-proxy", network.gateway if network else "127.0.0.1", "--log-level", "warning", "--open-metrics"]
            if database:
                options += ["--state-key", state_key(folder)]
            else:
                options += ["--state", folder / "state"]
            self.replicas = [Replica(options, database, *([place, network.gateway] if network else [])) for place in (network.places if network else [None] * count)]
            self.balancer = running.enter_context(Balancer([replica.port for replica in self.replicas], interval, [replica.host for replica in self.replicas]))
            self.port = self.balancer.port
            options += ["--allow-host", f"127.0.0.1:{self.port}"]
            for replica in self.replicas:
                running.callback(replica.stop)
                replica.start()
            self.balancer.wait_for_ready(*range(1, count + 1))
            self._running = running.pop_all()

    @property
    def figures(self):
        """What all servers have counted since the start, also those that were killed after `note_figures`."""
        for replica in self.replicas:
            replica.note_figures()
        return sum((replica.figures for replica in self.replicas), collections.Counter())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._running.close()
