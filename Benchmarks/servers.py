"""The measured servers, as processes on their own core."""

import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time

import machine

PROJECT = pathlib.Path(__file__).resolve().parents[1]
BENCHMARKS = PROJECT / "Benchmarks"
BUILD = PROJECT / ".build" / "benchmarks"
FOOTBRIDGE = BUILD / "footbridge"


def build():
    """Builds the C programs, and strips the release build of Footbridge as in a package."""
    BUILD.mkdir(parents=True, exist_ok=True)
    compile_c = ["gcc", "-O2", "-Wall", "-Wextra", "-Wno-missing-field-initializers"]
    for name in ("load", "pages"):
        subprocess.run([*compile_c, "-o", BUILD / name, BENCHMARKS / f"{name}.c"], check=True)
    subprocess.run([*compile_c, "-o", BUILD / "echo", BENCHMARKS / "peers" / "echo.c", "-lwebsockets"], check=True)
    for name in ("sigsuspend", "tunnel"):
        library = ["-shared", "-fPIC", "-o", BUILD / f"{name}.so", BENCHMARKS / f"{name}.c", "-ldl"]
        subprocess.run([*compile_c, *library], check=True)
    subprocess.run(["strip", "-o", FOOTBRIDGE, PROJECT / ".build" / "release" / "footbridge"], check=True)


class Server:
    """A server that accepts connections."""

    def __init__(self, name, port, process, path="/", subprotocol=None, secure_port=None):
        self.name = name
        self.port = port
        self.secure_port = secure_port
        self.process = process
        self.path = path
        self.subprotocol = subprotocol

    @property
    def pid(self):
        return self.process.pid


@contextlib.contextmanager
def running(name, port, command, core=machine.SERVER_CORE, environment=None, timeout=20, **options):
    """Runs a server for the time of the context."""
    process = subprocess.Popen(
        machine.pinned(core, *command), stdout=subprocess.DEVNULL, env={**os.environ, **(environment or {})}
    )
    try:
        _wait_until_listening(name, port, process, timeout)
        yield Server(name, port, process, **options)
    finally:
        process.terminate()
        process.wait()


def _wait_until_listening(name, port, process, timeout):
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"{name} ended with {process.returncode}")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.01)
    raise RuntimeError(f"{name} does not listen on {port}")


def free_port():
    """Returns a port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def footbridge(*arguments, wrapper=(), **options):
    """Runs Footbridge, which keeps nothing on disk unless the arguments say so, and waits for nothing."""
    port = free_port()
    config = () if "--config" in arguments else ("--config", BENCHMARKS / "footbridge.yaml")
    state = () if "--state" in arguments else ("--ephemeral",)
    command = [*wrapper, FOOTBRIDGE, "serve", "--port", port, "--log-level", "error", *state, *config, *arguments]
    route = {"path": "/__footbridge/bridge", "subprotocol": "footbridge.v1"}
    return running("Footbridge", port, command, **route, **options)


def echo(*arguments, wrapper=(), **options):
    """Runs the bare echo in C."""
    port = free_port()
    return running("C echo", port, [*wrapper, BUILD / "echo", port, *arguments], subprotocol="bridge", **options)


def node():
    """Runs Node's `ws`."""
    port = free_port()
    environment = {"NODE_PATH": "/usr/share/nodejs"}
    return running("Node ws", port, ["node", BENCHMARKS / "peers" / "node.js", port], environment=environment)


def python():
    """Runs Python's `websockets`."""
    port = free_port()
    return running("Python websockets", port, [sys.executable, BENCHMARKS / "peers" / "python.py", port])


def nginx(folder, upstream_port, core):
    """Runs nginx, which serves the folder `site`, or stands in front of an upstream and puts a script into every document, over TLS too with
    the certificate in the folder."""
    port, secure_port = free_port(), free_port()
    (folder / "site").mkdir(parents=True, exist_ok=True)
    template = (BENCHMARKS / "peers" / ("nginx-proxy.conf" if upstream_port else "nginx-files.conf")).read_text()
    values = {"@FOLDER@": str(folder), "@PORT@": str(port), "@TLS_PORT@": str(secure_port), "@UPSTREAM@": str(upstream_port)}
    for name, value in values.items():
        template = template.replace(name, value)
    configuration = folder / f"nginx-{port}.conf"
    configuration.write_text(template)
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    return running("nginx", port, [program, "-c", configuration, "-e", "stderr"], core=core, secure_port=secure_port)
