"""Builds images with buildah, without a Docker engine."""

import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys

from footbridge_process import PROJECT

#: The cache between runs: base systems, layers, and Swift's builds.
FOLDER = PROJECT / ".build" / "images"
#: The containers that buildah has made.
COPIES = []


@functools.cache
def storage_driver():
    """Returns the storage driver of the layers: overlay if the kernel allows it, else vfs, which copies; None if buildah cannot run."""
    drivers = [os.environ["STORAGE_DRIVER"]] if "STORAGE_DRIVER" in os.environ else ["overlay", "vfs"]
    return next((driver for driver in drivers if _runs(driver)), None)


def why_not():
    """Returns why buildah cannot build an image here; None if it can."""
    if sys.platform != "linux":
        return "Images are built on Linux."
    if os.geteuid() != 0:
        return "Only root makes base systems and builds images without an engine."
    missing = [name for name in ("buildah", "debootstrap", "ip", "nsenter", "unshare") if not shutil.which(name)]
    if missing:
        return f"These are missing: {', '.join(missing)}."
    return None if storage_driver() else "buildah cannot run here."


def buildah(*arguments, driver=None, check=True):
    """Runs buildah with our own store, and returns its output."""
    driver = driver or storage_driver()
    store = FOLDER / driver
    (FOLDER / "tmp").mkdir(parents=True, exist_ok=True)
    command = ["buildah", "--storage-driver", driver, "--root", store / "root", "--runroot", store / "run", *arguments]
    result = subprocess.run(
        [*map(str, command)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if check else subprocess.DEVNULL,
        text=True,
        # Cache mounts are there as well.
        env={**os.environ, "TMPDIR": str(FOLDER / "tmp")},
    )
    if check and result.returncode != 0:
        raise AssertionError(f"buildah {arguments[0]} has failed with {result.returncode}.\n{result.stdout[-4000:]}")
    return result.stdout if check else result.returncode


def _runs(driver):
    """Returns whether buildah can build and mount an image with a driver."""
    probe = FOLDER / "probe"
    probe.mkdir(parents=True, exist_ok=True)
    (probe / "Dockerfile").write_text("FROM scratch\nCOPY Dockerfile /\n")
    # Two layers, as every real image has.
    (probe / "Dockerfile.second").write_text("FROM localhost/footbridge-probe\nCOPY Dockerfile /again\n")
    for file in ("Dockerfile", "Dockerfile.second"):
        code = buildah("bud", "--isolation", "chroot", "-f", probe / file, "-t", "localhost/footbridge-probe", probe, driver=driver, check=False)
        if code != 0:
            return False
    return True


def build(tag, context, file, *, arguments=None, volumes=()):
    """Builds an image from a Dockerfile, with existing layers."""
    options = [part for name, value in (arguments or {}).items() for part in ("--build-arg", f"{name}={value}")]
    options += [part for volume in volumes for part in ("--volume", volume)]
    # The OCI format has no health checks.
    fixed = ["--isolation", "chroot", "--format", "docker", "--layers", "--pull-never"]
    buildah("bud", *fixed, *options, "-f", file, "-t", tag, context)
    return Image(tag)


class Image:
    """An image in the store."""

    def __init__(self, tag):
        self.tag = tag

    @functools.cached_property
    def config(self):
        """Its configuration: User, Env, Entrypoint, Cmd, Volumes, Healthcheck and others."""
        return json.loads(buildah("inspect", "--type", "image", self.tag))["Docker"]["config"]

    @functools.cached_property
    def files(self):
        """Its files as a folder, for reading only: a container has its own copy."""
        return self.copy()

    def copy(self):
        """Makes a folder with a copy of its files, which can change."""
        name = buildah("from", "--pull-never", self.tag).split()[-1]
        COPIES.append(name)
        return pathlib.Path(buildah("mount", name).split()[-1])

    def size(self):
        """The size of its files in bytes."""
        return sum(file.lstat().st_size for file in self.files.rglob("*") if file.is_file() and not file.is_symlink())


def remove_copies():
    """Removes the folders of `Image.copy`."""
    if COPIES:
        buildah("rm", *COPIES)
        COPIES.clear()
