"""Pages that WebDriver drives, with the part of Playwright's pages that the tests use: names, arguments, waits and errors are Playwright's."""

import contextlib
import json
import pathlib
import re
import tempfile
import time
import urllib.parse
from types import SimpleNamespace

import pytest
from playwright.sync_api import Error, TimeoutError
from selenium.common.exceptions import InvalidArgumentException, JavascriptException, WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.mouse_button import MouseButton
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.keys import Keys
from websockets.exceptions import ConnectionClosed

#: How long a page waits for something, in seconds.
TIMEOUT = 15
SCRIPT = pathlib.Path(__file__).with_name("webdriver_page.js").read_text()
KEYS = {"Enter": Keys.ENTER, "Escape": Keys.ESCAPE, "Tab": Keys.TAB, "Space": Keys.SPACE, "Backspace": Keys.BACKSPACE, "Shift": Keys.SHIFT,
        "Control": Keys.CONTROL, "ArrowUp": Keys.ARROW_UP, "ArrowDown": Keys.ARROW_DOWN, "ArrowLeft": Keys.ARROW_LEFT,
        "ArrowRight": Keys.ARROW_RIGHT, "Home": Keys.HOME, "End": Keys.END, "PageDown": Keys.PAGE_DOWN, "PageUp": Keys.PAGE_UP}


#: What WebDriver cannot do, by the members of Playwright's pages. A test that uses one is skipped.
MISSING = {
    "clock": "the test cannot set the clock of the page",
    "emulate_media": "the test cannot set the media of the page",
    "evaluate_handle": "the test cannot hold an object of the page",
    "expect_download": "the test cannot see downloads",
    "expect_response": "the test cannot see responses",
    "expose_function": "the test cannot give the page a function",
    "once": "the test cannot answer dialogs of the page",
    "route": "the test cannot answer requests of the page",
    "route_web_socket": "the test cannot answer sockets of the page",
    "set_content": "the test cannot write the document",
}
#: What a page can hear over WebDriver BiDi, and its reason where it cannot.
EVENTS = {"console": "the test cannot read the console", "pageerror": "the test cannot hear errors of the page"}
#: The same of the members of its contexts.
MISSING_OF_CONTEXTS = {
    "grant_permissions": "the test cannot grant permissions",
    "new_cdp_session": "the test cannot use Chromium's own protocol",
    "request": "the test cannot send requests of the profile",
    "route": "the test cannot answer requests of the page",
    "set_offline": "the test cannot set the browser offline",
    "storage_state": "the test cannot read all of the profile",
}


