"""The files to install, as they are under a prefix such as /usr."""

import datetime
import os
import shutil

from program import PROJECT, packages, output_of, swift

SHELLS = {
    "bash": "share/bash-completion/completions/footbridge",
    "zsh": "share/zsh/site-functions/_footbridge",
    "fish": "share/fish/vendor_completions.d/footbridge.fish",
}


def install(program, bill, manual_tool, prefix):
    """Puts the program, its manual pages, completions, licences and SBOM under `prefix`."""
    place(program.path, prefix / "bin" / "footbridge")
    (prefix / "bin" / "footbridge").chmod(0o755)
    manual = prefix / "share" / "man" / "man1"
    manual.mkdir(parents=True)
    date = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.UTC).strftime("%Y-%m-%d")
    output_of(manual_tool, program.path, "--multi-page", "--date", date, "--output-directory", manual)
    for shell, path in SHELLS.items():
        (prefix / path).parent.mkdir(parents=True, exist_ok=True)
        (prefix / path).write_text(output_of(program.path, "--generate-completion-script", shell))
    documents = prefix / "share" / "doc" / "footbridge"
    for name in ("README.md", "CHANGELOG.md", "SECURITY.md"):
        place(PROJECT / name, documents / name)
    place(bill, documents / bill.name)
    licences(documents)
    return prefix


def licences(folder, libraries=()):
    """Collects the licences of all code that is linked into the program, and of libraries beside it."""
    for name in ("LICENSE", "THIRD-PARTY-NOTICES.md"):
        place(PROJECT / name, folder / name)
    texts = folder / "licences"
    place(PROJECT / "packaging" / "licences" / "ICU.txt", texts / "ICU.txt")
    place(swift()[1], texts / "Swift.txt")
    for package in packages():
        checkout = PROJECT / ".build" / "checkouts" / package["name"]
        found = [file for file in sorted(checkout.iterdir()) if file.name.split(".")[0] in ("LICENSE", "NOTICE", "NOTICES")]
        if not found:
            raise SystemExit(f"{checkout} has no LICENSE or NOTICE file.")
        for file in found:
            place(file, texts / package["name"] / file.name)
    for library in libraries:
        if library.notice:
            place(library.notice, texts / f"{library.name}.txt")


def place(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
