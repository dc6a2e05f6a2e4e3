"""Containers without a Docker engine: the processes of an image in their own namespaces."""

import contextlib
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import threading

#: Devices that every container has.
DEVICES = ("null", "zero", "full", "random", "urandom")
#: How long to wait for a container, in seconds.
TIMEOUT = 60


class Container:
    """A running container: the first process of an image, as process 1."""

    def __init__(self, image, *arguments, environment=None, volumes=None, namespace=None, hosts="", read_only=False, health_check=None):
        """Starts it.

        `arguments` take the place of the image's own. `volumes` maps paths in the container to folders and files, `namespace` is a network
        namespace (else the machine's network is the container's), `hosts` are lines for /etc/hosts, and `health_check` takes the place of the
        image's own.
        """
        self.config = image.config
        self.environment = {"HOME": "/", **dict(entry.split("=", 1) for entry in self.config["Env"]), **(environment or {})}
        self.user = self.config.get("User") or "0:0"
        self._health_check = health_check or (self.config.get("Healthcheck") or {}).get("Test")
        self.root = image.copy()
        self.namespace = namespace
        command = [*(self.config.get("Entrypoint") or []), *(arguments or self.config["Cmd"])]
        script = "\n".join([*self._mounts(volumes or {}, hosts, read_only), f"exec {shlex.join(self._confined(command))}"])
        enter = ["nsenter", f"--net=/run/netns/{namespace}"] if namespace else []
        separate = ["unshare", "--mount", "--pid", "--uts", "--ipc", "--fork", "--kill-child", "sh", "-ec", script]
        self.lines = []
        self._changed = threading.Condition()
        reading, begun = os.pipe()
        self.process = subprocess.Popen([*enter, *separate], stdin=begun, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        os.close(begun)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        # The script prints a line when its first process runs. From then on, commands can run there. If that fails, the script ends.
        with os.fdopen(reading, "rb") as pipe:
            pipe.read(1)

    def _mounts(self, volumes, hosts, read_only):
        """Returns the lines of a shell script that make the container's file system."""
        yield "mount --make-rprivate /"
        root = shlex.quote(str(self.root))
        yield f"mount --bind {root} {root}"
        if hosts:
            (self.root / "etc/hosts").write_text(f"127.0.0.1 localhost\n{hosts}")
        elif not self.namespace:
            shutil.copyfile("/etc/hosts", self.root / "etc/hosts")
        for path, source in volumes.items():
            target = self.root / path.lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.mkdir(exist_ok=True) if pathlib.Path(source).is_dir() else target.touch()
            yield f"mount --bind {shlex.quote(str(source))} {shlex.quote(str(target))}"
        yield f"mount -t proc proc {root}/proc"
        yield f"mount -t tmpfs -o mode=755 tmpfs {root}/dev"
        for device in DEVICES:
            yield f"touch {root}/dev/{device}; mount --bind /dev/{device} {root}/dev/{device}"
        yield f"ln -s /proc/self/fd {root}/dev/fd; mkdir -m 1777 {root}/dev/shm; mount -t tmpfs tmpfs {root}/dev/shm"
        if read_only:
            yield f"mount -o remount,bind,ro {root}"

    def _confined(self, command):
        """Returns a command with the root, user and environment of the container."""
        groups = self.user if ":" in self.user else f"{self.user}:{self.user}"
        confined = ["setpriv", "--no-new-privs", "chroot", f"--userspec={groups}", "--groups=", self.root]
        begin = ["/bin/sh", "-ec", 'cd "$0"; echo >&0; exec "$@" < /dev/null', self.config.get("WorkingDir") or "/"]
        return [*map(str, confined), "/usr/bin/env", "-i", *self._variables(), *begin, *command]

    def _variables(self):
        return [f"{name}={value}" for name, value in self.environment.items()]

    def _read(self):
        for line in self.process.stdout:
            with self._changed:
                self.lines.append(line.rstrip("\n"))
                self._changed.notify_all()
        with self._changed:
            self.lines.append(None)
            self._changed.notify_all()

    @property
    def output(self):
        """The output of its process."""
        return "\n".join(line for line in self.lines if line is not None)

    def wait_for_line(self, pattern):
        """Waits for a line of output and returns the match."""

        def find():
            found = (re.search(pattern, line) for line in self.lines if line is not None)
            return next((match for match in found if match), None)

        with self._changed:
            self._changed.wait_for(lambda: find() or None in self.lines, timeout=TIMEOUT)
            assert find(), f"There was no line with {pattern}:\n{self.output}"
            return find()

    @property
    def pid(self):
        """The process id of the container's process 1 on the machine."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return int(children[0])

    def execute(self, *command, environment=None):
        """Runs a command in the container, as `docker exec` does, and returns its result."""
        user, _, group = self.user.partition(":")
        enter = ["nsenter", f"--target={self.pid}", "--mount", "--pid", "--net", "--root", f"--setuid={user}", f"--setgid={group or user}"]
        more = [f"{name}={value}" for name, value in (environment or {}).items()]
        inside = [*enter, "/usr/bin/env", "-i", *self._variables(), *more, *command]
        return subprocess.run(inside, capture_output=True, text=True, timeout=TIMEOUT)

    def check_health(self, **options):
        """Runs the health check and returns its result."""
        kind, *command = self._health_check
        return self.execute(*(command if kind == "CMD" else ["/bin/sh", "-c", *command]), **options)

    def signal(self, number):
        """Sends process 1 a signal and returns its exit code."""
        os.kill(self.pid, number)
        return self.wait()

    def wait(self, timeout=TIMEOUT):
        """Waits for its end and returns the exit code."""
        code = self.process.wait(timeout=timeout)
        self._reader.join(timeout=10)
        return code

    def kill(self):
        """Kills it at once, with all its processes."""
        with contextlib.suppress(IndexError, ProcessLookupError, FileNotFoundError):
            os.kill(self.pid, signal.SIGKILL)
        self.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()


def new_volume(image, path, folder):
    """Makes an empty named volume for a path in an image, with the owner and mode of that path."""
    owner = (image.files / path.lstrip("/")).stat()
    folder.mkdir()
    os.chown(folder, owner.st_uid, owner.st_gid)
    folder.chmod(owner.st_mode & 0o7777)
    return folder
