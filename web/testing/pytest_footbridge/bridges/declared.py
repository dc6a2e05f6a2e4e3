"""Declared bridges in a session: bridges for one test, their messages, and the host's actions in a page."""

from __future__ import annotations

import pathlib
from typing import Any

from ..control import ControlError, segment
from ..journal import Entry, ExpectationError, compact
from ..session import CoreSession


class DeclaredSession(CoreSession):
    """The declared bridges of a session, from footbridge.yaml or from the test."""

    def bridge(self, name: str, section: dict[str, Any]) -> None:
        """Declares a bridge for this session alone, in the words of `bridges` in footbridge.yaml.

        Pages that are loaded from now on have it. Scripts and adapters can be paths of files, which are read here. `{"!from": "/id"}` and
        `{"!json": …}` stand for the tags of YAML.
        """
        self.put(f"/bridges/{segment(name)}", _with_texts(section))

    def expect_message(self, action: str, data: Any = None, /, **members: Any) -> ExpectedMessage:
        """A message of a page that nothing has answered: `expect_message("acme.login", id=7).reply({"token": "abc"})`.

        Of what the page has posted, only what is named counts.
        """
        wanted = {**data, **members} if isinstance(data, dict) else members or None if data is None else data
        return ExpectedMessage(self, action, wanted)

    def call(self, path: str | list[str | int], *args: Any, bridge: str | None = None, page: str | None = None) -> Any:
        """Calls a function of the page, as native code does, and returns its result: `call("acme.onEvent", {"id": 7})`.

        Waits until a page is there. It is the latest one that has the bridge, unless `page` is the id of another. Without `bridge`, the
        path begins with the name of the bridge, or there is only one that is declared.
        """
        __tracebackhide__ = True
        return self._ask(bridge or self._bridge(path), {"call": path, "args": list(args)}, page)

    def dispatch(
        self, event: str, detail: Any = None, *, on: str | None = None, kind: str | None = None, init: dict[str, Any] | None = None,
        bridge: str | None = None, page: str | None = None,
    ) -> None:
        """Dispatches a `CustomEvent` on the window of the page, as native code does, or an event of another kind on another object:
        `dispatch("message", on="AcmePort", kind="MessageEvent", init={"data": "hello"})`. Only a `CustomEvent` has a detail.
        """
        __tracebackhide__ = True
        form = {name: value for name, value in (("on", on), ("kind", kind), ("init", init)) if value is not None}
        own = {"detail": detail} if detail is not None or not form else {}
        self._ask(bridge or self._bridge(event), {"event": event, **own, **form}, page)

    def set(self, path: str | list[str | int], value: Any = None, *, bridge: str | None = None, page: str | None = None) -> None:
        """Sets a variable of the page, as native code does: `set("acme.user", {"name": "Eva"})`."""
        __tracebackhide__ = True
        self._ask(bridge or self._bridge(path), {"set": path, "value": value}, page)

    def evaluate(self, script: str, *, bridge: str | None = None, page: str | None = None) -> Any:
        """Runs a script in the page, as native code does, and returns its value."""
        __tracebackhide__ = True
        return self._ask(bridge or self._bridge(""), {"evaluate": script}, page)

    def _bridge(self, path: str | list[str | int]) -> str:
        names = [bridge["name"] for bridge in self.get("/bridges")["bridges"] if bridge["declared"]]
        first = str(path[0]) if isinstance(path, list) else path.replace(":", ".").split(".")[0]
        if first in names:
            return first
        if len(names) == 1:
            return names[0]
        raise ValueError(f"Name the bridge, as bridge=…. Declared are: {', '.join(names) or 'none'}.")

    def check_bridge(self, name: str) -> None:
        """Fails if the session has no bridge of this name."""
        __tracebackhide__ = True
        names = [bridge["name"] for bridge in self.get("/bridges")["bridges"]]
        if name not in names:
            raise ValueError(f"The session has no bridge {name}. It has: {', '.join(names)}.")

    def _ask(self, bridge: str, what: dict[str, Any], page: str | None) -> Any:
        __tracebackhide__ = True
        self.check_bridge(bridge)
        problems: dict[int, str] = {}

        def find(entry: Entry) -> dict[str, Any] | None:
            try:
                answer: dict[str, Any] = self.post(f"/bridges/{segment(bridge)}/calls", {**what, **({"page": page} if page else {})})
            except ControlError as error:
                if error.status != 409:
                    raise
                # The page may already be gone, before the test knows it.
                problems[entry["cursor"]] = error.problem["detail"]
                return None
            return answer

        def lost(entry: Entry) -> str:
            return f"When {entry['page']} connected (#{entry['cursor']}): {problems[entry['cursor']]}"

        answer = self.wait_until_found(f"page could be called by {bridge}", find, lost, kind="page", action="listening")
        if "error" in answer:
            raise ExpectationError(f"The page has failed: {answer['error']}")
        return answer.get("result")


