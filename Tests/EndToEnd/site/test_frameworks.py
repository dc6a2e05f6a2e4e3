"""Applications on common frameworks work behind Footbridge exactly as they do directly."""

import contextlib
import re

import pytest

import framework_sites
from certificates import Pair
from footbridge_process import serve
from ports import free_port
from ways import check_all_ways

#: Sites with a session, an upload, and a form with protection against forgery.
NOTES = ["rails", "sinatra", "django", "flask", "php", "node"]
#: Those that speak https themselves, given a certificate and its key.
SECURE = ["flask", "node"]


@contextlib.contextmanager
def running(name, *more):
    """Runs a site, and yields its port."""
    if missing := framework_sites.missing_program(name):
        pytest.skip(f"{missing} is not installed: make setup-test")
    port = free_port()
    with framework_sites.running(name, port, *more):
        yield port


@pytest.fixture(scope="module")
def sites():
    """Returns the ports of the sites, and starts each site at its first use."""
    with contextlib.ExitStack() as stack:
        ports = {}

        def port(name):
            if name not in ports:
                ports[name] = stack.enter_context(running(name))
            return ports[name]

        yield port


@pytest.fixture
def secure_page(new_context):
    return new_context(ignore_https_errors=True).new_page()


def write_notes(page, url, file):
    """Uses such a site as a person does, and returns what the site has stored."""
    page.goto(url)
    page.fill("[name=text]", "first & <last>")
    page.click("text=Note")
    page.wait_for_selector("li")
    assert page.url == url + "/"
    page.set_input_files("[name=file]", file)
    page.click("text=Upload")
    page.wait_for_selector("li >> nth=1")
    assert page.url == url + "/"
    # The site refuses a form without its token.
    assert page.evaluate("""async () => {
      const forged = new URLSearchParams({ text: "forged" });
      return (await fetch("/note", { method: "POST", body: forged, redirect: "manual" })).status;
    }""") in (403, 422)
    page.reload()
    return page.locator("li").all_inner_texts()


@pytest.fixture
def upload(tmp_path):
    file = tmp_path / "picture of ü.bin"
    file.write_bytes(bytes(range(1, 128)) * 1000)
    return file


STORED = ["first & <last>", "picture of ü.bin: 127000 bytes"]


def are_stored(notes):
    # The framework decides about letters outside ASCII in a file name.
    return [re.sub(r"of \S+\.bin", "of ü.bin", note) for note in notes] == STORED


@pytest.mark.parametrize("name", NOTES)
@pytest.mark.parametrize("way", ["https", "upstream", "by name"])
def test_forms_sessions_and_uploads_work_behind_the_proxy(sites, secure_page, upload, name, way):
    port = sites(name)
    site = f"http://127.0.0.1:{port}"
    options = {"https": ["--tls-port", 0], "upstream": ["--proxy-host", "upstream"], "by name": ["--proxy-host", f"localhost:{port}"]}[way]
    with serve("--proxy", site, "--ephemeral", *options) as server:
        url = server.lines.get(timeout=60).split()[-1] if way == "https" else server.url
        assert are_stored(write_notes(secure_page, url, upload))
        assert secure_page.evaluate("typeof onside") == "object"


@pytest.mark.parametrize("name", NOTES)
def test_a_sites_notes_are_the_same_on_every_kind_of_proxy(sites, launch, new_context, upload, name):
    def use(visitor):
        notes = write_notes(visitor.page, visitor.url, upload)
        assert are_stored(notes)
        return notes

    # Tokens.
    check_all_ways(use, launch, new_context, sites(name), random=[r"(?<=value=\")[^\"]*"])


@pytest.mark.parametrize("name", SECURE)
def test_a_site_works_with_https_on_both_sides(secure_page, tmp_path, upload, name):
    pair = Pair("localhost", names=["127.0.0.1"]).write(tmp_path, "site")
    with running(name, *map(str, pair)) as port, serve(
        "--proxy", f"https://127.0.0.1:{port}", "--proxy-insecure", "--tls-port", 0, "--ephemeral"
    ) as server:
        assert are_stored(write_notes(secure_page, f"https://127.0.0.1:{port}", upload))
        secure_page.context.clear_cookies()
        assert are_stored(write_notes(secure_page, server.lines.get(timeout=60).split()[-1], upload))


# React: a document that the server renders and the browser takes over.


def test_react_hydrates_a_whole_document_on_every_kind_of_proxy(launch, new_context):
    def use(visitor):
        page = visitor.page
        visitor.open()
        page.wait_for_function("window.before")
        page.click("button")
        page.wait_for_function("document.querySelector('button').textContent === 'count: 1'")
        assert page.evaluate("complaints") == []
        assert page.evaluate("[button.isConnected, ...before]") == [True, 3, "meta"]
        if visitor.has_bridge():
            assert page.evaluate("onside.getTransactions()") == []

    with running("react") as port:
        check_all_ways(use, launch, new_context, port)
