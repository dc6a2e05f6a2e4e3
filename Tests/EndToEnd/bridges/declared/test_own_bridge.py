"""docs/own-bridge.md and docs/wires.md, followed on an empty folder: the samples are taken from the pages as they stand there."""

import re
import shutil
import sys

import pytest

from footbridge_process import PROJECT, serve

MANUAL = "\n".join((PROJECT / "docs" / name).read_text() for name in ("own-bridge.md", "wires.md"))


def samples(heading):
    """The samples below a heading, each with its language."""
    section = MANUAL.split(f"# {heading}\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"```(\w+)\n(.*?)```", section, flags=re.DOTALL)


def sample(heading, language, index=0):
    return [text for each, text in samples(heading) if each == language][index]


@pytest.fixture
def follow(tmp_path, monkeypatch):
    """Serves the folder as the manual says, with other files beside footbridge.yaml."""
    # As with `pip install path/to/footbridge/web/testing`.
    monkeypatch.setenv("PYTHONPATH", str(PROJECT / "web" / "testing"))
    servers = []

    def follow(files):
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        servers.append(serve("--root", tmp_path / "site", "--config", tmp_path / "footbridge.yaml", "--ephemeral"))
        return servers[-1]

    yield follow
    for server in servers:
        server.stop()


TEN = "Ten minutes from an empty folder"


def sign_in(page, server, text):
    page.goto(server.url)
    page.click("button")
    page.wait_for_function("(text) => document.querySelector('output').textContent === text", arg=text)


def test_the_first_example_of_the_manual_works_without_a_program(follow, page):
    sign_in(page, follow({"site/index.html": sample(TEN, "html"), "footbridge.yaml": sample(TEN, "yaml")}), "Signed in: abc")


@pytest.mark.parametrize("language", ["Python", "JavaScript"])
def test_the_handler_example_of_the_manual_answers(follow, page, tmp_path, language):
    config = sample(TEN, "yaml", 1).replace("[python3, acme.py]", f"[{sys.executable}, acme.py]")
    if language == "JavaScript":
        config = sample(TEN, "yaml", 1).replace("[python3, acme.py]", "[node, acme.mjs]")
        shutil.copy(PROJECT / "web" / "testing" / "handler.mjs", tmp_path)
    files = {"site/index.html": sample(TEN, "html"), "footbridge.yaml": config, "acme.py": sample(TEN, "python"), "acme.mjs": sample(TEN, "js")}
    server = follow(files)
    page.add_init_script("window.seen = []; addEventListener('DOMContentLoaded', () => { const { onProgress } = app; app.onProgress = (percent) => { seen.push(percent); onProgress(percent); }; });")
    sign_in(page, server, f"Signed in: from {language}")
    assert page.evaluate("seen") == [50]
    (tmp_path / "site" / "index.html").write_text(files["site/index.html"].replace('user: "eva"', 'user: "max"'))
    sign_in(page, server, "Unknown user")


def test_the_example_of_synchronous_calls_works(follow, page):
    heading = "A bridge with synchronous calls"
    server = follow({"site/index.html": "<title>Shop</title>", "footbridge.yaml": sample(heading, "yaml"), "shop.js": sample(heading, "js")})
    page.goto(server.url)
    seen = page.evaluate("[ShopHost.getTheme(), ShopHost.getItem('cart'), prompt('shop:version'), ShopHost.track('x') === undefined]")
    assert seen == ["dark", "cart", "7.1", True]
