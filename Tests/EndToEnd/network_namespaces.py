"""Servers in networks of their own, whose packets a test drops: from each other, or from their database."""

import concurrent.futures
import contextlib
import ctypes
import os
import pathlib
import secrets
import shutil
import subprocess

import pytest

CLONE_NEWNET = 0x40000000


def require():
    """Skips the test if network namespaces cannot be made."""
    if os.geteuid() != 0:
        pytest.skip("Only root can make network namespaces.")
    for program in ("ip", "iptables"):
        if not shutil.which(program):
            pytest.skip(f"There is no {program}: apt install iproute2 iptables")
    probe = f"fb-{secrets.token_hex(3)}"
    made = subprocess.run(["ip", "netns", "add", probe], capture_output=True, text=True)
    if made.returncode != 0:
        pytest.skip(f"Network namespaces cannot be made here: {made.stderr.strip()}")
    run("ip", "netns", "del", probe)


def run(*words):
    result = subprocess.run(list(map(str, words)), capture_output=True, text=True)
    assert result.returncode == 0, (words, result.stderr)


class Network:
    """A bridge with a network namespace for each server. The test itself, HAProxy and the database are at `gateway`."""

    def __init__(self, count):
        require()
        # The name of an interface has at most 15 bytes.
        self._name = f"fb{secrets.token_hex(3)}"
        self._prefix = f"10.213.{secrets.randbelow(256)}"
        self.gateway = f"{self._prefix}.1"
        self.places = [Place(f"{self._name}-{number}", f"{self._prefix}.{number + 1}") for number in range(1, count + 1)]
        self._running = contextlib.ExitStack()
        try:
            self._make()
        except BaseException:
            self._running.close()
            raise

    def _make(self):
        run("ip", "link", "add", self._name, "type", "bridge")
        self._running.callback(run, "ip", "link", "del", self._name)
        run("ip", "addr", "add", f"{self.gateway}/24", "dev", self._name)
        run("ip", "link", "set", self._name, "up")
        for number, place in enumerate(self.places, 1):
            run("ip", "netns", "add", place.name)
            self._running.callback(run, "ip", "netns", "del", place.name)
            near = f"{self._name}v{number}"
            run("ip", "link", "add", near, "type", "veth", "peer", "name", "eth0", "netns", place.name)
            run("ip", "link", "set", near, "master", self._name, "up")
            place.run("ip", "addr", "add", f"{place.host}/24", "dev", "eth0")
            for device in ("eth0", "lo"):
                place.run("ip", "link", "set", device, "up")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._running.close()


class Place:
    """The network of one server."""

    def __init__(self, name, host):
        self.name = name
        self.host = host

    def run(self, *words):
        run("ip", "netns", "exec", self.name, *words)

    def drop(self, host, port=None):
        """Drops all packets from and to a host, or a port of it, until `mend`. Nobody is told."""
        for chain, end, side in (("INPUT", "--source", "--source-port"), ("OUTPUT", "--destination", "--destination-port")):
            self.run("iptables", "-A", chain, "--protocol", "tcp", end, host, *([side, port] if port else []), "-j", "DROP")

    def mend(self):
        self.run("iptables", "-F")

    def within(self, start):
        """Calls `start` on a thread of this network, whose processes are in it, too, and returns the result."""
        def call():
            with pathlib.Path("/run/netns", self.name).open() as namespace:
                assert ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), CLONE_NEWNET) == 0, os.strerror(ctypes.get_errno())
            return start()

        with concurrent.futures.ThreadPoolExecutor(1) as thread:
            return thread.submit(call).result()
