"""Counts the instructions in user space for one message with callgrind, which gives the same number on a busy machine."""

import asyncio
import pathlib
import re
import subprocess
import tempfile

import calls
import load
import own
import servers
from result import Result


def measure(is_quick):
    """Counts the instructions of a query, of the calls of `calls.py`, and of the bare echo."""
    requests = 200 if is_quick else 2000
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        with servers.echo(wrapper=_callgrind(folder / "echo"), patience=120) as server:
            _control(server, "--instr=on")
            echo = _count(server, folder / "echo", load.QUERY, requests)
        with calls.serving(folder, wrapper=_callgrind(folder / "ours"), **_options()) as server:
            asyncio.run(calls.buy_ten(server))
            _control(server, "--instr=on")
            client = _count(server, folder / "ours", load.QUERY, requests)
            page = _count(server, folder / "ours", load.QUERY, requests, are_pages=True)
            # Fewer messages, because a client that is slow for so long would have to answer pings.
            others = [
                (name, _count(server, folder / "ours", message, requests // 5, are_pages=True))
                for name, message, _ in calls.CALLS
            ]
        with own.serving(wrapper=_callgrind(folder / "own"), **_options()) as server:
            _control(server, "--instr=on")
            gbg = _count(server, folder / "own", own.GBG, requests // 2, are_pages=True)
            declared = _count(server, folder / "own", own.OWN, requests // 2, are_pages=True)
    results = [
        Result("instructions", "message of a declared bridge", declared, "", "GBG message", gbg, at_most=1.3),
        Result("instructions", "query", client, "", "C echo", echo),
        Result("instructions", "query of a page", page, "", "C echo", echo),
    ]
    return results + [Result("instructions", name, count, "", "query of a page", page) for name, count in others]


def _callgrind(output):
    return ["valgrind", "-q", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={output}"]


def _options():
    return {"patience": 120, "environment": {"LD_PRELOAD": str(servers.BUILD / "sigsuspend.so")}}


def _count(server, output, message, requests, are_pages=False):
    """Counts the instructions for one message, without those that open and close its connection."""
    counts = []
    for count in (requests, 2 * requests):
        _control(server, "--zero")
        load.run(server, message, count, are_pages=are_pages, warm_up=0)
        _control(server, "--dump")
        dumps = sorted(output.parent.glob(f"{output.name}.*"), key=lambda path: int(path.suffix[1:]))
        counts.append(int(re.search(r"^summary: (\d+)", dumps[-1].read_text(), re.MULTILINE).group(1)))
    return (counts[1] - counts[0]) / requests


def _control(server, option):
    subprocess.run(["callgrind_control", option, str(server.pid)], check=True, capture_output=True)
