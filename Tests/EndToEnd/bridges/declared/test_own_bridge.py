"""docs/own-bridge.md and docs/wires.md, followed on an empty folder: the samples are taken from the pages as they stand there."""

import re

import pytest

from footbridge_process import PROJECT, serve

MANUAL = "\n".join((PROJECT / "docs" / name).read_text() for name in ("own-bridge.md", "wires.md"))


def samples(heading):
    """The samples below a heading, each with its language."""
    section = MANUAL.split(f"# {heading}\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"```(\w+)\n(.*?)```", section, flags=re.DOTALL)


def sample(heading, language):
    return [text for each, text in samples(heading) if each == language][0]


@pytest.fixture
def follow(tmp_path):
    """Serves the folder as the manual says, with other files beside footbridge.yaml."""
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


def test_the_first_example_of_the_manual_works(follow, page):
    server = follow({"site/index.html": sample(TEN, "html"), "footbridge.yaml": sample(TEN, "yaml")})
    page.goto(server.url)
    page.click("button")
    page.wait_for_function("document.querySelector('output').textContent === 'Signed in: abc'")


def test_the_example_of_synchronous_calls_works(follow, page):
    heading = "A bridge with synchronous calls"
    server = follow({"site/index.html": "<title>Shop</title>", "footbridge.yaml": sample(heading, "yaml"), "shop.js": sample(heading, "js")})
    page.goto(server.url)
    seen = page.evaluate("[ShopHost.getItem('cart'), prompt('shop:version'), ShopHost.track('x') === undefined]")
    assert seen == ["cart", "7.1", True]
