"""The recorded instructions of each kind of message, and what they depend on beside Footbridge."""

import dataclasses
import json


@dataclasses.dataclass
class InstructionRecord:
    #: The versions of the compiler and the libraries. With others, the counts differ.
    versions: dict[str, str]
    #: The instructions for one message, by the name of its kind.
    counts: dict[str, int]

    #: A count may grow by this share.
    TOLERATED_GROWTH = 0.03

    @classmethod
    def read(cls, path):
        """Reads a record that `write` has written."""
        return cls(**json.loads(path.read_text()))

    def write(self, path):
        """Writes the record, for `read` and for people."""
        path.write_text(json.dumps(dataclasses.asdict(self), indent=2) + "\n")

    def lowest(self, counts):
        """Returns the record with the lower one of each count and another one."""
        return dataclasses.replace(self, counts={name: min(count, counts[name]) for name, count in self.counts.items()})

    def compared(self, current):
        """Compares the record with new counts. Returns lines for people, and whether no count has grown too much."""
        lines = [self._line(name, count) for name, count in current.counts.items()]
        differing = [name for name, version in current.versions.items() if self.versions.get(name) != version]
        if differing:
            was = ", ".join(f"{name} {self.versions.get(name)} (here {current.versions[name]})" for name in differing)
            return [*lines, f"Not comparable: recorded with {was}."], True
        grown = [name for name, count in current.counts.items() if count > self._limit(name)]
        if grown:
            lines.append(
                f"More than {self.TOLERATED_GROWTH:.0%} above the record: {', '.join(grown)}. Find out why (docs/benchmarks.md, "
                "Instructions). If the change is worth it, run make record-instructions and say why in the commit."
            )
        return lines, not grown

    def _limit(self, name):
        return self.counts.get(name, float("inf")) * (1 + self.TOLERATED_GROWTH)

    def _line(self, name, count):
        if name not in self.counts:
            return f"{name}: {count:,} instructions, not recorded"
        recorded = self.counts[name]
        return f"{name}: {count:,} instructions, {count / recorded - 1:+.1%} from the recorded {recorded:,}"
