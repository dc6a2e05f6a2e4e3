"""How the release is linked: its protection against writes to its memory or its folder, its debug information, and its size."""

import os
import re
import shutil
import subprocess
import sys
import zlib

import pytest

from footbridge_process import PROJECT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Only Linux has ELF.")
RELEASE = PROJECT / ".build" / "release"

# ICU's data alone would be 34 MB: see docs/packages.md.
MOST_MEGABYTES = 41


def lines_of(*command):
    return subprocess.run([*map(str, command)], capture_output=True, check=True).stdout.decode(errors="replace")


def check(program):
    dynamic = lines_of("readelf", "--dynamic", "--wide", program)
    assert "BIND_NOW" in dynamic or "NOW" in dynamic.split("FLAGS_1")[1].splitlines()[0]
    assert "RPATH" not in dynamic and "RUNPATH" not in dynamic and "$ORIGIN" not in dynamic
    assert "GNU_RELRO" in lines_of("readelf", "--program-headers", "--wide", program)
    assert "PIE" in dynamic
    sections = lines_of("readelf", "--section-headers", "--wide", program)
    assert ".symtab" not in sections and ".debug_info" not in sections
    beside = program.with_name(program.name + ".debug")
    assert beside.name in lines_of("readelf", "--string-dump=.gnu_debuglink", program)
    assert ".debug_info" in lines_of("readelf", "--section-headers", "--wide", beside)
    assert not os.access(beside, os.X_OK) and beside.stat().st_mode & 0o111 == 0
    # Debuggers see by its checksum that the two belong together.
    [link] = re.findall(r"CRC value: (0x[0-9a-f]+)", lines_of("readelf", "--debug-dump=links", program))
    assert int(link, 16) == zlib.crc32(beside.read_bytes())


def build_small(folder):
    """Builds a small program as the release is built, which takes minutes, and returns it."""
    (folder / "Sources" / "small").mkdir(parents=True)
    (folder / "Sources" / "path" / "include").mkdir(parents=True)
    (folder / "Package.swift").write_text("""// swift-tools-version: 6.0
import PackageDescription
let package = Package(name: "small", targets: [.target(name: "path"), .executableTarget(name: "small", dependencies: ["path"])])
""")
    (folder / "Sources" / "path" / "path.c").write_text('#include "path.h"\nconst char *path(void) { return __FILE__; }\n')
    (folder / "Sources" / "path" / "include" / "path.h").write_text("const char *path(void);\n")
    (folder / "Sources" / "small" / "main.swift").write_text('import path\n\nprint("small", String(cString: path()))\n')
    flags = lines_of("make", "--silent", "--no-print-directory", "-C", PROJECT, "release-flags")
    lines_of("make", "--silent", "-C", folder, "-f", PROJECT / "Makefile", ".build/relative-paths.json")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    subprocess.run(["swift", "build", "-c", "release", *flags.replace(str(PROJECT), str(folder)).split(), "--product", "small"],
                   cwd=folder, check=True, capture_output=True, env=environment)
    return folder / ".build" / "release" / "small"


def test_a_small_program_built_as_the_release_is_hardened_and_stripped(tmp_path):
    program = build_small(tmp_path)
    # A second run changes nothing.
    for _ in range(2):
        subprocess.run([PROJECT / "scripts" / "separate-debug-information", program], check=True)
        check(program)
    # It needs nothing from its folder.
    shutil.move(program, tmp_path / "elsewhere")
    assert lines_of(tmp_path / "elsewhere") == "small Sources/path/path.c\n"


def test_the_same_sources_give_the_same_program_in_each_folder(tmp_path):
    programs = []
    for name in ("one", "another-folder"):
        program = build_small(tmp_path / name)
        subprocess.run([PROJECT / "scripts" / "separate-debug-information", program], check=True)
        # The packages do not have this link.
        subprocess.run(["objcopy", "--remove-section=.gnu_debuglink", program], check=True)
        programs.append(program.read_bytes())
    assert programs[0] == programs[1]


def test_the_release_is_built_with_these_flags_and_this_script():
    recipe = lines_of("make", "--dry-run", "--no-print-directory", "-C", PROJECT, "release").splitlines()
    flags = lines_of("make", "--silent", "--no-print-directory", "-C", PROJECT, "release-flags").split()
    assert ["swift", "build", "-c", "release", *flags, "--product", "footbridge"] in [line.split() for line in recipe]
    assert recipe[-1] == "scripts/separate-debug-information .build/release/footbridge"


@pytest.mark.skipif("release" not in os.environ.get("FOOTBRIDGE_BUILD", ""), reason="There is no release.")
def test_the_release_is_hardened_and_stripped():
    check(RELEASE.resolve() / "footbridge")


@pytest.mark.skipif("release" not in os.environ.get("FOOTBRIDGE_BUILD", ""), reason="There is no release.")
def test_the_release_is_small():
    assert (RELEASE.resolve() / "footbridge").stat().st_size < MOST_MEGABYTES * 1_000_000


def test_only_modules_for_host_code_import_all_of_foundation():
    """A module that imports all of Foundation could call functions that need ICU's data, which the program does not have."""
    whole = {
        str(file.relative_to(PROJECT / "Sources"))
        for file in (PROJECT / "Sources").rglob("*.swift")
        if re.search(r"^ *(\S+ )*import Foundation$", file.read_text(), re.MULTILINE)
    }
    hosts = {"Bridges/GBG/Contract/GBGBridge.swift", "Bridges/Onside/Contract/Launch/Onside+Current.swift"}
    assert whole == hosts | {"Core/Essentials/Essentials.swift"}, "Import Essentials instead."


def test_no_module_uses_data_of_icu():
    """Some files see all of Foundation through OnsideKit. Without ICU's data, some of its functions end the program."""
    asking = re.compile(r"\w+Formatter\(|Locale\(|TimeZone\(|(TimeZone|Locale|Calendar)\.(current|autoupdating)|localized\w*Compare")
    found = [
        f"{file.name}: {line.strip()}"
        for file in (PROJECT / "Sources").rglob("*.swift")
        for line in file.read_text().splitlines()
        if asking.search(line) and not line.strip().startswith("//")
    ]
    assert found == []


def test_every_target_that_the_makefile_names_has_a_rule():
    text = (PROJECT / "Makefile").read_text()
    [listed] = re.findall(r"^\.PHONY: (.*)$", text, re.MULTILINE)
    named = {*listed.split(), *re.findall(r"^# make (\S+) ", text, re.MULTILINE)}
    assert [name for name in sorted(named) if not re.search(rf"^{name}:", text, re.MULTILINE)] == []
