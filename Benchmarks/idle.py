"""Measures many sessions, each with a page that does nothing."""

import load
import machine
import servers
from result import Result

HELLO = load.request("footbridge.hello", {"url": "http://127.0.0.1/", "received": 0})


def measure(is_quick):
    """Measures the memory of idle pages, and the latency of one active page among them, with the event loop of libev."""
    pages, requests = (500, 1000) if is_quick else (10_000, 20_000)
    with servers.footbridge("--event-loop", "libev") as server:
        alone = load.run(server, load.QUERY, requests)["median"]
        before = machine.resident_kilobytes(server.pid)
        with load.Held(server, HELLO, pages) as held:
            memory = (machine.resident_kilobytes(server.pid) - before) / pages
            beside = load.run(server, load.QUERY, requests)["median"]
    name = f"{pages:,} idle pages"
    return [
        Result("idle", f"{name}, memory of a session and its page", memory, "kB", at_most=12),
        Result("idle", f"{name}, median of an active one", beside, "µs", "none idle", alone, at_most=1.3),
        Result("idle", f"{name}, opened in", held.seconds, "s", at_most=3),
    ]
