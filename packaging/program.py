"""The program to package, and its parts: system libraries, Swift, Swift packages."""

import functools
import json
import pathlib
import platform
import re
import subprocess

PROJECT = pathlib.Path(__file__).resolve().parent.parent
LICENCES = json.loads((PROJECT / "packaging" / "licences.json").read_text())


def output_of(*command, **options):
    return subprocess.run([*map(str, command)], check=True, capture_output=True, text=True, **options).stdout


class Program:
    """A built `footbridge`."""

    def __init__(self, path):
        self.path = path
        self.version = output_of(path, "--version").strip()

    @property
    def platform(self):
        """The platform in file names, such as `linux-x86_64`."""
        return f"{platform.system().lower()}-{platform.machine()}"

    @functools.cached_property
    def libraries(self):
        """The system libraries that it loads, without those of Swift's toolchain."""
        if platform.system() != "Linux":
            return []
        found = re.findall(r"^\s*(\S+) => (\S+) \(", output_of("ldd", self.path), re.MULTILINE)
        return [Library(name, pathlib.Path(path).resolve()) for name, path in sorted(found) if "/swift/" not in path]


class Library:
    """A system library, such as `libssl.so.3`."""

    def __init__(self, name, path):
        self.name, self.path = name, path

    @property
    def licence(self):
        """Its SPDX licence expression."""
        return LICENCES["libraries"].get(self.name.split(".so")[0], "NOASSERTION")

    @functools.cached_property
    def package(self):
        """Its Debian package and the package's version; None on other systems."""
        owner = self._owner()
        return (owner, output_of("dpkg-query", "-W", "-f", "${Version}", owner)) if owner else None

    @property
    def notice(self):
        """Debian's file with its licence; None on other systems."""
        file = pathlib.Path("/usr/share/doc") / self.package[0].split(":")[0] / "copyright" if self.package else None
        return file if file and file.exists() else None

    def _owner(self):
        # dpkg knows a library by its path at installation, and /lib is a link to /usr/lib.
        for path in (self.path, pathlib.Path("/", *self.path.parts[2:])):
            found = subprocess.run(["dpkg-query", "-S", str(path)], capture_output=True, text=True)
            if found.returncode == 0:
                return found.stdout.split(": ")[0]
        return None


@functools.cache
def swift():
    """Returns Swift's version, and the file with its licence."""
    target = json.loads(output_of("swiftc", "-print-target-info"))
    version = re.search(r"Swift version (\S+)", target["compilerVersion"]).group(1)
    licence = pathlib.Path(target["paths"]["runtimeResourcePath"]).parents[1] / "share" / "swift" / "LICENSE.txt"
    return version, licence


@functools.cache
def packages():
    """Returns the linked Swift packages, from Package.resolved: name, address, version and revision."""
    resolved = PROJECT / "Package.resolved"
    if not resolved.exists():
        raise SystemExit("Package.resolved is missing. It lists the linked packages. Build first: swift build.")
    pins = json.loads(resolved.read_text())["pins"]
    found = []
    for pin in sorted(pins, key=lambda pin: pin["identity"]):
        location = pin["location"].removesuffix(".git")
        name = location.rsplit("/", 1)[1]
        if name not in LICENCES["packages"]:
            raise SystemExit(f"packaging/licences.json has no licence of {name}, which is linked. Add it there and to THIRD-PARTY-NOTICES.md.")
        state = pin["state"]
        found.append({"name": name, "location": location, "version": state.get("version", state["revision"]), "revision": state["revision"]})
    return found