class Context:
    """A browser profile: a browser of its own."""

    def __getattr__(self, name):
        if reason := MISSING_OF_CONTEXTS.get(name):
            pytest.skip(f"{self.title}: {reason}")
        raise AttributeError(name)

    def __init__(self, title, driver, blank, bidi=None):
        #: The name of the engine.
        self.title = title
        self.driver = driver
        #: The address of an empty page, with the host to fill in.
        self.blank = blank
        #: The connection for WebDriver BiDi, in an engine that has it.
        self.bidi = bidi
        self.made = []
        #: The size of the window, if a test has changed it.
        self.size = None
        #: The hosts that its pages have visited.
        self.hosts = set()
        #: Whether more than cookies may be left in the profile.
        self.is_used_up = False

    def new_page(self):
        # The first page takes the tab that is there. In WebKitGTK, further ones are windows: it draws no frames in a tab that is not shown, a click
        # there never ends, and the first window does not get the keyboard back.
        if self.made and self.bidi:
            self.driver.switch_to.new_window("tab")
        elif self.made:
            self.driver.switch_to.new_window("window")
            self.is_used_up = True
        page = Page(self, self.driver.current_window_handle)
        self.made.append(page)
        return page

    @property
    def pages(self):
        """The tabs that a test or a page has opened, in this order."""
        if self.made:
            known = {page.handle for page in self.made}
            self.made += [Page(self, handle) for handle in self.driver.window_handles if handle not in known]
        return self.made

    def resize(self, width, height):
        """Gives pages this size, until the profile is emptied."""
        window = self.driver.get_window_size()
        self.size = self.size or window
        inner = self.driver.execute_script("return [innerWidth, innerHeight]")
        self.driver.set_window_size(window["width"] + width - inner[0], window["height"] + height - inner[1])
        if not self.driver.execute_async_script(f"{SCRIPT}; untilSize(...arguments)", width, height):
            pytest.skip(f"{self.title}: its window is not {width} pixels wide and {height} high")

    def cookies(self):
        """Firefox tells all cookies. WebDriver tells those for the address of the page."""
        return self.bidi.cookies() if self.bidi else self.made[-1].select().get_cookies()

    def add_cookies(self, cookies):
        page = Page(self, self.driver.current_window_handle)
        for cookie in cookies:
            # A browser takes a cookie for the site of its page only.
            host = cookie.get("domain") or urllib.parse.urlsplit(cookie["url"]).hostname
            if urllib.parse.urlsplit(page.url).hostname != host:
                page.goto(self.blank.format(host=host))
            page.select().add_cookie({"name": cookie["name"], "value": cookie["value"], "path": "/", "httpOnly": cookie.get("httpOnly", False),
                                      "sameSite": cookie.get("sameSite", "Lax")})

    def clear_cookies(self, *, name=None):
        driver = self.made[-1].select()
        if name:
            driver.delete_cookie(name)
        else:
            driver.delete_all_cookies()

    def clear(self):
        """Empties the profile. Returns whether it is as new."""
        try:
            if self.bidi:
                self.bidi.clear()
            first, *others = self.driver.window_handles
            for handle in (*others, first):
                self.driver.switch_to.window(handle)
                # A document without an origin has no storage.
                self.driver.execute_script("try { localStorage.clear(); } catch {}")
                if handle != first:
                    self.driver.close()
            if self.size:
                self.driver.set_window_size(self.size["width"], self.size["height"])
            for host in self.hosts:
                self.driver.get(self.blank.format(host=host))
                self.driver.delete_all_cookies()
            self.driver.get("about:blank")
        except (WebDriverException, ConnectionClosed):
            return False
        return not self.is_used_up

    def close(self):
        for page in list(self.made):
            page.close()


class Scope:
    """What a page, a frame and a locator can find."""

    def get_by_role(self, role, *, name=None, exact=False):
        return self._locator({"role": role, "name": pattern(name), "exact": exact})

    def get_by_label(self, name, *, exact=False):
        return self._locator({"label": pattern(name), "exact": exact})

    def get_by_text(self, text, *, exact=False):
        return self._locator({"text": pattern(text), "exact": exact})

    def locator(self, selector, *, has_text=None):
        selector, _, index = selector.partition(" >> nth=")
        if index:
            return self.locator(selector, has_text=has_text).nth(int(index))
        if selector.startswith("text="):
            return self.get_by_text(selector.removeprefix("text="))
        return self._locator({"css": selector, "has": pattern(has_text)})


def pattern(name):
    """A text, or a regular expression, as the page's script takes it."""
    if not isinstance(name, re.Pattern):
        return name
    return {"source": name.pattern, "flags": "i" if name.flags & re.IGNORECASE else ""}


