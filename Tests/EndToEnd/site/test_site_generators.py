"""Generated sites on their own development servers: links, search and live reload are the same behind Footbridge as directly."""

import contextlib
import os
import re
import shutil
import sys

import pytest
from playwright.sync_api import TimeoutError

from footbridge_process import PROJECT
from ports import free_port
from upstreams import program
from ways import check_all_ways

FRAMEWORKS = PROJECT / "Tests" / "EndToEnd" / "frameworks"
EDITION = r"Edition (\d+)\."


@pytest.fixture
def copied(tmp_path):
    """Copies the files of a site, and returns their folder."""
    return lambda name: shutil.copytree(FRAMEWORKS / name, tmp_path / name)


def read_and_edit(visitor, page_file, find):
    """Reads the site as a person does, and edits it. Returns what the search has found."""
    page = visitor.page
    visitor.open()
    page.get_by_role("link", name="Bridges").first.click()
    page.get_by_text("A bridge leads over water.").wait_for()
    page.get_by_role("link", name="Home").first.click()
    page.get_by_text("Welcome to this site.").wait_for()
    assert page.url.startswith(visitor.url + "/")
    found = find(page)
    visitor.open()
    # The page loads again by itself, unless it has not connected before the edit.
    for _ in range(3):
        edition = edit(page_file)
        with contextlib.suppress(TimeoutError):
            page.get_by_text(edition).wait_for(timeout=15_000)
            return found
    raise AssertionError("the page has not loaded again")


def edit(page_file):
    """Makes the next edition of a page, and returns its text."""
    text = page_file.read_text()
    number = int(re.search(EDITION, text)[1])
    page_file.write_text(re.sub(EDITION, f"Edition {number + 1}.", text))
    return f"Edition {number + 1}."


def found_by_script(page):
    page.fill("[type=search]", "water")
    page.locator("li").wait_for()
    return page.locator("li").all_inner_texts()


def test_hugo_works_behind_the_proxy(copied, launch, new_context):
    site, port = copied("hugo"), free_port()

    def run(url):
        # It makes absolute links, and a script for live reload, with the address that it is told.
        address = ["--baseURL", url, "--appendPort=false", "--liveReloadPort", url.rsplit(":", 1)[1] if url.count(":") > 1 else 443]
        return program(["hugo", "server", "--source", site, "--port", port, *address], port)

    def use(visitor):
        return read_and_edit(visitor, site / "content" / "_index.md", found_by_script)

    check_all_ways(use, launch, new_context, port, run=run, random=[EDITION, r"port=\d+"])


def test_jekyll_works_behind_the_proxy(copied, launch, new_context):
    site, port, reload_port = copied("jekyll"), free_port(), free_port()

    def run(url):
        # Outside of production, it makes absolute links with its own address.
        (site / "_address.yml").write_text(f"url: {url}\n")
        options = ["--port", port, "--livereload", "--livereload-port", reload_port, "--config", f"{site}/_config.yml,{site}/_address.yml"]
        return program(
            ["jekyll", "serve", "--source", site, "--destination", site.parent / "built", *options], port,
            env={**os.environ, "JEKYLL_ENV": "production"}, cwd=site)

    def use(visitor):
        return read_and_edit(visitor, site / "index.html", found_by_script)

    check_all_ways(use, launch, new_context, port, reload_port, run=run, random=[EDITION])


def test_mkdocs_works_behind_the_proxy(copied, launch, new_context):
    site, port = copied("mkdocs"), free_port()

    def find(page):
        page.goto(page.url.split("#")[0] + "?q=water")
        page.locator("#mkdocs-search-results h3").first.wait_for()
        return page.locator("#mkdocs-search-results h3").all_inner_texts()

    def use(visitor):
        found = read_and_edit(visitor, site / "docs" / "index.md", find)
        # The theme marks the heading in sight, when the browser has told it.
        visitor.page.locator("a.nav-link.active[href='#home']").wait_for(state="attached")
        return found

    with program([sys.executable, "-m", "mkdocs", "serve", "--dev-addr", f"127.0.0.1:{port}", "--config-file", site / "mkdocs.yml"], port):
        check_all_ways(use, launch, new_context, port, random=[EDITION, r"livereload\(\d+, \d+\)"])


def test_sphinx_works_behind_the_proxy(copied, launch, new_context):
    site, port = copied("sphinx"), free_port()

    def find(page):
        page.locator("[name=q]").last.fill("water")
        page.locator("[type=submit]").last.click()
        page.locator("#search-results li").wait_for()
        return page.locator("#search-results li a").all_inner_texts()

    def use(visitor):
        return read_and_edit(visitor, site / "index.rst", find)

    with program([sys.executable, "-m", "sphinx_autobuild", "--port", port, site, site.parent / "built"], port):
        check_all_ways(use, launch, new_context, port, random=[EDITION])
