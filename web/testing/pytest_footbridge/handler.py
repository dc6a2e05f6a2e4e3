"""Handlers of declared bridges: a function for each message. It needs nothing but Python; docs/handlers.md is the manual.

    from pytest_footbridge.handler import Failure, Handler

    acme = Handler()

    @acme.on("login")
    def login(message):
        return {"token": "abc", "id": message.body["id"]}

    acme.run()
"""

from __future__ import annotations

import base64
import itertools
import json
import queue
import sys
import threading
import traceback
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Iterable

from .control import ControlAPI

#: What a function returns for a message whose promise resolves with `undefined`.
UNDEFINED = object()

#: How many messages are handled at once: as many as Footbridge sends without an answer, and some notices. Threads are made when they are needed.
WORKERS = 1100

Answer = Callable[..., Any]


class Failure(Exception):
    """Raise this in a function to reject the promise of its message with an `Error` of this text: `Failure("Not found", code=404)`.

    More members reach the page where the wire has them: `e.code` with Capacitor. Cordova's errors can be any value: `Failure(3)`.
    """

    def __init__(self, message: Any = "", /, **members: Any):
        super().__init__(message)
        self.error = {**members, "message": message} if members else message


class StoreError(Failure):
    """The store has not done what the handler has asked for: its `code` says why, such as `cancelled`. Where a function does not catch it, it
    rejects the promise of the message with its text, and where the wire has more members, with its `code`.
    """

    def __init__(self, message: str, code: str):
        super().__init__(message, code=code)
        self.code = code


class PageError(Exception):
    """A page could not do what the handler has asked for."""


class Page:
    """A page that has the bridge. `id` is its id in the control API, `session` the id of its session."""

    def __init__(self, handler: Handler, line: dict[str, Any]):
        self.id: str | None = line.get("page")
        self.session: str = line["session"]
        #: The page's address, if the line has it.
        self.url: str | None = line.get("url")
        #: The store of the page's session. The page shows its sheets.
        self.store = Store(handler, {"session": self.session, **({"page": self.id} if self.id else {})})
        self._handler = handler
        self._access: dict[str, str] | None = line.get("control")

    @property
    def control(self) -> ControlAPI:
        """The control API of the page's session: `message.control.post("/clock/advance", {"duration": "P1D"})`. It cannot be used for other sessions, and
        not after the session has ended. Its methods `get`, `post`, `patch`, `put` and `delete` can raise `ControlError`.
        """
        if self._access is None:
            raise RuntimeError("The session has ended: it has no control API.")
        url = urllib.parse.urlsplit(self._access["url"])
        return ControlAPI(f"{url.scheme}://{url.netloc}", self._access["token"], url.path)

    def call(self, path: str | list[str | int], *args: Any) -> None:
        """Calls a function of the page: `page.call("acme.onEvent", {"id": 7})`."""
        self._say(call=path, args=list(args))

    def event(self, name: str, detail: Any = None, *, on: str | None = None, kind: str | None = None, init: dict[str, Any] | None = None) -> None:
        """Dispatches a `CustomEvent` on the page's window, or an event of another kind on another object:
        `page.event("message", on="AcmePort", kind="MessageEvent", init={"data": "hello"})`. Only a `CustomEvent` has a detail."""
        form = {"on": on, "kind": kind, "init": init}
        own = {name: value for name, value in form.items() if value is not None}
        self._say(event=name, **own, **({"detail": detail} if detail is not None or not own else {}))

    def set(self, path: str | list[str | int], value: Any = None) -> None:
        """Sets a variable of the page: `page.set("acme.user", {"name": "Eva"})`."""
        self._say(set=path, value=value)

    def ask(self, path: str | list[str | int], *args: Any) -> Any:
        """Calls a function of the page, and returns its result. Raises `PageError`."""
        return self._ask(call=path, args=list(args))

    def evaluate(self, script: str) -> Any:
        """Runs a script in the page, and returns its value. Raises `PageError`."""
        return self._ask(evaluate=script)

    def sheet(self, title: str, text: str = "", fields: Iterable[Any] = (), buttons: Iterable[Any] = ()) -> SheetAnswer:
        """Shows a native screen, and waits for its answer."""
        content = {"title": title, "text": text, "fields": list(fields), "buttons": list(buttons)}
        return SheetAnswer(self._handler.ask("sheet", {"session": self.session, **content}))

    def _say(self, **members: Any) -> None:
        self._handler.say({"session": self.session, "page": self.id, **members})

    def _ask(self, **members: Any) -> Any:
        answer = self._handler.ask("id", {"session": self.session, "page": self.id, **members})
        if "error" in answer:
            raise PageError(answer["error"])
        return answer.get("result")


