"""Measures the build of `make run` in an empty folder: how long it takes, and the CPU time of each package and of each of our modules."""

import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import servers
from result import Result

#: Programs that this part runs.
PROGRAMS = ["swift", "clang"]

#: Stands for a compiler, and notes the CPU time of each of its runs beside the words that name the module.
COMPILER = """#!{python} -IS
import json, resource, subprocess, sys
status = subprocess.call(["{compiler}", *sys.argv[1:]])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
with open("{notes}", "a") as notes:
    notes.write(json.dumps([used.ru_utime + used.ru_stime, sys.argv[1:]]) + "\\n")
sys.exit(status)
"""


def measure(is_quick):
    """Builds the program, or for a quick run the smallest one, and returns the whole time and the twenty largest costs."""
    product = "EchoServer" if is_quick else "footbridge"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        notes = folder / "notes"
        environment = {**os.environ, "SWIFT_EXEC": _noted(folder, "swiftc", notes), "CC": _noted(folder, "clang", notes)}
        command = ["swift", "build", "--package-path", servers.PROJECT, "--scratch-path", folder / "build", "--product", product]
        begin = time.perf_counter()
        built = subprocess.run([str(word) for word in command], env=environment, capture_output=True, text=True)
        seconds = time.perf_counter() - begin
        if built.returncode != 0:
            raise RuntimeError(built.stdout[-2000:] + built.stderr[-2000:])
        costs = collections.Counter()
        for line in notes.read_text().splitlines():
            used, words = json.loads(line)
            costs[_owner(words)] += used
    largest = [Result("build", f"CPU time of {name}", cost, "s") for name, cost in costs.most_common(20)]
    return [Result("build", f"first build of {product}", seconds, "s"), Result("build", "CPU time of all compilers", sum(costs.values()), "s"), *largest]


def _noted(folder, compiler, notes):
    program = folder / compiler
    program.write_text(COMPILER.format(python=sys.executable, compiler=shutil.which(compiler), notes=notes))
    program.chmod(0o755)
    return str(program)


def _owner(words):
    """Returns the package that a run of a compiler is for, or our own module."""
    sources = [word for word in words if word.startswith("@") and word.endswith("sources")]
    text = " ".join([*words, *(pathlib.Path(word[1:]).read_text() for word in sources if pathlib.Path(word[1:]).exists())])
    if "/checkouts/" in text:
        return "the package " + text.split("/checkouts/")[1].split("/")[0]
    return words[words.index("-module-name") + 1] if "-module-name" in words else "C sources and plugins of our own"
