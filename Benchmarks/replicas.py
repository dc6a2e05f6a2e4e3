"""Measures several servers on one PostgreSQL: durable purchases beside pgbench, many sessions, their take-over after a kill, and what pages
notice of a planned stop."""

import asyncio
import contextlib
import os
import pathlib
import tempfile
import time
import urllib.request

import catalogue
import load
import machine
import pages
import pgbench
import servers
from database import Database
from page import Page
from result import Result

BUY = load.request("onside.purchase", {"productIdentifier": catalogue.PRODUCTS[0]})
#: What an app does at its start, then a purchase, and the list in which that is.
SCRIPT = [
    load.request("footbridge.hello", {"url": "http://127.0.0.1/", "received": 0}),
    load.request("onside.requestLogin", {}),
    load.request("onside.loadProducts", {"productIdentifiers": catalogue.PRODUCTS[:1]}),
    BUY,
    load.request("onside.getTransactions", {}),
]
#: The default length of a lease. A kill is noticed when it has ended.
LEASE = 10
REPLICAS = 3
#: Replicas are not bound to one core: each has threads of its own, and so has PostgreSQL.
CORES = ",".join(map(str, machine.CORES))


def measure(is_quick):
    """Measures purchases with one, two and three replicas, then many sessions at three, and pages whose replica is stopped."""
    sessions = _sessions(100 if is_quick else 10_000, idle_seconds=2 if is_quick else 20)
    return [*_purchases(is_quick), *sessions, *_hand_over(100 if is_quick else 1000)]


@contextlib.contextmanager
def _replicas(database, count):
    """Runs replicas on the database, all with the same key and catalogue."""
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        key = folder / "state.key"
        key.write_bytes(os.urandom(32))
        key.chmod(0o600)
        arguments = ["--catalog", catalogue.write(folder), "--present", "auto", "--state", database.url, "--state-key", key, "--open-metrics"]
        yield [
            stack.enter_context(servers.footbridge(*arguments, environment=database.environment, core=CORES)) for _ in range(count)
        ]


# Purchases


def _purchases(is_quick):
    rounds, sessions, purchases = (1, 12, 120) if is_quick else (5, 48, 2400)
    results = []
    for count in range(1, REPLICAS + 1):
        measured = [_round(count, sessions, purchases) for _ in range(rounds)]

        def line(name, unit, peer=None, **goals):
            ours = [ours[name] for ours, _ in measured]
            theirs = [theirs[name] for _, theirs in measured] if peer else None
            return Result.of_rounds("replicas", f"{count} of them, {name}", ours, unit, peer, theirs, **goals)

        results += [
            line("purchases", "/s", f"pgbench, {count} clients, the same rows"),
            line("CPU of PostgreSQL for a purchase", "µs", "pgbench"),
            line("CPU of the replicas for a purchase", "µs"),
            line("purchases in a transaction", ""),
            line("PostgreSQL's log for a purchase", "B", "pgbench"),
            line("tables and indexes for a purchase", "B"),
        ]
    return results


