"""A browser without a debugger: it goes from document to document by itself, and each document reports when its first script has run."""

import contextlib
import http.server
import subprocess
import tempfile
import threading
import urllib.parse

import chromium

# The fragment of the address is the port to report to.
DOCUMENT = """<!doctype html><html><head><script>window.firstScript = performance.now();</script>
<script>onload = () => setTimeout(() => location = `http://127.0.0.1:${location.hash.slice(1)}/?${firstScript}`, 50);</script>
</head><body></body></html>"""
# The document before each measured one, so that the same document ends in each measurement.
BETWEEN = "<!doctype html><script>onload = () => setTimeout(() => location = '%s', 50);</script>"


def first_scripts(addresses, loads):
    """Returns for each address when the first script of its document ran in each load, in milliseconds after the navigation began."""
    rest = [address for _ in range(loads + 1) for address in addresses]
    times = {address: [] for address in addresses}
    done = threading.Event()
    current = None

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            nonlocal current
            query = urllib.parse.urlsplit(self.path).query
            if query:
                times[current].append(float(query))
            elif self.path != "/":
                return self.send_error(404)
            if not rest:
                done.set()
                return self.send_error(410)
            current = rest.pop(0)
            body = (BETWEEN % f"{current}#{self.server.server_address[1]}").encode()
            self.send_response(200)
            for name, value in {"Content-Type": "text/html", "Content-Length": str(len(body)), "Cache-Control": "no-store"}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with _chromium(f"http://127.0.0.1:{server.server_address[1]}/"):
            if not done.wait(60 + loads):
                raise RuntimeError("The browser has not loaded all documents in time.")
        server.shutdown()
    # Leaves out the first load of each, which puts the shim into the browser's cache, where a visitor of the site usually has it.
    return [samples[1:] for samples in times.values()]


@contextlib.contextmanager
def _chromium(url):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = [*chromium.OPTIONS, "--headless", "--no-first-run", "--disable-gpu", f"--user-data-dir={profile}"]
        process = subprocess.Popen([chromium.PROGRAM, *options, url], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield
        finally:
            process.terminate()
            process.wait()
