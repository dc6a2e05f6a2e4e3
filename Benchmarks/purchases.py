"""Measures durable purchases, compared with SQLite alone on the same disk."""

import asyncio
import contextlib
import itertools
import pathlib
import sqlite3
import tempfile
import time

import catalogue
import load
import servers
from page import Page
from result import Result

BUY = load.request("onside.purchase", {"productIdentifier": catalogue.PRODUCTS[0]})


def measure(is_quick):
    """Measures sessions that buy at the same time. Each promise resolves when the purchase is on the disk; the payment comes later."""
    rounds, sessions, purchases = (1, 8, 80) if is_quick else (5, 32, 960)
    ours, theirs = [], []
    for _ in range(rounds):
        # On the disk of the build, because a temporary folder may be in memory.
        with tempfile.TemporaryDirectory(dir=servers.BUILD) as folder:
            folder = pathlib.Path(folder)
            ours.append(_purchases(folder, sessions, purchases))
            theirs.append(_commits(folder / "state" / "footbridge.sqlite", folder / "sqlite", purchases))
    return [
        Result.of_rounds(
            "purchases", f"{sessions} sessions at once", ours, "/s", f"SQLite, {sessions} purchases a transaction", theirs,
            at_least=0.7,
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


# The tables with the rows of a purchase: itself, the page's callbacks, and the answer to the page's call. The first column is the owner.
ROWS = ["queuedTransaction", "pageEvent", "pageAnswer"]


def _commits(stored, path, purchases):
    """Returns purchases a second when a program only writes the rows that Footbridge has stored into the same tables, with one purchase of
    each session in a transaction."""
    with contextlib.closing(sqlite3.connect(stored)) as ours, contextlib.closing(sqlite3.connect(path, isolation_level=None)) as theirs:
        theirs.execute("PRAGMA journal_mode = WAL")
        theirs.execute("PRAGMA synchronous = FULL")
        theirs.execute("PRAGMA foreign_keys = ON")
        for (statement,) in ours.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL AND name NOT LIKE 'sqlite_%'"):
            theirs.execute(statement)
        for table in ["session", "page"]:
            rows = ours.execute(f"SELECT * FROM {table}").fetchall()
            theirs.executemany(_insertion(table, rows), rows)
        transactions = list(zip(*(_rounds(ours, table) for table in ROWS)))
        begin = time.perf_counter()
        for transaction in transactions:
            theirs.execute("BEGIN IMMEDIATE")
            for table, rows in zip(ROWS, transaction):
                theirs.executemany(_insertion(table, rows), rows)
            theirs.execute("COMMIT")
        return purchases / (time.perf_counter() - begin)


def _rounds(database, table):
    """Returns the rows of a table: the first one of each owner, the second one of each, and so on."""
    rows_by_owner = {}
    for row in database.execute(f"SELECT * FROM {table} ORDER BY rowid"):
        rows_by_owner.setdefault(row[0], []).append(row)
    return [[row for row in rows if row] for rows in itertools.zip_longest(*rows_by_owner.values())]


def _insertion(table, rows):
    return f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})"
