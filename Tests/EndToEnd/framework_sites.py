"""The sites in `frameworks`, for tests and benchmarks."""

import contextlib
import os
import pathlib
import shutil
import sys
import tempfile

from upstreams import program

FOLDER = pathlib.Path(__file__).resolve().parent / "frameworks"
#: JupyterLab and Streamlit are hundreds of megabytes: `make test-frameworks` installs them here.
LARGE = FOLDER.parents[2] / ".build" / "frameworks" / "bin" / "python"
#: The environment in which they run: with Debian's packages of Node. Outside of production, Jekyll writes its own address into pages.
ENVIRONMENT = {"NODE_PATH": "/usr/share/nodejs", "PYTHONDONTWRITEBYTECODE": "1", "JEKYLL_ENV": "production"}
#: The command of each. The placeholders are its port, a folder of its own, and a copy of its files in there.
COMMANDS = {
    **{name: [sys.executable, FOLDER / f"{name}_app.py", "{port}"] for name in ("channels", "django", "fastapi", "flask", "nicegui")},
    **{name: ["ruby", FOLDER / f"{name}_app.rb", "{port}"] for name in ("rails", "sinatra")},
    **{name: ["node", FOLDER / f"{name}_app.js", "{port}"] for name in ("node", "react")},
    "hugo": ["hugo", "server", "--source", "{copy}", "--port", "{port}", "--disableLiveReload"],
    "jekyll": ["jekyll", "serve", "--source", "{copy}", "--destination", "{folder}/built", "--port", "{port}"],
    "jupyterlab": [
        LARGE, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1", "--ServerApp.port={port}", "--IdentityProvider.token="],
    "mkdocs": [sys.executable, "-m", "mkdocs", "serve", "--no-livereload", "--dev-addr", "127.0.0.1:{port}", "-f", FOLDER / "mkdocs" / "mkdocs.yml"],
    "php": ["php", "-S", "127.0.0.1:{port}", FOLDER / "php_app.php"],
    "sphinx": [sys.executable, "-m", "sphinx_autobuild", "--port", "{port}", "{copy}", "{folder}/built"],
    "streamlit": [
        LARGE, "-m", "streamlit", "run", FOLDER / "streamlit_app.py", "--server.port", "{port}", "--server.address", "127.0.0.1", "--server.headless",
        "true", "--browser.gatherUsageStats", "false", "--client.toolbarMode", "viewer"],
}


def missing_program(name):
    """Returns the program that a site needs and that is not installed; None if it is."""
    command = str(COMMANDS[name][0])
    return None if shutil.which(command) else command


@contextlib.contextmanager
def running(name, port, *more, wrapped=lambda *command: command):
    """Runs a site at a port until it listens. `wrapped` returns the command that runs its command."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "site"
        if "{copy}" in COMMANDS[name]:
            shutil.copytree(FOLDER / name, copy)
        command = wrapped(*(str(part).format(port=port, folder=folder, copy=copy) for part in COMMANDS[name]), *more)
        # NiceGUI behaves differently in tests of its own.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        with program(command, port, timeout=90, cwd=folder, env={**environment, **ENVIRONMENT, "HOME": folder}) as process:
            yield process