class Frame(Scope):
    """A document in a page: the page's own, or that of a frame."""

    def __init__(self, page, path):
        self.page = page
        self.path = path

    def _locator(self, step):
        return Locator(self, [step])

    def run(self, function, *arguments):
        """Runs a function of `webdriver_page.js`, which answers once its promise has settled."""
        driver = self.page.select()
        driver.switch_to.default_content()
        for index in self.path:
            driver.switch_to.frame(index)
        try:
            answer = driver.execute_async_script(
                f"const answer = arguments[arguments.length - 1], list = window.JSON.parse(arguments[0]); {SCRIPT}; settle({function}, list, answer);",
                json.dumps(arguments))
        except (JavascriptException, InvalidArgumentException) as error:
            raise Error(error.msg) from None
        except WebDriverException as error:
            raise Error(error.msg or type(error).__name__) from None
        if self.page.hears:
            self.page.context.bidi.catch_up()
        if answer is None:
            # So says Firefox.
            raise Error("The document has unloaded.")
        kind, value = answer
        if kind == "error":
            raise Error(value)
        return None if value is None else json.loads(value)

    def evaluate(self, source, argument=None):
        try:
            return self.run("evaluate", source, argument)
        except Error as error:
            if "EvalError" not in error.message:
                raise
        # The policy of the page forbids `eval`. It does not hold for the driver's own script.
        return self.run(f"(argument => {{ const value = ({source}); return typeof value === 'function' ? value(argument) : value; }})", argument)

    def wait(self, function, *arguments, timeout=None):
        """Waits in the page until a function returns something true. A document that unloads meanwhile is followed by the next one."""
        end = time.monotonic() + (timeout or TIMEOUT * 1000) / 1000
        while True:
            left = max(end - time.monotonic(), 0)
            try:
                if value := self.run("until", function, list(arguments), min(left, 1) * 1000):
                    return value
            except Error as error:
                # What the page itself throws is an answer.
                if not left or error.message.startswith("thrown: "):
                    raise
            if not left:
                raise TimeoutError(f"This did not happen in {(timeout or TIMEOUT * 1000) / 1000} s: {function} {arguments}")

    def wait_for_function(self, source, *, arg=None, timeout=None):
        self.wait("evaluate", source, arg, timeout=timeout)
        # The value is read when it is wanted: WebDriver cannot hold it.
        return SimpleNamespace(json_value=lambda: self.evaluate(source, arg))

    def wait_for_load_state(self):
        self.wait("isLoaded")

    def add_script_tag(self, url):
        self.run("addScript", url)

    @property
    def url(self):
        return self.evaluate("location.href")

    def content(self):
        return self.evaluate("document.documentElement.outerHTML")

    def title(self):
        return self.evaluate("document.title")


