"""Archives whose bytes depend only on their files, and checksums."""

import gzip
import hashlib
import os
import tarfile


def tarball(folder, file, name):
    """Packs a folder as `name`: sorted, owned by root, with one time for all files."""
    epoch = int(os.environ["SOURCE_DATE_EPOCH"])

    def plain(entry):
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        entry.mtime = epoch
        entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
        return entry

    with file.open("wb") as raw, gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=epoch) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
            # add() sorts the names in a folder.
            archive.add(folder, arcname=name, filter=plain)


def sha256(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def checksums(folder):
    """Writes SHA256SUMS, as `sha256sum --check` reads it."""
    lines = [f"{sha256(file)}  {file.name}\n" for file in sorted(folder.iterdir())]
    (folder / "SHA256SUMS").write_text("".join(lines))
