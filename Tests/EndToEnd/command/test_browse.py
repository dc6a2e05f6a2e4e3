"""`footbridge browse`: a browser with a fresh profile, and a server for as long as it is open."""

import contextlib
import os
import pathlib
import queue
import re
import signal
import ssl
import subprocess
import sys
import tempfile

import pytest

from certificates import DAY, NOW, Authority, Pair
from engines import Display
from footbridge_process import BUILD, run
from upstreams import upstream

APP = "https://app.example.com"


@pytest.fixture
def temporary():
    """Where profiles are made. Chromium's socket there must have a short path."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        yield {"TMPDIR": folder}


def left(temporary):
    return [path.name for path in pathlib.Path(temporary["TMPDIR"]).glob("footbridge-browser-*")]


def script(tmp_path, text):
    browser = tmp_path / "browser"
    browser.write_text(f"#!/bin/sh\n{text}\n")
    browser.chmod(0o755)
    return {"FOOTBRIDGE_BROWSER": str(browser)}


def test_only_the_listed_sites_go_through_the_server(temporary):
    """A page of another site does not count as one of this machine, so Chromium asks before it reaches others here."""
    with upstream(lambda exchange, request: exchange.answer("<title>Shop</title>", content_type="text/html")) as site:
        result = run("browse", "--site", f"{APP}={site.url}", "--site", f"https://pay.example={site.url}", "http://plain.example/",
                     "--", "--headless=new", "--dump-dom", f"--host-resolver-rules=MAP plain.example 127.0.0.1:{site.port}",
                     environment=temporary, timeout=150)
    assert result.returncode == 0, result.stderr
    # The server cannot resolve the name.
    assert "<title>Shop</title>" in result.stdout


def test_chromium_opens_the_first_site_at_its_own_address(temporary):
    with upstream(lambda exchange, request: exchange.answer("<title>Shop</title><script>document.title += location.origin + typeof onside</script>", content_type="text/html")) as site:
        result = run("browse", "--site", f"{APP}={site.url}", "--", "--headless=new", "--dump-dom", environment=temporary, timeout=150)
    assert result.returncode == 0, result.stderr
    assert f"<title>Shop{APP}object</title>" in result.stdout
    assert left(temporary) == []


def test_the_browser_gets_a_fresh_profile_the_flags_and_the_page(temporary, tmp_path):
    show = script(tmp_path, 'for each; do echo "flag: $each"; done; [ -d "${1#--user-data-dir=}" ] && echo there; exit 7')
    result = run("browse", "--site", f"{APP}=http://localhost:9", f"{APP}/cart", "--", "--lang=nl", environment={**temporary, **show})
    assert result.returncode == 7, result.stderr
    flags = [line.removeprefix("flag: ") for line in result.stdout.splitlines() if line.startswith("flag: ")]
    assert flags[0].startswith("--user-data-dir=") and flags[-2:] == ["--lang=nl", f"{APP}/cart"]
    assert any(re.fullmatch(r"--proxy-pac-url=http://127\.0\.0\.1:\d+/__footbridge/proxy\.pac", flag) for flag in flags)
    assert not any(flag.startswith("--ignore-certificate-errors") for flag in flags)
    assert ("--no-sandbox" in flags) == (os.geteuid() == 0)
    assert "there" in result.stdout and left(temporary) == []


@pytest.mark.skipif(sys.platform != "linux", reason="Chromium has a database of authorities on Linux only.")
def test_chromium_takes_the_certificates_of_the_sites_and_of_no_other(temporary, tmp_path):
    """The authority's certificate follows the one for another site."""
    state = tmp_path / "state"
    run("trust", "--state", state, "--site", APP)
    authority = Authority(state)
    pair = Pair("bank.example", authority, ["bank.example"], end=NOW + 30 * DAY)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    (tmp_path / "bank.pem").write_text(pair.certificate_pem() + authority.file.read_text() + pair.key_pem())
    tls.load_cert_chain(tmp_path / "bank.pem")
    with upstream(lambda exchange, request: exchange.answer("<title>Site</title>", content_type="text/html")) as site, \
            upstream(lambda exchange, request: exchange.answer("<title>Forged</title>", content_type="text/html"), tls) as bank:
        def opened(url):
            return run("browse", "--state", state, "--site", f"{APP}={site.url}", url, "--", "--headless=new", "--dump-dom",
                       f"--host-resolver-rules=MAP bank.example 127.0.0.1:{bank.port}", environment=temporary, timeout=150).stdout

        assert "<title>Site</title>" in opened(f"{APP}/")
        assert "<title>Forged</title>" not in opened("https://bank.example/")
    assert bank.requests == []


def test_without_certutil_the_log_says_what_the_browser_accepts(temporary, tmp_path):
    show = script(tmp_path, 'for each; do echo "flag: $each"; done')
    result = run("browse", "--site", f"{APP}=http://localhost:9", environment={**temporary, **show, "PATH": str(tmp_path)})
    assert "flag: --ignore-certificate-errors-spki-list=" in result.stdout
    assert "libnss3-tools" in result.stderr and "open only sites that you trust" in result.stderr


# Tells the site where the page runs, and what it has.
REPORTER = """<script>navigator.sendBeacon(`/report?${location.origin} ${typeof onside} ${navigator.userAgent}`)</script>"""


