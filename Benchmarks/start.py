"""Measures the time from the start of the program to its first answered envelope, and of `exec` around a command that does nothing."""

import asyncio
import contextlib
import json
import pathlib
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import time

import catalogue
import load
import machine
import servers
from page import Page
from result import Result


def measure(is_quick):
    """Returns the median of several starts, with fifty products and an existing state directory, which is empty or has many sessions."""
    rounds, sessions = (3, 1000) if is_quick else (21, 100_000)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        storekit = catalogue.write(folder)

        def footbridge(state):
            arguments = ["--catalog", storekit, "--state", folder / state, "--log-level", "error"]
            return lambda port: [servers.FOOTBRIDGE, "serve", "--port", port, *arguments]

        def echo(port):
            return [servers.BUILD / "echo", port]

        _milliseconds(footbridge("empty"), "/__footbridge/bridge", "footbridge.v1")
        _fill(folder / "full", sessions)
        ours, full, theirs, commands = [], [], [], []
        (folder / "site").mkdir()
        for _ in range(rounds):
            ours.append(_milliseconds(footbridge("empty"), "/__footbridge/bridge", "footbridge.v1"))
            full.append(_milliseconds(footbridge("full"), "/__footbridge/bridge", "footbridge.v1"))
            theirs.append(_milliseconds(echo, "/", "bridge"))
            commands.append(_exec_milliseconds(folder / "site"))
    return [
        Result.of_rounds("start", "to the first answer", ours, "ms", "C echo", theirs),
        Result.of_rounds("start", "to the first answer, by itself", ours, "ms", at_most=15),
        Result.of_rounds("start", "exec around an empty command", commands, "ms", at_most=40),
        Result.of_rounds("start", f"{sessions:,} sessions in the store", full, "ms", "none", ours, at_most=2),
    ]


def _exec_milliseconds(site):
    begin = time.perf_counter()
    subprocess.run(machine.pinned(machine.SERVER_CORE, servers.FOOTBRIDGE, "exec", "--root", site, "--log-level", "error", "--", "true"), check=True)
    return (time.perf_counter() - begin) * 1000


def _fill(state, sessions):
    """Makes a store with copies of one session, in which a page has logged in."""
    with servers.footbridge("--state", state, "--present", "auto") as server:
        asyncio.run(_log_in(server))
    with contextlib.closing(sqlite3.connect(state / "footbridge.sqlite")) as database, database:
        columns = [name for _, name, *_ in database.execute("PRAGMA table_info(session)") if name != "key"]
        (session,) = database.execute(f"SELECT {', '.join(columns)} FROM session").fetchall()
        marks = ", ".join("?" * (len(columns) + 1))
        rows = ((f"{number:064x}", *session) for number in range(sessions))
        database.executemany(f"INSERT INTO session (key, {', '.join(columns)}) VALUES ({marks})", rows)


async def _log_in(server):
    page = await Page.open(server, 1)
    await page.call("onside.requestLogin", {})
    await page.close()


def _milliseconds(command, path, subprotocol):
    port = servers.free_port()
    head = (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: {subprotocol}\r\n\r\n"
    )
    question = json.dumps(load.QUERY).encode()
    # A masked frame whose mask is 0.
    frame = bytes([0x81, 0x80 | 126, len(question) >> 8, len(question) & 0xFF, 0, 0, 0, 0]) + question
    line = machine.pinned(machine.SERVER_CORE, *command(port))
    program = [shutil.which(line[0]), *line[1:]]
    begin = time.perf_counter()
    process = subprocess.Popen(program, stdout=subprocess.DEVNULL)
    try:
        with _connection(process, port) as connection:
            connection.sendall(head.encode() + frame)
            answer = b""
            while load.ID.encode() not in answer:
                received = connection.recv(65536)
                if not received:
                    raise RuntimeError(f"closed: {answer!r}")
                answer += received
        return (time.perf_counter() - begin) * 1000
    finally:
        process.terminate()
        process.wait()


def _connection(process, port):
    while process.poll() is None:
        try:
            return socket.create_connection(("127.0.0.1", port))
        except ConnectionRefusedError:
            time.sleep(0.0002)
    raise RuntimeError(f"the program ended with {process.returncode}")
