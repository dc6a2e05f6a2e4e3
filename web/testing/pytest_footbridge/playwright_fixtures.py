"""Fixtures on top of those of pytest-playwright, for sites under their own origins (`--site`)."""

from __future__ import annotations

import os
from typing import Any, Callable

import pytest

from .server import Server


def server_with_sites(request: pytest.FixtureRequest) -> Server | None:
    """Returns the server if it is the proxy of listed sites; None otherwise. Starts no server for a test run that names no site."""
    config = request.config
    options = [*config.getini("footbridge_options"), *config.getoption("--footbridge-options")]
    names = {option.split("=")[0] for option in options}
    variables = ("FOOTBRIDGE_BROWSER_FLAGS", "FOOTBRIDGE_SITE", "FOOTBRIDGE_CONFIG")
    # The file of --config may list sites.
    if not names & {"--site", "--config"} and not any(os.environ.get(name) for name in variables):
        return None
    server: Server = request.getfixturevalue("footbridge_server")
    return server if server.browser_flags else None


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], browser_name: str, request: pytest.FixtureRequest
) -> dict[str, Any]:
    """Makes Chromium accept the certificates of the sites. Other browsers have no flag for it: see `new_context`."""
    server = server_with_sites(request) if browser_name == "chromium" else None
    if not server:
        return browser_type_launch_args
    return {**browser_type_launch_args, "args": [*browser_type_launch_args.get("args", []), *server.launch_arguments]}


@pytest.fixture
def new_context(new_context: Callable[..., Any], browser_name: str, request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Makes browser contexts whose proxy is the server, in the session of the test. In Firefox and WebKit they accept any certificate."""
    if not server_with_sites(request):
        return new_context
    session = request.getfixturevalue("footbridge_of_test")
    trust = {} if browser_name == "chromium" else {"ignore_https_errors": True}
    return lambda **options: new_context(**{**session.context_options(), **trust, **options})