class ExpectedMessage:
    """A message of a page that waits for its answer, now or later."""

    def __init__(self, session: DeclaredSession, action: str, value: Any):
        self._session = session
        self._action = action
        self._with = "" if value is None else f" with {compact(value)}"
        self._until = {"kind": "request", "action": action, **({} if value is None else {"data": {"value": value}})}

    def wait(self, *, timeout: float | None = None) -> Message:
        """Waits until the page has posted it, at most `timeout` milliseconds, and returns it."""
        __tracebackhide__ = True
        self._session.check_bridge(self._action.split(".")[0])

        def find(entry: Entry) -> Message | None:
            found = self._session.waiting_request(entry)
            return Message(self._session, *found) if found else None

        expected = f"message {self._action}{self._with} was waiting for its answer"
        return self._session.wait_until_found(expected, find, self._session.what_became_of, timeout=timeout, **self._until)

    def reply(self, *value: Any, timeout: float | None = None) -> None:
        """Waits for it, and resolves its promise: with a value, or with `undefined`."""
        __tracebackhide__ = True
        self.wait(timeout=timeout).reply(*value)

    def fails(self, text: str, *, timeout: float | None = None, **members: Any) -> None:
        """Waits for it, and rejects its promise with an `Error` of this text: `fails("Not found", code=404)`."""
        __tracebackhide__ = True
        self.wait(timeout=timeout).fails(text, **members)


class Message:
    """A message of a page that waits for its answer. `value` is what the page has posted."""

    def __init__(self, session: CoreSession, page_path: str, members: dict[str, Any]):
        self.action: str = members["action"]
        data = members.get("data", {})
        self.value: Any = data.get("value")
        self.channel: str | None = data.get("channel")
        self._session = session
        self._path = f"{page_path}/requests/{segment(members['correlationId'])}/respond"

    def __repr__(self) -> str:
        return f"<Message {self.action}>"

    def reply(self, *value: Any) -> None:
        """Resolves its promise: with a value, or with `undefined`."""
        self._session.post(self._path, {"status": "success", "data": {"value": value[0]} if value else {}})

    def fails(self, text: str, **members: Any) -> None:
        """Rejects its promise with an `Error` of this text. It has more members where the wire of the bridge has them."""
        data = {"data": {"error": {**members, "message": text}}} if members else {}
        self._session.post(self._path, {"error": {"code": "bridge.failed", "message": text}, **data})


def _with_texts(section: dict[str, Any]) -> dict[str, Any]:
    """Replaces the paths of files in a section by their texts, because the server reads no files for the control API."""
    read = dict(section)
    if "adapter" in read:
        read["adapter"] = _with_text(read["adapter"])
    if "scripts" in read:
        scripts = read["scripts"] if isinstance(read["scripts"], list) else [read["scripts"]]
        read["scripts"] = [_with_text(script) for script in scripts]
    return read


def _with_text(script: Any) -> dict[str, Any]:
    if not isinstance(script, dict):
        script = {"file": script}
    if "file" not in script:
        return script
    rest = {name: value for name, value in script.items() if name != "file"}
    return {**rest, "text": pathlib.Path(script["file"]).read_text(encoding="utf-8")}
