"""A declared bridge: who answers a message, and when.

A rule of the session decides first, then the answers of footbridge.yaml, then a handler. Messages wait for a handler that is not connected;
those that a handler has not answered as it ends reject. A handler that connects is told of the open page first, and before it of the one that
has gone, if a handler knew it. An answer may have to wait at a
gate."""

import itertools
from dataclasses import dataclass

#: The answers of footbridge.yaml, by the names of messages.
ANSWERS = {"declared": ("success", "of the file")}
#: How a message rejects whose handler has ended.
LOST = ("error", None)
#: How many messages of a session may have no answer of the handler. Further ones reject at once.
UNANSWERED = 100


@dataclass(eq=False)
class Rule:
    name: str
    #: `once`, `always`, or the numbers of the calls that it decides.
    times: object
    #: What it answers: `("success", value)` or `("error", text)`. None if the host answers.
    outcome: tuple = None
    gate: str = None
    count: int = 0

    def decides(self):
        return self.times == "always" or self.count in (self.times if isinstance(self.times, list) else [1])

    def is_over(self):
        return self.times != "always" and self.count >= (max(self.times) if isinstance(self.times, list) else 1)


@dataclass(eq=False)
class Message:
    number: int
    name: str
    #: The gate that its answer must pass.
    gate: str = None
    #: What the page gets; None as long as it waits.
    answer: tuple = None


class Bridge:
    def __init__(self):
        self.rules = []
        #: The messages of the page that is open.
        self.messages = []
        self._numbers = itertools.count()
        #: What waits at each gate, and how many answers may pass that have not come yet.
        self.held = []
        self.passes = {}
        self.has_handler = False
        #: What waits for a handler, and what it has got and not answered.
        self.waiting, self.asked = [], []
        #: All that the present handler has got: `opened` and `gone` for pages, and the numbers of messages.
        self.sent = []
        #: Whether a handler has heard that the page has opened, and the `gone` of such pages that waits for the next handler.
        self.is_known = False
        self.missed = []

    def post(self, name):
        message = Message(next(self._numbers), name)
        self.messages.append(message)
        rule = self._decide(name)
        message.gate = rule and rule.gate
        answer = (rule and rule.outcome) or ANSWERS.get(name)
        if answer:
            self._answer(message, answer)
        elif len(self.waiting) + len(self.asked) >= UNANSWERED:
            self._answer(message, LOST)
        elif self.has_handler:
            self._send(message)
        else:
            self.waiting.append(message)

    def _decide(self, name):
        """The first rule that decides the message. Rules with numbers count all messages that match, the others only those that they decide."""
        decided = None
        for rule in [each for each in self.rules if each.name == name]:
            if decided and not isinstance(rule.times, list):
                continue
            rule.count += 1
            if not decided and rule.decides():
                decided = rule
        self.rules = [each for each in self.rules if not each.is_over()]
        return decided

    def reload(self):
        """The page ends, and another one opens. Nothing waits any longer for what the former one has sent."""
        # A gate that was opened for an answer closes again, since the answer will not come.
        for message in self.messages:
            if self.passes.get(message.gate) and not message.answer and not any(message is each for each, _ in self.held):
                self.passes[message.gate] -= 1
        self.messages, self.held, self.waiting, self.asked = [], [], [], []
        if self.has_handler:
            self.sent += ["gone", "opened"]
        elif self.is_known:
            self.missed, self.is_known = ["gone"], False

    # Gates

    def _answer(self, message, answer):
        if message.gate and self.passes.get(message.gate):
            self.passes[message.gate] -= 1
        elif message.gate:
            self.held.append((message, answer))
            return
        message.answer = answer

    def release(self, gate):
        """Returns how many answers it lets pass; None if nobody knows the gate."""
        opened = [each for each in self.held if each[0].gate == gate]
        is_expected = any(each.gate == gate and not each.answer for each in self.messages) or any(each.gate == gate for each in self.rules)
        for message, answer in opened:
            message.answer = answer
        self.held = [each for each in self.held if each not in opened]
        if not opened and is_expected:
            self.passes[gate] = self.passes.get(gate, 0) + 1
        return len(opened) if opened or is_expected else None

    # The handler

    def _send(self, message):
        self.asked.append(message)
        self.sent.append(message.number)

    def connect(self):
        """A handler connects, in place of the one before."""
        if self.has_handler:
            self.disconnect()
        self.has_handler, self.sent = True, [*self.missed, "opened"]
        self.is_known, self.missed = True, []
        waiting, self.waiting = self.waiting, []
        for message in waiting:
            self._send(message)

    def disconnect(self):
        self.has_handler = False
        asked, self.asked = self.asked, []
        for message in asked:
            self._answer(message, LOST)

    def reply(self, message, answer):
        self.asked.remove(message)
        self._answer(message, answer)
