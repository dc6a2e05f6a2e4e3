"""Measures the shim: its size, and what it costs a page in Chromium."""

import contextlib
import gzip
import itertools
import pathlib
import statistics
import tempfile
import urllib.request

from playwright.sync_api import sync_playwright

import chromium
import load
import machine
import navigation
import servers
from result import Result

#: Programs that this part runs.
PROGRAMS = ["nginx"]

ROUND_TRIPS = """
async ({ rounds, port, text, query }) => {
  const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];
  // The page's clock ticks every 0.1 ms: a single round trip is too short for it.
  const time = async (ask) => {
    const begin = performance.now();
    for (let i = 0; i < 20; i++) await ask();
    return (performance.now() - begin) / 20;
  };
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, "bridge");
  await new Promise((resolve, reject) => Object.assign(socket, { onopen: resolve, onerror: reject }));
  const echo = () => new Promise((resolve) => { socket.onmessage = resolve; socket.send(text); });
  let answered, count = 0;
  window.GBGBridge = { onNativeMessage: () => answered() };
  const post = () => new Promise((resolve) => {
    answered = resolve;
    window.webkit.messageHandlers.gbgBridge.postMessage({ ...query, correlationId: `query-${++count}` });
  });
  const times = { echo: [], post: [] };
  for (let i = -rounds; i < rounds; i++) {
    const [anEcho, aPost] = [await time(echo), await time(post)];
    if (i < 0) continue;
    times.echo.push(anEcho);
    times.post.push(aPost);
  }
  return { echo: median(times.echo), post: median(times.post) };
}
"""


def measure(is_quick):
    """Measures the compressed size, the time to a document's first script, and a round trip by `postMessage`."""
    browsers, loads, rounds = (1, 3, 5) if is_quick else (5, 40, 100)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        folder.chmod(0o755)
        site = folder / "site"
        site.mkdir()
        (site / "index.html").write_text("<!doctype html>")
        (site / "first.html").write_text(navigation.DOCUMENT)
        with (
            servers.footbridge("--root", site) as server,
            servers.nginx(folder, None, machine.SERVER_CORE) as plain,
            servers.echo() as echo,
        ):
            url = f"http://127.0.0.1:{server.port}/"
            size, is_served_so = _compressed(url + "__footbridge/shim.js")
            documents = [f"http://127.0.0.1:{each.port}/first.html" for each in (server, plain)]
            # A browser gets slower with each document in its history.
            times = [navigation.first_scripts(documents, loads) for _ in range(browsers)]
            with_shim, without = (statistics.median(itertools.chain(*samples)) for samples in zip(*times))
            # The browser is the client here, with all its processes.
            with machine.on_client_core(), _chromium() as browser:
                trip = _round_trip(browser, url, echo, rounds)
            # On all cores, the result depends on where the system puts its threads.
            with _chromium() as browser:
                free_trips = [_round_trip(browser, url, echo, rounds) for _ in range(1 if is_quick else 5)]
    how = "as served" if is_served_so else "if it were"
    free = {name: statistics.median(trip[name] for trip in free_trips) for name in trip}
    return [
        Result("shim", f"compressed, {how}", size, "bytes", at_most=8000),
        Result("shim", "first script later by", with_shim - without, "ms", at_most=0.7),
        Result("shim", "postMessage round trip", trip["post"], "ms", "WebSocket echo", trip["echo"], at_most=1.3),
        Result("shim", "postMessage round trip, browser on all cores", free["post"], "ms", "WebSocket echo", free["echo"]),
    ]


@contextlib.contextmanager
def _chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.OPTIONS)
        yield browser
        browser.close()


def _round_trip(browser, url, echo, rounds):
    """Returns the medians of a round trip by `postMessage` and of one by a bare WebSocket in the same page, in milliseconds."""
    with browser.new_page() as page:
        page.goto(url)
        arguments = {"rounds": rounds, "port": echo.port, "text": str(load.QUERY), "query": load.QUERY}
        return page.evaluate(ROUND_TRIPS, arguments)


def _compressed(url):
    """Returns the size of a script, and whether the server compresses it."""
    request = urllib.request.Request(url, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request) as response:
        script = response.read()
        is_compressed = response.headers["Content-Encoding"] == "gzip"
    return len(script) if is_compressed else len(gzip.compress(script, 9)), is_compressed
