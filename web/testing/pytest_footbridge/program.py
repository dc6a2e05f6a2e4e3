"""Finds the program: the one that `FOOTBRIDGE` names, the one in this package, or the one on the `PATH`."""

from __future__ import annotations

import os
import pathlib
import shutil
import sys

#: The program in a wheel for one platform.
CARRIED = pathlib.Path(__file__).parent / "native" / "footbridge"


def find_program() -> str | None:
    """Returns the path of the program, or its name; None if there is none."""
    program = os.environ.get("FOOTBRIDGE")
    if program:
        return str(pathlib.Path(program).absolute()) if os.sep in program else program
    return str(CARRIED) if CARRIED.exists() else shutil.which("footbridge")


def main() -> None:
    """Runs the program in this package: the command `footbridge`."""
    os.execv(CARRIED, ["footbridge", *sys.argv[1:]])
