"""The pytest plugin: a server for the run, a session for each test, and a transcript for each that fails."""

from __future__ import annotations

import contextlib
import inspect
import os
import shlex
import warnings
from typing import Any, Callable, Iterator

import pytest

from . import playwright_fixtures
from . import report as failure_report
from .bridges import Session
from .control import ControlError
from .journal import ExpectationError
from .server import Server, ServerError

SESSIONS = pytest.StashKey[list[Session]]()
#: The session that was asked for before the other fixtures of the test, such as its browser context: its options, and what waits for it.
BEGUN = pytest.StashKey[tuple[dict[str, Any], Callable[[], Session]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("footbridge_options", "options of footbridge serve, such as --root site", type="args")
    parser.addini("footbridge_timeout", "how long to wait for an expected event, in milliseconds", default="5000")
    parser.addini("footbridge_strict", "whether an unused rule, or an error of a page, fails its test", type="bool", default=False)
    parser.addini("footbridge_transcripts", "the folder for the transcripts of failed tests", default="footbridge-transcripts")
    parser.getgroup("footbridge").addoption(
        "--footbridge-options",
        type=shlex.split,
        default=[],
        metavar="OPTIONS",
        help="more options of footbridge serve, after those of the ini file",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "footbridge(**options): what the session of the test begins with, such as scenario='offline', present='auto'",
    )
    # Registered after pytest-playwright, so that its fixtures override those.
    if config.pluginmanager.hasplugin("playwright"):
        config.pluginmanager.register(playwright_fixtures, "footbridge-playwright")


@pytest.fixture(scope="session")
def footbridge_session_type() -> type[Session]:
    """The class of sessions. A test suite with its own bridge overrides this fixture and returns its own class."""
    return Session


@pytest.fixture(scope="session")
def footbridge_server(pytestconfig: pytest.Config, footbridge_session_type: type[Session]) -> Iterator[Server]:
    """The server: the one that `footbridge exec` runs, else one for this test run (with xdist, one for each worker)."""
    options = [*pytestconfig.getini("footbridge_options"), *pytestconfig.getoption("--footbridge-options")]
    if pytestconfig.getini("footbridge_options") and os.environ.get("FOOTBRIDGE_URL"):
        warnings.warn(
            "footbridge_options has no effect: FOOTBRIDGE_URL names a server that runs already, with the options of its own command line.",
            stacklevel=1)
    try:
        server = Server.running() or Server.start(options, directory=pytestconfig.rootpath)
    except ServerError as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None
    server.session_type = footbridge_session_type
    server.timeout = float(pytestconfig.getini("footbridge_timeout"))
    server.strict = pytestconfig.getini("footbridge_strict")
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def footbridge_sessions(request: pytest.FixtureRequest) -> Iterator[list[Session]]:
    """The sessions of the test. It begins before all other fixtures of the test, and so ends after them: whose browser context is closed has
    no page that would notice the end of its session."""
    sessions = request.node.stash[SESSIONS] = []
    _begin(request)
    yield sessions
    if BEGUN in request.node.stash:
        # A fixture of the test's own has made another session.
        with contextlib.suppress(ControlError, ConnectionError):
            sessions.append(request.node.stash[BEGUN][1]())
    while sessions:
        sessions.pop().end(waits=False)


@pytest.fixture
def new_footbridge_session(request: pytest.FixtureRequest, footbridge_server: Server, footbridge_sessions: list[Session]) -> Callable[..., Session]:
    """Makes sessions that end with the test, for tests with several devices."""

    def make(*, strict: bool = footbridge_server.strict, **options: Any) -> Session:
        options = _named(request, options)
        begun_options, wait = request.node.stash.get(BEGUN, (None, None))
        if wait and begun_options == options:
            del request.node.stash[BEGUN]
            session = wait()
        else:
            session = footbridge_server.new_session(**options)
        session.strict = strict
        footbridge_sessions.append(session)
        return session

    return make


@pytest.fixture
def footbridge_of_test(request: pytest.FixtureRequest, new_footbridge_session: Callable[..., Session]) -> Session:
    """The test's session, with the options of its marker."""
    return new_footbridge_session(**_marked(request))


def _marked(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The options of the test's markers."""
    options: dict[str, Any] = {}
    for marker in reversed(list(request.node.iter_markers("footbridge"))):
        options.update(marker.kwargs)
    return options


def _named(request: pytest.FixtureRequest, options: dict[str, Any]) -> dict[str, Any]:
    """The options of a session of the test, which has the test's name unless they say another."""
    return {"name": request.node.name[:50], **options}


def _begin(request: pytest.FixtureRequest) -> None:
    """Asks for the test's session, so that the server makes it while the browser makes its context. Not for one from a snapshot, or of a
    world: a fixture of the test may prepare that."""
    options = _marked(request)
    options.pop("strict", None)
    if "footbridge_of_test" in request.fixturenames and not {"from_", "device_of", "world"} & options.keys():
        options = _named(request, options)
        server: Server = request.getfixturevalue("footbridge_server")
        request.node.stash[BEGUN] = options, server._begin_session(options)


@pytest.fixture
def footbridge(request: pytest.FixtureRequest, footbridge_of_test: Session) -> Session:
    """The test's session. Puts the Playwright context of the fixture `context` into it, if the test uses that fixture."""
    session = footbridge_of_test
    if "context" in request.fixturenames:
        context = request.getfixturevalue("context")
        if hasattr(context, "add_cookies") and not inspect.iscoroutinefunction(context.add_cookies):
            session.enter(context)
    return session


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Any:
    result = yield
    for session in _sessions(item):
        _check(session)
    return result


def _sessions(item: pytest.Item) -> list[Session]:
    """The sessions of a test, with those that they have made."""
    return [each for session in item.stash.get(SESSIONS, []) for each in session.with_others()]


def _check(session: Session) -> None:
    try:
        if session.strict:
            session.check_rules()
        if session.strict or session.expects_lint:
            session.check_lint(errors=session.strict)
    except ExpectationError as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    report = yield
    if report.failed:
        failure_report.add(report, item, _sessions(item))
    return report
