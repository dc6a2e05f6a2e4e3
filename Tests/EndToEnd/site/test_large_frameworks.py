"""JupyterLab and Streamlit are the same behind Footbridge as directly. They are hundreds of megabytes: `make test-frameworks` installs them."""

import json
import os

import pytest

from footbridge_process import PROJECT
from ports import free_port
from upstreams import program
from ways import check_all_ways

INSTALLED = PROJECT / ".build" / "frameworks"
PYTHON = INSTALLED / "bin" / "python"
pytestmark = [
    pytest.mark.skipif(not (INSTALLED / "made").exists(), reason="JupyterLab and Streamlit are not installed: make test-frameworks"),
    pytest.mark.timeout(600),
]


def test_streamlit_works_behind_the_proxy(launch, new_context, tmp_path):
    port = free_port()
    file = tmp_path / "picture.bin"
    file.write_bytes(bytes(range(256)) * 1000)

    def use(visitor):
        page = visitor.page
        visitor.open()
        page.get_by_text("Nobody squares 3: 9").wait_for(timeout=30_000)
        page.get_by_label("Name").fill("Ada")
        page.keyboard.press("Enter")
        page.get_by_text("Ada squares 3: 9").wait_for()
        page.get_by_role("slider").press("ArrowRight")
        page.get_by_text("Ada squares 4: 16").wait_for()
        page.set_input_files("input[type=file]", file)
        page.get_by_text("picture.bin: 256000 bytes").wait_for()
        page.get_by_role("button", name="Count the runs").click()
        page.get_by_text("Run 5").wait_for()
        return page.locator("[data-testid=stMarkdown]").all_inner_texts()

    site = PROJECT / "Tests" / "EndToEnd" / "frameworks" / "streamlit_app.py"
    options = ["--server.port", port, "--server.address", "127.0.0.1", "--server.headless", "true", "--browser.gatherUsageStats", "false"]
    # Streamlit offers to publish what it finds on this machine.
    options += ["--client.toolbarMode", "viewer"]
    with program([PYTHON, "-m", "streamlit", "run", site, *options], port, timeout=90, cwd=tmp_path):
        check_all_ways(use, launch, new_context, port, random=[r"(?<=stAppEmbeddingId-)\w+", r"react-aria[\w:-]+"])


NOTEBOOK = {
    "cells": [{"cell_type": "code", "id": "one", "metadata": {}, "outputs": [], "execution_count": None, "source": ["print(6 * 7)"]}],
    "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}, "nbformat": 4, "nbformat_minor": 5,
}


def test_jupyterlab_works_behind_the_proxy(launch, new_context, tmp_path):
    port = free_port()
    notebook = tmp_path / "work" / "note.ipynb"
    notebook.parent.mkdir()

    def use(visitor):
        page = visitor.page
        notebook.write_text(json.dumps(NOTEBOOK))
        visitor.open("/lab/tree/note.ipynb?token=secret&reset")
        page.locator(".jp-Cell .cm-line", has_text="print(6 * 7)").wait_for(timeout=60_000)
        page.get_by_text("Python 3 (ipykernel) | Idle").wait_for(timeout=60_000)
        page.locator(".jp-Cell").first.click()
        page.keyboard.press("Shift+Enter")
        page.locator(".jp-OutputArea-output", has_text="42").wait_for()
        page.keyboard.press("Control+s")
        return page.locator(".jp-OutputArea-output").all_inner_texts()

    environment = {**os.environ, "HOME": str(tmp_path)}
    options = ["--no-browser", "--allow-root", "--ServerApp.local_hostnames=app.example.com", "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}", "--IdentityProvider.token=secret"]
    with program([PYTHON, "-m", "jupyterlab", *options], port, timeout=90, cwd=notebook.parent, env=environment):
        # JupyterLab lays the rest out as time allows. The kernel of the notebook stays, and counts on.
        check_all_ways(use, launch, new_context, port, part=".jp-OutputArea", random=[r'(?<= id=")[^"]*', r"\[\d+\]:"])
