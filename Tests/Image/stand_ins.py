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


def haproxy():
    """Makes HAProxy's image."""
    return _image("haproxy", f"FROM {debian().tag}\nRUN {_install('haproxy')}\nSTOPSIGNAL SIGUSR1\n")


#: What the entry point of PostgreSQL's image does with the variables of docker/compose.yaml.
POSTGRESQL_ENTRY = """#!/bin/sh
set -e
PATH=$(echo /usr/lib/postgresql/*/bin):$PATH
as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  (umask 077; cat "$POSTGRES_PASSWORD_FILE" > /tmp/password)
  chown postgres /tmp/password
  as_postgres initdb --username="$POSTGRES_USER" --pwfile=/tmp/password --auth=trust --encoding=UTF8 --locale=C.UTF-8
  rm /tmp/password
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
  as_postgres pg_ctl -w -o "-c listen_addresses='' -c unix_socket_directories=/tmp" start
  as_postgres createdb --host=/tmp --username="$POSTGRES_USER" "$POSTGRES_DB"
  as_postgres pg_ctl -w -m fast stop
fi
exec setpriv --reuid=postgres --regid=postgres --clear-groups "$@"
"""


def postgresql():
    """Makes PostgreSQL's image, with Debian's version of it."""
    data = "/var/lib/postgresql/data"
    text = f"FROM {debian().tag}\nRUN {_install('postgresql')} && install -d -m 0700 -o postgres -g postgres {data}\n"
    server = '["sh", "-c", "exec /usr/lib/postgresql/*/bin/postgres -c listen_addresses=* -c unix_socket_directories=/tmp"]'
    text += f'COPY --chmod=755 entry /\nENV PGDATA={data}\nENTRYPOINT ["/entry"]\nCMD {server}\n'
    return _image("postgresql", text, entry=POSTGRESQL_ENTRY)


def _install(packages):
    return f"apt-get update -qq && apt-get install -y -qq --no-install-recommends {packages} && rm -rf /var/lib/apt/lists/*"


def _image(name, text, **files):
    """Builds an image from the text of its Dockerfile, and from files beside it."""
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    for file, content in files.items():
        (folder / file).write_text(content)
    (folder / "Dockerfile").write_text(text)
    return build(f"localhost/stand-in-{name}", folder, folder / "Dockerfile")
