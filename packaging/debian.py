"""The Debian package."""

import os
import pathlib
import shutil
import tempfile

from program import output_of

#: The name of this library's package differs between Debian's releases, so one package for several releases must contain it. It is in our
#: own folder, and the program names it by its full path: no other program finds it, and no run path is needed.
OWN_FOLDER = pathlib.PurePosixPath("/usr/lib/footbridge")
CARRIED = "libwebsockets"

CONTROL = """\
Package: footbridge
Version: {version}
Architecture: {architecture}
Maintainer: The Footbridge authors <footbridge@example.invalid>
Installed-Size: {size}
Depends: {depends}
Recommends: ca-certificates, libpq5 (>= 14), publicsuffix
Section: web
Priority: optional
Description: simulates the native iOS app around a web page
 Footbridge is a local server that answers the calls of a page that was written
 for the web view of an iOS app, so that the page runs in plain Chromium: at the
 desk, in end-to-end tests, in demos.
"""

COPYRIGHT = """\
Footbridge is licensed under the Apache License 2.0, which is in /usr/share/common-licenses/Apache-2.0 and in LICENSE here.
THIRD-PARTY-NOTICES.md lists the third-party code in the program. The texts of its licences are in licences/.
"""


def package(program, installed, work, output):
    """Makes the package from the installed tree."""
    shutil.copytree(installed, work / "usr")
    (work / "usr/share/zsh/site-functions").rename(work / "usr/share/zsh/vendor-completions")
    documents = work / "usr/share/doc/footbridge"
    (documents / "copyright").write_text(COPYRIGHT)
    carried = [library for library in program.libraries if library.name.startswith(CARRIED)]
    depends = dependencies(program, carried)
    for library in carried:
        own = work / "usr/lib/footbridge" / library.name
        own.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(library.path, own)
        shutil.copyfile(library.notice, documents / "licences" / f"{library.name}.txt")
        output_of("patchelf", "--replace-needed", library.name, OWN_FOLDER / library.name, work / "usr/bin/footbridge")
    architecture = output_of("dpkg", "--print-architecture").strip()
    size = sum(file.stat().st_size for file in work.rglob("*") if file.is_file()) // 1024
    (work / "DEBIAN").mkdir()
    (work / "DEBIAN/control").write_text(
        CONTROL.format(version=program.version, architecture=architecture, size=size, depends=depends)
    )
    epoch = int(os.environ["SOURCE_DATE_EPOCH"])
    for file in [work, *work.rglob("*")]:
        os.utime(file, (epoch, epoch))
    file = output / f"footbridge_{program.version}_{architecture}.deb"
    # One thread, because the number of threads changes the bytes.
    output_of("dpkg-deb", "--root-owner-group", "-Zxz", "-z1", "--threads-max=1", "--build", work, file)


def dependencies(program, carried):
    """Returns the packages whose libraries the program loads, without those of the libraries in the package."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder)
        (source / "debian").mkdir()
        (source / "debian/control").write_text("Source: footbridge\n\nPackage: footbridge\nArchitecture: any\n")
        left_out = [f"-x{library.package[0].split(':')[0]}" for library in carried]
        files = [f"-e{file}" for file in [program.path, *(library.path for library in carried)]]
        command = ["dpkg-shlibdeps", "-O", "--ignore-missing-info", "--warnings=0", *left_out, *files]
        return output_of(*command, cwd=source).strip().removeprefix("shlibs:Depends=")
