"""Measures Footbridge beside its peers: `make bench`, or `make bench QUICK=1` to check that everything runs.

Prints one table, and writes it as JSON and, after a full run, as a picture for the manual.
"""

import json
import os
import resource
import sys
import time

import build
import calls
import dashboard
import frameworks
import idle
import instructions
import kit
import large
import machine
import messages
import own
import parts
import plot
import proxy
import purchases
import replicas
import report
import servers
import shim
import snapshots
import start
import suite

PARTS = {
    "messages": messages, "calls": calls, "large": large, "own": own, "idle": idle, "start": start, "sessions": snapshots,
    "purchases": purchases, "replicas": replicas, "proxy": proxy, "shim": shim, "frameworks": frameworks, "dashboard": dashboard, "kit": kit, "suite": suite,
    "instructions": instructions, "build": build,
}


def main():
    """Measures the parts named as arguments, or all."""
    names = sys.argv[1:] or list(PARTS)
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        sys.exit(f"There is no part {', '.join(unknown)}. The parts are {', '.join(PARTS)}.")
    absent = parts.missing(names, PARTS)
    for name, programs in absent.items():
        print(f"{name} is left out: {', '.join(programs)} is not installed. make setup-bench installs it.", file=sys.stderr)
    is_quick = os.environ.get("QUICK", "") not in ("", "0")
    # Servers and clients need ten thousand connections each.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    servers.build()
    before = machine.description()
    output = servers.BUILD / "results.json"
    record = {"date": time.strftime("%Y-%m-%d"), "isQuick": is_quick, "machine": before}

    def write(results, failures):
        record.update(loadAfter=os.getloadavg()[0], results=[result.as_dictionary() for result in results], failures=failures)
        output.write_text(json.dumps(record, indent=2) + "\n")

    results, failures = parts.measured([name for name in names if name not in absent], is_quick, PARTS, write)
    print(*report.lines(results), sep="\n")
    print(f"Written to {output.relative_to(servers.PROJECT)}.", file=sys.stderr)
    if absent or failures:
        sys.exit("\n".join(["Not everything was measured:", *(f"  {name}: {error}" for name, error in failures.items()), *(f"  {name}: left out" for name in absent)]))
    if not is_quick and names == list(PARTS):
        picture = servers.PROJECT / "docs" / "benchmarks.svg"
        picture.write_text(plot.svg(results, record["date"], record["machine"]))
        del record["failures"]
        (servers.PROJECT / "docs" / "benchmarks.json").write_text(json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main()
