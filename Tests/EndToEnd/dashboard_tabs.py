"""The dashboard in a tab, for tests."""

import contextlib

from footbridge_process import serve


@contextlib.contextmanager
def serving(*arguments, **options):
    """A server with its control API, and the one-time address that it has printed."""
    with serve(*arguments, **options) as server:
        server.api = server.control()
        server.dashboard = server.lines.get(timeout=60).removeprefix("footbridge: dashboard ")
        server.dashboard_origin = server.dashboard.split("/#")[0]
        yield server


def open_dashboard(context, server, link="/"):
    """Opens the dashboard in a new tab of a browser profile, with a code of its own."""
    page = context.new_page()
    page.goto(server.api("POST", "/dashboard/enter", {"to": link})["url"])
    return page
