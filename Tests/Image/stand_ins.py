"""Stand-ins for the base images of the Dockerfiles: Debian from its archive, with this machine's settings for package sources."""

import os
import pathlib
import shutil
import subprocess

import pytest

from builder import FOLDER, build

RELEASE = "bookworm"
#: The packages of Swift's own images, without the toolchain.
SWIFT_PACKAGES = (
    "binutils ca-certificates gcc git libc6-dev libcurl4 libedit2 libgcc-12-dev libncurses6 libpython3.11 libsqlite3-0 libstdc++-12-dev "
    "libxml2 pkg-config tzdata unzip zlib1g-dev"
)


def debian():
    """Makes a slim Debian."""
    archive = FOLDER / "debian" / "root.tar"
    if not archive.exists():
        root = FOLDER / "debian-root"
        shutil.rmtree(root, ignore_errors=True)
        archive.parent.mkdir(parents=True, exist_ok=True)
        made = subprocess.run(["debootstrap", "--variant=minbase", RELEASE, root], capture_output=True, text=True)
        if made.returncode:
            pytest.skip(f"debootstrap could not make {RELEASE}: {made.stdout[-300:]}")
        left_out = ["./var/cache/apt/*", "./var/lib/apt/lists/*", "./usr/share/doc/*", "./usr/share/man/*"]
        packed = archive.with_suffix(".part")
        subprocess.run(["tar", "-C", root, *(f"--exclude={path}" for path in left_out), "-cf", packed, "."], check=True)
        packed.rename(archive)
        shutil.rmtree(root)
    return _image("debian", "FROM scratch\nADD root.tar /\nCMD [\"bash\"]\n")


def swift(toolchain):
    """Makes Swift's image without the toolchain, which is mounted."""
    return _image(
        "swift",
        f"FROM {debian().tag}\nRUN {_install(SWIFT_PACKAGES)}\n"
        f"ENV PATH={toolchain}/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n",
    )


def python():
    """Makes Python's image: pip installs without a virtual environment, from this machine's sources."""
    folder = FOLDER / "python"
    settings = [file for file in ("/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt") if pathlib.Path(file).exists()]
    copies = ""
    for file in settings:
        (folder / file.lstrip("/")).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, folder / file.lstrip("/"))
        copies += f"COPY {file.lstrip('/')} {file}\n"
    variables = "".join(f"ENV {name}={value}\n" for name, value in sorted(os.environ.items()) if name.startswith("PIP_"))
    text = f"FROM {debian().tag}\nRUN {_install('python3 python3-pip')} && rm -f /usr/lib/python3*/EXTERNALLY-MANAGED\n"
    return _image("python", text + copies + variables + 'CMD ["python3"]\n')


def nginx():
    """Makes nginx's image."""
    text = f"FROM {debian().tag}\nRUN {_install('nginx-light')} && rm -f /etc/nginx/sites-enabled/*\n"
    return _image("nginx", text + 'CMD ["nginx", "-g", "daemon off;"]\nSTOPSIGNAL SIGQUIT\n')


def _install(packages):
    return f"apt-get update -qq && apt-get install -y -qq --no-install-recommends {packages} && rm -rf /var/lib/apt/lists/*"


def _image(name, text):
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "Dockerfile").write_text(text)
    return build(f"localhost/stand-in-{name}", folder, folder / "Dockerfile")
