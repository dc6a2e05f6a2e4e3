"""The recipes of docs/ci.md, run as they are printed."""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import stat
import subprocess

from browser_profiles import CHROMIUM
from footbridge_process import BUILD, PROJECT

EXAMPLE = PROJECT / "Examples" / "ci"
PAGE = PROJECT / "docs" / "ci.md"


def code(heading, language, number=0):
    """Returns a piece of code in a section of the page."""
    section = PAGE.read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return [text for name, text in re.findall(r"```(\w*)\n(.*?)```", section, flags=re.DOTALL) if name == language][number]


def copy_project(folder):
    """Copies the example."""
    return pathlib.Path(shutil.copytree(EXAMPLE, folder / "project", ignore=shutil.ignore_patterns("node_modules")))


def write_command(folder, name, script):
    """Writes a shell script that stands in for a command."""
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)


def job_environment(*folders, **variables):
    """Returns the environment of a job, with these folders first on the `PATH`, and without the variables of our own tests."""
    left_out = ("FOOTBRIDGE", "PYTHON", "PYTEST", "VIRTUAL_ENV", "NODE_", "XDG_STATE")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    return {**inherited, "PATH": os.pathsep.join([*map(str, folders), os.environ["PATH"]]), **variables}


def installed_environment(*folders):
    """Returns an environment with Footbridge and the kit for pytest."""
    return job_environment(
        *folders,
        PROJECT / ".venv" / "bin",
        BUILD.resolve(),
        FOOTBRIDGE_CHROMIUM=CHROMIUM,
        PYTHONPATH=str(PROJECT / "web" / "testing"),
        PYTHONDONTWRITEBYTECODE="1",
    )


def run(script, folder, environment, *, own_network=False):
    """Runs a script as a job does: it ends at the first command that fails. Ends the processes that it leaves. Returns exit code and output.

    With `own_network`, which needs root, all ports are free.
    """
    command = ["bash", "-e", "-o", "pipefail", "-c", script]
    if own_network:
        command = ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", *command]
    log = folder / "job.log"
    with log.open("w") as output:
        options = {"stdout": output, "stderr": output, "stdin": subprocess.DEVNULL, "start_new_session": True}
        process = subprocess.Popen(command, cwd=folder, env=environment, **options)
        try:
            code = process.wait(timeout=280)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    return code, log.read_text(errors="replace")
