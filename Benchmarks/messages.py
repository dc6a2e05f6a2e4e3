"""Measures messages through the bridge, compared with servers that only echo."""

import contextlib
import tempfile

import load
import servers
from result import Result

#: Programs that this part runs.
PROGRAMS = ["node"]

SCENARIOS = [
    # Name, connections, requests in flight on each, requests, and the goal: the minimum share of the echo's throughput.
    ("100 connections, 1 in flight", 100, 1, 100_000, 0.95),
    ("1 connection, 1 in flight", 1, 1, 20_000, None),
]


def measure(is_quick):
    """Runs each scenario on every server in turn, several times."""
    rounds, share = (1, 20) if is_quick else (5, 1)
    results = []
    with contextlib.ExitStack() as stack:
        state = stack.enter_context(tempfile.TemporaryDirectory(dir=servers.BUILD))
        started = (
            servers.echo(), servers.footbridge(), servers.footbridge(), servers.footbridge("--state", state), servers.node(),
            servers.python())
        echo, for_clients, for_pages, durable, node, python = map(stack.enter_context, started)
        # A client without the shim ends with its connection. The server keeps pages and their answers, in case they come back.
        runs = [
            ("echo", echo, False), ("client", for_clients, False), ("page", for_pages, True), ("durable", durable, True),
            ("node", node, False), ("python", python, False),
        ]
        for scenario, connections, depth, requests, goal in SCENARIOS:
            samples = {name: [] for name, _, _ in runs}
            for _ in range(rounds):
                for name, server, are_pages in runs:
                    slow = 10 if name in ("node", "python") else 1
                    count = max(requests // share // slow, connections * depth)
                    samples[name].append(load.run(server, load.QUERY, count, connections, depth, are_pages))
            results += _results(scenario, samples, goal)
    return results


def _results(scenario, samples, goal):
    def values(name, key):
        return [sample[key] for sample in samples[name]]

    def compared(name, key, label, unit, peer="echo", **goals):
        peer_name = {"echo": "C echo", "page": "without", "node": "Node ws", "python": "Python websockets"}[peer]
        return Result.of_rounds(
            "messages", f"{scenario}, {label}", values(name, key), unit, peer_name, values(peer, key), **goals)

    results = []
    for name, label in (("client", "query"), ("page", "query of a page")):
        if goal is None:
            results.append(compared(name, "median", f"{label}, median", "µs", at_most=1.1))
            results.append(compared(name, "p99", f"{label}, 99th percentile", "µs", at_most=1.3))
        else:
            results.append(compared(name, "throughput", label, "/s", at_least=goal))
        results.append(compared(name, "cpu", f"{label}, CPU time", "µs"))
    if goal is not None:
        results.append(compared("durable", "throughput", "query of a page with --state", "/s", "page", at_least=0.9))
    for peer in ("node", "python"):
        results.append(compared("client", "throughput", "query", "/s", peer))
    return results