@contextlib.contextmanager
def browsing(site, *arguments, environment):
    """Opens a browser, and gives what its first page reports to the site."""
    reports = queue.Queue()

    def answer(exchange, request):
        if request.target.startswith("/report?"):
            reports.put(request.target.removeprefix("/report?").replace("%20", " "))
        exchange.answer(REPORTER if request.target == "/" else "", content_type="text/html")

    with upstream(answer) as site_server:
        command = [BUILD / "footbridge", "browse", "--ephemeral", "--site", f"{site}={site_server.url}", *arguments]
        process = subprocess.Popen(command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            yield reports.get(timeout=60)
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=20)


@pytest.mark.parametrize("site", [APP, "https://shop.localhost:8443"])
def test_firefox_opens_a_site_at_its_own_address(temporary, site):
    with browsing(site, "--browser", "firefox", "--", "--headless", environment=temporary) as report:
        assert report.startswith(f"{site} object Mozilla/5.0") and "Firefox/" in report
    assert left(temporary) == []


def test_webkit_opens_a_site_at_its_own_address(temporary):
    display = Display()
    screen = {"DISPLAY": display.name, "LANG": "en_US.UTF-8", "GDK_BACKEND": "x11"}
    try:
        with browsing(APP, "--browser", "webkit", environment={**temporary, **screen}) as report:
            assert report.startswith(f"{APP} object Mozilla/5.0") and "AppleWebKit/605" in report
    finally:
        display.stop()
    assert left(temporary) == []


SHOW = 'for each; do echo "flag: $each"; done; [ -e "$2/user.js" ] && cat "$2/user.js"; [ -e "$2/cert9.db" ] && echo trusted'


@pytest.mark.parametrize("arguments, name, expected", [
    ([], "chromium", ["--user-data-dir="]),
    ([], "firefox-esr", ["--profile", "/", "--no-remote"]),
    ([], "MiniBrowser", ["--private", "http"]),
    (["--browser", "webkit"], "chromium", ["--private", "http"]),
])
def test_the_flags_are_those_of_the_browser(temporary, tmp_path, arguments, name, expected):
    environment = script(tmp_path, SHOW)
    browser = pathlib.Path(environment["FOOTBRIDGE_BROWSER"])
    environment = {"FOOTBRIDGE_BROWSER": str(browser.rename(browser.with_name(name)))}
    result = run("browse", *arguments, environment={**temporary, **environment})
    flags = [line.removeprefix("flag: ") for line in result.stdout.splitlines() if line.startswith("flag: ")]
    assert [flag[:len(begin)] for flag, begin in zip(flags, expected)] == expected, result.stdout + result.stderr
    assert "network.proxy" not in result.stdout and "trusted" not in result.stdout


def test_firefox_takes_the_proxy_script_and_trusts_the_authority(temporary, tmp_path):
    result = run("browse", "--browser", "firefox", "--site", f"{APP}=http://localhost:9", environment={**temporary, **script(tmp_path, SHOW)})
    assert re.search(r'user_pref\("network\.proxy\.autoconfig_url", "http://127\.0\.0\.1:\d+/__footbridge/proxy\.pac"\);', result.stdout)
    assert "trusted" in result.stdout and left(temporary) == []


def test_firefox_without_certutil_is_an_error_that_says_what_to_do(temporary, tmp_path):
    path = {"PATH": str(tmp_path), **script(tmp_path, "echo open")}
    result = run("browse", "--browser", "firefox", "--site", f"{APP}=http://localhost:9", environment={**temporary, **path})
    assert result.returncode == 69 and "libnss3-tools" in result.stderr and "open" not in result.stdout
    assert left(temporary) == []


def test_the_first_installed_browser_opens(temporary, tmp_path):
    for name in ["firefox", "chromium"]:
        browser = pathlib.Path(script(tmp_path, f"echo this is {name}")["FOOTBRIDGE_BROWSER"]).rename(tmp_path / name)
        result = run("browse", environment={**temporary, "PATH": str(tmp_path), "FOOTBRIDGE_BROWSER": ""})
        assert f"this is {name}" in result.stdout, result.stderr
        assert browser.exists()
    result = run("browse", "--browser", "safari")
    assert result.returncode == 64 and "firefox" in result.stderr


def test_browse_without_a_site_opens_the_servers_own_url(temporary, tmp_path):
    result = run("browse", environment={**temporary, **script(tmp_path, 'for each; do last=$each; done; echo "page: $last"')})
    url = result.stdout.splitlines()[0].split()[-1]
    assert f"page: {url}" in result.stdout and "proxy" not in result.stdout


def test_a_signal_ends_the_browser_and_removes_its_files(temporary, tmp_path):
    environment = {**os.environ, **temporary, **script(tmp_path, "echo open; exec sleep 60")}
    process = subprocess.Popen([BUILD / "footbridge", "browse"], stdout=subprocess.PIPE, text=True, env=environment)
    while process.stdout.readline() != "open\n":
        pass
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=20) == 128 + signal.SIGTERM
    assert left(temporary) == []


def test_a_missing_browser_is_an_error_that_says_what_to_do(tmp_path):
    for name, package in [("chromium", "Install it"), ("firefox", "firefox-esr")]:
        result = run("browse", "--browser", name, environment={"PATH": str(tmp_path), "FOOTBRIDGE_BROWSER": ""})
        assert result.returncode == 69 and package in result.stderr and "FOOTBRIDGE_BROWSER" in result.stderr
    assert run("browse", environment={"FOOTBRIDGE_BROWSER": "/nowhere/chromium"}).returncode == 127
