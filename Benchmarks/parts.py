"""Runs the parts of the benchmarks: modules with `measure`, and with `PROGRAMS`, the programs that they run."""

import os
import shutil
import sys
import traceback


def missing(names, parts):
    """Returns the programs that are not installed, by the part that runs them. A part lists in `PROGRAMS` what it needs."""
    path = os.environ.get("PATH", os.defpath) + os.pathsep + "/usr/sbin"
    needed = {name: getattr(parts[name], "PROGRAMS", []) for name in names}
    found = {name: [program for program in programs if not shutil.which(program, path=path)] for name, programs in needed.items()}
    return {name: programs for name, programs in found.items() if programs}


def measured(names, is_quick, parts, write):
    """Measures parts. Returns the results, and the error of each part that has failed. Its failure leaves those of the others. Calls `write` with
    both after each part, so that an interrupted run has results, too."""
    results, failures = [], {}
    for name in names:
        print(f"{name} …", file=sys.stderr)
        try:
            results += parts[name].measure(is_quick)
        except Exception as error:  # Whatever it is, the other parts have results.
            traceback.print_exc()
            failures[name] = f"{type(error).__name__}: {error}".splitlines()[0]
        write(results, failures)
    return results, failures
