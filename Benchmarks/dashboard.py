"""Measures the dashboard in Chromium: with 10,000 rows and 500 new entries a second, when it opens a transcript, and when it is searched."""

import asyncio
import json
import pathlib
import statistics
import tempfile
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
#: The entries of the transcript. The dashboard drops the oldest.
TRANSCRIPT = 12_000

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
        session = _control(server, "GET", "/sessions")["sessions"][0]["id"]
        tab.goto(_control(server, "POST", "/dashboard/enter", {"to": f"/sessions/{session}"})["url"])
        tab.wait_for_function("rows => document.querySelector('log-view .count')?.textContent.replaceAll(/[^0-9]/g, '') >= rows", arg=ROWS - 1000)
        longest = _longest_task(browser, tab, lambda: calls.make(RATE // 2 * seconds, RATE // 2))
        times = [time for _ in range(rounds) for time in tab.evaluate(SEARCH, WORDS)]
        rows = tab.evaluate("document.querySelectorAll('.entry').length")
        calls.close()
        opening = _longest_task(browser, tab, lambda: _open_transcript(server, tab))
        browser.close()
    return [
        Result("dashboard", f"longest task, {RATE} entries/s on {ROWS:,} rows", longest, "ms of CPU", at_most=50),
        Result("dashboard", f"longest task, transcript of {TRANSCRIPT:,} entries", opening, "ms of CPU", at_most=50),
        Result("dashboard", f"search in {ROWS:,} rows, median", statistics.median(times), "ms", at_most=100),
        Result("dashboard", f"search in {ROWS:,} rows, longest", max(times), "ms", at_most=100),
        Result("dashboard", "rows in the document", rows, "rows", at_most=60),
    ]


def _longest_task(browser, tab, work):
    """The CPU time of the longest task of the tab's main thread, in milliseconds. The time on the clock would depend on what else runs."""
    browser.start_tracing(page=tab, categories=["toplevel", "__metadata"])
    work()
    events = json.loads(browser.stop_tracing())["traceEvents"]
    mains = {(event["pid"], event["tid"]) for event in events if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"}
    return max(event["tdur"] for event in events if event["name"].endswith("RunTask") and (event["pid"], event["tid"]) in mains and "tdur" in event) / 1000


def _open_transcript(server, tab):
    """Opens a transcript of calls and answers from the start page, and waits for its rows."""
    tab.goto(_control(server, "POST", "/dashboard/enter")["url"])
    tab.get_by_role("button", name="Open a transcript").wait_for()
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "calls.jsonl")
        file.write_text("".join(f"{json.dumps(_entry(number))}\n" for number in range(1, TRANSCRIPT + 1)))
        tab.locator("input[type=file]").set_input_files(file)
        # The dashboard drops entries only once all have come.
        tab.locator("log-view .gone", has_text="dropped").wait_for()
        tab.locator(".entry", has_text=f"#{TRANSCRIPT - 1}").wait_for()


def _entry(number):
    """A call, or its answer."""
    entry = {"cursor": number, "time": 1_900_000_000_000 + 7 * number, "page": "page-1", "action": "capability.query",
             "correlationId": f"call-{(number + 1) // 2}", "data": {"number": number, "filter": "abcdefghijklmnopqrstuvwxyz" * 3}}
    return {**entry, "kind": "request"} if number % 2 else {**entry, "kind": "response", "status": "success", "cause": number - 1}


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
