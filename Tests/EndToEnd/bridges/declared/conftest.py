"""What the tests of presets and page events start."""

import pytest

from preset_pages import Servers, document


@pytest.fixture
def servers(tmp_path_factory):
    """Starts servers of one page. They stop with the test."""
    with Servers(tmp_path_factory) as servers:
        yield servers


@pytest.fixture
def start(servers):
    """Starts servers of one document whose bridge `acme` has this preset, these options and these answers."""
    return lambda preset, answers, script="", options="{}": servers.start(
        document(script), f"bridges:\n  acme:\n    preset: {preset}\n    options: {options}\n    answers:\n{answers}")
