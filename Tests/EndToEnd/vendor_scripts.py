"""The vendors' own scripts, unchanged: `FOOTBRIDGE_VENDORS` names the `node_modules` that has them. A test skips without its script.

Modules that apps bundle need `esbuild`, in `PATH` or in `.bin` of that folder. Scripts of no npm package have folders of their own: `airship`,
`jweixin`, `pywebview/js`, `tauri/scripts` and `wails/v2`, with the vendors' names of files."""

import os
import pathlib
import shutil
import subprocess

import pytest

VENDORS = os.environ.get("FOOTBRIDGE_VENDORS")


def script(path):
    """A file of a vendor. The test skips without it."""
    if not VENDORS:
        pytest.skip("The vendors' scripts are not here: make test-vendors names their folder.")
    file = pathlib.Path(VENDORS) / path
    if not file.is_file():
        pytest.skip(f"FOOTBRIDGE_VENDORS has no {path}.")
    return file.read_bytes()


def bundle(path):
    """What a bundler makes of a module of a vendor, as the variable `vendor`. The test skips without the module, or without `esbuild`."""
    script(path)
    program = shutil.which("esbuild", path=os.pathsep.join([os.environ["PATH"], f"{VENDORS}/.bin"]))
    if not program:
        pytest.skip("There is no esbuild.")
    command = [program, path, "--bundle", "--format=iife", "--global-name=vendor", "--log-level=error"]
    return subprocess.run(command, cwd=VENDORS, capture_output=True, check=True, timeout=60).stdout


def open_wire(servers, page, preset, document, answers, files, options="{}", user_agent=None, scripts="[]", launch="{}"):
    """Opens a page with a vendor's scripts on a preset that is only a wire. `scripts` are those that the app injects."""
    agent = f"    userAgent: {user_agent}\n" if user_agent else ""
    section = f"bridges:\n  app:\n    preset: {preset}\n    options: {options}\n    scripts: {scripts}\n    launch: {launch}\n{agent}    answers:\n{answers}"
    page.goto(servers.start(f"<!doctype html><title>App</title>{document}", section, files=files).url)
