"""A result of a measurement."""

import dataclasses
import statistics


@dataclasses.dataclass
class Result:
    """One line of the table: Footbridge's value, the peer's value, and the goal."""

    group: str
    name: str
    value: float
    unit: str
    # The peer to compare with. Without it, the goal is for the value itself.
    peer: str | None = None
    peer_value: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    # The lowest and the highest ratio of the rounds; without a peer, the lowest and the highest value.
    spread: tuple[float, float] | None = None
    # How far the peer's rounds lie apart, as a share of their median.
    peer_variation: float | None = None

    #: With a peer that varies by more than this share, a goal that some rounds meet is not missed.
    TOLERATED_VARIATION = 0.1

    @classmethod
    def of_rounds(cls, group, name, values, unit, peer=None, peer_values=None, **goals):
        """The medians of rounds in which both took turns, and how far the rounds lie apart."""
        if peer is None:
            return cls(group, name, statistics.median(values), unit, spread=(min(values), max(values)), **goals)
        ratios = [value / peer_value for value, peer_value in zip(values, peer_values)]
        peers = statistics.median(peer_values)
        return cls(
            group, name, statistics.median(values), unit, peer, peers, spread=(min(ratios), max(ratios)),
            peer_variation=(max(peer_values) - min(peer_values)) / peers, **goals)

    @property
    def ratio(self):
        """The value as a multiple of the peer's."""
        return self.value / self.peer_value if self.peer_value else None

    @property
    def goal(self):
        """The goal as text; None if there is none."""
        if self.at_least is not None:
            return f"≥ {self.at_least:g}"
        return None if self.at_most is None else f"≤ {self.at_most:g}"

    def _meets(self, measured):
        """Whether a ratio, or a value without a peer, meets the goal; None if there is none."""
        if self.at_least is not None:
            return measured >= self.at_least
        return None if self.at_most is None else measured <= self.at_most

    @property
    def is_met(self):
        """Whether the goal is met; None if there is none."""
        return self._meets(self.value if self.ratio is None else self.ratio)

    @property
    def is_too_noisy(self):
        """Whether the goal is missed beside a peer that varies so much that this says nothing about Footbridge: some rounds meet the goal."""
        varies = (self.peer_variation or 0) > self.TOLERATED_VARIATION
        return self.is_met is False and varies and any(map(self._meets, self.spread))

    @property
    def verdict(self):
        """Whether the goal is met, as text; empty if there is none."""
        if self.is_met is None:
            return ""
        return "met" if self.is_met else "too noisy" if self.is_too_noisy else "MISSED"

    @classmethod
    def from_dictionary(cls, dictionary):
        """Reads a result that `as_dictionary` has written."""
        return cls(**{field.name: dictionary.get(field.name) for field in dataclasses.fields(cls)})

    def as_dictionary(self):
        """Returns the result for JSON."""
        return {**dataclasses.asdict(self), "ratio": self.ratio, "is_met": self.is_met, "is_too_noisy": self.is_too_noisy}
