"""`make manual`: the manual as a site."""

import html.parser
import shutil
import subprocess
import sys
import urllib.parse

import pytest

from footbridge_process import PROJECT


def make_manual(project, site):
    return subprocess.run([sys.executable, project / "scripts" / "make-manual", site], capture_output=True, text=True, timeout=60)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    site = tmp_path_factory.mktemp("manual") / "site"
    made = make_manual(PROJECT, site)
    assert made.returncode == 0, made.stderr
    return site


class Links(html.parser.HTMLParser):
    """The addresses that a document links to or shows, and the anchors that it has."""

    def __init__(self, file):
        super().__init__()
        self.addresses, self.anchors = [], set()
        self.feed(file.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.anchors.add(value)
            elif name in ("href", "src", "srcset"):
                self.addresses.append(value)


def test_each_page_of_the_manual_is_a_document_of_the_site(site):
    pages = {page.relative_to(PROJECT).with_name("index.html" if page.stem == "README" else f"{page.stem}.html") for page in PROJECT.glob("docs/**/*.md")}
    assert pages == {page.relative_to(site) for page in site.glob("docs/**/*.html")}


def test_every_link_and_picture_of_the_site_is_there(site):
    read = {file: Links(file) for file in site.glob("docs/**/*.html")}
    dead = []
    for file, links in read.items():
        for address in links.addresses:
            url = urllib.parse.urlsplit(address)
            if url.scheme:
                continue
            target = (file.parent / urllib.parse.unquote(url.path)).resolve() if url.path else file
            if not target.is_file() or (url.fragment and target in read and url.fragment not in read[target].anchors):
                dead.append(f"{file.name}: {address}")
    assert dead == []


@pytest.mark.parametrize("link", ["gone.md", "other.md#gone", "../gone"])
def test_a_dead_link_fails_the_site(tmp_path, link):
    for folder in ("scripts", "docs"):
        (tmp_path / folder).mkdir()
    shutil.copy(PROJECT / "scripts" / "make-manual", tmp_path / "scripts")
    (tmp_path / "README.md").write_text("# A project\n\n[docs](docs/README.md)\n")
    (tmp_path / "docs" / "README.md").write_text(f"# The manual\n\n[other](other.md) and [a link]({link})\n")
    (tmp_path / "docs" / "other.md").write_text("# Other\n")
    made = make_manual(tmp_path, tmp_path / "site")
    assert made.returncode != 0
    assert link in made.stderr
