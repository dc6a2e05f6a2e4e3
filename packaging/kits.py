"""The test kits as packages that contain the program and the libraries that a bare system lacks."""

import json
import pathlib
import platform
import re
import shutil
import sys
import sysconfig
import zipfile

import archive
import tree
from program import PROJECT, output_of

SOURCE = PROJECT / "web" / "testing"
#: The folder of the program in the wheel's package and in the JavaScript package.
FOLDER = "native"
PYTHON_PACKAGE = "pytest_footbridge"
#: Where auditwheel puts libraries: the name of the wheel.
LIBRARIES = "footbridge_testing.libs"
#: What `footbridge.mjs` imports.
JAVASCRIPT_FOLDERS = ("bridges", "core")
#: Node's names of the architectures.
NODE_MACHINES = {"x86_64": "x64", "aarch64": "arm64"}
#: The platforms of a release, by Node's names.
PLATFORMS = ("darwin-arm64", "linux-arm64", "linux-x64")


def wheel(program, work, output):
    """Makes the wheel of the pytest plugin with the program inside, and returns the file."""
    source = work / "source"
    shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    native = source / PYTHON_PACKAGE / FOLDER
    tree.place(program.path, native / "footbridge")
    (native / "footbridge").chmod(0o755)
    # The licences of all libraries, because auditwheel decides which ones go into the wheel.
    tree.licences(native, program.libraries)
    with (source / "pyproject.toml").open("a") as project:
        project.write(f'\n[project.scripts]\nfootbridge = "{PYTHON_PACKAGE}.program:main"\n')
    (source / "MANIFEST.in").write_text(f"graft {PYTHON_PACKAGE}/{FOLDER}\n")
    tag = re.sub(r"\W", "_", sysconfig.get_platform())
    options = ["--no-deps", "--no-build-isolation", "--quiet", f"--config-settings=--build-option=--plat-name={tag}"]
    output_of(sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", work / "plain", source)
    [plain] = (work / "plain").iterdir()
    # Puts the libraries that a bare system lacks beside the program.
    repair = ["auditwheel", "repair"] if sys.platform == "linux" else ["delocate.cmd.delocate_wheel"]
    output_of(sys.executable, "-m", *repair, "--wheel-dir", work / "repaired", plain)
    [repaired] = (work / "repaired").iterdir()
    return pathlib.Path(shutil.copy(repaired, output))


def scripts(package):
    """Puts the scripts of the JavaScript kit into a folder, with the types that tsc reads from them."""
    for name in ("command.mjs", "footbridge.mjs", "handler.mjs", "package.json"):
        tree.place(SOURCE / name, package / name)
    (package / "command.mjs").chmod(0o755)
    for name in JAVASCRIPT_FOLDERS:
        shutil.copytree(SOURCE / name, package / name)
    output_of("tsc", "-p", SOURCE / "tsconfig.types.json", "--outDir", package / "types")
    tree.place(PROJECT / "LICENSE", package / "LICENSE")


def javascript_without_program(work, output):
    """Packs the JavaScript kit as npm does, for machines that have the program, and returns the file."""
    scripts(work / "package")
    return pack(work / "package", output)


def javascript(program, wheel, work, output):
    """Packs the JavaScript kit as npm does: as one file with the program, and as two packages for a registry, of which npm installs that of the platform."""
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(work / "wheel")
    machine = {"os": [platform.system().lower()], "cpu": [NODE_MACHINES.get(platform.machine(), platform.machine())]}
    name = f"{machine['os'][0]}-{machine['cpu'][0]}"

    whole = work / "whole"
    native(work / "wheel", whole)
    scripts(whole)
    described = describe(whole, machine | {"bin": {"footbridge": f"{FOLDER}/footbridge"}})
    pack(whole, output, f"-{name}")

    alone = work / "alone"
    native(work / "wheel", alone)
    tree.place(PROJECT / "LICENSE", alone / "LICENSE")
    kept = {key: described[key] for key in ("version", "license", "os", "cpu")}
    describe(alone, {"name": f"{described['name']}-{name}", "description": f"The program of {described['name']} for {name}", **kept})
    pack(alone, output)

    kit = work / "kit"
    scripts(kit)
    describe(kit, {"optionalDependencies": {f"{described['name']}-{each}": described["version"] for each in PLATFORMS}})
    pack(kit, output)


def native(wheel, package):
    """Puts the program of an unpacked wheel into a package, with its libraries."""
    shutil.copytree(wheel / PYTHON_PACKAGE / FOLDER, package / FOLDER)
    binary = package / FOLDER / "footbridge"
    binary.chmod(0o755)
    if sys.platform == "linux":
        if (wheel / LIBRARIES).exists():
            shutil.copytree(wheel / LIBRARIES, package / FOLDER / "lib")
        output_of("patchelf", "--set-rpath", "$ORIGIN/lib", binary)
    elif (wheel / PYTHON_PACKAGE / ".dylibs").exists():
        # The program names them by their place beside its folder.
        shutil.copytree(wheel / PYTHON_PACKAGE / ".dylibs", package / ".dylibs")


def describe(package, members):
    """Adds members to the description of a package, and returns it."""
    file = package / "package.json"
    content = {**(json.loads(file.read_text()) if file.exists() else {}), **members}
    file.write_text(json.dumps(content, indent=2) + "\n")
    return content


def pack(package, output, suffix=""):
    content = json.loads((package / "package.json").read_text())
    file = output / f"{content['name']}-{content['version']}{suffix}.tgz"
    archive.tarball(package, file, "package")
    return file
