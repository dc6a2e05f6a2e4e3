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
    # The lowest and the highest ratio of the rounds.
    spread: tuple[float, float] | None = None

    @classmethod
    def of_rounds(cls, group, name, values, unit, peer, peer_values, **goals):
        """The medians of rounds in which both took turns, and how far the ratios of the rounds lie apart."""
        ratios = [value / peer_value for value, peer_value in zip(values, peer_values)]
        medians = statistics.median(values), unit, peer, statistics.median(peer_values)
        return cls(group, name, *medians, spread=(min(ratios), max(ratios)), **goals)

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

    @property
    def is_met(self):
        """Whether the goal is met; None if there is none."""
        measured = self.value if self.ratio is None else self.ratio
        if self.at_least is not None:
            return measured >= self.at_least
        return None if self.at_most is None else measured <= self.at_most

    @classmethod
    def from_dictionary(cls, dictionary):
        """Reads a result that `as_dictionary` has written."""
        return cls(**{field.name: dictionary.get(field.name) for field in dataclasses.fields(cls)})

    def as_dictionary(self):
        """Returns the result for JSON."""
        return {**dataclasses.asdict(self), "ratio": self.ratio, "is_met": self.is_met}
