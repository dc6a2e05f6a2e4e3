"""The core of a session: what a test can do to one installed app on one device, with any bridges."""

from __future__ import annotations

import inspect
import re
import time
from typing import Any, Callable, Sequence, TypeVar

from .clock import Clock
from .connection import SessionConnection, SessionServer
from .control import ControlError, segment
from .device import Device
from .expectations import ExpectedSheet
from .journal import Entry, ExpectationError, compact, finding_text, lines
from .pages import CorePage
from .rules import When, rule_text
from .sheets import Sheet, open_sheets
from .verification import Calls, Events, Occurrences, in_order

Found = TypeVar("Found")

#: Unregisters the service workers of a page's origin, and deletes its caches. A page without an origin has none of them.
UNREGISTER = """async () => {
  const scopes = [];
  for (const worker of await navigator.serviceWorker?.getRegistrations() ?? []) if (await worker.unregister()) scopes.push(worker.scope);
  for (const name of await self.caches?.keys() ?? []) await caches.delete(name);
  return scopes;
}"""

#: The entry of the journal before an answer by the control API.
RESPOND = "POST /pages/{page}/requests/{request}/respond"

#: The addresses of all requests but those to Footbridge itself.
SITE_REQUESTS = re.compile(r"^(?![^?#]*/__footbridge/)")


def refuse(route: Any) -> None:
    """Has a request of Playwright's fail as without a network."""
    route.abort("internetdisconnected")


