"""What the tests of presets share: servers of one page, apps in a session, and what the scripts of Capacitor and Cordova do for plugins."""

import contextlib

import pytest

from footbridge_process import serve
from sold_products import write

#: What the scripts of Capacitor do with plugins that native announces: calls by number, and callbacks and listeners that stay.
CAPACITOR = """
const waiting = {};
let count = 0;
Capacitor.fromNative = (result) => waiting[result.callbackId]?.(result);
const post = (pluginId, methodName, options, take) => {
  const callbackId = String(++count);
  waiting[callbackId] = take;
  webkit.messageHandlers.bridge.postMessage({ type: "message", callbackId, pluginId, methodName, options });
  return callbackId;
};
const registerPlugin = (name) => new Proxy({}, { get: (_, method) => {
  if (method === "addListener") return (eventName, take) => post(name, method, { eventName }, (result) => take(result.data));
  const { rtype } = Capacitor.PluginHeaders.find((plugin) => plugin.name === name).methods.find((known) => known.name === method);
  if (rtype === "callback") return (take, options) => post(name, method, options, (result) => take(result.data));
  return (options) => new Promise((resolve, reject) => {
    post(name, method, options, (result) => result.success ? resolve(result.data) : reject(Object.assign(new Error(result.error.message), result.error)));
  });
} });
"""

#: What Cordova's exec does.
CORDOVA = """
let count = 0;
const callbacks = {};
const nativeCallback = (id, status, argument) => callbacks[id]?.[status === 1 ? 0 : 1]?.(argument);
const exec = (success, error, service, action, args) => {
  const id = `${service}${++count}`;
  callbacks[id] = [success, error];
  webkit.messageHandlers.cordova.postMessage([id, service, action, args]);
};
window.cordova = { platformId: "ios", exec, require: () => ({ nativeCallback }) };
"""


def document(script):
    """A page with one script."""
    return f"<!doctype html><title>App</title><script>{script}</script>"


class Servers(contextlib.ExitStack):
    """Servers of one page, each with its own folder. They stop in the end."""

    def __init__(self, folders):
        """`folders` is pytest's `tmp_path_factory`."""
        super().__init__()
        self._folders = folders

    def start(self, page, section, *options, sells=False, files=None):
        """Starts a server of a page with this `footbridge.yaml`. `sells` gives it a catalogue, `files` are other files of the site."""
        folder = self._folders.mktemp("app")
        site = folder / "site"
        site.mkdir()
        (site / "index.html").write_text(page)
        for name, content in (files or {}).items():
            (site / name).write_bytes(content)
        (folder / "footbridge.yaml").write_text(section)
        catalog = ["--catalog", write(folder)] if sells else []
        server = self.enter_context(serve("--root", site, "--config", folder / "footbridge.yaml", *catalog, "--ephemeral", *options))
        server.api = server.control()
        return server


def follow(page, address):
    """Clicks a link: only Chromium tells when a page sets `location`."""
    page.evaluate("href => document.body.appendChild(Object.assign(document.createElement('a'), { href })).click()", address)


def shop_fixtures(page, section):
    """Returns fixtures for a file about a preset that sells: `start`, which starts servers of this page with this or another `footbridge.yaml`;
    `shown`, a server that shows sheets in the page; and `approved`, one that approves them."""

    @pytest.fixture(scope="module")
    def start(tmp_path_factory):
        with Servers(tmp_path_factory) as servers:
            yield lambda *options, section=section: servers.start(page, section, *options, sells=True)

    @pytest.fixture(scope="module")
    def shown(start):
        return start()

    @pytest.fixture(scope="module")
    def approved(start):
        return start("--present", "auto")

    return start, shown, approved


class App:
    """A page in a session with an account of the store."""

    #: What the page resolves when it has started.
    started = "window.started"
    #: The parameter of the conditions of `hears`.
    update = "update"

    def __init__(self, server, page, **members):
        self.control = server.api
        self.session = self.control.session(**{"account": "built-in"} | members)
        self.page = page
        self.control.enter(page.context, self.session)
        page.goto(server.url)
        page.evaluate(self.started)

    def __call__(self, method, path, body=None):
        return self.control(method, f"/sessions/{self.session['id']}{path}", body)

    def expect(self, text, element="output"):
        self.page.wait_for_function("([element, text]) => document.querySelector(element).textContent === text", arg=[element, text])

    def sheet(self, button):
        self.page.get_by_role("dialog").get_by_role("button", name=button).click()

    def hears(self, condition):
        """Waits until the last of the page's `updates` is one for which this holds, and returns it."""
        self.page.wait_for_function(f"() => updates.length && (({self.update}) => {condition})(updates.at(-1))")
        return self.page.evaluate("updates.at(-1)")

    def plugin(self, plugin, method, options=None):
        """Calls a method of a plugin of Capacitor, and returns what it resolves with, or its error."""
        return self.page.evaluate(
            """([plugin, method, options]) => registerPlugin(plugin)[method](options)
                 .then((value) => value, (error) => ({ error: [error.code ?? null, error.message] }))""",
            [plugin, method, options])
