"""Fixtures for the image and for Chromium."""

import json
import pathlib
import shutil
import subprocess

import pytest
from playwright.sync_api import sync_playwright

import builder
import stand_ins
from browser_profiles import CHROMIUM
from footbridge_process import PROJECT


def pytest_collection_modifyitems(items):
    reason = builder.why_not()
    if reason:
        for item in items:
            item.add_marker(pytest.mark.skip(reason=reason))


def git_folders():
    """Returns the local folders from which git reads repositories instead of their addresses, with the lines of `git config` for them."""
    listed = subprocess.run(["git", "config", "--get-regexp", r"^url\..*\.insteadof$"], capture_output=True, text=True).stdout
    pairs = [line.split(" ", 1) for line in listed.splitlines()]
    local = [(key[len("url.") : -len(".insteadof")], address) for key, address in pairs]
    return [(folder, address) for folder, address in local if pathlib.Path(folder).is_dir()]


def swift_toolchain():
    """Returns the folder of Swift's toolchain, which contains `usr`; None if that is the whole system."""
    if not shutil.which("swiftc"):
        return None
    described = subprocess.run(["swiftc", "-print-target-info"], capture_output=True, text=True, check=True).stdout
    folder = pathlib.Path(json.loads(described)["paths"]["runtimeResourcePath"]).resolve().parents[2]
    return None if folder == pathlib.Path("/") else folder


@pytest.fixture(scope="session")
def base():
    return stand_ins.debian()


@pytest.fixture(scope="session")
def build_image(base):
    """Builds the image of docker/Dockerfile with this machine's Swift toolchain, under a tag and with further build arguments."""
    toolchain = swift_toolchain()
    if not toolchain:
        pytest.skip("Swift's toolchain has no folder of its own here, so it cannot stand in for Swift's image.")
    settings = builder.FOLDER / "gitconfig"
    settings.parent.mkdir(parents=True, exist_ok=True)
    folders = git_folders()
    replaced = "".join(f'[url "{folder}"]\n\tinsteadOf = {address}\n' for folder, address in folders)
    settings.write_text(f"{replaced}[safe]\n\tdirectory = *\n")
    mounted = {toolchain, *(pathlib.Path(folder) for folder, _ in folders)}
    volumes = [f"{settings}:/etc/gitconfig:ro", *(f"{folder}:{folder}:ro" for folder in sorted(mounted))]
    bases = {"SWIFT_IMAGE": stand_ins.swift(toolchain).tag, "BASE_IMAGE": base.tag}
    yield lambda tag, **arguments: builder.build(tag, PROJECT, PROJECT / "docker/Dockerfile", arguments={**bases, **arguments}, volumes=volumes)
    builder.remove_copies()


@pytest.fixture(scope="session")
def image(build_image):
    """The image of docker/Dockerfile."""
    return build_image("localhost/footbridge")


@pytest.fixture(scope="session")
def launch():
    """Launches Chromium, with another command if one is given."""
    with sync_playwright() as playwright:

        def launch(executable=CHROMIUM, *arguments):
            return playwright.chromium.launch(executable_path=str(executable), args=["--no-sandbox", *arguments])

        yield launch