class Page(Frame):
    """A tab."""

    def __getattr__(self, name):
        if reason := MISSING.get(name):
            pytest.skip(f"{self.context.title}: {reason}")
        raise AttributeError(name)

    def __init__(self, context, handle):
        super().__init__(self, ())
        self.context = context
        self.handle = handle
        self.keyboard = Keyboard(self)
        self.mouse = Mouse(self)
        #: Whether a test listens to what happens in the page.
        self.hears = False

    def on(self, kind, listener):
        if not self.context.bidi or kind not in EVENTS:
            pytest.skip(f"{self.context.title}: {EVENTS.get(kind, 'the test cannot hear sockets and requests of the page')}")
        self.context.bidi.on(self.handle, kind, listener)
        self.hears = True

    @contextlib.contextmanager
    def expect_event(self, kind, predicate=None, *, timeout=None):
        """Waits for the first event that fits, which is the value of what this returns."""
        found = SimpleNamespace()

        def listen(event):
            if not hasattr(found, "value") and (predicate is None or predicate(event)):
                found.value = event

        self.on(kind, listen)
        yield found
        self.context.bidi.wait(lambda: hasattr(found, "value"), (timeout or TIMEOUT * 1000) / 1000)

    @contextlib.contextmanager
    def expect_popup(self):
        """Waits for a tab that the page opens, which is the value of what this returns."""
        before = len(self.context.pages)
        opened = SimpleNamespace()
        yield opened
        end = time.monotonic() + TIMEOUT
        while len(self.context.pages) == before:
            if time.monotonic() > end:
                raise TimeoutError(f"No tab has opened in {TIMEOUT} s.")
            time.sleep(0.05)
        opened.value = self.context.pages[-1]

    @contextlib.contextmanager
    def expect_navigation(self, *, url=None):
        """Waits until the page has another document, or this address."""
        self.evaluate("void (document.isBeforeNavigation = true)")
        yield
        if url:
            self.wait_for_url(url)
        else:
            self.wait_for_function("!document.isBeforeNavigation && document.readyState === 'complete'")

    def expect_console_message(self, predicate=None, *, timeout=None):
        return self.expect_event("console", predicate, timeout=timeout)

    def wait_for_event(self, kind, *, timeout=None):
        with self.expect_event(kind, timeout=timeout) as found:
            pass
        return found.value

    def add_init_script(self, source):
        if not self.context.bidi:
            pytest.skip(f"{self.context.title}: no script of the test runs before those of the page")
        self.context.bidi.add_script(self.handle, source)

    def select(self):
        """Makes the driver's next commands go to this tab."""
        driver = self.context.driver
        if driver.current_window_handle != self.handle:
            driver.switch_to.window(self.handle)
        return driver

    def _visit(self, act):
        try:
            act()
        except WebDriverException as error:
            raise Error(error.msg) from None
        address = urllib.parse.urlsplit(self.url)
        if address.hostname:
            self.context.hosts.add(address.hostname)
        try:
            has_worker = self.evaluate("Boolean(navigator.serviceWorker?.controller)")
        except Error:
            # The page has left already.
            has_worker = True
        if address.scheme != "http" or has_worker:
            self.context.is_used_up = True

    def goto(self, url, *, wait_until="load"):
        """Waits until the page has loaded in any case, as WebDriver does."""
        self._visit(lambda: self.select().get(url))
        return Response(self)

    def reload(self):
        # With WebDriver, Firefox reloads past its cache and past service workers.
        bidi = self.context.bidi
        self._visit(lambda: bidi.command("browsingContext.reload", context=self.handle, wait="complete") if bidi else self.select().refresh())

    def go_back(self):
        self._visit(lambda: self.select().back())

    def go_forward(self):
        self._visit(lambda: self.select().forward())

    def close(self):
        driver = self.select()
        self.context.made.remove(self)
        if self.context.made:
            driver.close()
            driver.switch_to.window(self.context.made[0].handle)
        else:
            # Without a window, the browser ends.
            driver.get("about:blank")

    @contextlib.contextmanager
    def expect_file_chooser(self):
        """Takes the file input that the page opens meanwhile. WebDriver cannot choose in a dialog of the system."""
        self.evaluate("void (HTMLInputElement.prototype.click = function () { window.openedInput = this; })")
        chooser = SimpleNamespace(value=FileChooser(self))
        yield chooser
        self.wait_for_function("window.openedInput")

    @property
    def url(self):
        return self.select().current_url

    @property
    def viewport_size(self):
        return self.evaluate("({ width: innerWidth, height: innerHeight })")

    @property
    def frames(self):
        """The page's document, its frames, and the frames in these."""
        return [self, *self.frames_in(self)]

    def frames_in(self, frame):
        for index in range(frame.run("countFrames")):
            inner = Frame(self, (*frame.path, index))
            yield inner
            yield from self.frames_in(inner)

    def frame(self, *, url):
        """The frame whose address fits a regular expression."""
        return next(frame for frame in self.frames[1:] if url.search(frame.url))

    def click(self, selector):
        self.locator(selector).click()

    def fill(self, selector, text):
        self.locator(selector).fill(text)

    def wait_for_selector(self, selector):
        self.locator(selector).wait_for()

    def set_input_files(self, selector, file):
        steps = json.dumps(self.locator(selector).steps)
        self.select().execute_script(f"{SCRIPT}; return one(JSON.parse(arguments[0]));", steps).send_keys(str(file))

    def inner_text(self, selector):
        return self.locator(selector).inner_text()

    def text_content(self, selector):
        return self.locator(selector).text_content()

    def eval_on_selector(self, selector, source):
        return self.locator(selector).evaluate(source)

    def screenshot(self, *, path):
        self.select().save_screenshot(str(path))

    def wait_for_url(self, part):
        self.wait("evaluate", "part => location.href.includes(part)", part.strip("*"))


class Response:
    """The response that brought a document."""

    def __init__(self, page):
        self.page = page

    def __getattr__(self, name):
        pytest.skip(f"{self.page.context.title}: the test cannot see responses")


class FileChooser:
    """The file input that a page has opened."""

    def __init__(self, page):
        self.page = page

    def set_files(self, file):
        """Chooses a file: its path, or its name and bytes."""
        if isinstance(file, dict):
            path = pathlib.Path(tempfile.mkdtemp()) / file["name"]
            path.write_bytes(file["buffer"])
        else:
            path = file
        self.page.select().execute_script("const input = window.openedInput; delete window.openedInput; return input").send_keys(str(path))


