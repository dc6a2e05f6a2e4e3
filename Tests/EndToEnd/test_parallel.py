"""Many tests at once against one server."""

import os
import pathlib
import subprocess
import sys

import pytest

from footbridge_process import BUILD

SUITE = pathlib.Path(__file__).with_name("parallel_tests.py")


@pytest.mark.timeout(600)
def test_fifty_tests_in_four_processes_share_one_server_and_nothing_else(shop_root, catalog, tmp_path):
    config = tmp_path / "footbridge.yaml"
    config.write_text("onside: { accounts: [{ id: DE, email: de@example.com, country: DE },"
                      " { id: ES, email: es@example.com, country: ES }, { id: FR, email: fr@example.com, country: FR }] }\n")
    for _ in range(int(os.environ.get("FOOTBRIDGE_PARALLEL_REPEATS", "1"))):
        result = subprocess.run(
            [str(BUILD / "footbridge"), "exec", "--root", str(shop_root), "--catalog", str(catalog), "--config", str(config), "--present", "auto",
             "--", sys.executable, "-m", "pytest", "-n", "4", str(SUITE)],
            capture_output=True, text=True, timeout=300,
        )
        assert result.returncode == 0, result.stdout + result.stderr
        assert "50 passed" in result.stdout
