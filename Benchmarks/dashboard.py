"""Measures the dashboard in Chromium: with 10,000 rows and 500 new entries a second, and when it is searched."""

import asyncio
import json
import statistics
import threading
import time
import urllib.request

from playwright.sync_api import sync_playwright

import chromium
import servers
from page import Page
from result import Result

TOKEN = "benchmark"
ROWS = 10_000
#: New entries a second. A call has two: the request and its answer.
RATE = 500
#: Half a millisecond below the length from which Chromium reports tasks.
SHORT = 49.5

WATCH = """
window.tasks = [];
new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: "longtask", buffered: true });
"""

SEARCH = """async (words) => {
  const field = document.querySelector("log-view .filter");
  const times = [];
  for (const word of words) {
    const begin = performance.now();
    field.value = word;
    field.dispatchEvent(new Event("input"));
    // The rows are drawn with the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    times.push(performance.now() - begin);
  }
  return times;
}"""

WORDS = ["capability", "capability.query 9", "kind:response", "action:capab* -nothing", "abcdefghijklmnopqrstuvwxyz", "zzz", ""]


def measure(is_quick):
    """Measures the longest task while entries come, and the times of searches."""
    seconds, rounds = (2, 1) if is_quick else (20, 10)
    with servers.footbridge("--control-token", TOKEN) as server, sync_playwright() as playwright:
        calls = Calls(server)
        calls.make(ROWS // 2 + 100, None)
        browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.OPTIONS)
        tab = browser.new_page()
        tab.add_init_script(WATCH)
        session = _control(server, "GET", "/sessions")["sessions"][0]["id"]
        tab.goto(_control(server, "POST", "/dashboard/enter", {"to": f"/sessions/{session}"})["url"])
        tab.wait_for_function("rows => document.querySelector('log-view .count')?.textContent.replaceAll(/[^0-9]/g, '') >= rows", arg=ROWS - 1000)
        tab.evaluate("tasks.length = 0")
        calls.make(RATE // 2 * seconds, RATE // 2)
        longest = max([SHORT, *tab.evaluate("tasks")])
        times = [time for _ in range(rounds) for time in tab.evaluate(SEARCH, WORDS)]
        rows = tab.evaluate("document.querySelectorAll('.entry').length")
        calls.close()
        browser.close()
    return [
        Result("dashboard", f"longest task, {RATE} entries/s on {ROWS:,} rows", longest, "ms", at_most=50),
        Result("dashboard", f"search in {ROWS:,} rows, median", statistics.median(times), "ms", at_most=100),
        Result("dashboard", f"search in {ROWS:,} rows, longest", max(times), "ms", at_most=100),
        Result("dashboard", "rows in the document", rows, "rows", at_most=60),
    ]


class Calls:
    """A page of a client in this process, which makes calls on a thread of its own."""

    def __init__(self, server):
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self._page = self._run(Page.open(server, 1))

    def make(self, count, rate):
        """Makes calls, so many a second; as fast as it can without a rate."""
        self._run(self._make(count, rate))

    async def _make(self, count, rate):
        begin = time.monotonic()
        for number in range(count):
            if rate:
                await asyncio.sleep(begin + number / rate - time.monotonic())
            await self._page.call("capability.query", {"number": number, "filter": "abcdefghijklmnopqrstuvwxyz" * 3})

    def close(self):
        self._run(self._page.close())
        self._loop.call_soon_threadsafe(self._loop.stop)

    def _run(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()


def _control(server, method, path, body=None):
    request = urllib.request.Request(
        f"http://127.0.0.1:{server.port}/__footbridge/api/v1{path}", method=method,
        data=json.dumps(body).encode() if body else None,
        headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)
