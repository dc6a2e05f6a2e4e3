"""The packages of `make dist`, made from the program under test."""

import fcntl
import os
import shutil
import subprocess

from footbridge_process import BUILD, PROJECT

EPOCH = 1_700_000_000
IS_RELEASE = "release" in str(BUILD)
#: The sources of a package. The folder of a project can be anywhere.
SOURCES = ["packaging", "web/testing", "README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE", "THIRD-PARTY-NOTICES.md", "Package.resolved"]

#: A small program that is linked like ours, and runs it. It takes minutes to pack the real one.
STAND_IN = """
#include <unistd.h>
int main(int count, char **arguments) { execv("%s", arguments); return 127; }
"""


def output_of(*command, **options):
    result = subprocess.run([*map(str, command)], capture_output=True, text=True, **options)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def packaging_tools():
    """The Python and the generate-manual that `make dist` uses."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    # Tests that run at the same time share them.
    with (PROJECT / ".build/packaging.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        output_of("make", "--silent", "-C", PROJECT, "packaging-tools", env=environment)
    return PROJECT / ".build/packaging/bin/python", PROJECT / ".build/manual/debug/generate-manual"


def packed_program(folder):
    """Returns the release, or a stand-in in `folder` that runs the program under test."""
    program = BUILD.resolve() / "footbridge"
    if IS_RELEASE:
        return program
    (folder / "main.c").write_text(STAND_IN % program)
    libraries = ["-Wl,--no-as-needed", "-lwebsockets", "-lssl", "-lcrypto", "-lnghttp2", "-lpsl", "-lsqlite3", "-lz"]
    output_of("clang", folder / "main.c", "-o", folder / "footbridge", *libraries)
    return folder / "footbridge"


def make(tools, binary, folder, *only):
    """Makes the packages from a copy of the sources."""
    for name in SOURCES:
        copy = shutil.copytree if (PROJECT / name).is_dir() else shutil.copyfile
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        copy(PROJECT / name, folder / name)
    (folder / ".build").mkdir()
    (folder / ".build/checkouts").symlink_to(PROJECT / ".build/checkouts")
    program = folder / ".build/footbridge"
    shutil.copy(binary, program)
    python, manual = tools
    command = [python, "packaging/make.py", program, "dist", "--manual-tool", manual]
    output_of(*command, *(["--only", *only] if only else []), cwd=folder, env={**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH)})
    return folder / "dist"


def only(folder, pattern):
    """Returns the only matching file of a folder."""
    [file] = folder.glob(pattern)
    return file
