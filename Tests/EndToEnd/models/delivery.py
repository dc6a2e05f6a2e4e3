"""What reaches the pages of a session, whatever happens to their connections and to the server.

- A purchase takes effect once, and is in the queue until a page finishes it.
- Each page that is open learns of each change: of a transaction, `purchasing`, `purchased` and `removed`, in this order.
- A page that ends before its call is answered does not know whether the call took effect. Nobody else notices that it has asked."""


class Tab:
    """A page, and the last state that it must have learned of each purchase."""

    def __init__(self):
        self.known = {}


class Delivery:
    def __init__(self):
        self.tabs = []
        self.bought = []
        self.finished = set()
        #: Purchases and finishes of pages that have ended before the answer.
        self.undecided = set()

    @property
    def queue(self):
        """The purchases that wait to be finished."""
        return [each for each in self.bought if each not in self.finished]

    def open(self):
        self.tabs.append(Tab())
        return self.tabs[-1]

    def end(self, tab, unanswered=()):
        """A page ends, with calls that were not answered: `(purchase, what)`."""
        self.tabs.remove(tab)
        for purchase, what in unanswered:
            self.undecided.add((purchase, what))
            if what == "buy":
                self.bought.remove(purchase)
            else:
                self.finished.remove(purchase)
            for other in self.tabs:
                other.known.pop(purchase, None)

    def buy(self, purchase):
        self.bought.append(purchase)
        for tab in self.tabs:
            tab.known[purchase] = "purchased"

    def finish(self, purchase):
        self.finished.add(purchase)
        for tab in self.tabs:
            tab.known[purchase] = "removed"

    def decide(self, bought, queue):
        """Learns from the server which of the undecided calls took effect. Any other difference stays one."""
        for purchase, what in self.undecided:
            if what == "buy" and purchase in bought:
                self.bought.append(purchase)
            if what == "finish" and purchase not in queue:
                self.finished.add(purchase)
        self.undecided = set()
