"""What can happen to servers and to their database, at random moments."""

import threading
import time


class Chaos:
    """Does something bad to a server, to its line to the database or to the database at random moments: after a random number of messages that pages have received.

    One thing happens at a time, and lasts at most `longest` seconds. Pages that make a change `when_allowed` make only `changes` for each of them, so
    that enough happens."""

    def __init__(self, replicas, chance, changes=6, longest=2):
        self.replicas = replicas
        self.chance = chance
        self.changes = changes
        # Each purchase has at least three messages: so many come even if a page stops at the limit.
        self.messages = 2 * changes
        self.longest = longest
        #: How often each thing has happened.
        self.figures = {}
        self._left = chance.randint(1, self.messages)
        self._lock = threading.Lock()
        self._is_due = threading.Event()
        self._allowed = threading.Semaphore(changes)
        self._is_over = False
        self._problem = None
        self._thread = threading.Thread(target=self._run)

    # What can happen

    def a_server_is_killed(self, replica):
        replica.note_figures()
        replica.kill()
        replica.start()

    def a_server_is_asked_to_end(self, replica):
        replica.note_figures()
        assert replica.server.stop() == 0
        replica.start()

    def a_server_is_killed_and_comes_back_late(self, replica):
        replica.note_figures()
        replica.kill()
        self._last()
        replica.start()

    def a_server_is_stopped_and_continued(self, replica):
        replica.pause()
        self._last()
        replica.proceed()

    def a_line_to_the_database_is_cut(self, replica):
        replica.line.cut()
        self._last()
        replica.line.mend()

    def a_line_to_the_database_is_silent(self, replica):
        replica.line.hold()
        self._last()
        replica.line.mend()

    def the_database_is_killed(self, _):
        self.replicas.database.kill()
        self._last()
        self.replicas.database.start()

    def the_database_is_stopped_and_continued(self, _):
        self.replicas.database.pause()
        self._last()
        self.replicas.database.proceed()

    # What can happen if each server has a network of its own

    def a_network_cuts_a_server_from_the_others(self, replica):
        self._drop(replica, from_others=True)

    def a_network_cuts_a_server_from_the_database(self, replica):
        self._drop(replica, from_database=True)

    def a_network_cuts_a_server_from_the_others_and_the_database(self, replica):
        self._drop(replica, from_others=True, from_database=True)

    def _drop(self, replica, from_others=False, from_database=False):
        if from_others:
            for other in self.replicas.replicas:
                if other is not replica:
                    replica.place.drop(other.host)
        if from_database:
            replica.place.drop(self.replicas.gateway, replica.line.port)
        self._last()
        replica.place.mend()

    def _last(self):
        """Lets it last for a random time: often too short for anybody to notice."""
        time.sleep(self.chance.choice([0, self.chance.uniform(0, self.longest)]))

    # When it happens

    def heard(self):
        """Notes that a page has received a message. Each page has a thread of its own."""
        with self._lock:
            self._left -= 1
            if self._left == 0:
                self._is_due.set()

    def when_allowed(self):
        """Waits until a page may make its next change."""
        assert self._allowed.acquire(timeout=600) and not self._problem, f"nothing happens any more: {self._problem}"

    def _run(self):
        events = [name for name in dir(self) if name.startswith(("a_", "the_")) and self._can_happen(name)]
        # Each happens before one happens again.
        queue = []
        while self._is_due.wait():
            # Cleared before the messages are counted: a later message shows in the next turn.
            self._is_due.clear()
            if self._is_over:
                return
            queue = queue or self.chance.sample(events, len(events))
            event = queue.pop()
            try:
                getattr(self, event)(self.chance.choice(self.replicas.replicas))
            except Exception as problem:
                self._problem = problem
                # Nobody waits for what will not happen.
                self._allowed.release(1_000_000)
                return
            self.figures[event] = self.figures.get(event, 0) + 1
            with self._lock:
                self._left = self.chance.randint(1, self.messages)
            self._allowed.release(self.changes)

    def _can_happen(self, event):
        if event.startswith("a_network"):
            return self.replicas.gateway is not None
        return self.replicas.database or "database" not in event

    def calm(self):
        """Ends it: everything runs."""
        self._is_over = True
        self._is_due.set()
        self._thread.join()
        if self._problem:
            raise self._problem

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, kind, *_):
        self._is_over = True
        self._is_due.set()
        self._thread.join()

    def __str__(self):
        return ", ".join(f"{name.replace('_', ' ')}: {count}" for name, count in sorted(self.figures.items()))
