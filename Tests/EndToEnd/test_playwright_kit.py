"""The JavaScript kit, with Playwright's own Node."""

import os
import pathlib
import subprocess

import playwright
import pytest

from browser_profiles import CHROMIUM
from footbridge_process import BUILD, PROJECT

NODE = pathlib.Path(playwright.__file__).parent / "driver" / "node"


def run_node_test(file):
    """Runs a file of tests."""
    return subprocess.run(
        [NODE, "--test", file],
        cwd=PROJECT,
        env={**os.environ, "FOOTBRIDGE": str(BUILD / "footbridge"), "FOOTBRIDGE_CHROMIUM": CHROMIUM},
        capture_output=True,
        text=True,
        timeout=280,
    )


@pytest.mark.timeout(300)
@pytest.mark.parametrize("file", ["Examples/playwright/shop.test.mjs", "Tests/EndToEnd/playwright_kit.test.mjs"])
def test_passes(file):
    result = run_node_test(file)
    assert result.returncode == 0, result.stdout