class Store:
    """The store of a session: what it sells, and what its account has. Each method can raise `StoreError`."""

    def __init__(self, handler: Handler, place: dict[str, Any]):
        self._handler = handler
        self._place = place

    def products(self, *identifiers: str) -> list[dict[str, Any]]:
        """The products with these identifiers, or all."""
        return self._ask("products", **({"products": list(identifiers)} if identifiers else {}))

    def purchase(self, product: str, *, offer: str | None = None, app_account_token: str | None = None) -> dict[str, Any]:
        """Buys a product, with the store's sheets: `{"state": "purchased", "transaction": …}`, or `{"state": "pending"}` where somebody else decides."""
        members = {"product": product, "offer": offer, "appAccountToken": app_account_token}
        return self._ask("purchase", **{name: value for name, value in members.items() if value is not None})

    def restore(self) -> list[dict[str, Any]]:
        """Restores what the account has bought, and returns its entitlements."""
        return self._ask("restore")

    def finish(self, transaction: str) -> None:
        """Finishes the transaction with this id."""
        self._ask("finish", transaction=transaction)

    def unfinished(self) -> list[dict[str, Any]]:
        """The transactions that the app has not finished."""
        return self._ask("unfinished")

    def entitlements(self) -> list[dict[str, Any]]:
        """What the account has now."""
        return self._ask("entitlements")

    def transactions(self) -> list[dict[str, Any]]:
        """All transactions of the account."""
        return self._ask("transactions")

    def history(self) -> str:
        """The signed history of the account, a compact JWS."""
        return self._ask("history")

    def storefront(self) -> dict[str, Any] | None:
        """The country of the account; `None` while nobody is signed in."""
        return self._ask("storefront")

    def _ask(self, operation: str, **members: Any) -> Any:
        answer = self._handler.ask("id", {**self._place, "store": operation, **members})
        if "error" in answer:
            raise StoreError(answer["error"], answer.get("code", "failed"))
        return answer.get("result")


class Message(Page):
    """A message of a page: its `name`, its `body`, and all members of its page."""

    def __init__(self, handler: Handler, line: dict[str, Any]):
        super().__init__(handler, line)
        self.name: str = line["name"]
        self.body: Any = line["body"]
        self.channel: str | None = line.get("channel")
        #: Of a message of an instance that the page has made: what it is called in the paths of calls, events and variables.
        self.instance: str | None = line.get("instance")
        self.origin: str | None = line.get("origin")
        self.is_main_frame: bool = line["mainFrame"]


class ResourceRequest:
    """A request of a page for a resource of the app: its `method`, its `url`, its `headers` with names in lower case, and its `body`, as bytes.
    `page` is the page that was active last."""

    def __init__(self, handler: Handler, line: dict[str, Any]):
        resource = line["resource"]
        self.method: str = resource["method"]
        self.url: str = resource["url"]
        self.headers: dict[str, str] = resource["headers"]
        self.body: bytes = base64.b64decode(resource["base64"]) if "base64" in resource else resource.get("body", "").encode()
        self.page = Page(handler, line)

    def json(self) -> Any:
        """The body, read as JSON."""
        return json.loads(self.body)


class Response:
    """The answer to a request for a resource: a `body` (a text, bytes, or a value for JSON), a `status` and `headers`."""

    def __init__(self, body: Any = "", *, status: int = 200, headers: dict[str, str] | None = None):
        content = {"base64": base64.b64encode(body).decode()} if isinstance(body, (bytes, bytearray)) else {"body": body}
        self.line = {"status": status, "headers": headers or {}, **content}


class Notice(Page):
    """An event: its `state`, such as `opened`, and the other members of the line."""

    def __init__(self, handler: Handler, line: dict[str, Any]):
        super().__init__(handler, line)
        self.state: str = line["state"]
        self.members = {name: value for name, value in line.items() if name != "control"}


class SheetAnswer:
    """A person's answer to a sheet. It is true if the person has approved."""

    def __init__(self, line: dict[str, Any]):
        self.approved: bool = line["approved"]
        self.button: str | None = line.get("button")
        self.fields: dict[str, Any] = line.get("fields", {})

    def __bool__(self) -> bool:
        return self.approved


