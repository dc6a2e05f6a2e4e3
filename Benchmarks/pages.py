"""Runs pages that stay open, and come back when their server is killed."""

import contextlib
import json
import pathlib
import subprocess

import machine
import servers


class Pages:
    """Open pages, each in its own session, all at the first of these servers at first."""

    def __init__(self, replicas, first_number, count, files, expected):
        ports = ",".join(str(server.port) for server in replicas)
        command = [servers.BUILD / "pages", "-c", count, "-f", first_number, "-a", 64, "-e", expected,
                   replicas[0].path, replicas[0].subprotocol, ports, *files]
        self._process = subprocess.Popen(
            machine.pinned(machine.CLIENT_CORE, *command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def _line(self):
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("pages have failed")
        return json.loads(line)

    def opened(self):
        """Waits until all are open. Returns when they began, and when the last one was."""
        line = self._line()
        return line["begun"], line["opened"]

    def back(self):
        """Waits until all have their answers again after their server has ended. Returns when they have lost it, when they had them, and how
        long they were without a host."""
        return self._line()

    def close(self):
        """Closes them as if their browsers were killed."""
        self._process.communicate()


@contextlib.contextmanager
def opening(replicas, count, folder, requests, expected, elsewhere=()):
    """Opens as many pages at each server. Each makes the requests, one after the other; the last answer contains `expected`. Pages come back
    at another one of these servers, or at one of those in `elsewhere`."""
    files = []
    for number, request in enumerate(requests):
        files.append(pathlib.Path(folder) / f"request{number}.json")
        files[-1].write_text(json.dumps(request, separators=(",", ":")))
    with contextlib.ExitStack() as stack:
        pages = []
        for index in range(len(replicas)):
            pages.append(Pages([*replicas[index:], *replicas[:index], *elsewhere], 1 + index * count, count, files, expected))
            stack.callback(pages[-1].close)
        yield pages
