"""A folder as a production host serves it: clean URLs, one document for many paths, encoded copies, ranges, and live reload."""

import gzip
import http.client
import json
import os
import shutil

import pytest

from engines import CHROMIUM, FIREFOX, only
from footbridge_process import serve

BROTLI = b"\x0b\x02\x80brotli\x03"  # "brotli" as a stream with an uncompressed meta-block.


def get(server, path, method="GET", **fields):
    """Returns status, fields by lower-case name, and body."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.putrequest(method, path, skip_accept_encoding=True)
    for name, value in fields.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response.status, {name.lower(): response.getheader(name) for name, _ in response.getheaders()}, body


def page_named(name):
    return f"<!doctype html><title>{name}</title>"


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    root = tmp_path_factory.mktemp("static")
    for path in ("index.html", "about.html", "both.html", "both/team.html", "docs/index.html", "docs.d/intro.html"):
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(page_named(path))
    (root / "plain").write_text("no extension")
    (root / "plain.html").write_text(page_named("plain.html"))
    script = "console.log(1);" * 100
    (root / "app.js").write_text(script)
    (root / "app.js.gz").write_bytes(gzip.compress(script.encode()))
    (root / "app.js.br").write_bytes(BROTLI)
    (root / "only.css").write_text("p {}")
    (root / "only.css.gz").write_bytes(gzip.compress(b"p {}"))
    (root / "index.html.br").write_bytes(BROTLI)
    (root / "index.html.gz").write_bytes(gzip.compress((root / "index.html").read_bytes()))
    (root / "edited.js.br").write_bytes(BROTLI)
    (root / "edited.js").write_text("// newer")
    os.utime(root / "edited.js.br", (1, 1))
    return root


@pytest.fixture(scope="module")
def site(root):
    with serve("--root", root, "--ephemeral") as server:
        yield server


@pytest.fixture(scope="module")
def single_page(root):
    with serve("--root", root, "--ephemeral", "--spa") as server:
        yield server


# Clean URLs.


@pytest.mark.parametrize("path, title", [
    ("/about", "about.html"), ("/about?a=b.c", "about.html"), ("/about.html", "about.html"), ("/both", "both.html"), ("/both/team", "both/team.html"),
    ("/docs/", "docs/index.html"), ("/docs.d/intro", "docs.d/intro.html"), ("/index", "index.html"),
])
def test_a_path_without_an_extension_serves_the_html_file_of_its_name(site, path, title):
    status, fields, body = get(site, path)
    assert (status, fields["content-type"]) == (200, "text/html; charset=utf-8")
    assert f"<title>{title}</title>".encode() in body


def test_a_file_of_exactly_that_name_is_preferred(site):
    assert get(site, "/plain")[2] == b"no extension"


@pytest.mark.parametrize("path", ["/about/", "/nothing", "/about.htm", "/.html", "/docs/about", "/app"])
def test_paths_without_a_file_are_not_found(site, path):
    assert get(site, path)[0] == 404


@pytest.mark.parametrize("target", ["//docs", "///docs", "http://127.0.0.1:$PORT//docs"])
def test_redirects_to_a_folder_do_not_lead_to_another_host(site, target):
    status, fields, _ = get(site, target.replace("$PORT", str(site.port)))
    assert (status, fields["location"]) == (308, "/docs/")


def test_a_folder_without_a_document_of_its_name_is_redirected_to(site):
    status, fields, _ = get(site, "/docs?a")
    assert (status, fields["location"]) == (308, "/docs/?a")
    # Else a browser keeps it for ever.
    assert fields["cache-control"] == "no-cache"


# One document for many paths.


NAVIGATION = {"Sec_Fetch_Dest": "document", "Sec_Fetch_Mode": "navigate", "Accept": "text/html,*/*;q=0.8"}


def test_a_single_page_application_serves_its_document_at_every_navigated_path(single_page, page):
    for path in ("/users/1", "/users/jane.doe", "/a/b/c/?q=1", "/about/", "/%F0%9F%98%80"):
        response = page.goto(single_page.url + path)
        assert (response.status, page.title()) == (200, "index.html")
        assert page.evaluate("onside.getTransactions()") == []
    page.evaluate("""() => new Promise(loaded => {
      const frame = Object.assign(document.createElement("iframe"), { src: "/in/a/frame", onload: loaded });
      document.body.append(frame);
    })""")
    assert page.frames[1].title() == "index.html"
    assert page.evaluate("fetch('/users/1').then(r => r.status)") == 404
    assert page.evaluate("""() => new Promise(done => {
      const script = Object.assign(document.createElement("script"), { src: "/assets/app.123.js", onload: () => done("loaded"), onerror: () => done("missing") });
      document.body.append(script);
    })""") == "missing"


def test_files_and_clean_urls_precede_the_document_of_a_single_page_application(single_page):
    assert b"about.html" in get(single_page, "/about", **NAVIGATION)[2]
    assert get(single_page, "/docs", **NAVIGATION)[0] == 308


def test_missing_assets_of_a_single_page_application_are_not_found(single_page):
    for destination in ("script", "style", "image", "empty", "font", "object"):
        assert get(single_page, "/users/1", Sec_Fetch_Dest=destination)[0] == 404
    # Without fetch metadata, as on plain http from another machine: a request that accepts HTML by name is a navigation.
    assert get(single_page, "/users/1", Accept="text/html,application/xhtml+xml,*/*;q=0.8")[0] == 200
    assert get(single_page, "/users/1", Accept="*/*")[0] == 404
    assert get(single_page, "/users/1")[0] == 404
    assert get(single_page, "/users/1", method="HEAD", **NAVIGATION)[0] == 200


def test_without_spa_an_unknown_path_is_not_found_by_navigation(site, page):
    assert page.goto(site.url + "/users/1").status == 404


# Encoded copies.


@pytest.mark.parametrize("accept, coding", [
    ("gzip, deflate, br, zstd", "br"), ("gzip", "gzip"), ("br;q=0.5, gzip", "gzip"), ("*", "br"), ("br;q=0, *", "gzip"), ("BR", "br"), ("x-gzip", "gzip"),
    ("identity", None), ("", None), ("deflate", None), ("br;q=0, gzip;q=0.000", None), ("identity, br;q=0.9", None), ("br;q=high", None),
])
def test_the_encoded_copy_with_the_greatest_weight_is_sent(site, root, accept, coding):
    status, fields, body = get(site, "/app.js", Accept_Encoding=accept)
    name = {"br": "app.js.br", "gzip": "app.js.gz", None: "app.js"}[coding]
    assert (status, fields.get("content-encoding"), body) == (200, coding, (root / name).read_bytes())
    assert (fields["content-type"], fields["vary"]) == ("text/javascript; charset=utf-8", "Accept-Encoding")


def test_a_request_without_accept_encoding_gets_the_plain_file(site, root):
    _, fields, body = get(site, "/app.js")
    assert "content-encoding" not in fields and body == (root / "app.js").read_bytes()


def test_only_existing_copies_are_chosen(site):
    assert get(site, "/only.css", Accept_Encoding="br, gzip;q=0.1")[1]["content-encoding"] == "gzip"
    assert "vary" not in get(site, "/plain", Accept_Encoding="br")[1]


def test_a_copy_older_than_its_file_is_ignored(site):
    _, fields, body = get(site, "/edited.js", Accept_Encoding="br")
    assert (body, fields.get("content-encoding")) == (b"// newer", None)


def test_each_copy_has_its_own_entity_tag_and_ranges(site, root):
    tags = {coding: get(site, "/app.js", Accept_Encoding=coding)[1]["etag"] for coding in ("br", "gzip", "identity")}
    assert len(set(tags.values())) == 3
    status, fields, body = get(site, "/app.js", Accept_Encoding="gzip", If_None_Match=tags["gzip"])
    assert (status, body, fields["vary"]) == (304, b"", "Accept-Encoding")
    assert get(site, "/app.js", Accept_Encoding="gzip", If_None_Match=tags["br"])[0] == 200
    status, fields, body = get(site, "/app.js", Accept_Encoding="gzip", Range="bytes=1-4")
    size = (root / "app.js.gz").stat().st_size
    assert (status, fields["content-range"], fields["content-encoding"]) == (206, f"bytes 1-4/{size}", "gzip")
    assert body == (root / "app.js.gz").read_bytes()[1:5]


def test_documents_with_the_shim_in_them_are_read_from_the_plain_file(site, root):
    _, fields, body = get(site, "/", Accept_Encoding="br, gzip", **NAVIGATION)
    assert "content-encoding" not in fields and b"<title>index.html</title>" in body
    _, fields, body = get(site, "/", Accept_Encoding="gzip", Sec_Fetch_Dest="empty")
    assert (fields["content-encoding"], fields["content-type"]) == ("gzip", "text/html; charset=utf-8")
    assert gzip.decompress(body) == (root / "index.html").read_bytes()


def test_chromium_reads_an_encoded_copy(site, root, page):
    page.goto(site.url)
    assert page.evaluate("fetch('/only.css').then(r => r.text())") == "p {}"


# Large files.


def test_ranges_beyond_four_gibibytes_are_served(tmp_path):
    size = 5 << 30
    with open(tmp_path / "film.mp4", "wb") as file:
        file.truncate(size)
        file.seek(size - 3)
        file.write(b"end")
    with serve("--root", tmp_path, "--ephemeral") as server:
        status, fields, body = get(server, "/film.mp4", Range=f"bytes={size - 3}-")
        assert (status, fields["content-range"], body) == (206, f"bytes {size - 3}-{size - 1}/{size}", b"end")
        status, fields, body = get(server, "/film.mp4", Range="bytes=4294967290-4294967299")
        assert (status, body) == (206, bytes(10))
        assert get(server, "/film.mp4", method="HEAD")[1]["content-length"] == str(size)


# Caches.


def test_files_are_cached_with_revalidation_and_documents_are_not_cached(site):
    assert get(site, "/app.js")[1]["cache-control"] == "no-cache"
    _, fields, _ = get(site, "/", **NAVIGATION)
    assert (fields["cache-control"], fields["vary"]) == ("private, no-cache", "Sec-Fetch-Dest, Sec-Fetch-Mode, Upgrade-Insecure-Requests")
    assert {"etag", "last-modified"}.isdisjoint(fields)
    assert get(site, "/", Sec_Fetch_Dest="empty")[1]["vary"] == "Sec-Fetch-Dest, Sec-Fetch-Mode, Upgrade-Insecure-Requests, Accept-Encoding"


@only(CHROMIUM, FIREFOX, because="its page cache shows a page as it was left")
def test_a_page_never_shows_an_outdated_file(tmp_path, page):
    def write(number):
        (tmp_path / "index.html").write_text(f"<!doctype html><link rel=stylesheet href=a.css><script src=a.js></script><title>{number}</title>")
        (tmp_path / "a.js").write_text(f"window.number = {number};")
        (tmp_path / "a.css").write_text(f"html {{ --number: {number}; }}")

    def seen():
        return [page.title(), *page.evaluate("[String(number), getComputedStyle(document.documentElement).getPropertyValue('--number')]")]

    write(1)
    (tmp_path / "other.html").write_text(page_named("other"))
    with serve("--root", tmp_path, "--ephemeral") as server:
        page.goto(server.url)
        assert seen() == ["1"] * 3
        write(2)
        page.reload()
        assert seen() == ["2"] * 3
        page.goto(server.url + "/other")
        page.evaluate("fetch('/').then(r => r.text())")
        write(3)
        page.go_back()
        assert page.title() == "3"
        # It is a new document, which the bridge knows.
        assert page.evaluate("onside.getTransactions()") == []


# Live reload.


@pytest.fixture
def watched(tmp_path):
    """Runs a server that watches a folder with a page, and with a script in a subfolder."""
    root = tmp_path / "root"
    (root / "js").mkdir(parents=True)
    (root / "index.html").write_text("<!doctype html><title>1</title><script src=js/app.js></script>")
    (root / "js" / "app.js").write_text("window.app = 1;")
    with serve("--root", root, "--ephemeral", "--watch") as server:
        server.root = root
        yield server


def visit(page, address):
    """Opens a page, and waits until it is connected: it hears of changes from then on."""
    page.goto(address)
    assert page.evaluate("onside.getTransactions()") == []


def wait_for_app(page, value):
    """Waits for a page with this value, until it is connected."""
    page.wait_for_function("value => window.app === value && onside.getTransactions().then(() => true)", arg=value)


def test_a_page_reloads_when_a_file_changes(watched, page):
    visit(page, watched.url)
    (watched.root / "index.html").write_text("<!doctype html><title>2</title>")
    page.wait_for_function("document.title === '2'")
    assert page.evaluate("onside.getTransactions()") == []


def test_changes_in_folders_and_replaced_files_reload_a_page(watched, page):
    visit(page, watched.url)
    (watched.root / "js" / "app.js").write_text("window.app = 2;")
    wait_for_app(page, 2)
    (watched.root / "js" / "new.js").write_text("window.app = 3;")
    os.replace(watched.root / "js" / "new.js", watched.root / "js" / "app.js")
    wait_for_app(page, 3)


def test_new_folders_are_watched_recursively(watched, page):
    visit(page, watched.url)
    deep = watched.root / "a" / "b" / "c"
    deep.mkdir(parents=True)
    (deep / "app.js").write_text("window.app = 10;")
    (watched.root / "index.html").write_text("<!doctype html><title>deep</title><script src=a/b/c/app.js></script>")
    wait_for_app(page, 10)
    (deep / "app.js").write_text("window.app = 11;")
    wait_for_app(page, 11)
    (watched.root / "a").rename(watched.root / "moved")
    (watched.root / "index.html").write_text("<!doctype html><title>moved</title><script src=moved/b/c/app.js></script>")
    page.wait_for_function("document.title === 'moved'")
    wait_for_app(page, 11)
    (watched.root / "moved" / "b" / "c" / "app.js").write_text("window.app = 12;")
    wait_for_app(page, 12)


def test_a_build_that_empties_the_folder_first_leaves_no_page_behind(watched, page):
    visit(page, watched.url)
    shutil.rmtree(watched.root)
    # The page gets no event while its document is missing. It loads the document that exists afterwards.
    page.evaluate("fetch('/').then(r => r.status)")
    watched.root.mkdir()
    (watched.root / "index.html").write_text("<!doctype html><title>rebuilt</title><script>window.app = 5;</script>")
    wait_for_app(page, 5)
    (watched.root / "index.html").write_text("<!doctype html><title>rebuilt</title><script>window.app = 6;</script>")
    wait_for_app(page, 6)


def test_every_page_and_frame_of_every_browser_reloads(watched, new_context):
    pages = [new_context().new_page() for _ in range(2)]
    for page in pages:
        visit(page, watched.url)
        page.evaluate("window.old = true")
    (watched.root / "js" / "app.js").write_text("window.app = 7;")
    for page in pages:
        wait_for_app(page, 7)
        assert page.evaluate("window.old") is None


def test_hidden_files_and_editor_backups_do_not_reload_a_page(watched, page):
    visit(page, watched.url)
    page.evaluate("window.old = true")
    for name in (".app.js.swp", "app.js~", ".git/index", "node_modules/a/index.js"):
        path = watched.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    assert page.evaluate("onside.getTransactions()") == []
    (watched.root / "js" / "app.js").write_text("window.app = 8;")
    wait_for_app(page, 8)
    assert [line for line in watched.log if "swp" in line] == []


def test_without_watch_pages_do_not_reload(tmp_path, page):
    (tmp_path / "index.html").write_text("<!doctype html><title>1</title>")
    with serve("--root", tmp_path, "--ephemeral") as server:
        reloads = []
        page.goto(server.url)
        page.on("framenavigated", lambda frame: reloads.append(frame.url))
        (tmp_path / "index.html").write_text("<!doctype html><title>2</title>")
        for _ in range(5):
            assert page.evaluate("onside.getTransactions()") == []
        assert (page.title(), reloads) == ("1", [])


def test_watch_can_be_set_in_the_file_or_the_environment(tmp_path, page):
    (tmp_path / "index.html").write_text("<!doctype html><title>1</title>")
    config = tmp_path.parent / "footbridge.yaml"
    config.write_text(json.dumps({"root": str(tmp_path), "spa": True, "watch": True}))
    with serve("--ephemeral", "--config", config) as server:
        visit(page, server.url + "/some/where")
        (tmp_path / "index.html").write_text("<!doctype html><title>2</title>")
        page.wait_for_function("document.title === '2'")
        assert page.url.endswith("/some/where")


# What static hosts have besides.


def test_a_missing_page_shows_the_sites_own_404_page(tmp_path, page):
    (tmp_path / "404.html").write_text(page_named("Nothing here"))
    with serve("--root", tmp_path, "--ephemeral") as server:
        assert page.goto(server.url + "/nothing").status == 404
        assert page.title() == "Nothing here" and page.evaluate("onside.getTransactions()") == []
        assert get(server, "/nothing.png", Sec_Fetch_Dest="image")[1]["content-type"] == "text/plain; charset=utf-8"
        assert get(server, "/404")[0] == 200


def test_an_excluded_path_shows_the_sites_own_404_page_unchanged(tmp_path):
    (tmp_path / "404.html").write_text(page_named("Nothing here"))
    with serve("--root", tmp_path, "--ephemeral", "--exclude", "/admin/*", "--response-header", "X-Mine: 1") as server:
        status, fields, body = get(server, "/admin/missing", **NAVIGATION)
        assert status == 404 and body == page_named("Nothing here").encode() and "vary" not in fields and fields["x-mine"] == "1"
        assert b"__footbridge" in get(server, "/missing", **NAVIGATION)[2]


def test_a_path_without_a_file_has_the_response_headers_of_the_site(tmp_path):
    with serve("--root", tmp_path, "--ephemeral", "--response-header", "Access-Control-Allow-Origin: *") as server:
        status, fields, _ = get(server, "/nothing.json")
        assert (status, fields["access-control-allow-origin"], fields["content-type"]) == (404, "*", "text/plain; charset=utf-8")


@pytest.mark.parametrize("name, media_type", [
    ("a.jxl", "image/jxl"), ("a.heif", "image/heif"), ("a.mpd", "application/dash+xml"), ("a.srt", "application/x-subrip; charset=utf-8"),
    ("a.wgsl", "text/wgsl; charset=utf-8"), ("a.usdz", "model/vnd.usdz+zip"), (".well-known/apple-app-site-association", "application/json"),
])
def test_files_have_their_media_types(tmp_path, name, media_type):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("x")
    with serve("--root", tmp_path, "--ephemeral") as server:
        assert get(server, "/" + name)[1]["content-type"] == media_type


def test_options_of_a_static_site_is_answered(tmp_path):
    with serve("--root", tmp_path, "--ephemeral") as server:
        status, fields, body = get(server, "*", "OPTIONS")
        assert (status, fields["allow"], body) == (204, "GET, HEAD, OPTIONS", b"")
