"""The test kits as packages that contain the program and the libraries that a bare system lacks."""

import json
import pathlib
import platform
import shutil
import sys
import zipfile

import archive
import tree
from program import PROJECT, output_of

SOURCE = PROJECT / "web" / "testing"
#: The folder of the program in the wheel's package and in the JavaScript package.
FOLDER = "native"
PYTHON_PACKAGE = "pytest_footbridge"
#: What `footbridge.mjs` imports.
JAVASCRIPT_FOLDERS = ("bridges", "core")
#: Node's names of the architectures.
NODE_MACHINES = {"x86_64": "x64", "aarch64": "arm64"}


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
    tag = f"{platform.system().lower()}_{platform.machine()}"
    options = ["--no-deps", "--no-build-isolation", "--quiet", f"--config-settings=--build-option=--plat-name={tag}"]
    output_of(sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", work / "plain", source)
    [plain] = (work / "plain").iterdir()
    output_of(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", work / "repaired", plain)
    [repaired] = (work / "repaired").iterdir()
    return pathlib.Path(shutil.copy(repaired, output))


def scripts(package):
    """Puts the scripts of the JavaScript kit into a folder, with the types that tsc reads from them."""
    for name in ("footbridge.mjs", "handler.mjs", "package.json"):
        tree.place(SOURCE / name, package / name)
    for name in JAVASCRIPT_FOLDERS:
        shutil.copytree(SOURCE / name, package / name)
    output_of("tsc", "-p", SOURCE / "tsconfig.types.json", "--outDir", package / "types")
    tree.place(PROJECT / "LICENSE", package / "LICENSE")


def javascript_without_program(work, output):
    """Packs the JavaScript kit as npm does, for machines that have the program, and returns the file."""
    scripts(work / "package")
    content = json.loads((work / "package" / "package.json").read_text())
    file = output / f"{content['name']}-{content['version']}.tgz"
    archive.tarball(work / "package", file, "package")
    return file


def javascript(program, wheel, work, output):
    """Packs the JavaScript kit as npm does, with the program and the libraries of the wheel."""
    package = work / "package"
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(work / "wheel")
    shutil.copytree(work / "wheel" / PYTHON_PACKAGE / FOLDER, package / FOLDER)
    libraries = work / "wheel" / f"{PYTHON_PACKAGE}.libs"
    if libraries.exists():
        shutil.copytree(libraries, package / FOLDER / "lib")
    binary = package / FOLDER / "footbridge"
    binary.chmod(0o755)
    output_of("patchelf", "--set-rpath", "$ORIGIN/lib", binary)
    scripts(package)
    machine = NODE_MACHINES.get(platform.machine(), platform.machine())
    content = json.loads((package / "package.json").read_text())
    content |= {"os": [platform.system().lower()], "cpu": [machine], "bin": {"footbridge": f"{FOLDER}/footbridge"}}
    (package / "package.json").write_text(json.dumps(content, indent=2) + "\n")
    file = output / f"{content['name']}-{content['version']}-{content['os'][0]}-{machine}.tgz"
    archive.tarball(package, file, "package")
    return file