class Locator(Scope):
    """Elements of a document, found anew each time."""

    def __init__(self, frame, steps):
        self.frame = frame
        self.page = frame.page
        self.steps = steps

    def _locator(self, step):
        return Locator(self.frame, [*self.steps, step])

    def nth(self, index):
        return self._locator({"nth": index})

    def filter(self, *, has_text=None, has=None):
        """The elements with a text, or with another element in them."""
        return self._locator({"inner": has.steps if has else [], "has": pattern(has_text)})

    @property
    def first(self):
        return self.nth(0)

    @property
    def last(self):
        return self.nth(-1)

    def count(self):
        return self.frame.run("count", self.steps)

    def all(self):
        return [self.nth(index) for index in range(self.count())]

    def wait_for(self, *, state="visible"):
        if state == "attached":
            self.frame.wait("isThere", self.steps)
        else:
            self.frame.wait("fits", self.steps, "visible", None, {"visible": True, "hidden": False}[state])

    def click(self):
        """Clicks where the element still is once the mouse is there: a page may be about to make room for what it has loaded."""
        before, place = None, self.frame.wait("place", self.steps)
        end = time.monotonic() + TIMEOUT
        while place != before:
            if time.monotonic() > end:
                raise TimeoutError(f"The element moves: {self.steps}")
            self.page.mouse.move(*place)
            before, place = place, self.frame.wait("place", self.steps)
        self.page.mouse.click(*place)

    def check(self):
        if not self.evaluate("element => element.checked"):
            self.click()

    def focus(self):
        self.frame.wait("focus", self.steps)

    def fill(self, text):
        self.frame.wait("empty", self.steps)
        self.page.keyboard.type(text)

    def press(self, key):
        self.focus()
        self.page.keyboard.press(key)

    def evaluate(self, source, argument=None):
        self.frame.wait("isThere", self.steps)
        try:
            return self.frame.run("evaluateWith", self.steps, source, argument)
        except Error as error:
            if "EvalError" not in error.message:
                raise
        return self.frame.run(f"(steps, argument) => ({source})(one(steps), argument)", self.steps, argument)

    def bounding_box(self):
        return self.evaluate("""element => {
          const { x, y, width, height } = element.getBoundingClientRect();
          return { x, y, width, height };
        }""")

    def get_attribute(self, name):
        return self.evaluate("(element, name) => element.getAttribute(name)", name)

    def inner_text(self):
        return self.evaluate("element => element.innerText")

    def text_content(self):
        return self.evaluate("element => element.textContent")

    def all_inner_texts(self):
        return [each.inner_text() for each in self.all()]

    def all_text_contents(self):
        return self.frame.run("texts", self.steps)

    def is_visible(self):
        return self.frame.run("isVisible", self.steps)


class Keyboard:
    """The keys of a page."""

    def __init__(self, page):
        self.page = page

    def press(self, keys):
        *modifiers, key = keys.split("+")
        chain = ActionChains(self.page.select(), duration=0)
        for modifier in modifiers:
            chain.key_down(KEYS[modifier])
        chain.send_keys(KEYS.get(key, key))
        for modifier in reversed(modifiers):
            chain.key_up(KEYS[modifier])
        chain.perform()

    def type(self, text):
        if text:
            ActionChains(self.page.select(), duration=0).send_keys(text).perform()


class Mouse:
    """The mouse of a page. Places are in its window."""

    def __init__(self, page):
        self.page = page
        self.place = (0, 0)

    def _act(self, act):
        builder = ActionBuilder(self.page.select(), mouse=PointerInput("mouse", "mouse"), duration=0)
        act(builder.pointer_action)
        builder.perform()

    def click(self, x, y):
        self._act(lambda pointer: pointer.move_to_location(round(x), round(y)).pointer_down(MouseButton.LEFT).pointer_up(MouseButton.LEFT))

    def wheel(self, x, y):
        ActionChains(self.page.select(), duration=0).scroll_from_origin(ScrollOrigin.from_viewport(*self.place), round(x), round(y)).perform()

    def move(self, x, y):
        self.place = (round(x), round(y))
        self._act(lambda pointer: pointer.move_to_location(round(x), round(y)))

    def down(self):
        self._act(lambda pointer: pointer.pointer_down(MouseButton.LEFT))

    def up(self):
        self._act(lambda pointer: pointer.pointer_up(MouseButton.LEFT))