class Handler:
    """The functions that answer messages, by the messages' names."""

    def __init__(self) -> None:
        self._messages: dict[str, Answer] = {}
        self._resources: dict[str, Answer] = {}
        self._notices: dict[str, Answer] = {}
        self._others: Answer | None = None
        self._numbers = itertools.count(1)
        self._answers: dict[tuple[str, int], queue.SimpleQueue[dict[str, Any]]] = {}
        self._lock = threading.Lock()
        self._write: Callable[[str], Any] = sys.stdout.write

    def on(self, name: str) -> Callable[[Answer], Answer]:
        """Registers a function for the messages of a name. Its return value is the reply; `Failure` rejects the promise."""

        def register(answer: Answer) -> Answer:
            self._messages[name] = answer
            return answer

        return register

    def resource(self, place: str) -> Callable[[Answer], Answer]:
        """Registers a function for the requests for resources of a scheme, such as `ipc`, or of a path, such as `/_capacitor_file_/`. It gets a
        `ResourceRequest` and returns a `Response`, or its body: a text, bytes, or a value for JSON. `None` is 404, and `Failure` a network error.
        """

        def register(answer: Answer) -> Answer:
            self._resources[place] = answer
            return answer

        return register

    def when(self, state: str) -> Callable[[Answer], Answer]:
        """Registers a function for events: `opened`, `navigated`, `gone`, `relaunched`, `reset`, `clock`, `ended`, and `store` for the notices of
        the store."""

        def register(hear: Answer) -> Answer:
            self._notices[state] = hear
            return hear

        return register

    def others(self, answer: Answer) -> Answer:
        """Registers a function for all other messages. Without one, they reject."""
        self._others = answer
        return answer

    def run(self, lines: Iterable[str] | None = None, write: Callable[[str], Any] | None = None) -> None:
        """Answers until there are no more lines: those of the standard input, unless others are given.

        Functions run in threads, so that they can wait for pages and people. Messages of one page begin in order.
        """
        self._write = write or self._write_out
        with ThreadPoolExecutor(WORKERS) as workers:
            for line in sys.stdin if lines is None else lines:
                self._take(json.loads(line), workers)
            # The input has ended: waiting functions continue, so that the program can end.
            for answers in list(self._answers.values()):
                answers.put({"error": "Footbridge has gone.", "approved": False})

    def say(self, line: dict[str, Any]) -> None:
        """Writes a line of the protocol."""
        with self._lock:
            self._write(json.dumps(line, allow_nan=False) + "\n")

    def ask(self, kind: str, line: dict[str, Any]) -> dict[str, Any]:
        """Writes a line with a number of its own, and waits for the line that answers it."""
        number = next(self._numbers)
        answers: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._answers[kind, number] = answers
        self.say({kind: number, **line})
        return answers.get()

    @staticmethod
    def _write_out(text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    def _take(self, line: dict[str, Any], workers: ThreadPoolExecutor) -> None:
        for kind in ("id", "sheet"):
            if kind in line:
                answers = self._answers.pop((kind, line[kind]), None)
                if answers:
                    answers.put(line)
                return
        if "state" in line:
            if line["state"] == "opened" and "store" in self._notices:
                self.say({"session": line["session"], "page": line["page"], "store": "listen"})
            hear = self._notices.get(line["state"])
            if hear:
                workers.submit(self._guard, hear, Notice(self, line))
        elif "name" in line:
            workers.submit(self._answer, line, lambda: self._reply(line))
        elif "resource" in line:
            workers.submit(self._answer, line, lambda: self._load(line))

    def _reply(self, line: dict[str, Any]) -> Any:
        message = Message(self, line)
        answer = self._messages.get(message.name) or self._others
        if answer is None:
            raise Failure(f"The handler has no function for {message.name}.")
        return answer(message)

    def _load(self, line: dict[str, Any]) -> Any:
        request = ResourceRequest(self, line)
        place = line["resource"]["place"]
        answer = self._resources.get(place)
        if answer is None:
            raise Failure(f"The handler has no function for resources of {place}.")
        response = answer(request)
        return response if response is None else (response if isinstance(response, Response) else Response(response)).line

    def _answer(self, line: dict[str, Any], answer: Callable[[], Any]) -> None:
        answered: dict[str, Any] = {}
        try:
            reply = answer()
            if reply is not UNDEFINED:
                answered = {"reply": reply}
        except Failure as failure:
            answered = {"error": failure.error}
        except Exception as error:
            traceback.print_exc()
            answered = {"error": f"{type(error).__name__}: {error}"}
        if "message" not in line:
            return
        try:
            self.say({"message": line["message"], **answered})
        except (TypeError, ValueError) as error:
            # The reply has no form in JSON.
            traceback.print_exc()
            self.say({"message": line["message"], "error": f"{type(error).__name__}: {error}"})

    @staticmethod
    def _guard(hear: Answer, notice: Notice) -> None:
        try:
            hear(notice)
        except Exception:
            traceback.print_exc()
