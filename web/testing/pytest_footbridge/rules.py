"""Rules, which decide the outcome of calls."""

from __future__ import annotations

from typing import Any

from .connection import SessionConnection
from .control import segment
from .journal import compact


class When:
    """Calls whose outcome a test decides. Each method adds a rule."""

    def __init__(self, session: SessionConnection, on: str, where: dict[str, Any], times: Any):
        self._session = session
        self._rule = {"on": on, "where": where, "times": times}

    def returns(self, result: Any = None) -> Rule:
        """Answers the call with `result`; nothing else happens."""
        return self._then({"result": result})

    def fails(self, error: str | int | dict[str, Any]) -> Rule:
        """Makes the call fail. `error` is the name of an error or its members, such as `{"code": …, "message": …}`; for a backend, a status."""
        return self._then({"error": error})

    def delay(self, milliseconds: float, up_to: float | None = None) -> Rule:
        """Delays the call by this time, on the session's clock. With `up_to`, each call by another time between the two, by the seed."""
        return self._then({"delay": milliseconds if up_to is None else {"from": milliseconds, "to": up_to}})

    def gate(self, name: str | None = None) -> Gate:
        """Holds the call until the test releases the gate."""
        name = name or f"held-{next(self._session.numbers)}"
        return Gate(self._then({"gate": name}), name)

    def hold(self, gate: str) -> Gate:
        """Holds the call until the test releases the gate of this name."""
        return self.gate(gate)

    def cut_socket(self) -> Rule:
        """Cuts the page's socket when it calls."""
        return self._then({"cutSocket": True})

    def drop(self) -> Rule:
        """Keeps the callback, or a native answer, from the page."""
        return self._then({"drop": True})

    def double(self) -> Rule:
        """Sends the callback, or a native answer, twice."""
        return self._then({"double": True})

    def reorder(self) -> Rule:
        """Sends the callback after the next one of the same name."""
        return self._then({"reorder": True})

    def unknown_id(self) -> Rule:
        """Sends a native answer with a correlation id that no request has."""
        return self._then({"unknownId": True})

    def raw(self, value: Any) -> Rule:
        """Gives the page this value, such as `"{"`, in place of a native answer."""
        return self._then({"raw": value})

    def kill(self) -> Rule:
        """Kills the app and launches it again. The call or payment does not happen. The app's pages end: load them again."""
        return self._then({"kill": True})

    def does(self, **outcome: Any) -> Rule:
        """Does several of these at once, by their names in the control API: `result`, `error`, `delay`, `gate`, `cutSocket`, …"""
        return self._then(outcome)

    def _then(self, outcome: dict[str, Any]) -> Rule:
        members = self._session.post("/rules", {**self._rule, "then": outcome})
        return Rule(self._session, members["id"])


class Rule:
    """A rule of a session."""

    def __init__(self, session: SessionConnection, id: str):
        self.id = id
        self.session = session

    def __repr__(self) -> str:
        return f"<Rule {self.id}>"

    def remove(self) -> None:
        """Removes the rule."""
        self.session.delete(f"/rules/{segment(self.id)}")


class Gate:
    """A gate that holds calls."""

    def __init__(self, rule: Rule, name: str):
        self.rule = rule
        self.name = name

    def __repr__(self) -> str:
        return f"<Gate {self.name}>"

    @property
    def held(self) -> list[dict[str, Any]]:
        """The calls that wait here, each with its `action` and `heldSince`."""
        return [gate for gate in self.rule.session.get("/gates")["gates"] if gate["name"] == self.name]

    def release(self) -> None:
        """Releases the calls that wait here; if none waits yet, the next one."""
        self.rule.session.post(f"/gates/{segment(self.name)}/release")


def rule_text(rule: dict[str, Any]) -> str:
    """Formats a rule of the control API on one line."""
    where = f" where {compact(rule['where'])}" if rule.get("where") else ""
    times = "" if rule["times"] == "once" else f", times {compact(rule['times'])}"
    scenario = f" (of the scenario {rule['scenario']})" if "scenario" in rule else ""
    return f"{rule['on']}{where}{times}, then {compact(rule['then'])}{scenario}"
