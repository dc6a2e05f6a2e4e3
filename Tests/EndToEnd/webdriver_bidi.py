"""What Firefox tells and takes over WebDriver BiDi: the console of a page, its uncaught errors, and scripts that run before its own."""

import contextlib
import json
import re
import time
from types import SimpleNamespace

from playwright.sync_api import Error, TimeoutError
from websockets.sync.client import connect

#: Playwright's word for a level of the console, where it is another one.
LEVELS = {"warn": "warning"}


def written(value):
    """Returns a value of the console as Playwright writes it."""
    if value["type"] == "array":
        return f"[{', '.join(map(written, value.get('value', [])))}]"
    return str(value.get("value", value["type"]))


class Connection:
    """A connection to a browser. What the browser tells is handled while somebody waits for something, so there is no other thread."""

    def __init__(self, url):
        self.stack = contextlib.ExitStack()
        self.socket = self.stack.enter_context(connect(url, max_size=None))
        self.last = 0
        #: Functions that hear what happens, by the handle of the tab and the kind of event.
        self.listeners = {}
        self.scripts = []
        #: The documents around frames.
        self.parents = {}
        self.command("session.subscribe", events=["log.entryAdded", "browsingContext.contextCreated"])

    def command(self, method, **parameters):
        self.last += 1
        self.socket.send(json.dumps({"id": self.last, "method": method, "params": parameters}))
        while (message := self._receive()).get("id") != self.last:
            pass
        if message["type"] == "error":
            raise Error(message["message"])
        return message["result"]

    def catch_up(self):
        """Handles all that has happened so far."""
        self.command("session.status")

    def on(self, tab, kind, listener):
        self.listeners.setdefault((tab, kind), []).append(listener)

    def wait(self, is_so, seconds):
        """Handles what happens until something is so."""
        end = time.monotonic() + seconds
        while not is_so():
            try:
                self._receive(max(end - time.monotonic(), 0))
            except OSError:
                raise TimeoutError(f"This did not happen in {seconds} s.") from None

    def add_script(self, tab, source):
        self.scripts.append(self.command("script.addPreloadScript", functionDeclaration=f"() => {{ {source} }}", contexts=[tab])["script"])

    def cookies(self):
        """Returns the cookies of all sites, as WebDriver writes them."""
        return [{**cookie, "value": cookie["value"]["value"], "sameSite": cookie["sameSite"].capitalize()} for cookie in self.command("storage.getCookies")["cookies"]]

    def close(self):
        self.stack.close()

    def clear(self):
        """Ends what a test has asked for, and deletes all cookies: WebDriver itself deletes those that one address gets."""
        self.command("storage.deleteCookies")
        self.listeners.clear()
        for script in self.scripts:
            self.command("script.removePreloadScript", script=script)
        self.scripts.clear()

    def _receive(self, seconds=60):
        message = json.loads(self.socket.recv(timeout=seconds))
        if message.get("method") == "log.entryAdded":
            self._tell(message["params"])
        elif message.get("method") == "browsingContext.contextCreated":
            self.parents[message["params"]["context"]] = message["params"]["parent"]
        return message

    def _tab(self, context):
        """Returns the tab of a page or of a frame."""
        while parent := self.parents.get(context):
            context = parent
        return context

    def _tell(self, entry):
        text = entry["text"]
        if entry["type"] == "console":
            # The value of an error is empty. Its words are in the text alone.
            if all(value["type"] != "error" for value in entry["args"]):
                text = " ".join(map(written, entry["args"]))
            kind, event = "console", SimpleNamespace(text=text, type=LEVELS.get(entry["method"], entry["method"]))
        elif entry["type"] == "javascript" and not text.startswith("SyntaxError"):
            kind, event = "pageerror", Error(re.sub(r"^\w*Error: ", "", text))
        else:
            # `evaluate` first takes a text for an expression. Firefox reports the error, even though it is caught.
            return
        for listener in list(self.listeners.get((self._tab(entry["source"].get("context")), kind), [])):
            listener(event)
