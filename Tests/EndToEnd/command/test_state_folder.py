"""Only its user can use the state directory."""

import os
import shutil
import stat
import subprocess

import pytest
from cryptography import x509

from certificates import DAY, NOW, Authority, Pair
from footbridge_process import run, serve
from test_tls import client_context, serve_tls


def modes(folder):
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


def test_a_state_folder_that_others_can_read_is_closed_with_a_log_line(tmp_path):
    state = tmp_path / "state"
    state.mkdir()
    state.chmod(0o755)
    with serve("--state", state) as server:
        assert str(state) in server.wait_for_log("warning", "other users")
        assert stat.S_IMODE(state.stat().st_mode) == 0o700
    with serve("--state", state) as server:
        server.stop()
        assert not any("other users" in line for line in server.log)


@pytest.mark.skipif(os.geteuid() != 0, reason="Only root can give a folder to another user.")
def test_a_state_folder_of_another_user_is_refused(tmp_path):
    state = tmp_path / "state"
    state.mkdir(mode=0o700)
    os.chown(state, 12345, 12345)
    for command in (["serve", "--port", 0], ["trust"]):
        result = run(*command, "--state", state)
        assert result.returncode == os.EX_CANTCREAT
        assert str(state) in result.stderr and "another user" in result.stderr and "--state" in result.stderr
    assert list(state.iterdir()) == []


def test_a_state_folder_that_users_share_is_refused(tmp_path):
    state = tmp_path / "state"
    state.mkdir()
    state.chmod(0o1777)
    result = run("serve", "--port", 0, "--state", state)
    assert result.returncode == os.EX_CANTCREAT and "Several users share it" in result.stderr
    assert list(state.iterdir()) == [] and stat.S_IMODE(state.stat().st_mode) == 0o1777


def test_every_state_file_is_readable_by_its_user_only_with_any_umask(tmp_path):
    state = tmp_path / "around" / "state"
    before = os.umask(0)
    try:
        server = serve_tls("--state", state)
    finally:
        os.umask(before)
    with server:
        server.control()("POST", "/sessions", {"name": "one"})
        seen = modes(state)
        assert set(seen.values()) == {0o600}, seen
        assert {"footbridge.sqlite", "footbridge.sqlite-wal", "tls-authority.pem", "tls-certificate.pem"} <= set(seen)
        assert [stat.S_IMODE(path.stat().st_mode) for path in (state, state.parent)] == [0o700, 0o700]


# The names for which the local authority is valid.


def openssl(authority, pair, folder):
    certificate, _ = pair.write(folder, "leaf")
    return subprocess.run(["openssl", "verify", "-CAfile", authority.file, certificate], capture_output=True, text=True)


@pytest.fixture
def authority(tmp_path):
    state = tmp_path / "state"
    with serve_tls("--state", state, "--site-origin", "https://shop.example", "--allow-host", "10.1.2.3"):
        yield Authority(state)


@pytest.mark.parametrize("name, is_fine", [
    ("localhost", True), ("127.0.0.1", True), ("127.1.2.3", True), ("::1", True), ("shop.example", True), ("10.1.2.3", True),
    ("bank.example", False), ("example", False), ("10.1.2.4", False), ("192.168.1.1", False), ("::2", False),
])
def test_openssl_accepts_the_authority_for_its_own_names_only(authority, tmp_path, name, is_fine):
    result = openssl(authority, Pair("leaf", authority, [name]), tmp_path)
    assert (result.returncode == 0) == is_fine, result.stderr
    assert is_fine or "permitted subtree violation" in result.stderr


def test_the_name_constraints_of_the_authority_are_critical(authority):
    extension = authority.certificate.extensions.get_extension_for_class(x509.NameConstraints)
    assert extension.critical and extension.value.excluded_subtrees is None
    names = {str(subtree.value) for subtree in extension.value.permitted_subtrees}
    assert names == {"localhost", "shop.example", "127.0.0.0/8", "::1/128", "10.1.2.3/32"}


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not here.")
@pytest.mark.parametrize("name, is_fine", [("localhost", True), ("bank.example", False)])
def test_curl_refuses_the_authority_for_another_site(authority, tmp_path, name, is_fine):
    with serve("--ephemeral", "--tls-port", 0, "--site-origin", "https://bank.example",
               *sum(zip(("--tls-cert", "--tls-key"), Pair("leaf", authority, [name]).write(tmp_path, "leaf")), ())) as server:
        port = server.lines.get(timeout=10).rsplit(":", 1)[1]
        result = subprocess.run(
            ["curl", "-sS", "--cacert", authority.file, "--resolve", f"{name}:{port}:127.0.0.1", f"https://{name}:{port}/__footbridge/health"],
            capture_output=True, text=True)
        assert (result.returncode == 0) == is_fine, result.stderr
        assert is_fine or "permitted subtree" in result.stderr


@pytest.mark.parametrize("name, is_fine", [("localhost", True), ("bank.example", False)])
def test_chromium_refuses_a_trusted_authority_for_another_site(authority, launch, tmp_path, name, is_fine):
    home = {**os.environ, "HOME": str(tmp_path)}
    database = tmp_path / ".pki" / "nssdb"
    database.mkdir(parents=True)
    for arguments in (["-N", "--empty-password"], ["-A", "-t", "C,,", "-n", "authority", "-i", authority.file]):
        subprocess.run(["certutil", "-d", f"sql:{database}", *arguments], check=True)
    files = Pair("leaf", authority, [name], end=NOW + 30 * DAY).write(tmp_path, "leaf")
    with serve("--ephemeral", "--tls-port", 0, "--site-origin", "https://bank.example", "--tls-cert", files[0], "--tls-key", files[1]) as server:
        port = server.lines.get(timeout=10).rsplit(":", 1)[1]
        browser = launch("--host-resolver-rules=MAP bank.example 127.0.0.1", env=home)
        try:
            page = browser.new_page()
            if is_fine:
                assert page.goto(f"https://{name}:{port}/").ok
            else:
                with pytest.raises(Exception, match="ERR_CERT"):
                    page.goto(f"https://{name}:{port}/")
        finally:
            browser.close()


def test_an_authority_without_constraints_is_replaced_and_the_log_says_what_to_trust(tmp_path):
    state = tmp_path / "state"
    state.mkdir(mode=0o700)
    old = Pair("Footbridge local authority 0ld", is_authority=True, end=NOW + 3000 * DAY)
    (state / "tls-authority.pem").write_text(old.key_pem() + old.certificate_pem())
    with serve_tls("--state", state) as server:
        line = server.wait_for_log("Footbridge local authority 0ld", "Trust the new one")
        assert "footbridge trust" in line
        assert server.port
        client_context(state)
        assert old.key_pem() not in (state / "tls-authority.pem").read_text()
        assert openssl(Authority(state), Pair("leaf", Authority(state), ["bank.example"]), tmp_path).returncode != 0
    text = run("trust", "--state", state).stdout
    assert "localhost, ::1, 127.0.0.0/8" in text and "0ld" not in text


def test_trust_names_the_replaced_authority(tmp_path):
    with serve_tls("--state", tmp_path / "state"):
        pass
    first = Authority(tmp_path / "state").certificate.subject.rfc4514_string().removeprefix("CN=")
    text = run("trust", "--state", tmp_path / "state", "--site-origin", "https://shop.example").stdout
    assert f'It has replaced "{first}"' in text and "shop.example" in text
    # The server also starts without the name: the authority may be valid for more names.
    with serve_tls("--state", tmp_path / "state") as server:
        server.stop()
        assert not any("Trust the new one" in line for line in server.log)
