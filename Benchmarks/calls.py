"""Measures what calls of `window.onside` cost, compared with the query."""

import asyncio
import pathlib
import tempfile

import catalogue
import load
import servers
from page import Page
from result import Result

TRANSACTIONS = load.request("onside.getTransactions", {})
PRODUCTS = load.request("onside.loadProducts", {"productIdentifiers": catalogue.PRODUCTS[:20]})
CALLS = [("getTransactions, ten transactions", TRANSACTIONS, 2), ("loadProducts, twenty products", PRODUCTS, 3)]


def serving(folder, **options):
    """Runs a server with a catalogue of fifty products, which approves every sheet."""
    return servers.footbridge("--catalog", catalogue.write(folder), "--present", "auto", **options)


async def buy_ten(server):
    """Leaves ten unfinished transactions in the session of the load generator's first connection."""
    page = await Page.open(server, number=1)
    await page.call("onside.requestLogin", {})
    await page.call("onside.loadProducts", {"productIdentifiers": catalogue.PRODUCTS})
    for identifier in catalogue.PRODUCTS[:10]:
        await page.call("onside.purchase", {"productIdentifier": identifier})
    for _ in range(1000):
        transactions = (await page.call("onside.getTransactions", {}))["transactions"]
        if [transaction["transactionState"] for transaction in transactions] == ["purchased"] * 10:
            return await page.close()
        await asyncio.sleep(0.01)
    raise RuntimeError("the purchases did not come to an end")


def measure(is_quick):
    """Measures the server's CPU time for a call of each kind."""
    rounds, requests = (1, 500) if is_quick else (5, 5000)
    with tempfile.TemporaryDirectory() as folder, serving(pathlib.Path(folder)) as server:
        asyncio.run(buy_ten(server))
        samples = {name: [] for name in ["query", *(name for name, _, _ in CALLS)]}
        for _ in range(rounds):
            samples["query"].append(load.run(server, load.QUERY, requests, are_pages=True)["cpu"])
            for name, message, _ in CALLS:
                samples[name].append(load.run(server, message, requests, are_pages=True)["cpu"])
    return [
        Result.of_rounds("calls", f"{name}, CPU time", samples[name], "µs", "query", samples["query"], at_most=goal)
        for name, _, goal in CALLS
    ]
