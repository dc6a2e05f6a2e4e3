"""HAProxy in front of several servers: each connection goes to the next server that is ready."""

import csv
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import time

import pytest

from footbridge_process import PROJECT

TIMEOUT = 60


#: The configuration of docker/compose.yaml, and of every test.
CONFIGURATION = PROJECT / "docker/replicas/haproxy.cfg"


def configuration(listener, host, servers, interval):
    """Returns the configuration with other addresses: that of a listening socket, the site's, and the servers'."""
    text = re.sub(r"\n  server .*", "", CONFIGURATION.read_text())
    for theirs, ours in {"bind :8080": f"bind fd@{listener}", "Host localhost:8080": f"Host {host}", "inter 1s": f"inter {interval}"}.items():
        assert text.count(theirs) == 1, theirs
        text = text.replace(theirs, ours)
    return text + "".join(f"  server replica{number} {address}\n" for number, address in enumerate(servers, 1))


def program():
    """Returns HAProxy's program. Skips the test if there is none."""
    return shutil.which("haproxy") or shutil.which("/usr/sbin/haproxy") or pytest.skip("HAProxy is not installed: make setup-test")


class Balancer:
    """A running HAProxy. It keeps nobody at one server, which is the hardest case for them."""

    def __init__(self, ports, interval="200ms", hosts=None):
        """Starts it before the servers at these ports, or after them, of this machine or of these hosts. It looks at each server once an interval."""
        servers = [f"{host}:{port}" for host, port in zip(hosts or ["127.0.0.1"] * len(ports), ports)]
        haproxy = program()
        self._folder = tempfile.TemporaryDirectory(prefix="haproxy-")
        folder = pathlib.Path(self._folder.name)
        self._admin = str(folder / "admin")
        listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port = listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        file = folder / "haproxy.cfg"
        file.write_text(f"global\n  stats socket {self._admin} level admin\n"
                        + configuration(listener.fileno(), f"127.0.0.1:{self.port}", servers, interval))
        self._process = subprocess.Popen(
            [haproxy, "-db", "-f", file], pass_fds=[listener.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        listener.close()
        self._lines = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._process.stderr:
            self._lines.append(line)

    def states(self):
        """Returns which servers are up and which are down, by their last health checks; None for those that are between or were not asked yet."""
        rows = csv.DictReader(self.ask("show stat").removeprefix("# ").splitlines())
        # Before its first check, a server counts as up.
        known = {("UP", "L7OK"): True}
        servers = [row for row in rows if row["pxname"] == "footbridge" and row["svname"] != "BACKEND"]
        return [False if row["status"] == "DOWN" else known.get((row["status"], row["check_status"])) for row in servers]

    def wait_for_ready(self, *numbers):
        """Waits until the servers with these numbers, from 1, are up, and the others are down."""
        deadline = time.monotonic() + TIMEOUT
        while True:
            try:
                states = self.states()
            except OSError:
                states = []  # It is still starting.
            if states and states == [number in numbers for number in range(1, len(states) + 1)]:
                return
            assert time.monotonic() < deadline and self._process.poll() is None, f"{states}: {''.join(self._lines)}"
            time.sleep(0.02)

    def stop(self):
        self._process.terminate()
        self._process.wait(timeout=TIMEOUT)
        self._reader.join(timeout=TIMEOUT)
        self._folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def ask(self, command):
        """Sends a command to its administration, and returns the answer."""
        with socket.socket(socket.AF_UNIX) as admin:
            admin.connect(self._admin)
            admin.sendall(command.encode() + b"\n")
            return b"".join(iter(lambda: admin.recv(65536), b"")).decode()