def _round(count, sessions, purchases):
    """Returns the figures of the replicas, and those of as many clients of pgbench after them on the same tables."""
    with Database() as database:
        with _replicas(database, count) as replicas:
            asyncio.run(_log_in(replicas, sessions))
            # The first purchase of each page writes the page, too.
            load.run(replicas[0], BUY, sessions, sessions, are_pages=True, warm_up=0, others=replicas[1:])
            used, before = _Used(database), database.number("SELECT sum(number) FROM footbridge.writer")
            run = load.run(replicas[0], BUY, purchases, sessions, are_pages=True, warm_up=0, others=replicas[1:])
            ours = used.figures(purchases)
            transactions = database.number("SELECT sum(number) FROM footbridge.writer") - before
        ours |= {"purchases": run["throughput"], "CPU of the replicas for a purchase": run["cpu"],
                 "purchases in a transaction": purchases / transactions}
        together = min(max(1, round(purchases / transactions)), sessions // count)
        keys = [row[0] for row in database.query("SELECT key FROM footbridge.session ORDER BY key")]
        pgbench.prepare(database, count, keys)
        used, each = _Used(database), max(1, purchases // together // count)
        rate = pgbench.rate(database, count, keys, together, each)
        return ours, used.figures(each * together * count) | {"purchases": rate}


async def _log_in(replicas, sessions):
    for number in range(1, sessions + 1):
        page = await Page.open(replicas[(number - 1) % len(replicas)], number)
        await page.call("onside.requestLogin", {})
        await page.call("onside.loadProducts", {"productIdentifiers": catalogue.PRODUCTS})
        await page.close()


class _Used:
    """What PostgreSQL uses from now on."""

    def __init__(self, database):
        self._database = database
        self._log, self._tables, self._cpu = database.log_bytes(), database.table_bytes(), database.cpu_seconds()

    def figures(self, purchases):
        return {
            "CPU of PostgreSQL for a purchase": (self._database.cpu_seconds() - self._cpu) * 1e6 / purchases,
            "PostgreSQL's log for a purchase": (self._database.log_bytes() - self._log) / purchases,
            "tables and indexes for a purchase": (self._database.table_bytes() - self._tables) / purchases,
        }


# Many sessions


def _sessions(count, idle_seconds):
    """Opens as many pages at each replica, each in a session of its own with a purchase. Then kills one replica."""
    group, total = "replicas", f"{REPLICAS * count:,} sessions at {REPLICAS}"
    with Database() as database, _replicas(database, REPLICAS) as replicas, tempfile.TemporaryDirectory() as folder:
        empty = [machine.resident_kilobytes(server.pid) for server in replicas]
        tables = database.table_bytes()
        with pages.opening(replicas, count, folder, SCRIPT, expected="transactionState") as opened:
            times = [each.opened() for each in opened]
            _wait_for_payments(database, REPLICAS * count)
            memory = [(machine.resident_kilobytes(server.pid) - before) / count for server, before in zip(replicas, empty)]
            stored = (database.table_bytes() - tables) / (REPLICAS * count)
            idle = _idle(database, replicas, idle_seconds)
            killed = time.monotonic()
            replicas[0].process.kill()
            free = _lease_end(database, replicas[0])
            back = opened[0].back()
            lost = sum(_figure(server, "footbridge_replica_leases_lost_total") for server in replicas[1:])
            taken = sum(_figure(server, "footbridge_replica_takeovers_total") for server in replicas[1:])
    if lost or taken < count:
        raise RuntimeError(f"{lost:.0f} leases were lost with the killed replica, and {taken:.0f} sessions of {count} were taken over")
    name = f"take-over of {count:,} sessions"
    return [
        Result(group, f"{total}, opened in", max(end for _, end in times) - min(start for start, _ in times), "s"),
        Result.of_rounds(group, f"{total}, memory of a session and its page", memory, "kB", at_most=20),
        Result(group, f"{total}, tables and indexes of a session", stored / 1000, "kB"),
        *(Result(group, f"{total}, idle: {what}", value, unit) for what, unit, value in idle),
        Result(group, f"{name}, first answer after", back["first"] - killed, "s"),
        Result(group, f"{name}, half of the answers after", back["median"] - killed, "s"),
        Result(group, f"{name}, first answer after the end of the lease", back["first"] - free, "s", at_most=1),
        Result(group, f"{name}, last answer after the end of the lease", back["last"] - free, "s", at_most=3),
        Result(group, f"{name}, last answer after", back["last"] - killed, "s", at_most=3 * LEASE),
    ]


def _lease_end(database, server):
    """Returns when the lease of a killed replica ends, on the monotonic clock. The database has the clock of this machine."""
    sql = f"SELECT leaseend FROM footbridge.replica WHERE address LIKE '%:{server.port}' ORDER BY leaseend DESC LIMIT 1"
    return database.number(sql) / 1000 - time.time() + time.monotonic()


def _hand_over(count):
    """Opens pages at one of two replicas, and stops that one as a rolling update does. Its pages come back at the other."""
    with Database() as database, _replicas(database, 2) as replicas, tempfile.TemporaryDirectory() as folder:
        with pages.opening(replicas[:1], count, folder, SCRIPT, expected="transactionState", elsewhere=replicas[1:]) as [opened]:
            opened.opened()
            _wait_for_payments(database, count)
            replicas[0].process.terminate()
            back = opened.back()
    name = f"hand-over of {count:,} pages"
    return [
        Result("replicas", f"{name}, half of them were without a host for", back["median_absence"], "s"),
        Result("replicas", f"{name}, the longest time without a host", back["longest_absence"], "s", at_most=1),
    ]


def _wait_for_payments(database, count):
    """Waits until every purchase is paid: its row is the last one that a session writes."""
    deadline = time.monotonic() + 600
    while database.number("SELECT count(*) FROM footbridge.purchase") < count:
        if time.monotonic() > deadline:
            raise RuntimeError("purchases were not paid")
        time.sleep(1)


def _idle(database, replicas, duration):
    """Returns what replicas and database do while no page asks for anything."""
    commits = "SELECT sum(xact_commit) FROM pg_stat_database"
    cpu, used, begin = [machine.cpu_seconds(server.pid) for server in replicas], database.cpu_seconds(), time.monotonic()
    log, count = database.log_bytes(), database.number(commits)
    time.sleep(duration)
    seconds = time.monotonic() - begin
    spent = sum(machine.cpu_seconds(server.pid) for server in replicas) - sum(cpu)
    return [
        ("transactions", "/s", (database.number(commits) - count) / seconds),
        ("PostgreSQL's log", "B/s", (database.log_bytes() - log) / seconds),
        ("CPU of each replica", "ms/s", spent / len(replicas) / seconds * 1000),
        ("CPU of PostgreSQL", "ms/s", (database.cpu_seconds() - used) / seconds * 1000),
    ]


def _figure(server, name):
    """Returns a figure of a server's metrics."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/__footbridge/metrics") as answer:
        for line in answer.read().decode().splitlines():
            if line.startswith(name + " "):
                return float(line.split()[1])
    raise RuntimeError(f"there is no figure {name}")
