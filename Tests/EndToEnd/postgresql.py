"""A PostgreSQL of the test's own, in a folder of its own, which tests kill, stop and continue."""

import os
import pathlib
import pwd
import secrets
import select
import shutil
import signal
import subprocess
import tempfile
import threading

import pytest
from ports import free_port

#: The name of the user and of the database.
NAME = "footbridge"
#: How long a server may take until it accepts connections, in seconds: after a kill it first reads its log.
TIMEOUT = 60
#: Nothing survives a power cut with these, but everything survives a kill.
QUICK = {"fsync": "off", "full_page_writes": "off"}
SETTINGS = {
    "max_connections": 50, "shared_buffers": "16MB", "autovacuum": "off", "lc_messages": "'C'",
    "password_encryption": "'scram-sha-256'", "max_wal_size": "256MB",
}


def programs():
    """Returns the folder of PostgreSQL's programs. Skips the test if there is none."""
    versions = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    if versions:
        return versions[-1].parent
    found = shutil.which("postgres")
    if not found:
        pytest.skip("PostgreSQL is not installed: make setup-test")
    return pathlib.Path(found).resolve().parent


def state_key(folder):
    """Makes a file for `--state-key` that only its owner can read, and returns its path."""
    key = folder / "state.key"
    key.write_bytes(os.urandom(32))
    key.chmod(0o600)
    return key


class PostgreSQL:
    """A running server with one database, at a Unix socket; with `pair`, a certificate and its key, also at a port, over TLS.

    A change that it has confirmed survives a kill, and with `is_durable` a power cut, too."""

    def __init__(self, *, is_durable=False, pair=None, **settings):
        self.programs = programs()
        # The server also runs as another user, who cannot read a test's usual folder. The path of a socket must be short.
        self._folder = tempfile.TemporaryDirectory(prefix="postgresql-")
        self.folder = pathlib.Path(self._folder.name)
        self.data = self.folder / "data"
        self.socket = self.folder / ".s.PGSQL.5432"
        self.password = secrets.token_urlsafe(16)
        # The server refuses to run as root.
        self._as_user = {}
        if os.geteuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self._as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        self.password_file = self.folder / "passwords"
        self.password_file.write_text(f"*:*:*:{NAME}:{self.password}\n")
        self.password_file.chmod(0o600)
        #: What programs need to log in.
        self.environment = {"PGPASSFILE": str(self.password_file)}
        self.port = None
        self._make(is_durable, pair, settings)
        self._process = None
        self._paused = []
        self.start()
        self.query(f"CREATE DATABASE {NAME}", database="postgres")

    def _make(self, is_durable, pair, settings):
        """Makes the folder with the data."""
        secret = self._write("password", self.password)
        self._run("initdb", "--pgdata", self.data, "--username", NAME, "--pwfile", secret, "--auth", "scram-sha-256", "--encoding", "UTF8",
                  "--no-locale", *([] if is_durable else ["--no-sync"]))
        secret.unlink()
        addresses = {"listen_addresses": "''", "unix_socket_directories": f"'{self.folder}'"}
        if pair:
            self.port = free_port()
            files = {"ssl_cert_file": self._write("server.crt", pair.certificate_pem()), "ssl_key_file": self._write("server.key", pair.key_pem())}
            addresses |= {"listen_addresses": "'127.0.0.1'", "port": self.port, "ssl": "on"} | {key: f"'{path}'" for key, path in files.items()}
            self.socket = self.folder / f".s.PGSQL.{self.port}"
            self._write("data/pg_hba.conf", "local all all scram-sha-256\nhostssl all all 127.0.0.1/32 scram-sha-256\n")
        lines = {**SETTINGS, **({} if is_durable else QUICK), **addresses, **settings}
        with (self.data / "postgresql.conf").open("a") as file:
            file.writelines(f"{key} = {value}\n" for key, value in lines.items())

    def _write(self, name, text):
        """Writes a file that only the server's user can read."""
        path = self.folder / name
        path.touch()
        path.chmod(0o600)
        path.write_text(text)
        if self._as_user:
            os.chown(path, self._as_user["user"], self._as_user["group"])
        return path

    def _run(self, program, *arguments):
        result = subprocess.run(
            [self.programs / program, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder, **self._as_user)
        assert result.returncode == 0, result.stdout + result.stderr

    # Its life

    def start(self):
        """Starts the server, and waits until it accepts connections."""
        self._process = subprocess.Popen(
            [self.programs / "postgres", "-D", self.data], cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **self._as_user)
        ready = threading.Event()
        said = []

        def read(log=self._process.stderr):
            for line in log:
                if not ready.is_set():
                    said.append(line)
                if "ready to accept connections" in line:
                    ready.set()
            ready.set()

        threading.Thread(target=read, daemon=True).start()
        assert ready.wait(TIMEOUT) and self._process.poll() is None, "".join(said)

    def _freeze(self):
        """Stops the first process, which then starts no other, and returns the ids of those that it has started."""
        first = self._process.pid
        self._process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, first, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        return [int(child) for child in pathlib.Path(f"/proc/{first}/task/{first}/children").read_text().split()]

    def kill(self):
        """Kills all of its processes, and waits for their ends: a server does not start while one of the former server's is there."""
        # Those that have ended stay as zombies, because the first process is stopped: an id is not another's.
        children = [os.pidfd_open(child) for child in self._freeze()]
        for child in children:
            signal.pidfd_send_signal(child, signal.SIGKILL)
        for child in children:
            select.select([child], [], [])
            os.close(child)
        self._process.kill()
        self._process.wait()

    def pause(self):
        """Stops all of its processes: connections stay, and nobody answers."""
        self._paused = self._freeze()
        for child in self._paused:
            os.kill(child, signal.SIGSTOP)

    def proceed(self):
        """Continues after `pause`."""
        for process in [*self._paused, self._process.pid]:
            os.kill(process, signal.SIGCONT)
        self._paused = []

    def stop(self):
        """Stops the server in the way of an administrator who waits for nobody, and removes its folder."""
        if self._process.poll() is None:
            if self._paused:
                self.proceed()
            self._process.send_signal(signal.SIGINT)
            self._process.wait(timeout=TIMEOUT)
        self._folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    # Its clients

    @property
    def url(self):
        """The database's address at the Unix socket, without the password."""
        return f"postgresql://{NAME}@/{NAME}?host={self.folder}" + (f"&port={self.port}" if self.port else "")

    def url_at(self, port, host="127.0.0.1"):
        """The database's address at a port of this machine."""
        return f"postgresql://{NAME}@{host}:{port}/{NAME}"

    def client(self, program, *arguments, url=None, input=None):
        """Runs a program of PostgreSQL's, such as psql or pg_dump, on the database, and returns its output."""
        result = subprocess.run(
            [self.programs / program, "--dbname", url or self.url, *map(str, arguments)], input=input, capture_output=True, timeout=TIMEOUT * 5,
            env={**os.environ, **self.environment})
        assert result.returncode == 0, result.stderr.decode()
        return result.stdout

    def query(self, statement, database=NAME):
        """Runs a statement, and returns the rows as lists of texts."""
        output = self.client("psql", "--no-psqlrc", "--quiet", "--csv", "--tuples-only", "--set", "ON_ERROR_STOP=1",
                             url=self.url.replace(f"@/{NAME}", f"@/{database}"), input=statement.encode())
        return [line.split(",") for line in output.decode().splitlines()]

    def clear(self):
        """Forgets all that servers have stored."""
        self.query("DROP SCHEMA IF EXISTS footbridge CASCADE")
