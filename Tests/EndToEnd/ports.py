"""Ports for servers that tests start."""

import pathlib
import secrets
import socket

#: Where the ports begin that tests take.
LOWEST = 10_000
#: Where the ports begin that Linux gives to connections.
CONNECTIONS = pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range")


def free_port():
    """Returns a port that nobody listens on, and that no connection takes before or between the server's starts."""
    end = int(CONNECTIONS.read_text().split()[0]) if CONNECTIONS.exists() else 49_152
    while True:
        port = LOWEST + secrets.randbelow(end - LOWEST)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
