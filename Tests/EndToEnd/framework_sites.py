"""The sites in `frameworks` whose program is one file, for tests and benchmarks."""

import os
import pathlib
import shutil
import sys

from upstreams import program

FOLDER = pathlib.Path(__file__).resolve().parent / "frameworks"
#: The environment in which they run: with Debian's packages of Node.
ENVIRONMENT = {"NODE_PATH": "/usr/share/nodejs", "PYTHONDONTWRITEBYTECODE": "1"}
#: The command of each; `{port}` is a placeholder.
COMMANDS = {
    **{name: [sys.executable, FOLDER / f"{name}_app.py", "{port}"] for name in ("channels", "django", "fastapi", "flask", "nicegui")},
    **{name: ["ruby", FOLDER / f"{name}_app.rb", "{port}"] for name in ("rails", "sinatra")},
    **{name: ["node", FOLDER / f"{name}_app.js", "{port}"] for name in ("node", "react")},
    "mkdocs": [sys.executable, "-m", "mkdocs", "serve", "--no-livereload", "--dev-addr", "127.0.0.1:{port}", "-f", FOLDER / "mkdocs" / "mkdocs.yml"],
    "php": ["php", "-S", "127.0.0.1:{port}", FOLDER / "php_app.php"],
}


def missing_program(name):
    """Returns the program that a site needs and that is not installed; None if it is."""
    command = COMMANDS[name][0]
    return None if shutil.which(command) else command


def running(name, port, *more, wrapped=lambda *command: command):
    """Runs a site at a port, in a context, until it listens. `wrapped` returns the command that runs its command."""
    command = wrapped(*(str(part).format(port=port) for part in COMMANDS[name]), *more)
    # NiceGUI behaves differently in tests of its own.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    return program(command, port, env={**environment, **ENVIRONMENT})
