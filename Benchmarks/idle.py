"""Measures many sessions, each with a page that does nothing."""

import load
import machine
import servers
from result import Result

HELLO = load.request("footbridge.hello", {"url": "http://127.0.0.1/", "received": 0})


def measure(is_quick):
    """Measures the memory of idle pages, the latency of one active page among them, and how long they take to open. The peer opens as many
    connections, each with one message, and waits with libev: with its default loop, it would look at all of them in each turn."""
    rounds, pages, requests = (1, 500, 1000) if is_quick else (5, 10_000, 20_000)
    samples = {name: [] for name in ("memory", "alone", "beside", "opened", "upgrades")}
    for _ in range(rounds):
        with servers.footbridge() as server:
            samples["alone"].append(load.run(server, load.QUERY, requests)["median"])
            before = machine.resident_kilobytes(server.pid)
            with load.Held(server, HELLO, pages) as held:
                samples["memory"].append((machine.resident_kilobytes(server.pid) - before) / pages)
                samples["beside"].append(load.run(server, load.QUERY, requests)["median"])
            samples["opened"].append(held.seconds)
        with servers.echo("libev") as echo, load.Held(echo, load.QUERY, pages) as held:
            samples["upgrades"].append(held.seconds)
    name = f"{pages:,} idle pages"
    return [
        Result.of_rounds("idle", f"{name}, memory of a session and its page", samples["memory"], "kB", at_most=8),
        Result.of_rounds(
            "idle", f"{name}, median of an active one", samples["beside"], "µs", "none idle", samples["alone"], at_most=1.1),
        Result.of_rounds("idle", f"{name}, opened in", samples["opened"], "s", "C echo", samples["upgrades"], at_most=2),
    ]
