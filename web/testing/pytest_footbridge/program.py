"""The program: what `FOOTBRIDGE` names, what came with this package, or what is on the search path."""

from __future__ import annotations

import os
import pathlib
import shutil
import sys

#: Wheels for one platform bring the program.
CARRIED = pathlib.Path(__file__).parent / "native" / "footbridge"


def find_program() -> str | None:
    """The path of the program, or its name; None when there is none."""
    program = os.environ.get("FOOTBRIDGE")
    if program:
        return str(pathlib.Path(program).absolute()) if os.sep in program else program
    return str(CARRIED) if CARRIED.exists() else shutil.which("footbridge")


def main() -> None:
    """Runs the program that came with this package: the command `footbridge`."""
    os.execv(CARRIED, ["footbridge", *sys.argv[1:]])