class CoreSession(SessionConnection):
    """A session without the parts of its bridges. Each bridge's part is a subclass of this class; `Session` combines them all."""

    #: The class of pages.
    page_type: type[CorePage] = CorePage
    #: How many entries an error tells about at most.
    LOST_LIMIT = 10

    def __init__(self, server: SessionServer, created: dict[str, Any]):
        super().__init__(server, created["id"])
        self.strict = server.strict
        self.expects_lint = False
        self.name: str | None = created.get("name")
        self.clock = Clock(self)
        self.device = Device(self)
        self.sites: list[str] = created.get("sites", [])
        self.url = self.sites[0] if self.sites else server.url
        self._proxy: dict[str, str] | None = created.get("proxy")
        self._cookie: dict[str, Any] = created["cookie"]
        self._others: list[Any] = []
        self._is_over = False
        #: Whether its test has failed. The server then stores its journal for an hour after the end.
        self.failed = False
        #: The cursors of findings that an error has told.
        self._told: set[int] = set()
        self._is_offline = False

    def __repr__(self) -> str:
        return f"<Session {self.id}>"

    # The browser

    def cookies(self, url: str | None = None) -> list[dict[str, Any]]:
        """Returns the cookies that put a browser into the session, for Playwright's `add_cookies`. `url` is the site, if not `self.url`."""
        urls = [url] if url else [*self.sites] or [self.url]
        if "//127.0.0.1" in urls[0]:
            urls.append(urls[0].replace("//127.0.0.1", "//localhost", 1))
        name = self._cookie["name"].removeprefix("__Host-")
        return [{**self._cookie, "name": f"__Host-{name}" if each.startswith("https:") else name, "url": each} for each in urls]

    def context_options(self) -> dict[str, Any]:
        """Returns the options for a Playwright browser context of the session: the proxy, with sites under their own origins."""
        return {"proxy": self._proxy} if self._proxy else {}

    def enter(self, context: Any, url: str | None = None) -> Any:
        """Puts a Playwright browser context into the session. With Playwright's asynchronous API, await the result."""
        if not inspect.iscoroutinefunction(context.add_cookies):
            self._contexts.append(context)
            if self._is_offline:
                context.route(SITE_REQUESTS, refuse)
        return context.add_cookies(self.cookies(url))

    def enter_url(self, to: str = "/") -> str:
        """Returns an address that puts the first browser which opens it into the session, and then leads to a path of the site."""
        url: str = self.post("/enter", {"to": to, "cookie": self._cookie["value"]})["url"]
        return url

    # Sheets

    def expect_sheet(self, kind: str, content: dict[str, Any] | None = None, /, **members: Any) -> ExpectedSheet:
        """Expects a sheet of this kind that shows these members, or those of a dict; others do not matter."""
        content = {**(content or {}), **members}
        return ExpectedSheet(self, f"{kind} sheet" + (f" with {compact(content)}" if content else ""), kind, content)

    def sheets(self) -> list[Sheet]:
        """The open sheets, oldest first."""
        return open_sheets(self)

    # Pages

    def pages(self) -> list[Any]:
        """The pages that are open, oldest first."""
        return [self.page_type(self, members) for members in self.get("/pages")["pages"]]

    def send(self, action: str, data: dict[str, Any] | None = None, /, **members: Any) -> None:
        """Sends every page an event from the host: `send("journey.cancel", reason="user")`, or with the members as a dict."""
        for page in self.pages():
            page.send(action, data, **members)

    def disconnect(self) -> None:
        """Cuts the socket of every page that has one. Pages reconnect by themselves."""
        for page in self.pages():
            if page.listening:
                page.disconnect()

    def offline(self, is_offline: bool = True) -> None:
        """Has the site's requests fail in the session's browser contexts, as on a device without a network: native still answers.

        Playwright's `set_offline` would also cut the pages off from Footbridge. `offline(False)` ends it.
        """
        self._give_playwright_a_turn()
        if not self._contexts:
            raise TypeError("offline() needs an open context of Playwright's synchronous API in the session: see enter().")
        self._is_offline = is_offline
        for context in self._contexts:
            context.unroute(SITE_REQUESTS, refuse)
            if is_offline:
                context.route(SITE_REQUESTS, refuse)

    def unregister_service_workers(self) -> list[str]:
        """Unregisters the service workers of the session's browser and deletes their caches. Returns the scopes of the workers.

        Pages stay as they are until they are loaded again.
        """
        scopes = set(self.delete("/service-workers")["workers"])
        # A document that a worker has kept from before Footbridge was there has no shim. Only the browser reaches it.
        for context in self._contexts:
            for page in context.pages:
                try:
                    scopes.update(page.evaluate(UNREGISTER))
                except Exception:
                    continue
        return sorted(scopes)

    # Waiting

    def wait_until_found(
        self, expected: str, find: Callable[[Entry], Found | None], lost: Callable[[Entry], str], *,
        timeout: float | None = None, **until: Any,
    ) -> Found:
        """Waits for an entry of the journal for which `find` returns something, and returns that.

        For the error, `expected` names what is awaited, such as "message acme.login was waiting for its answer", and `lost` tells what has
        become of an entry for which `find` has returned nothing.
        """
        __tracebackhide__ = True
        timeout = self.timeout if timeout is None else timeout
        deadline = time.monotonic() + timeout / 1000
        lost_entries: list[Entry] = []
        while True:
            after = lost_entries[-1]["cursor"] if lost_entries else 0
            try:
                entry = self._wait_until(deadline, timeout, after, until)
            except ExpectationError as error:
                if not lost_entries:
                    raise
                parts = [f"No {expected} within {timeout:g} ms.", *map(lost, lost_entries[-self.LOST_LIMIT :])]
                raise ExpectationError("\n".join([*parts, *str(error).splitlines()[1:]]), error.misses) from None
            found = find(entry)
            if found is not None:
                return found
            lost_entries.append(entry)

    def waiting_request(self, entry: Entry) -> tuple[str, dict[str, Any]] | None:
        """Returns the request of an entry of the journal, and the path of its page, if it still waits for an answer."""
        path = f"/pages/{segment(entry['page'])}"
        try:
            requests: list[dict[str, Any]] = self.get(f"{path}/requests")["requests"]
        except ControlError as error:
            if error.status != 404:
                raise
            return None  # The page has ended.
        return next(((path, request) for request in requests if request["correlationId"] == entry["correlationId"]), None)

    def what_became_of(self, request: Entry) -> str:
        """Tells for people what has become of a request of a page that does not wait for an answer any more."""
        cursor = request["cursor"]
        answers = self._counted(cursor, kind="response", cause=cursor)
        if not answers:
            is_open = any(page.id == request["page"] for page in self.pages())
            return f"#{cursor} no longer waits." if is_open else f"#{cursor} was not answered before its page ended."
        return f"#{cursor} was answered {self._answered_by(request, answers[0])} (#{answers[0]['cursor']})."

    def _counted(self, after: int, **of: Any) -> list[Entry]:
        entries: list[Entry] = self.post("/journal/count", {"of": of, "after": after})["entries"]
        return entries

    def _answered_by(self, request: Entry, answer: Entry) -> str:
        def entries(**of: Any) -> list[Entry]:
            return [entry for entry in self._counted(request["cursor"], **of) if entry["cursor"] < answer["cursor"]]

        rules = [entry["data"]["rule"] for entry in entries(kind="decision", cause=request["cursor"]) if "rule" in entry.get("data", {})]
        if rules:
            return f"by the rule {rules[-1]}"
        if any(entry["cursor"] == answer["cursor"] - 1 for entry in entries(kind="control", action=RESPOND)):
            return "by the control API"
        for bridge in self.get("/bridges")["bridges"]:
            if bridge["declared"] and request["action"].startswith(bridge["prefix"]):
                if request["action"].removeprefix(bridge["prefix"]) in bridge["answers"]:
                    return f"by the declaration of {bridge['name']} for this session" if bridge["own"] else "by footbridge.yaml"
                return f"by the handler of {bridge['name']}" if bridge["handler"] else "at once, since its channel has no reply"
        return "by native"

    # Verification

    def calls(self, action: str | dict[str, Any], data: dict[str, Any] | None = None, /, *, after: int = 0, **members: Any) -> Calls:
        """The calls of the session's pages with this action, to check how many there are: `calls("nfc.read", chip=1).exactly(1)`.

        The action and the members can be patterns. Other members of their data do not matter. `after` is a cursor: calls up to it do not
        count.
        """
        return Calls(self, action, {**(data or {}), **members}, after)

    def events(
        self, name: str | dict[str, Any], parameters: dict[str, Any] | None = None, /, *, accepted: bool = True, after: int = 0, **members: Any
    ) -> Events:
        """The events that pages have tracked, as native has passed them on: `events("levelCompleted", level=3).exactly(1)`.

        The name and the parameters can be patterns. They are those that native has accepted, perhaps cut. `accepted=False` means events that
        native has dropped. `after` is a cursor: events up to it do not count.
        """
        return Events(self, name, {**(parameters or {}), **members}, accepted, after)

    def in_order(self, calls: Sequence[Occurrences | str], *, timeout: float | None = None) -> list[Entry]:
        """Waits until these calls or events have come in this order, and returns their entries. Others may come in between."""
        __tracebackhide__ = True
        found = [self.calls(each) if isinstance(each, str) else each for each in calls]
        return in_order(found, self.timeout if timeout is None else timeout)

    # Outcomes

    def when(self, on: str, *, where: dict[str, Any] | None = None, times: Any = "once") -> When:
        """Decides the outcome of calls: `when("nfc.read", where={"chip": 1}).fails("NFC_OFF")`.

        `on` names the calls, as docs/rules.md lists them. `where` has members that their data must have. `times` is `"once"`,
        `"always"`, a list of numbers, `{"nth": n}`, `{"first": n}` or `{"from": n}`; the last three, or nothing else, with a `probability`.
        """
        return When(self, on, where or {}, times)

    def unused_rules(self) -> list[dict[str, Any]]:
        """Returns the rules that have never decided a call, as in the control API. Rules of a scenario name it."""
        rules = [] if self._is_over else self.get("/rules")["rules"]
        return [rule for rule in rules if rule["decisions"] == 0]

    def check_rules(self) -> None:
        """Fails if a rule that the test has made never decided a call. With `strict`, the plugin does this after each test that passes."""
        __tracebackhide__ = True
        unused = [rule for rule in self.unused_rules() if "scenario" not in rule]
        if unused:
            called = sorted({entry["action"] for entry in self.journal(kind="request")})
            parts = ["These rules never decided a call:", *(f"  {rule_text(rule)}" for rule in unused)]
            raise ExpectationError("\n".join([*parts, f"The pages called: {', '.join(called) or 'nothing'}."]))

    # The linter

    def lint(self) -> list[dict[str, Any]]:
        """Returns the linter's findings in the pages of the session, as in the control API."""
        findings: list[dict[str, Any]] = self.get("/lint")["findings"]
        return findings

    def expect_lint(self, *rules: str) -> None:
        """Expects these rules of the linter to find something, before or after: `expect_lint("L04")`. It is then no error.

        The test fails in the end if one of them has found nothing.
        """
        __tracebackhide__ = True
        self.post("/lint/expected", {"rules": list(rules)})
        self.expects_lint = True

    def check_lint(self, *, errors: bool = True) -> None:
        """Fails if the linter has found errors that the test does not expect, or has not found what it expects.

        With `strict`, the plugin does this after each test that passes. `errors=False` looks only for what was expected.
        """
        __tracebackhide__ = True
        if self._is_over:
            return
        lint = self.post("/lint/conclude")
        parts = [f"The linter should have found something by {rule}, and has not." for rule in lint["missing"]]
        found = [finding for finding in lint["findings"] if finding["severity"] == "error" and not finding["expected"]]
        if errors and found:
            parts += ["The linter has found errors (docs/lint.md):", *(f"  {finding_text(finding)}" for finding in found)]
            self._told.update(finding["entry"] for finding in found)
        if parts:
            raise ExpectationError("\n".join(parts))

    def play(self, scenario: str) -> None:
        """Continues with a scenario of the server's configuration."""
        self.put("/scenario", {"name": scenario})

    # Life

    def new_session(self, **options: Any) -> Any:
        """Makes another session, which ends with this one: `new_session(device_of=self)` is a further device of the same person.

        The options are those of `Server.new_session`.
        """
        session = self.server.new_session(**{"name": self.name, **options})
        session.strict = self.strict
        self._others.append(session)
        return session

    def with_others(self) -> list[Any]:
        """Returns this session and those that it has made and that have not ended: what a test is checked by, and its report is about."""
        return [self, *(each for other in self._others if not other._is_over for each in other.with_others())]

    def change(self, **members: Any) -> None:
        """Changes options of the session, such as the answers to sheets: `change(present="auto")`."""
        self.patch("", members)

    def set_launch(self, **members: Any) -> None:
        """Sets what native sets before the next page loads, as the section `launch` of `footbridge.yaml` does: `set_launch(window={"app": {}})`."""
        self.put("/launch", members)

    def relaunch(self) -> None:
        """Relaunches the app, which keeps its stored state. Its pages end: load them again."""
        self.post("/relaunch")

    def reinstall(self) -> None:
        """Deletes the app and installs it anew: its cookies are gone. What belongs to the person stays, such as orders.

        What the page has stored in the browser stays, too: use a new context, or clear it.

        Settings, rules and the clock stay, too. Its pages end: load them again.
        """
        self.post("/reinstall")

    def reset(self) -> None:
        """Begins from the start, as if nothing had happened. Its pages end: load them again."""
        self.post("/reset")

    def export(self, *, secrets: bool = False, transcript: bool = False) -> dict[str, Any]:
        """Returns the stored state of the session, which outlives a launch; `new_footbridge_session(from_=…)` begins another session with it.

        `secrets` adds the cookies of the jar, `transcript` the journal.
        """
        return self.get("/export", secrets=str(secrets).lower(), transcript=str(transcript).lower())

    def snapshot(self, name: str) -> None:
        """Keeps the session as it is under a name, in the memory of the server: `new_footbridge_session(from_=name)` begins with it."""
        self.server.control.put(f"/snapshots/{segment(name)}", {"session": self.id})

    def end(self, *, waits: bool = True) -> None:
        """Deletes the session, and those that it has made. Their pages lose their sockets.

        With `waits=False`, it does not wait until they are deleted: the next request of the kit does, or the end of the run.
        """
        while self._others:
            self._others.pop().end(waits=waits)
        if self._is_over:
            return
        self._is_over = True
        path = self._path("?failed=true" if self.failed else "")
        control = self.server.control
        (control.delete if waits else control.delete_without_waiting)(path)

    # The journal

    def journal(self, *, after: int = 0, kind: str | None = None) -> list[Entry]:
        """Returns what has happened in the session, oldest first. `after` is a cursor: entries up to it are left out."""
        entries: list[Entry] = []
        while True:
            page = self.get("/journal", after=after, kind=kind)
            if not page["entries"]:
                return entries
            entries += page["entries"]
            after = page["next"]

    def transcript(self) -> str:
        """The journal as JSON Lines."""
        return self.get("/journal", format="jsonl") or ""

    def report(self) -> str:
        """Returns the text for people about a failed test: open sheets, closed gates, unused rules, what the linter has found, the journal.

        A finding is told once: here, or by the error of `check_lint`.
        """
        parts = [f"open sheet: {sheet}" for sheet in self.sheets()]
        parts += [f"closed gate: {gate['name']} holds {gate['action']}" for gate in self.get("/gates")["gates"]]
        parts += [f"rule that never decided: {rule_text(rule)}" for rule in self.unused_rules()]
        found = [finding for finding in self.lint() if not finding["expected"]]
        parts += [f"linter: {finding_text(finding)}" for finding in found if finding["entry"] not in self._told]
        return "\n".join([*parts, *lines(self.journal(), besides={finding["entry"] for finding in found})])

    def dashboard_link(self) -> str | None:
        """Returns the address of the session's latest entry in the dashboard; None for a server without a dashboard.

        A tab that does not use the dashboard yet asks for a code: `footbridge dashboard ADDRESS` prints the address with one.
        """
        try:
            url = self.server.control.get("/dashboard")["url"]
        except ControlError as error:
            if error.status == 404:
                return None
            raise
        return f"{url}#/sessions/{self.id}?row={max(1, self.get('')['cursor'])}"
