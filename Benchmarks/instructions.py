"""Counts the instructions in user space for one message."""

import asyncio
import functools
import pathlib
import tempfile

import callgrind
import calls
import load
import own
import servers
from result import Result

#: Programs that this part runs.
PROGRAMS = ["valgrind"]


def measure(is_quick):
    """Counts the instructions of a query, of the calls of `calls.py`, and of the bare echo."""
    requests = 200 if is_quick else 2000
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        with servers.echo(**callgrind.options(folder / "echo")) as server:
            callgrind.start(server)
            echo = _count(server, folder / "echo", load.QUERY, requests)
        with calls.serving(folder, **callgrind.options(folder / "ours")) as server:
            asyncio.run(calls.buy_ten(server))
            callgrind.start(server)
            client = _count(server, folder / "ours", load.QUERY, requests)
            page = _count(server, folder / "ours", load.QUERY, requests, are_pages=True)
            # Fewer messages, because a client that is slow for so long would have to answer pings.
            others = [
                (name, _count(server, folder / "ours", message, requests // 5, are_pages=True))
                for name, message, _ in calls.CALLS
            ]
        with own.serving(**callgrind.options(folder / "own")) as server:
            callgrind.start(server)
            gbg = _count(server, folder / "own", own.GBG, requests // 2, are_pages=True)
            declared = _count(server, folder / "own", own.OWN, requests // 2, are_pages=True)
    results = [
        Result("instructions", "message of a declared bridge", declared, "", "GBG message", gbg, at_most=1.3),
        Result("instructions", "query", client, "", "C echo", echo),
        Result("instructions", "query of a page", page, "", "C echo", echo),
    ]
    return results + [Result("instructions", name, count, "", "query of a page", page) for name, count in others]


def _count(server, output, message, requests, are_pages=False):
    run = functools.partial(load.run, server, message, are_pages=are_pages, warm_up=0)
    return callgrind.per_message(server, output, run, requests)
