"""Durable purchases, beside what SQLite itself syncs to the same disk."""

import asyncio
import contextlib
import pathlib
import sqlite3
import statistics
import tempfile
import time

import catalogue
import load
import servers
from page import Page
from result import Result

BUY = load.request("onside.purchase", {"productIdentifier": catalogue.PRODUCTS[0]})


def measure(is_quick):
    """Sessions that buy at the same time: each promise resolves when the purchase is on the disk. It is paid for later."""
    rounds, sessions, purchases = (1, 8, 80) if is_quick else (5, 32, 960)
    ours, theirs = [], []
    for _ in range(rounds):
        # On the disk of the build, not in memory as a temporary folder may be.
        with tempfile.TemporaryDirectory(dir=servers.BUILD) as folder:
            folder = pathlib.Path(folder)
            ours.append(_purchases(folder, sessions, purchases))
            rows = _rows(folder / "state" / "footbridge.sqlite")
            theirs.append(_commits(folder / "sqlite", rows, sessions, purchases))
    return [
        Result(
            "purchases", f"{sessions} sessions at once", statistics.median(ours), "/s",
            f"SQLite, {sessions} rows a transaction", statistics.median(theirs), at_least=0.5,
        )
    ]


def _purchases(folder, sessions, purchases):
    arguments = ["--catalog", catalogue.write(folder), "--present", "auto", "--state", folder / "state"]
    with servers.footbridge(*arguments) as server:
        asyncio.run(_log_in(server, sessions))
        return load.run(server, BUY, purchases, sessions, are_pages=True, warm_up=0)["throughput"]


async def _log_in(server, sessions):
    for number in range(1, sessions + 1):
        page = await Page.open(server, number)
        await page.call("onside.requestLogin", {})
        await page.call("onside.loadProducts", {"productIdentifiers": catalogue.PRODUCTS})
        await page.close()


def _rows(path):
    """The sizes of what Footbridge has kept for its sessions, at the end."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        return [size for (size,) in database.execute("SELECT length(onside) FROM session")]


def _commits(path, sizes, group, count):
    """Rows a second. They are half as long as Footbridge's at the end: those grow from next to nothing."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("CREATE TABLE session (id TEXT PRIMARY KEY NOT NULL, onside BLOB NOT NULL, changedAt TEXT NOT NULL)")
        value = b"x" * int(statistics.mean(sizes) / 2)
        begin = time.perf_counter()
        for _ in range(count // group):
            database.execute("BEGIN IMMEDIATE")
            for number in range(group):
                database.execute("INSERT OR REPLACE INTO session VALUES (?, ?, ?)", (f"{number:032x}", value, "2026-01-01 00:00:00.000"))
            database.execute("COMMIT")
        return count // group * group / (time.perf_counter() - begin)
