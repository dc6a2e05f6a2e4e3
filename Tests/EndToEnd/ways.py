"""The ways to a site: directly, behind `--proxy`, and under its own origin. What a browser sees must be the same on all of them."""

import contextlib
import re

from browser_profiles import profiles
from footbridge_process import serve

#: The address of a site in production.
APP = "https://app.example.com"
WAYS = ["directly", "behind", "own origin"]


def browser_flags(server):
    """Chromium's flags for sites under their own origins, as the server prints them."""
    while line := server.lines.get(timeout=60):
        if line.startswith("footbridge: browser "):
            return line.removeprefix("footbridge: browser ").split()
    raise RuntimeError("no flags were printed")


@contextlib.contextmanager
def opened(launch, server, **options):
    """A context of a Chromium that uses the proxy by its flags."""
    browser = launch(*server.flags)
    with profiles(browser) as make:
        yield make(**options)
    browser.close()


@contextlib.contextmanager
def own_origin(launch, port, *more_ports):
    """A context in which this port of this machine is `APP`, and other ports are the same ports of its host."""
    sites = [f"{APP}=http://127.0.0.1:{port}", *(f"{APP}:{other}=http://127.0.0.1:{other}" for other in more_ports)]
    with serve("--ephemeral", *(part for site in sites for part in ("--site", site)), name=None) as server:
        server.flags = browser_flags(server)
        with opened(launch, server) as context:
            yield context


@contextlib.contextmanager
def visit(way, launch, new_context, port, *more_ports):
    """A visit on a way to a site on this port. A site may have more ports, for example for live reload."""
    with contextlib.ExitStack() as stack:
        url = APP if way == "own origin" else f"http://127.0.0.1:{port}"
        if way == "own origin":
            context = stack.enter_context(own_origin(launch, port, *more_ports))
        else:
            context = new_context()
        if way == "behind":
            url = stack.enter_context(serve("--proxy", url, "--ephemeral")).url
        page = context.new_page()
        stack.callback(page.close)
        yield Visit(page, url, f"127.0.0.1:{port}")


class Visit:
    """A page on its way to a site, and everything that the browser complains about."""

    def __init__(self, page, url, upstream):
        self.page = page
        self.url = url
        self.upstream = upstream
        self.complaints = []
        page.on("console", self._logged)
        page.on("pageerror", lambda error: self._complain(f"error {error}"))
        page.on("requestfailed", self._failed)
        page.on("response", self._answered)

    def open(self, path="/"):
        return self.page.goto(self.url + path)

    def has_bridge(self):
        return self.page.evaluate("typeof window.onside") == "object"

    def dom(self, part, random):
        """The document when it is loaded, or a part of it, with what the patterns match left out: it is another each time."""
        self.page.wait_for_load_state()
        text = self.page.evaluate("part => `${document.compatMode} ${document.scripts.length} ${document.querySelector(part).outerHTML}`", part)
        for pattern in random:
            text = re.sub(pattern, "…", text)
        return self.without_address(text)

    def without_address(self, text):
        """A text with the address of the site replaced, which is another on each way."""
        hosts = [self.url.split("//")[1], self.upstream]
        for host in [*hosts, *(host.split(":")[0] for host in hosts)]:
            text = re.sub(rf"(http|ws)s?:(//|\\/\\/){re.escape(host)}(?![\w.])", r"\1:\2SITE", text).replace(host, "SITE")
        return text

    def _complain(self, text):
        self.complaints.append(self.without_address(text))

    def _logged(self, message):
        if message.type in ("error", "assert"):
            # HTTP/2 has no reason phrases.
            text = re.sub(r" \([\w ]*\)$", "", message.text)
            self._complain(f"{message.type} {text}")

    def _failed(self, request):
        # A page that is left stops its own requests.
        if request.failure != "net::ERR_ABORTED":
            self._complain(f"failed {request.method} {request.url} {request.failure}")

    def _answered(self, response):
        if response.status >= 400:
            self._complain(f"{response.status} {response.url}")


def check_all_ways(use, launch, new_context, port, *more_ports, run=None, part="html", random=()):
    """Uses a site on each way. What `use(visitor)` returns, the document, and what the browser complains about must be the same as directly.

    `run(url)` runs a site that must know its address in the browser. What the patterns `random` match in the document, or in its first element
    of the selector `part`, is another each time.
    """
    seen = {}
    for way in WAYS:
        with visit(way, launch, new_context, port, *more_ports) as visitor, run(visitor.url) if run else contextlib.nullcontext():
            result = use(visitor)
            assert visitor.has_bridge() == (way != "directly")
            seen[way] = {"result": result, "complaints": list(visitor.complaints), "document": visitor.dom(part, random)}
    for way in WAYS[1:]:
        for what, expected in seen["directly"].items():
            assert seen[way][what] == expected, f"{what} is different {way}: {first_difference(seen[way][what], expected)}"


def first_difference(one, other):
    """The surroundings of the first difference between two texts, or both values if they are no texts."""
    if not (isinstance(one, str) and isinstance(other, str)):
        return f"{one} instead of {other}"
    same = next((index for index, pair in enumerate(zip(one, other)) if pair[0] != pair[1]), min(len(one), len(other)))
    around = slice(max(0, same - 100), same + 200)
    return f"{one[around]!r} instead of {other[around]!r}"
